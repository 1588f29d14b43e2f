/* batch_derivative.c - the exact step of many bodies with its derivatives: in the lanes of vectors
 * by derivative.h, and one by one what these formulas leave. */
#define ADDITION_KEEPS true /* which is faster here */
#include "motion/derivative.h"

#include <math.h>
#include <string.h>

#include "motion/batch/part.h"

/* Steps b->n bodies, a multiple of PH_BATCH_GROUP, as a batch_kernel does; the derivatives go
 * to the arrays of d from `first` on, those of bodies not done are of no meaning. */
typedef void derivative_kernel(const ph_batch *b, double h, const ph_batch_derivative *d,
                               size_t first, unsigned char *not_done);
KERNEL_DECLARE(derivative_kernel, batch_derivative);

static inline bool wants_moments(const ph_batch_derivative *d)
{
    return d->attitude[0][3] != NULL;
}

#ifdef SIMD_VECTORS /* the kernel */

static inline void store3(double *const to[3], size_t i, vdouble3 v)
{
    vstore(to[0] + i, v.x);
    vstore(to[1] + i, v.y);
    vstore(to[2] + i, v.z);
}

PART void store_row(double *const to[PH_BATCH_DERIVATIVE_COLUMNS], size_t i, slopes x, bool moments)
{
    store3(to, i, x.m);
    if (moments) {
        store3(to + 3, i, x.diagonal);
        store3(to + 6, i, vec3(x.products.z, x.products.y, x.products.x));
    }
}

PART void store_rows(const ph_batch_derivative *d, size_t i, int k, const response *r, vdouble m,
                     vdouble n, vdouble e, vdouble3 turned, bool moments)
{
    store_row(d->attitude[k], i, slopes_of_attitude(r, m, n, e, turned, moments), moments);
    store_row(d->momentum[k], i, slopes_of_momentum(r, m, n, e, moments), moments);
}

PART void store_derivatives(const ph_batch_derivative *d, size_t i, const response *r, bool moments)
{
    vdouble3 of[3];
    matrix_columns(r->turn, of);
    store_rows(d, i, 0, r, r->m1.x, r->n1.x, r->e1.x, of[0], moments);
    store_rows(d, i, 1, r, r->m1.y, r->n1.y, r->e1.y, of[1], moments);
    store_rows(d, i, 2, r, r->m1.z, r->n1.z, r->e1.z, of[2], moments);
}

/* One vector after the other: the responses of two do not fit into registers. */
PART void finish_and_store(const ph_batch *b, size_t i, derivative_bodies *w,
                           const ph_batch_derivative *d, size_t to, unsigned char *not_done,
                           bool moments)
{
    derivative_finish(w, moments);
    w->e.out.good = w->e.out.good & w->r.good;
    store_bodies(b, i, &w->e.s, &w->e.out, not_done);
    store_derivatives(d, to, &w->r, moments);
}

PART void step_all(const ph_batch *b, double h, const ph_batch_derivative *d, size_t first,
                   unsigned char *not_done, bool moments)
{
    const bool shared = batch_shares_moments(b);
    const vdouble3 J = shared ? shared_moments(b) : (vdouble3){0};
    for (size_t i = 0; i < b->n; i += (size_t)VECTORS * LANES) {
        derivative_bodies w[VECTORS];
        BOTH(w[k].e.s = shared ? load_sharing(b, J, i + at, &h, false)
                               : load_bodies(b, i + at, &h, false));
        derivative_carry(w);
        BOTH(finish_and_store(b, i + at, &w[k], d, first + i + at, not_done, moments));
    }
}

void KERNEL(batch_derivative)(const ph_batch *b, double h, const ph_batch_derivative *d,
                              size_t first, unsigned char *not_done)
{
    if (wants_moments(d))
        step_all(b, h, d, first, not_done, true);
    else
        step_all(b, h, d, first, not_done, false);
}

#else

typedef struct derivative_run {
    const ph_batch *b;
    const ph_batch_derivative *d;
    double h;
} derivative_run;

static ph_status step_one(const derivative_run *r, size_t i)
{
    const ph_batch *b = r->b;
    const bool moments = wants_moments(r->d);
    const int columns = moments ? PH_BATCH_DERIVATIVE_COLUMNS : 3;
    const ph_vec3 J = batch_moments(b, i);
    const ph_body body = PH_MOMENTS(J.x, J.y, J.z);
    ph_state s = {{b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]},
                  {b->m[0][i], b->m[1][i], b->m[2][i]}};
    ph_derivative d;
    ph_status status;
    if (moments)
        status = ph_flow_derivative(&body, &s, r->h, &d);
    else
        status = ph_flow_derivative_by_start(&body, &s, r->h, &d);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < columns; c++) {
            r->d->attitude[k][c][i] = status == PH_OK ? d.attitude[k][c + PH_BY_MOMENTUM] : NAN;
            r->d->momentum[k][c][i] = status == PH_OK ? d.momentum[k][c + PH_BY_MOMENTUM] : NAN;
        }
    }
    if (status == PH_OK) {
        b->q[0][i] = s.q.w, b->q[1][i] = s.q.x, b->q[2][i] = s.q.y, b->q[3][i] = s.q.z;
        b->m[0][i] = s.m.x, b->m[1][i] = s.m.y, b->m[2][i] = s.m.z;
    }
    return status;
}

static failure step_block(void *context, size_t start, size_t n)
{
    static derivative_kernel *const kernel[ISA_COUNT] = KERNEL_TABLE(batch_derivative);
    const derivative_run *r = context;
    unsigned char not_done[BATCH_BLOCK];
    failure first = {n, PH_OK, 0};
    const ph_batch groups = batch_part(r->b, start, n - n % PH_BATCH_GROUP);
    memset(not_done, 1, sizeof not_done);
    if (groups.n > 0)
        kernel[ph_isa()](&groups, r->h, r->d, start, not_done);
    for (size_t i = n; i-- > 0;) {
        ph_status status = PH_OK;
        if (not_done[i])
            status = step_one(r, start + i);
        if (status != PH_OK)
            first = (failure){i, status, 0};
    }
    return first;
}

static bool derivative_is_whole(const ph_batch_derivative *d)
{
    bool whole = true;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < PH_BATCH_DERIVATIVE_COLUMNS; c++)
            whole = whole && ((c >= 3 && !wants_moments(d)) ||
                              !ANY_NULL(d->attitude[k][c], d->momentum[k][c]));
    }
    return whole;
}

ph_status ph_batch_step_derivative(const ph_batch *b, double h, const ph_batch_derivative *d,
                                   size_t *failed)
{
    if (d == NULL)
        return PH_NULL_ARGUMENT;
    const ph_status checked = batch_check(b);
    if (checked != PH_OK)
        return checked;
    if (b->n > 0 && !derivative_is_whole(d))
        return PH_NULL_ARGUMENT;
    derivative_run r = {b, d, h};
    failure first = {0, PH_BAD_STEP, 0};
    if (isfinite(h))
        first = ph_batch_blocks(b->n, false, step_block, &r);
    if (failed != NULL && first.status != PH_OK)
        *failed = first.index;
    return first.status;
}

#endif
