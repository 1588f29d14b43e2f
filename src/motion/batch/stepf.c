/* stepf.c - many free bodies in floats: in lanes of floats where a kernel can, else in doubles, whose
 * results are rounded.
 *
 * The kernels have the formulas of the flows' files. In floats these hold for bodies that turn by at
 * most 1.56 radians, with moments and momenta whose squares are numbers. A kernel marks other bodies;
 * as for doubles, what happens to a body depends on this body alone.
 */
#ifdef SIMD_VECTORS
#define SIMD_FLOAT
#include "motion/flows/mr.c" /* NOLINT(bugprone-suspicious-include) */
#include "motion/flows/sr.c" /* NOLINT(bugprone-suspicious-include) */
#else

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/extremes.h"
#include "base/isa.h"
#include "motion/algebra.h"
#include "motion/batch/part.h"
#include "polhode/catalog.h"

/* The largest |1 - |q|^2| of attitudes that are taken for rounded ones. */
static const double ROUNDED_DEFECT = 1e-5;

enum { BLOCK = BATCH_BLOCK, GROUP = PH_BATCH_GROUP, STATE = 7, COLUMNS = 10 };

typedef void batchf_kernel(const ph_flow *flow, const ph_batchf *b, const float *h, bool h_each,
                           unsigned char *not_done);
KERNEL_DECLARE(batchf_kernel, batchf_mr);
KERNEL_DECLARE(batchf_kernel, batchf_sr);

static batchf_kernel *kernel_of(const ph_flow *flow)
{
    static batchf_kernel *const mr[ISA_COUNT] = KERNEL_TABLE(batchf_mr), *const sr[ISA_COUNT] =
                                                                             KERNEL_TABLE(
                                                                                 batchf_sr);
    if (flow->batch != NULL)
        return NULL;
    if (flow->step == ph_flow_mr.step)
        return mr[ph_isa()];
    return flow->step == ph_flow_sr[0].step ? sr[ph_isa()] : NULL;
}

typedef struct stepf_run {
    const ph_flow *flow;
    batchf_kernel *kernel;
    const ph_batchf *b;
    float h;
} stepf_run;

/* The arrays of the states, and moment k of body i. */
static void columns_of(const ph_batchf *b, float *to[STATE])
{
    memcpy(to, b->q, sizeof b->q);
    memcpy(to + 4, b->m, sizeof b->m);
}

static float moment(const ph_batchf *b, int k, size_t i)
{
    return b->J[1] == NULL ? b->J[0][k] : b->J[k][i];
}

/* The last bodies of a block, fewer than a group, in a group of their own whose other places repeat the
 * last. */
static void run_rest(const stepf_run *r, size_t first, size_t n, unsigned char *not_done)
{
    const ph_batchf *b = r->b;
    float *column[STATE], x[COLUMNS][GROUP];
    unsigned char group_not_done[GROUP];
    columns_of(b, column);
    for (size_t i = 0; i < GROUP; i++) {
        const size_t from = first + smaller_size(i, n - 1);
        for (int k = 0; k < COLUMNS; k++)
            x[k][i] = k < STATE ? column[k][from] : moment(b, k - STATE, from);
    }
    const ph_batchf group = {
        GROUP, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
    r->kernel(r->flow, &group, &r->h, false, group_not_done);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < STATE; k++)
            column[k][first + i] = x[k][i];
        not_done[i] = group_not_done[i];
    }
}

/* Whether the momentum of body c is within the range of float; not if it is NaN. */
static bool fits(double x[COLUMNS][BLOCK], size_t c)
{
    return larger_or_nan(fabs(x[4][c]), larger_or_nan(fabs(x[5][c]), fabs(x[6][c]))) <= FLT_MAX;
}

/* Attitudes are of unit length only as floats can be, and flows need more; but what is not an attitude
 * is for them to judge. */
static void set_unit_length(double x[COLUMNS][BLOCK], size_t c)
{
    const ph_quat q = {x[0][c], x[1][c], x[2][c], x[3][c]};
    if (!(fabs(unit_defect(q)) < ROUNDED_DEFECT))
        return;
    const ph_quat unit = renormalize(q);
    x[0][c] = unit.w, x[1][c] = unit.x, x[2][c] = unit.y, x[3][c] = unit.z;
}

