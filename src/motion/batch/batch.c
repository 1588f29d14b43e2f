/* batch.c - many free bodies, over a step or many: blocks of them shared out among the threads, each block by
 * the kernel of the flow, and by its step what the kernel leaves.
 *
 * A kernel takes whole groups. The bodies that fill none, fewer than PH_BATCH_GROUP, are
 * copied into a group of their own whose other places repeat the last of them.
 */
#include "polhode/batch.h"

#include <string.h>

#include "base/isa.h"
#include "base/parallel.h"
#include "motion/batch/flow_kernels.h"
#include "motion/batch/linear.h"
#include "motion/batch/part.h"
#include "motion/checked.h"
#include "motion/composition.h"
#include "motion/state.h"
#include "polhode/catalog.h"

enum { BLOCK = BATCH_BLOCK, GROUP = PH_BATCH_GROUP };

/* ---- blocks ---------------------------------------------------------------------- */

/* Blocks below which waking other threads takes longer than the work. */
enum { ENOUGH = 16 };

static size_t blocks_of(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

typedef struct blocks_run {
    size_t n;
    block_function *block;
    void *context;
    failure first;
} blocks_run;

static void pass(void *context, size_t number)
{
    blocks_run *r = context;
    const size_t start = number * BLOCK, left = r->n - start;
    failure f = r->block(r->context, start, smaller_size(left, BLOCK));
    if (f.status == PH_OK)
        return;
    f.index += start;
    ph_parallel_lock();
    if (f.index < r->first.index)
        r->first = f;
    ph_parallel_unlock();
}

failure ph_batch_blocks(size_t n, bool always, block_function *block, void *context)
{
    blocks_run r = {n, block, context, {n, PH_OK, 0}};
    const size_t blocks = blocks_of(n);
    ph_parallel_for(blocks, always || blocks >= ENOUGH, pass, &r);
    return r.first;
}

/* The times of the bodies: h[0] for all, or one each. */
typedef struct times_of {
    const double *h;
    bool each;
} times_of;

static times_of times_from(times_of t, size_t first)
{
    return (times_of){t.each ? t.h + first : t.h, t.each};
}

static double time_of(times_of t, size_t i)
{
    return *times_from(t, i).h;
}

/* ---- one body -------------------------------------------------------------------- */

static bool has_zero(ph_vec3 J)
{
    return J.x == 0.0 || J.y == 0.0 || J.z == 0.0;
}

static ph_status step_one(const ph_flow *flow, const ph_batch *b, size_t i, double h)
{
    const ph_body body = {.J = batch_moments(b, i), .axes = {1, 0, 0, 0}, .principal = true};
    ph_state s = {{b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]},
                  {b->m[0][i], b->m[1][i], b->m[2][i]}};
    ph_status status;
    if (has_zero(body.J))
        status = ph_linear_step(&s, body.J, h);
    else
        status = ph_flow_step(flow, &body, &s, h);
    if (status != PH_OK)
        return status;
    b->q[0][i] = s.q.w, b->q[1][i] = s.q.x, b->q[2][i] = s.q.y, b->q[3][i] = s.q.z;
    b->m[0][i] = s.m.x, b->m[1][i] = s.m.y, b->m[2][i] = s.m.z;
    return PH_OK;
}

/* ---- kernels --------------------------------------------------------------------- */

#define DECLARED(name) KERNEL_DECLARE(batch_kernel, batch_##name);
#define ROW(name)      {(const ph_flow *)&ph_flow_##name, KERNEL_TABLE(batch_##name)},

FLOW_KERNELS(DECLARED)

batch_kernel *ph_flow_kernel(const ph_flow *flow)
{
    static const struct {
        const ph_flow *of; /* or the first of a family */
        batch_kernel *sets[ISA_COUNT];
    } rows[] = {FLOW_KERNELS(ROW)};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (rows[k].of->step == flow->step)
            // cppcheck-suppress CastIntegerToAddressAtReturn ; it is a pointer
            return rows[k].sets[ph_isa()];
    }
    return NULL;
}

/* ---- groups ---------------------------------------------------------------------- */

