/* strided.c - many free bodies as they lie in another program: records, momenta in space. A
 * block of them is brought into columns, stepped there and written back. */
#include "motion/batch/records.h"

#include <math.h>

#include "base/arguments.h"
#include "motion/batch/part.h"

/* Blocks below which waking other threads takes longer than the work. */
enum { ENOUGH = 16 };

static ph_batch_strided part_of(const ph_batch_strided *b, size_t first)
{
    const size_t left = b->n - first;
    ph_batch_strided part = *b;
    part.n = left < BATCH_BLOCK ? left : BATCH_BLOCK;
    part.q += first * b->q_stride;
    part.m += first * b->m_stride;
    part.J += first * b->J_stride;
    if (b->along != NULL)
        part.along += first * b->along_stride;
    return part;
}

static ph_status run_block(const ph_flow *flow, const ph_batch_strided *b, double h,
                           size_t *failed)
{
    static gather_kernel *const gather[ISA_COUNT] = KERNEL_TABLE(batch_gather);
    static scatter_kernel *const scatter[ISA_COUNT] = KERNEL_TABLE(batch_scatter);
    batch_columns c;
    const ph_batch columns = {b->n,
                              {c.q[0], c.q[1], c.q[2], c.q[3]},
                              {c.m[0], c.m[1], c.m[2]},
                              {c.J[0], c.J[1], c.J[2]}};
    gather[ph_isa()](b, &c);
    const ph_status status = ph_batch_step(flow, &columns, h, failed);
    scatter[ph_isa()](&c, b);
    return status;
}

typedef struct strided_run {
    const ph_flow *flow;
    const ph_batch_strided *b;
    double h;
    failure first;
} strided_run;

static void pass(void *context, size_t block)
{
    strided_run *r = context;
    const size_t start = block * BATCH_BLOCK;
    const ph_batch_strided part = part_of(r->b, start);
    size_t bad = 0;
    const ph_status status = run_block(r->flow, &part, r->h, &bad);
    note_failure(&r->first, (failure){start + bad, status});
}

ph_status ph_batch_strided_step(const ph_flow *flow, const ph_batch_strided *b, double h,
                                size_t *failed)
{
    if (ANY_NULL(flow, b))
        return PH_NULL_ARGUMENT;
    const size_t blocks = (b->n + BATCH_BLOCK - 1) / BATCH_BLOCK;
    strided_run r = {flow, b, h, {b->n, PH_OK}};
    if (!isfinite(h))
        r.first = (failure){0, PH_BAD_STEP};
    else if ((flow->keeps & PH_MOMENTUM) == 0)
        r.first = (failure){0, PH_NOT_APPLICABLE};
    else
        ph_parallel_for(blocks, blocks >= ENOUGH, pass, &r);
    if (failed != NULL && r.first.status != PH_OK)
        *failed = r.first.index;
    return r.first.status;
}
