/* strided.c - many free bodies as they lie in another program: records, momenta in space. A
 * block of them is brought into columns, stepped there and written back. */
#include <math.h>

#include "base/arguments.h"
#include "base/isa.h"
#include "motion/algebra.h"
#include "motion/batch/part.h"

/* Some bodies, in the lanes' order. Columns are a cache line longer than a block, since stores
 * delay loads that are a multiple of 4096 bytes away. */
enum { COLUMN = BATCH_BLOCK + CACHE_LINE / sizeof(double) };
typedef struct batch_columns {
    VECTOR_ALIGNED double q[4][COLUMN], m[3][COLUMN], J[3][COLUMN];
} batch_columns;

/* Fills the columns from at most BATCH_BLOCK records; momenta turned into the body frames. */
typedef void gather_kernel(const ph_batch_strided *from, batch_columns *to);
KERNEL_DECLARE(gather_kernel, batch_gather);

/* Writes the attitudes of the columns to the records, and turns the vectors there from the
 * old attitude to the new. */
typedef void scatter_kernel(const batch_columns *from, const ph_batch_strided *to);
KERNEL_DECLARE(scatter_kernel, batch_scatter);

#ifdef SIMD_VECTORS /* the kernels */

/* A component of `count` neighbours, at most LANES; the other lanes repeat the last. */
PART vdouble load_strided(const double *first, size_t stride, size_t count)
{
    vdouble x = {0};
    for (size_t k = 0; k < LANES; k++)
        x[k] = first[(k < count ? k : count - 1) * stride];
    return x;
}

static inline vdouble3 load_strided3(const double *first, size_t stride, size_t count)
{
    return (vdouble3){load_strided(first, stride, count), load_strided(first + 1, stride, count),
                      load_strided(first + 2, stride, count)};
}

static inline vdouble4 load_strided4(const double *first, size_t stride, size_t count)
{
    const vdouble3 v = load_strided3(first + 1, stride, count);
    return (vdouble4){load_strided(first, stride, count), v.x, v.y, v.z};
}

PART void store_strided(double *first, size_t stride, size_t count, vdouble x)
{
    for (size_t k = 0; k < LANES; k++) {
        if (k < count)
            first[k * stride] = x[k];
    }
}

static inline void store3(double (*to)[COLUMN], size_t i, vdouble3 v)
{
    vstore(to[0] + i, v.x);
    vstore(to[1] + i, v.y);
    vstore(to[2] + i, v.z);
}

PART void gather(const ph_batch_strided *from, batch_columns *to, size_t i, size_t count)
{
    const vdouble4 q = load_strided4(from->q + i * from->q_stride, from->q_stride, count);
    const vdouble3 m = load_strided3(from->m + i * from->m_stride, from->m_stride, count);
    vstore(to->q[0] + i, q.w);
    store3(to->q + 1, i, (vdouble3){q.x, q.y, q.z});
    store3(to->m, i, rotate_back(q, m));
    if (from->J_stride > 0)
        store3(to->J, i, load_strided3(from->J + i * from->J_stride, from->J_stride, count));
}

void KERNEL(batch_gather)(const ph_batch_strided *from, batch_columns *to)
{
    const size_t rest = from->n % LANES, whole = from->n - rest;
    for (size_t i = 0; i < whole; i += LANES)
        gather(from, to, i, LANES);
    if (rest > 0)
        gather(from, to, whole, rest);
}

/* Vectors v of attitude q0 after the turn to q1: (q1 q0^-1) v (q1 q0^-1)^-1; where the
 * attitude is the same, the same bits. */
static inline vdouble3 turned_along(vdouble4 q0, vdouble4 q1, vdouble3 v)
{
    const vmask same = (q0.w == q1.w) & (q0.x == q1.x) & (q0.y == q1.y) & (q0.z == q1.z);
    const vdouble4 back = mul(q0, inverse(q1));
    const vdouble3 u = rotate_back(back, v);
    return (vdouble3){vselect(same, v.x, u.x), vselect(same, v.y, u.y), vselect(same, v.z, u.z)};
}

PART void scatter(const batch_columns *from, const ph_batch_strided *to, size_t i, size_t count)
{
    const vdouble4 q1 = {vload(from->q[0] + i), vload(from->q[1] + i), vload(from->q[2] + i),
                         vload(from->q[3] + i)};
    double *const q = to->q + i * to->q_stride;
    if (to->along != NULL) {
        double *const along = to->along + i * to->along_stride;
        const vdouble3 v = turned_along(load_strided4(q, to->q_stride, count), q1,
                                        load_strided3(along, to->along_stride, count));
        store_strided(along, to->along_stride, count, v.x);
        store_strided(along + 1, to->along_stride, count, v.y);
        store_strided(along + 2, to->along_stride, count, v.z);
    }
    store_strided(q, to->q_stride, count, q1.w);
    store_strided(q + 1, to->q_stride, count, q1.x);
    store_strided(q + 2, to->q_stride, count, q1.y);
    store_strided(q + 3, to->q_stride, count, q1.z);
}

void KERNEL(batch_scatter)(const batch_columns *from, const ph_batch_strided *to)
{
    const size_t rest = to->n % LANES, whole = to->n - rest;
    for (size_t i = 0; i < whole; i += LANES)
        scatter(from, to, i, LANES);
    if (rest > 0)
        scatter(from, to, whole, rest);
}

#else

static ph_batch_strided part_of(const ph_batch_strided *b, size_t first, size_t n)
{
    ph_batch_strided part = *b;
    part.n = n;
    part.q += first * b->q_stride;
    part.m += first * b->m_stride;
    part.J += first * b->J_stride;
    if (b->along != NULL)
        part.along += first * b->along_stride;
    return part;
}

typedef struct strided_run {
    const ph_flow *flow;
    const ph_batch_strided *b;
    double h;
} strided_run;

static failure step_block(void *context, size_t start, size_t n)
{
    static gather_kernel *const gather[ISA_COUNT] = KERNEL_TABLE(batch_gather);
    static scatter_kernel *const scatter[ISA_COUNT] = KERNEL_TABLE(batch_scatter);
    const strided_run *r = context;
    const ph_batch_strided part = part_of(r->b, start, n);
    batch_columns c;
    ph_batch columns = {
        n, {c.q[0], c.q[1], c.q[2], c.q[3]}, {c.m[0], c.m[1], c.m[2]}, {part.J, NULL, NULL}};
    for (int k = 0; k < 3 && part.J_stride != 0; k++)
        columns.J[k] = c.J[k];
    failure first = {n, PH_OK, 0};
    gather[ph_isa()](&part, &c);
    first.status = ph_batch_step(r->flow, &columns, r->h, &first.index);
    scatter[ph_isa()](&c, &part);
    return first;
}

ph_status ph_batch_strided_step(const ph_flow *flow, const ph_batch_strided *b, double h,
                                size_t *failed)
{
    if (ANY_NULL(flow, b) || (b->n > 0 && ANY_NULL(b->q, b->m, b->J)))
        return PH_NULL_ARGUMENT;
    if (!array_possible(b->n, sizeof(double)))
        return PH_NO_MEMORY;
    strided_run r = {flow, b, h};
    failure first = {0, PH_OK, 0};
    if (!isfinite(h))
        first.status = PH_BAD_STEP;
    else if ((flow->keeps & PH_MOMENTUM) == 0)
        first.status = PH_NOT_APPLICABLE;
    else
        first = ph_batch_blocks(b->n, false, step_block, &r);
    if (failed != NULL && first.status != PH_OK)
        *failed = first.index;
    return first.status;
}

#endif
