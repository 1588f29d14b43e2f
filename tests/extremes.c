/* extremes.c - every flow, kernel and instruction set on motions over the whole range of
 * double: `make test-extremes`.
 *
 *     extremes [FLOW ...]                               all flows, or some
 *     extremes case FLOW WAY J1 J2 J3 q0 q1 q2 q3 m1 m2 m3 h     one motion again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/extreme_checks.h"

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return count == 0;
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "case") == 0)
        return extreme_case(count - 2, words + 2) ? 0 : 2;
    const char *scale_word = getenv("EXTREMES_SCALE");
    const double s = scale_word ? strtod(scale_word, NULL) : 1.0;
    const extreme_sizes sizes = {
        .exact = (uint64_t)(1e7 * s), .others = (uint64_t)(1e5 * s), .oracle = 5000, .details = true};
    size_t flows;
    const ph_flow *const *all = ph_flows(&flows);
    uint64_t failed = 0;
    for (size_t i = 0; i < flows; i++) {
        if (wanted(all[i]->name, count - 1, words + 1))
            failed += extreme_flow(all[i], &sizes);
    }
    return failed == 0 ? 0 : 1;
}