/* The last n < GROUP bodies of a block, in a group of their own. */
static void run_rest(const ph_flow *flow, batch_kernel *kernel, const ph_batch *b, times_of t,
                     unsigned char *not_done)
{
    double copy[11][GROUP]; /* q, m, J, h */
    unsigned char rest_not_done[GROUP];
    const double *from[7] = {b->q[0], b->q[1], b->q[2], b->q[3], b->m[0], b->m[1], b->m[2]};
    for (size_t i = 0; i < GROUP; i++) {
        const size_t source = smaller_size(i, b->n - 1);
        const ph_vec3 J = batch_moments(b, source);
        for (int k = 0; k < 7; k++)
            copy[k][i] = from[k][source];
        copy[7][i] = J.x, copy[8][i] = J.y, copy[9][i] = J.z;
        copy[10][i] = time_of(t, source);
    }
    const ph_batch group = {GROUP,
                            {copy[0], copy[1], copy[2], copy[3]},
                            {copy[4], copy[5], copy[6]},
                            {copy[7], copy[8], copy[9]}};
    kernel(flow, &group, copy[10], t.each, rest_not_done);
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < 4; k++)
            b->q[k][i] = group.q[k][i];
        for (int k = 0; k < 3; k++)
            b->m[k][i] = group.m[k][i];
        not_done[i] = rest_not_done[i];
    }
}

/* The linear bodies of the whole groups of a block; returns whether others are left. */
static bool run_linear(const ph_flow *flow, const ph_batch *b, times_of t, unsigned char *not_done)
{
    static batch_kernel *const linear[ISA_COUNT] = KERNEL_TABLE(batch_linear);
    const ph_batch groups = batch_part(b, 0, b->n - b->n % GROUP);
    linear[ph_isa()](flow, &groups, t.h, t.each, not_done);
    return groups.n < b->n || memchr(not_done, 1, b->n) != NULL;
}

static failure run_block(const ph_flow *flow, batch_kernel *kernel, const ph_batch *b, times_of t)
{
    unsigned char not_done[BLOCK], not_linear[BLOCK];
    failure first = {b->n, PH_OK, 0};
    memset(not_done, 1, sizeof not_done);
    /* blocks of linear bodies begin with one; others of them are done one by one */
    memset(not_linear, 1, sizeof not_linear);
    if (has_zero(batch_moments(b, 0)) && !run_linear(flow, b, t, not_linear))
        return first;
    if (kernel != NULL) {
        const size_t whole = b->n - b->n % GROUP;
        const ph_batch groups = batch_part(b, 0, whole), rest = batch_part(b, whole, b->n - whole);
        if (whole > 0)
            kernel(flow, &groups, t.h, t.each, not_done);
        if (rest.n > 0)
            run_rest(flow, kernel, &rest, times_from(t, whole), not_done + whole);
    }
    for (size_t i = b->n; i-- > 0;) {
        if (!not_done[i] || !not_linear[i])
            continue;
        const ph_status status = step_one(flow, b, i, time_of(t, i));
        if (status != PH_OK)
            first = (failure){i, status, 0};
    }
    return first;
}

/* ---- one step -------------------------------------------------------------------- */

typedef struct step_run {
    const ph_flow *flow;
    batch_kernel *kernel;
    const ph_batch *b;
    times_of t;
} step_run;

static failure step_block(void *context, size_t start, size_t n)
{
    const step_run *r = context;
    ph_batch one = batch_part(r->b, start, n);
    double J[3][BLOCK];
    if (r->flow->batch != NULL && batch_shares_moments(&one)) { /* a kernel of the caller's */
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < n; i++)
                J[k][i] = r->b->J[0][k];
            one.J[k] = J[k];
        }
    }
    return run_block(r->flow, r->kernel, &one, times_from(r->t, start));
}

static inline bool all_finite(const ph_batch *b)
{
    bool finite = true;
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < 7; k++)
            finite = finite && isfinite((k < 4 ? b->q[k] : b->m[k - 4])[i]);
    }
    return finite;
}

