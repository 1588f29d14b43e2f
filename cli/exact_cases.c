/* exact_cases.c - the exact motion of many bodies, at one instant each. */
#include "cases.h"
#include "catalog/find.h"
#include "exact.h"

static size_t advance(const void *flow, cases_block *b, char why[CASES_WHY])
{
    (void)why; /* the only way to fail is a state that is not finite */
    const ph_batch all = cases_batch(b);
    size_t failed = b->n;
    (void)ph_batch_step_each(flow, &all, b->t, &failed);
    return failed;
}

int exact_cases(const char *path, const char *out, bool json)
{
    const cases_job job = {
        .timed = true,
        .json = json,
        .advance = advance,
        .context = find_flow("exact"),
    };
    return cases_answer(&job, path, out);
}
