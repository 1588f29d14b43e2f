/* gbs.c - extrapolation after Gragg, Bulirsch and Stoer, all columns at once.
 *
 * HNW   Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9.
 *
 * The rule and its extrapolation are in src/integrators/extrapolation.h. The columns have 2, 4 ...
 * 16 substeps, order 16, where the torque comes in vectors; where it is asked for one
 * attitude at a time, or the tolerance is next to round-off, 2, 4 ... 12, 16, order 14, with
 * fewer torques and smaller weights. A torque of the velocity, and the velocity of a body with
 * an internal momentum, are taken at every point.
 *
 * The estimate is of lower order than the step, and mostly much larger than its error; CAUTION
 * times the estimate may be up to ACCEPTED tolerances. A step that has to be shorter than the tolerance allows, to
 * end at a given time, takes as few columns as reach that far; so does a state within the
 * last step, which is a shorter step from its start.
 */
#include "integrators/adaptive.h"
#include "integrators/lane_kernels.h"

static const double ACCEPTED = 10.0, CAUTION = 4.0, CALM_BELOW = 1e-13;

enum { MOST_COLUMNS = PH_LANES };

KERNEL_DECLARE(extrapolation_kernel, columns_free);
KERNEL_DECLARE(extrapolation_kernel, columns_even);

/* ---- torques of the velocity ----------------------------------------------------- */

/* One column of n substeps from x->y, torques at every point; its end less its start. */
static void plain_column(ph_adaptive_run *r, const extrapolation *x, int n,
                         double end[PH_UNKNOWNS])
{
    double u[2][PH_UNKNOWNS] = {{0}}, z[PH_UNKNOWNS], rate[PH_UNKNOWNS];
    memcpy(z, x->y, sizeof z);
    for (int s = 0; s < n; s++) {
        double *to = u[s % 2 == 0]; /* odd points, even points */
        const double k = s == 0 ? x->h / n : 2.0 * x->h / n;
        ph_motion_rate(r, x->t + x->h * s / n, z, rate);
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            to[i] += k * rate[i];
            z[i] = x->y[i] + to[i];
        }
    }
    memcpy(end, u[0], sizeof u[0]);
}

static void plain_columns(ph_adaptive_run *r, extrapolation *x)
{
    double end[PH_UNKNOWNS][PH_LANES] = {{0}};
    for (int j = 0; j < x->columns; j++) {
        double u[PH_UNKNOWNS];
        plain_column(r, x, ph_substeps(x->sequence, j), u);
        for (int i = 0; i < PH_UNKNOWNS; i++)
            end[i][j] = u[i];
    }
    ph_extrapolate(x, end);
}

/* ---- a step ---------------------------------------------------------------------- */

static columns_sequence sequence_of(const ph_adaptive_run *r)
{
    const ph_problem *p = principal_problem(r);
    const bool vectors =
        is_field(p) && (p->torque == NULL || columns_of_problem(p) != NULL);
    return vectors && !(r->tolerance < CALM_BELOW) ? SEQUENCE_LONG : SEQUENCE_CALM;
}

static int columns_of(columns_sequence s)
{
    return s == SEQUENCE_LONG ? MOST_COLUMNS : MOST_COLUMNS - 1;
}

/* A step of h from y at t with the first columns of the sequence; the size of its error. */
static double step(ph_adaptive_run *r, int columns, double t, double h, const double *y,
                   double change[PH_UNKNOWNS])
{
    static extrapolation_kernel *const without_torque[ISA_COUNT] =
        KERNEL_TABLE(columns_free),
                                       *const even[ISA_COUNT] =
                                           KERNEL_TABLE(columns_even);
    const ph_problem *p = principal_problem(r);
    const ph_vec3 J = p->body.J;
    extrapolation x = {
        .p = p,
        .half = {0.5 / J.x, 0.5 / J.y, 0.5 / J.z},
        .euler = {1.0 / J.z - 1.0 / J.y, 1.0 / J.x - 1.0 / J.z, 1.0 / J.y - 1.0 / J.x},
        .sequence = sequence_of(r),
        .columns = columns,
        .t = t,
        .h = h,
        .y = y,
    };
    int points = 0;
    for (int j = 0; j < columns; j++)
        points += ph_substeps(x.sequence, j);
    if (!is_field(p)) {
        plain_columns(r, &x);
    } else if (p->torque == NULL) {
        without_torque[ph_isa()](&x);
    } else if (columns_of_problem(p) != NULL) {
        columns_of_problem(p)(&x);
        r->now.evaluations += points;
        if (p->evaluations != NULL)
            *p->evaluations += (uint64_t)points;
    } else {
        const ph_vec3 tau = torque_at(p, t, (ph_quat){y[0], y[1], y[2], y[3]});
        memcpy(x.torque, (double[]){tau.x, tau.y, tau.z}, sizeof x.torque);
        even[ph_isa()](&x);
        const int even_points = points / 2;
        r->now.evaluations += 1 + even_points;
    }
    memcpy(change, x.change, sizeof x.change);
    return CAUTION * error_size(x.estimate, y, x.change);
}

/* memory[c]: how far c columns reach, relative to all of them; guesses at first, which steps
 * put right. */
static double prepare(ph_adaptive_run *r)
{
    static const double REACH[MOST_COLUMNS] = {
        [3] = 0.05, [4] = 0.15, [5] = 0.35, [6] = 0.6, [7] = 0.8};
    static const double TURN = 3.0, ORDER = 13.0;
    memcpy(r->now.memory, REACH, sizeof REACH);
    return TURN * rough_power(r->tolerance, 1.0 / ORDER);
}

/* The fewest columns that reach as far as h, a part of the longest step. */
static int fewest(const ph_adaptive_run *r, double h, int all)
{
    int c = FEWEST_COLUMNS;
    while (c < all && !(r->now.memory[c] * r->now.next >= fabs(h)))
        c++;
    return c;
}

static void attempt(ph_adaptive_run *r, double h, ph_attempt *out)
{
    const int all = columns_of(sequence_of(r)),
              columns = fabs(h) < r->now.next && isfinite(r->now.next) ? fewest(r, h, all)
                                                                       : all;
    const double error = step(r, columns, r->now.t, h, r->now.y, out->change),
                 relative = error / r->tolerance;
    out->error = relative / ACCEPTED;
    out->factor = step_factor(relative, 2 * columns - 1);
    out->whole = columns == all;
    if (!out->whole) {
        const double reach = fabs(h) * out->factor / r->now.next;
        if (out->factor < STEP_LONGER || reach > out->memory[columns])
            out->memory[columns] = reach;
    }
}

static void at(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS])
{
    const int all = columns_of(sequence_of(r));
    const double h = t - r->now.from, *start = r->now.start;
    int columns = isfinite(r->now.next) ? fewest(r, h, all) : all;
    double change[PH_UNKNOWNS];
    while (
        !(step(r, columns, r->now.from, h, start, change) <= ACCEPTED * r->tolerance) &&
        columns < all)
        columns = all;
    for (int i = 0; i < PH_UNKNOWNS; i++)
        y[i] = start[i] + change[i];
}

const ph_adaptive ph_adaptive_gbs = {
    .name = "gbs",
    .title = "Extrapolation of Gragg, Bulirsch and Stoer, adaptive",
    .cite = "HNW II.9",
    .order = 14,
    .prepare = prepare,
    .attempt = attempt,
    .at = at,
};
