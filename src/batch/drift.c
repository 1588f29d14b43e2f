/* drift.c - the free motion of an integrator for many bodies: a step, or many of them. */
#include "batch/drift.h"

#include "batch/part.h"
#include "core/composition.h"
#include "core/parallel.h"

/* ---- a step, stage by stage ------------------------------------------------------ */

ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h,
                         size_t *failed)
{
    const ph_composition *c = i->composition;
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

typedef struct march {
    const ph_integrator *i;
    double h;
    long steps;
    batch_listener *listener;
    void *context;
    double done, all; /* steps of pieces */
    bool stopped;
} march;

/* A step of a piece is done: whether to go on. */
static bool tell(march *m)
{
    bool stopped;
    PARALLEL_ALONE
    {
        m->done += 1.0;
        if (!m->stopped)
            m->stopped = !m->listener(m->context, m->done / m->all);
        stopped = m->stopped;
    }
    return !stopped;
}

/* One piece all the way. */
static batch_end go(march *m, ph_batch good)
{
    batch_end end = {.failed = good.n};
    long k = 0;
    for (; k < m->steps && good.n > 0; k++) {
        const ph_status status = ph_batch_drift(m->i, &good, m->h, &end.failed);
        if (status != PH_OK) {
            good.n = end.failed;
            end.status = status;
            end.step = k;
        }
        if (!tell(m))
            break;
    }
    return end;
}

batch_end ph_batch_drifts(const ph_integrator *i, const ph_batch *b, double h, long steps,
                          batch_listener *listener, void *context)
{
    const size_t pieces = (b->n + BATCH_BLOCK - 1) / BATCH_BLOCK;
    march m = {i,    h, steps, listener, context, 0.0, (double)pieces * (double)steps,
               false};
    batch_end first = {.failed = b->n};
    PARALLEL_FOR_IF(pieces > 1)
    for (size_t piece = 0; piece < pieces; piece++) {
        const size_t start = piece * BATCH_BLOCK;
        batch_end end = go(&m, batch_part(b, start, BATCH_BLOCK));
        end.failed += start;
        if (end.status != PH_OK) {
            PARALLEL_ALONE
            if (end.failed < first.failed)
                first = end;
        }
    }
    first.stopped = m.stopped;
    return first;
}
