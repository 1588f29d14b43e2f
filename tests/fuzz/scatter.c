/* scatter.c - the JSON of a fit, from which bodies are drawn: run --scatter FILE.json. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    write_file("fit.json", data, size);
    (void)RUN_TOOL("run", "--problem", "heavy_top", "--scatter", "fit.json", "--samples", "2",
                   "--step", "0.1", "--time", "0.2", "--out", "out.csv");
    empty_folder();
    return 0;
}
