/* drift.c - the free motion of an integrator for many bodies: a step, or many of them. */
#include "batch/drift.h"

#include "batch/part.h"
#include "core/composition.h"
#include "core/parallel.h"

/* ---- a step, stage by stage ------------------------------------------------------ */

ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h,
                         size_t *failed)
{
    const ph_composition *c = flow_composition(i);
    const int stages = c ? c->stages : 1;
    ph_batch good = *b; /* the bodies before the first that failed */
    ph_status first = PH_OK;
    for (int k = 0; k < stages; k++) {
        size_t bad;
        const double g = c ? composition_part(c, k) : 1.0;
        const ph_status status = ph_batch_step(i->flow, &good, g * h, &bad);
        if (status == PH_OK)
            continue;
        good.n = bad;
        first = status;
        if (failed != NULL)
            *failed = bad;
    }
    return first;
}

/* ---- many steps ------------------------------------------------------------------ */

typedef struct batch_run {
    const ph_integrator *i;
    double h;
    long steps;
    ph_batch_observer *observer;
    void *context;
    double done, all; /* steps of blocks */
    bool stopped;
} batch_run;

/* Reports that a step of a block is done; whether to go on. */
static bool report(batch_run *r)
{
    bool stopped;
    if (r->observer == NULL)
        return true;
    PARALLEL_ALONE
    {
        r->done += 1.0;
        if (!r->stopped)
            r->stopped = !r->observer(r->context, r->done / r->all);
        stopped = r->stopped;
    }
    return !stopped;
}

/* All steps of one block. */
static ph_batch_result run_block(batch_run *r, ph_batch good)
{
    ph_batch_result result = {.failed = good.n};
    for (long k = 0; k < r->steps && good.n > 0; k++) {
        const ph_status status = ph_batch_drift(r->i, &good, r->h, &result.failed);
        if (status != PH_OK) {
            good.n = result.failed;
            result.status = status;
            result.step = k;
        }
        if (!report(r))
            break;
    }
    return result;
}

ph_batch_result ph_batch_drifts(const ph_integrator *i, const ph_batch *b, double h,
                                long steps, ph_batch_observer *observer, void *context)
{
    const size_t blocks = (b->n + BATCH_BLOCK - 1) / BATCH_BLOCK;
    batch_run r = {.i = i,
                   .h = h,
                   .steps = steps,
                   .observer = observer,
                   .context = context,
                   .all = (double)blocks * (double)steps};
    ph_batch_result first = {.failed = b->n};
    if (i->flow == NULL || i->scheme != NULL || i->method != NULL)
        return (ph_batch_result){.status = PH_NOT_APPLICABLE};
    PARALLEL_FOR_IF(blocks > 1)
    for (size_t block = 0; block < blocks; block++) {
        const size_t start = block * BATCH_BLOCK;
        ph_batch_result result = run_block(&r, batch_part(b, start, BATCH_BLOCK));
        result.failed += start;
        if (result.status != PH_OK) {
            PARALLEL_ALONE
            if (result.failed < first.failed)
                first = result;
        }
    }
    first.stopped = r.stopped;
    return first;
}
