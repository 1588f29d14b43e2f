/* extremes.c - every flow, kernel and instruction set on random motions over the whole range
 * of double: `make test PARTS=extremes`.
 *
 *     extremes [--seed K] [--part I/N] [NAME ...]
 *         all flows and methods, `series`, the Taylor series, and `derivatives`, those of the exact
 *         motion; or those named. The motions are drawn by the seed, default 1, alone: each name
 *         has the same, with others or without. --part does the I-th of N parts that make the whole.
 *         EXTREMES=0.01 in the environment: so much of it; POLHODE_THREADS: on so many threads
 *     extremes case NAME WAY J1 J2 J3 q0 q1 q2 q3 m1 m2 m3 h     one motion again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/extreme_checks.h"
#include "system/find.h"

static int usage(const char *wrong)
{
    (void)fprintf(stderr,
                  "extremes: %s: extremes [--seed K] [--part I/N] [NAME ...] or "
                  "extremes case NAME WAY J1 ... h\n",
                  wrong);
    return 2;
}

/* A whole number that ends at `end`, or false. */
static bool read_whole(const char *word, char end, uint64_t *value, const char **rest)
{
    char *stop;
    *value = strtoull(word, &stop, 10);
    *rest = stop + 1;
    return *word >= '0' && *word <= '9' && *stop == end;
}

/* The options before the names; false for one that cannot be read. */
static bool read_options(char ***word, extreme_search *search)
{
    for (; **word != NULL && strncmp(**word, "--", 2) == 0; *word += 2) {
        const char *name = (*word)[0], *value = (*word)[1], *rest;
        if (value == NULL)
            return false;
        if (strcmp(name, "--seed") == 0) {
            if (!read_whole(value, '\0', &search->seed, &rest))
                return false;
        } else if (strcmp(name, "--part") == 0) {
            if (!read_whole(value, '/', &search->part, &rest) ||
                !read_whole(rest, '\0', &search->parts, &rest) || search->part-- < 1 ||
                search->part >= search->parts)
                return false;
        } else {
            return false;
        }
    }
    return true;
}

static bool known(const char *name)
{
    const ph_flow *flow;
    const ph_method *method;
    return strcmp(name, "series") == 0 || strcmp(name, "derivatives") == 0 ||
           ph_flow_named(name, &flow) == PH_OK || ph_method_named(name, &method) == PH_OK;
}

/* Whether a name is among those wanted; all are where there are none. */
static bool wanted(const char *name, char **names)
{
    const bool all = *names == NULL;
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return all || *names != NULL;
}

int main(int count, char **words)
{
    uint64_t failed = 0;
    if (count > 1 && strcmp(words[1], "case") == 0) {
        if (!extreme_case(count - 2, words + 2, &failed))
            return usage("no such motion");
        return failed > 0 ? 1 : 0;
    }
    const char *fraction_word = getenv("EXTREMES");
    const double fraction = fraction_word != NULL ? strtod(fraction_word, NULL) : 1.0;
    extreme_search search = {.seed = 1,
                             .parts = 1,
                             .exact = (uint64_t)(1e7 * fraction),
                             .others = (uint64_t)(1e5 * fraction),
                             .series = (uint64_t)(1e4 * fraction),
                             .derivatives = (uint64_t)(6250 * fraction),
                             .details = true};
    char **names = words + 1;
    if (!read_options(&names, &search))
        return usage("an option that cannot be read");
    for (char **name = names; *name != NULL; name++) {
        if (!known(*name))
            return usage(*name);
    }
    size_t flows, methods;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_method *const *method = ph_methods(&methods);
    printf("seed %llu, part %llu/%llu, %g of the motions\n", (unsigned long long)search.seed,
           (unsigned long long)search.part + 1, (unsigned long long)search.parts, fraction);
    if (wanted("series", names))
        failed += extreme_series(&search);
    if (wanted("derivatives", names))
        failed += extreme_derivatives(&search);
    for (size_t i = 0; i < flows; i++) {
        if (wanted(flow[i]->name, names))
            failed += extreme_flow(flow[i], &search);
    }
    for (size_t i = 0; i < methods; i++) {
        if (wanted(method[i]->name, names))
            failed += extreme_method(method[i], &search);
    }
    printf("%llu failed\n", (unsigned long long)failed);
    return failed == 0 ? 0 : 1;
}
