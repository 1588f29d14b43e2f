/* cases.c - a file of cases, for `exact` and for a few steps of any flow.
 *
 * The first byte says which: `exact` with or without --json, or the flow of a run.
 */
#include "fuzz.h"
#include "polhode/polhode.h"
#include "system/find.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { EXACT, EXACT_JSON, FIRST_FLOW };
    size_t flows;
    const ph_flow *const *flow = ph_flows(&flows);
    if (size == 0)
        return 0;
    const char *path = input_file(data + 1, size - 1);
    const size_t which = data[0] % (flows + FIRST_FLOW);
    if (which == EXACT)
        (void)RUN_TOOL("exact", "--cases", path);
    else if (which == EXACT_JSON)
        (void)RUN_TOOL("exact", "--cases", "-", "--json");
    else
        (void)RUN_TOOL("run", "--cases", path, "--method", flow[which - FIRST_FLOW]->name, "--step",
                       "0.5", "--time", "2");
    return 0;
}