static ph_status run(const ph_flow *flow, const ph_batch *b, times_of t, size_t *failed)
{
    step_run r = {flow, flow->batch != NULL ? flow->batch : ph_flow_kernel(flow), b, t};
    const failure first = ph_batch_blocks(b->n, false, step_block, &r);
    CHECKED(flow->name, first.status != PH_OK || all_finite(b));
    if (failed != NULL && first.status != PH_OK)
        *failed = first.index;
    return first.status;
}

ph_status ph_batch_step(const ph_flow *flow, const ph_batch *b, double h, size_t *failed)
{
    if (flow == NULL)
        return PH_NULL_ARGUMENT;
    const ph_status checked = batch_check(b);
    if (checked != PH_OK)
        return checked;
    if (!isfinite(h)) {
        if (failed != NULL)
            *failed = 0;
        return PH_BAD_STEP;
    }
    return run(flow, b, (times_of){&h, false}, failed);
}

ph_status ph_batch_step_each(const ph_flow *flow, const ph_batch *b, const double *h,
                             size_t *failed)
{
    if (ANY_NULL(flow, h))
        return PH_NULL_ARGUMENT;
    const ph_status checked = batch_check(b);
    if (checked != PH_OK)
        return checked;
    return run(flow, b, (times_of){h, true}, failed);
}

typedef struct kick_run {
    const ph_batch *b;
    const double *torque[3];
    double h;
} kick_run;

static failure kick_block(void *context, size_t start, size_t n)
{
    const kick_run *r = context;
    for (int k = 0; k < 3; k++) {
        for (size_t i = start; i < start + n; i++)
            r->b->m[k][i] += r->h * r->torque[k][i];
    }
    return (failure){n, PH_OK, 0};
}

void ph_batch_kick(const ph_batch *b, const double *x, const double *y, const double *z, double h)
{
    kick_run r = {b, {x, y, z}, h};
    (void)ph_batch_blocks(b->n, false, kick_block, &r);
}

/* ---- many steps of an integrator -------------------------------------------------- */

ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h, size_t *failed)
{
    const ph_composition *c = flow_composition(i);
    ph_batch good = *b; /* the bodies before the first that failed */
    ph_status first = PH_OK;
    for (int k = 0; k < composition_stages(c); k++) {
        size_t bad = 0;
        const ph_status status = ph_batch_step(i->flow, &good, composition_part(c, k) * h, &bad);
        if (status == PH_OK)
            continue;
        good.n = bad;
        first = status;
        if (failed != NULL)
            *failed = bad;
    }
    return first;
}

typedef struct batch_run {
    const ph_integrator *i;
    double h;
    uint64_t steps;
    const ph_batch *b;
    parallel_progress progress; /* in steps of blocks */
} batch_run;

static failure steps_of_block(void *context, size_t start, size_t n)
{
    batch_run *r = context;
    ph_batch good = batch_part(r->b, start, n);
    failure first = {n, PH_OK, 0};
    for (uint64_t k = 0; k < r->steps && good.n > 0; k++) {
        const ph_status status = ph_batch_drift(r->i, &good, r->h, &first.index);
        if (status != PH_OK) {
            good.n = first.index;
            first.status = status;
            first.step = k;
        }
        if (!ph_parallel_go_on(&r->progress, 1.0, 0.0))
            break;
    }
    return first;
}

ph_batch_result ph_batch_run(const ph_integrator *i, const ph_batch *b, double h, uint64_t steps,
                             ph_batch_observer *observer, void *context)
{
    const ph_status checked = i == NULL ? PH_NULL_ARGUMENT : batch_check(b);
    if (checked != PH_OK)
        return (ph_batch_result){.status = checked};
    batch_run r = {.i = i,
                   .h = h,
                   .steps = steps,
                   .b = b,
                   .progress = {.go_on = observer,
                                .context = context,
                                .whole = (double)blocks_of(b->n) * (double)steps}};
    if (i->flow == NULL || i->scheme != NULL || i->method != NULL)
        return (ph_batch_result){.status = PH_NOT_APPLICABLE};
    const failure first = ph_batch_blocks(b->n, true, steps_of_block, &r);
    return (ph_batch_result){r.progress.stopped, first.status, first.index, first.step};
}
