/* convert.c - a file of rows, CSV, npy, npz or aem, in other formats and columns.
 *
 * The first byte says which columns and which format.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {"t,q", "t,euler_zyx,w_space", "energy_error,q1",
                                          "t,R,rotvec"};
    static const char *const files[] = {"-", "rows.npz", "rows.aem", "rows.npy", "rows.glb"};
    enum { COLUMNS = sizeof columns / sizeof columns[0], FILES = sizeof files / sizeof files[0] };
    if (size == 0)
        return 0;
    const char *path = input_file(data + 1, size - 1), *file = files[data[0] % FILES];
    const size_t which = data[0] / FILES % (COLUMNS + 1);
    if (which == COLUMNS)
        (void)RUN_TOOL("convert", path, "--out", file);
    else
        (void)RUN_TOOL("convert", path, "--out", file, "--show", columns[which], "--epoch",
                       "2026-01-01T00:00:00");
    empty_folder();
    return 0;
}