/* The bodies of a block that are not done, in doubles. */
static failure run_doubles(const stepf_run *r, size_t start, size_t n,
                           const unsigned char *not_done)
{
    float *column[STATE];
    double x[COLUMNS][BLOCK], before[STATE][BLOCK];
    size_t of[BLOCK] = {0}, count = 0, failed = 0;
    failure first = {n, PH_OK, 0};
    columns_of(r->b, column);
    for (size_t i = 0; i < n; i++) {
        if (not_done[i])
            of[count++] = start + i;
    }
    for (int k = 0; k < STATE; k++) {
        for (size_t c = 0; c < count; c++)
            x[k][c] = column[k][of[c]];
    }
    for (int k = STATE; k < COLUMNS; k++) {
        for (size_t c = 0; c < count; c++)
            x[k][c] = moment(r->b, k - STATE, of[c]);
    }
    for (size_t c = 0; c < count; c++)
        set_unit_length(x, c);
    for (int k = 0; k < STATE; k++)
        memcpy(before[k], x[k], count * sizeof(double));
    const ph_batch some = {count, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
    const ph_status status = ph_batch_step(r->flow, &some, r->h, &failed);
    if (status != PH_OK)
        first = (failure){of[failed] - start, status, 0};
    for (size_t c = 0; c < count; c++) {
        const bool good = fits(x, c);
        if (!good && of[c] - start < first.index)
            first = (failure){of[c] - start, PH_NOT_FINITE, 0};
        bool moved = false; /* else it failed, or rests */
        for (int k = 0; k < STATE; k++)
            moved = moved || x[k][c] != before[k][c];
        for (int k = 0; k < STATE && good && moved; k++)
            column[k][of[c]] = (float)x[k][c];
    }
    return first;
}

/* The bodies from `first` on, n of them. */
static ph_batchf part_of(const ph_batchf *b, size_t first, size_t n)
{
    ph_batchf part = {n, {NULL}, {NULL}, {b->J[0], NULL, NULL}};
    for (int k = 0; k < 4; k++)
        part.q[k] = b->q[k] + first;
    for (int k = 0; k < 3; k++) {
        part.m[k] = b->m[k] + first;
        if (b->J[1] != NULL)
            part.J[k] = b->J[k] + first;
    }
    return part;
}

static failure step_block(void *context, size_t start, size_t n)
{
    const stepf_run *r = context;
    const size_t whole = n - n % GROUP;
    unsigned char not_done[BLOCK];
    memset(not_done, 1, sizeof not_done);
    if (r->kernel != NULL) {
        const ph_batchf groups = part_of(r->b, start, whole);
        if (whole > 0)
            r->kernel(r->flow, &groups, &r->h, false, not_done);
        if (whole < n)
            run_rest(r, start + whole, n - whole, not_done + whole);
    }
    if (memchr(not_done, 1, n) == NULL)
        return (failure){n, PH_OK, 0};
    return run_doubles(r, start, n, not_done);
}

ph_status ph_batch_stepf(const ph_flow *flow, const ph_batchf *b, float h, size_t *failed)
{
    if (ANY_NULL(flow, b) || (b->n > 0 && (ANY_NULL(b->q[0], b->q[1], b->q[2], b->q[3], b->m[0],
                                                    b->m[1], b->m[2], b->J[0]) ||
                                           (b->J[1] == NULL) != (b->J[2] == NULL))))
        return PH_NULL_ARGUMENT;
    if (!array_possible(b->n, sizeof(float)))
        return PH_NO_MEMORY;
    stepf_run r = {flow, kernel_of(flow), b, h};
    failure first = {0, PH_BAD_STEP, 0};
    if (isfinite(h))
        first = ph_batch_blocks(b->n, false, step_block, &r);
    if (failed != NULL && first.status != PH_OK)
        *failed = first.index;
    return first.status;
}
#endif
