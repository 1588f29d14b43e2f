/* extremes.c - every flow, kernel and instruction set on random motions over the whole range
 * of double: `make test-extremes`.
 *
 *     extremes [NAME ...]     all flows and methods and the Taylor series, or some flows and
 *                             methods; EXTREMES=0.01 in the environment: so much of it
 *     extremes case NAME WAY J1 J2 J3 q0 q1 q2 q3 m1 m2 m3 h     one motion again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/extreme_checks.h"
#include "support/oracle.h"

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
    uint64_t failed = 0;
    if (count > 1 && strcmp(words[1], "case") == 0) {
        const bool read = extreme_case(count - 2, words + 2, &failed);
        return !read ? 2 : failed > 0 ? 1 : 0;
    }
    const char *part_word = getenv("EXTREMES");
    const double part = part_word != NULL ? strtod(part_word, NULL) : 1.0;
    const extreme_sizes sizes = {.exact = (uint64_t)(1e7 * part),
                                 .others = (uint64_t)(1e5 * part),
                                 .series = (uint64_t)(1e4 * part),
                                 .details = true};
    size_t flows, methods;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    char **names = words + 1;
    if (count == 1)
        failed = extreme_series(&sizes);
    for (size_t i = 0; i < flows; i++) {
        if (wanted(flow[i]->name, count - 1, names))
            failed += extreme_flow(flow[i], &sizes);
    }
    for (size_t i = 0; i < methods; i++) {
        if (wanted(method[i]->name, count - 1, names))
            failed += extreme_method(method[i], &sizes);
    }
    oracle_close();
    printf("%llu failed\n", (unsigned long long)failed);
    return failed == 0 ? 0 : 1;
}
