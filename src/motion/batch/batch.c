/* batch.c - many free bodies: blocks of them shared out among the threads, each block by
 * the kernel of the flow, and by its step what the kernel leaves.
 *
 * A kernel takes whole groups. The bodies that fill none, fewer than PH_BATCH_GROUP, are
 * copied into a group of their own whose other places repeat the last of them.
 */
#include "polhode/batch.h"

#include <string.h>

#include "base/parallel.h"
#include "motion/batch/part.h"
#include "motion/state.h"
#include "rotation/checked.h"

enum { BLOCK = BATCH_BLOCK, GROUP = PH_BATCH_GROUP };

/* Blocks below which waking other threads takes longer than the work. */
enum { ENOUGH = 16 };

/* The times of the bodies: h[0] for all, or one each. */
typedef struct times_of {
    const double *h;
    bool each;
} times_of;

static times_of times_from(times_of t, size_t first)
{
    return (times_of){t.each ? t.h + first : t.h, t.each};
}

/* ---- one body -------------------------------------------------------------------- */

static ph_status step_one(const ph_flow *flow, const ph_batch *b, size_t i, double h)
{
    const ph_body body = {.J = {b->J[0][i], b->J[1][i], b->J[2][i]},
                          .axes = {1, 0, 0, 0},
                          .principal = true};
    ph_state s = {{b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]},
                  {b->m[0][i], b->m[1][i], b->m[2][i]}};
    const ph_status status = ph_flow_step(flow, &body, &s, h);
    if (status != PH_OK)
        return status;
    b->q[0][i] = s.q.w, b->q[1][i] = s.q.x, b->q[2][i] = s.q.y, b->q[3][i] = s.q.z;
    b->m[0][i] = s.m.x, b->m[1][i] = s.m.y, b->m[2][i] = s.m.z;
    return PH_OK;
}

/* ---- groups ---------------------------------------------------------------------- */

/* The last n < GROUP bodies of a block, in a group of their own. */
static void run_rest(const ph_flow *flow, const ph_batch *b, times_of t,
                     unsigned char *not_done)
{
    double copy[11][GROUP]; /* q, m, J, h */
    unsigned char rest_not_done[GROUP];
    const double *from[11] = {b->q[0], b->q[1], b->q[2], b->q[3], b->m[0], b->m[1],
                              b->m[2], b->J[0], b->J[1], b->J[2], t.h};
    for (size_t i = 0; i < GROUP; i++) {
        const size_t source = i < b->n ? i : b->n - 1;
        for (int k = 0; k < 10; k++)
            copy[k][i] = from[k][source];
        copy[10][i] = t.h[t.each ? source : 0];
    }
    const ph_batch group = {GROUP,
                            {copy[0], copy[1], copy[2], copy[3]},
                            {copy[4], copy[5], copy[6]},
                            {copy[7], copy[8], copy[9]}};
    flow->batch(flow, &group, copy[10], t.each, rest_not_done);
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < 4; k++)
            b->q[k][i] = group.q[k][i];
        for (int k = 0; k < 3; k++)
            b->m[k][i] = group.m[k][i];
        not_done[i] = rest_not_done[i];
    }
}

static failure run_block(const ph_flow *flow, const ph_batch *b, times_of t)
{
    unsigned char not_done[BLOCK];
    failure first = {b->n, PH_OK};
    memset(not_done, 1, sizeof not_done);
    if (flow->batch != NULL) {
        const size_t whole = b->n - b->n % GROUP;
        const ph_batch groups = batch_part(b, 0, whole),
                       rest = batch_part(b, whole, b->n - whole);
        if (whole > 0)
            flow->batch(flow, &groups, t.h, t.each, not_done);
        if (rest.n > 0)
            run_rest(flow, &rest, times_from(t, whole), not_done + whole);
    }
    for (size_t i = b->n; i-- > 0;) {
        if (!not_done[i])
            continue;
        const ph_status status = step_one(flow, b, i, t.h[t.each ? i : 0]);
        if (status != PH_OK)
            first = (failure){i, status};
    }
    return first;
}

typedef struct batch_run {
    const ph_flow *flow;
    const ph_batch *b;
    times_of t;
    failure first;
} batch_run;

static void pass(void *context, size_t block)
{
    batch_run *r = context;
    const size_t start = block * BLOCK;
    const ph_batch one = batch_part(r->b, start, BLOCK);
    const failure f = run_block(r->flow, &one, times_from(r->t, start));
    note_failure(&r->first, (failure){start + f.index, f.status});
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
    batch_run r = {flow, b, t, {b->n, PH_OK}};
    const size_t blocks = (b->n + BLOCK - 1) / BLOCK;
    ph_parallel_for(blocks, blocks >= ENOUGH, pass, &r);
    CHECKED(flow->name, r.first.status != PH_OK || all_finite(b));
    if (failed != NULL && r.first.status != PH_OK)
        *failed = r.first.index;
    return r.first.status;
}

/* ---- the interface --------------------------------------------------------------- */

ph_status ph_batch_step(const ph_flow *flow, const ph_batch *b, double h, size_t *failed)
{
    if (flow == NULL || !batch_is_whole(b))
        return PH_NULL_ARGUMENT;
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
    if (ANY_NULL(flow, h) || !batch_is_whole(b))
        return PH_NULL_ARGUMENT;
    return run(flow, b, (times_of){h, true}, failed);
}

typedef struct kick_run {
    const ph_batch *b;
    const double *torque[3];
    double h;
} kick_run;

static void kick(void *context, size_t block)
{
    const kick_run *r = context;
    const size_t start = block * BLOCK,
                 end = r->b->n - start < BLOCK ? r->b->n : start + BLOCK;
    for (int k = 0; k < 3; k++) {
        for (size_t i = start; i < end; i++)
            r->b->m[k][i] += r->h * r->torque[k][i];
    }
}

void ph_batch_kick(const ph_batch *b, const double *x, const double *y, const double *z,
                   double h)
{
    kick_run r = {b, {x, y, z}, h};
    const size_t blocks = (b->n + BLOCK - 1) / BLOCK;
    ph_parallel_for(blocks, blocks >= ENOUGH, kick, &r);
}
