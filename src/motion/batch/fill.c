/* fill.c - one motion at many times: one by one, or in vector lanes.
 *
 * In lanes a time is reached by a short exact step, in the kernel of the flow `exact`, from the state
 * at the next whole multiple of a power of two, a cell, within which the body turns by less
 * than a radian. That state is the one of ph_motion_at(), computed once for all times of the
 * cell that follow one another. Multiple and difference are exact, so that the result
 * depends on the time alone. What the kernel cannot do is left to ph_motion_at().
 */
#include "polhode/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "base/isa.h"
#include "motion/batch/part.h"
#include "motion/motion.h"
#include "motion/state.h"

KERNEL_DECLARE(batch_kernel, batch_exact);

enum { BLOCK = BATCH_BLOCK, GROUP = PH_BATCH_GROUP };

/* Cells further away are narrower than the distance of two times. */
static const double MOST_CELLS = 0x1p52;

/* The columns of a batch: q, m, J, and the times. */
enum { Q = 0, M = 4, MOMENTS = 7, TIME = 10, COLUMNS };

typedef struct cells {
    ph_motion motion;    /* in principal axes */
    double length, over; /* of a cell, a power of two, and its inverse */
    double number;       /* the cell reached last */
    ph_state state;      /* at its middle */
    double column[COLUMNS][BLOCK];
    unsigned char left[BLOCK]; /* what the kernel cannot do */
} cells;

/* False if no cell has a length in double precision. */
static bool cells_of(cells *c, const free_motion *f)
{
    enum { MOST_EXPONENT = 900 };
    free_motion principal = *f;
    principal.body.axes = (ph_quat){1, 0, 0, 0};
    principal.body.principal = true;
    memcpy(&c->motion, &principal, sizeof principal);
    const ph_vec3 J = f->body.J;
    const double fastest = norm_max(f->start.m) / smaller_or_nan(J.x, smaller_or_nan(J.y, J.z));
    if (!(fastest > 0.0 && isfinite(fastest)) || abs(ilogb(fastest)) > MOST_EXPONENT)
        return false;
    c->over = ldexp(2.0, ilogb(fastest));
    c->length = 1.0 / c->over;
    c->number = NAN;
    for (int i = 0; i < BLOCK; i++) {
        c->column[MOMENTS][i] = J.x;
        c->column[MOMENTS + 1][i] = J.y;
        c->column[MOMENTS + 2][i] = J.z;
    }
    return true;
}

/* The states at n <= BLOCK times, in the columns. */
static void fill_block(cells *c, const double *t, size_t n)
{
    static batch_kernel *const kernel[ISA_COUNT] = KERNEL_TABLE(batch_exact);
    double(*x)[BLOCK] = c->column;
    const size_t whole = (n + GROUP - 1) / GROUP * GROUP;
    for (size_t i = 0; i < whole; i++) {
        const double time = t[smaller_size(i, n - 1)], number = rint(time * c->over);
        const bool near = fabs(number) < MOST_CELLS;
        if (near && number != c->number) {
            c->number = number;
            c->state = ph_motion_at(&c->motion, number * c->length);
        }
        x[Q][i] = c->state.q.w, x[Q + 1][i] = c->state.q.x;
        x[Q + 2][i] = c->state.q.y, x[Q + 3][i] = c->state.q.z;
        x[M][i] = c->state.m.x, x[M + 1][i] = c->state.m.y, x[M + 2][i] = c->state.m.z;
        x[TIME][i] = near ? time - number * c->length : NAN;
    }
    const ph_batch b = {whole,
                        {x[Q], x[Q + 1], x[Q + 2], x[Q + 3]},
                        {x[M], x[M + 1], x[M + 2]},
                        {x[MOMENTS], x[MOMENTS + 1], x[MOMENTS + 2]}};
    kernel[ph_isa()](NULL, &b, x[TIME], true, c->left);
}

static ph_state taken(const cells *c, size_t i)
{
    const double(*x)[BLOCK] = c->column;
    return (ph_state){{x[Q][i], x[Q + 1][i], x[Q + 2][i], x[Q + 3][i]},
                      {x[M][i], x[M + 1][i], x[M + 2][i]}};
}

static void put(double *q, double *m, size_t i, ph_state s)
{
    memcpy(q + 4 * i, &s.q, sizeof s.q);
    memcpy(m + 3 * i, &s.m, sizeof s.m);
}

void ph_motion_fill(const ph_motion *motion, const double *t, size_t n, double *q, double *m)
{
    for (size_t i = 0; i < n; i++)
        put(q, m, i, ph_motion_at(motion, t[i]));
}

void ph_motion_fill_fast(const ph_motion *motion, const double *t, size_t n, double *q, double *m)
{
    free_motion f;
    cells c;
    memcpy(&f, motion, sizeof f);
    const bool in_cells = f.kind == TURNING && cells_of(&c, &f);
    for (size_t start = 0; start < n; start += BLOCK) {
        const size_t part = smaller_size(n - start, BLOCK);
        if (in_cells)
            fill_block(&c, t + start, part);
        for (size_t i = 0; i < part; i++) {
            if (in_cells && !c.left[i])
                put(q, m, start + i, from_principal(&f.body, taken(&c, i)));
            else
                put(q, m, start + i, ph_motion_at(motion, t[start + i]));
        }
    }
}
