/* drift.c - the free motion of an integrator for many bodies: a step, or many of them. */
#include "motion/batch/drift.h"

#include "base/parallel.h"
#include "motion/batch/part.h"
#include "motion/composition.h"

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
    const ph_batch *b;
    double done, all; /* steps of blocks */
    bool stopped;
    ph_batch_result first; /* of those that failed */
} batch_run;

/* Reports that a step of a block is done; whether to go on. */
static bool report(batch_run *r)
{
    bool stopped;
    if (r->observer == NULL)
        return true;
    ph_parallel_lock();
    r->done += 1.0;
    if (!r->stopped)
        r->stopped = !r->observer(r->context, r->done / r->all);
    stopped = r->stopped;
    ph_parallel_unlock();
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

static void pass(void *context, size_t block)
{
    batch_run *r = context;
    const size_t start = block * BATCH_BLOCK;
    ph_batch_result result = run_block(r, batch_part(r->b, start, BATCH_BLOCK));
    result.failed += start;
    if (result.status == PH_OK)
        return;
    ph_parallel_lock();
    if (result.failed < r->first.failed)
        r->first = result;
    ph_parallel_unlock();
}

ph_batch_result ph_batch_drifts(const ph_integrator *i, const ph_batch *b, double h,
                                long steps, ph_batch_observer *observer, void *context)
{
    if (i == NULL || !batch_is_whole(b))
        return (ph_batch_result){.status = PH_NULL_ARGUMENT};
    const size_t blocks = (b->n + BATCH_BLOCK - 1) / BATCH_BLOCK;
    batch_run r = {.i = i,
                   .h = h,
                   .steps = steps,
                   .observer = observer,
                   .context = context,
                   .b = b,
                   .all = (double)blocks * (double)steps,
                   .first = {.failed = b->n}};
    if (steps < 0)
        return (ph_batch_result){.status = PH_BAD_STEP};
    if (i->flow == NULL || i->scheme != NULL || i->method != NULL)
        return (ph_batch_result){.status = PH_NOT_APPLICABLE};
    ph_parallel_for(blocks, true, pass, &r);
    r.first.stopped = r.stopped;
    return r.first;
}
