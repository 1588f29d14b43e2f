/* gbs.c - extrapolation after Gragg, Bulirsch and Stoer, all columns at once.
 *
 * HNW   Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9.
 *
 * The rule and its extrapolation are in src/integrators/extrapolation.h. The columns have 2, 4 ...
 * 16 substeps, order 16, where the torque comes in vectors; where it is asked for one
 * attitude at a time, or the tolerance is next to round-off, 2, 4 ... 12, 16, order 14, with
 * fewer torques and smaller weights. Internal momenta and a damping -c w are part of the free
 * motion and taken at every point. Other torques of the velocity are too, one column after the
 * other.
 *
 * A tolerance is what the attitude may be off by after a turn of a smooth motion. So steps aim at
 * an estimate of the tolerance over CAUTION, less than that next to round-off, and up to ACCEPTED
 * times as much is accepted: a high order makes rejected steps dearer than cautious ones.
 *
 * A step that has to be shorter than the tolerance allows, to
 * end at a given time, takes as few columns as reach that far; so does a state within the
 * last step, which is a shorter step from its start.
 */
#include "integrators/extrapolation.h"

#ifdef SIMD_VECTORS
/* ---- columns in lanes: free, with torques at even points, and with wheels or damping - */

static void add_torque(const double *constants, const vdouble *q, vdouble k, vdouble *m)
{
    (void)constants;
    (void)q;
    (void)k;
    (void)m;
}

extrapolation_kernel KERNEL(columns_free), KERNEL(columns_even), KERNEL(columns_loaded);

void KERNEL(columns_free)(extrapolation *x)
{
    columns_at_every_point(x, add_torque, NULL);
}

/* to += k y' without torque at the point z, whose number is s; loaded: with the internal
 * momentum H of this time and the damping,
 *
 *   w = J^-1 (m - H),   m' = m x w - damping w
 */
PART void turn_at(const extrapolation *x, bool loaded, int s, size_t r, const vdouble *z, vdouble k,
                  vdouble *to)
{
    if (!loaded) {
        turn_freely(x, z, k, to);
        return;
    }
    double H[3][LANES] = {{0}};
    for (int i = 0; i < LANES && x->p->internal != NULL; i++) {
        const double n = SUBSTEPS[x->sequence][r * LANES + (size_t)i];
        const ph_vec3 now = x->p->internal(x->p, x->t + x->h * s / n);
        H[0][i] = now.x;
        H[1][i] = now.y;
        H[2][i] = now.z;
    }
    const vdouble f = (k * x->body.half[0]) * (z[4] - vload(H[0])),
                  g = (k * x->body.half[1]) * (z[5] - vload(H[1])),
                  h = (k * x->body.half[2]) * (z[6] - vload(H[2])), c = vsplat(x->p->damping);
    turn_quaternion(z, f, g, h, to);
    to[4] = to[4] + 2.0 * ((z[5] * h - z[6] * g) - c * f);
    to[5] = to[5] + 2.0 * ((z[6] * f - z[4] * h) - c * g);
    to[6] = to[6] + 2.0 * ((z[4] * g - z[5] * f) - c * h);
}

/* All columns together, so that as many torques as can be are asked for at once. */
PART void columns_at_even_points(extrapolation *x, bool loaded)
{
    double q[4][PH_LANES], t[PH_LANES], torque[3][PH_LANES] = {{0}}, end[PH_UNKNOWNS][PH_LANES];
    vdouble u[VECTORS][PH_UNKNOWNS], v[VECTORS][PH_UNKNOWNS], z[VECTORS][PH_UNKNOWNS],
        old[VECTORS][3];
    const int last = x->columns - 1, substeps = SUBSTEPS[x->sequence][last];
    for (size_t r = 0; r < VECTORS; r++) {
        for (int i = 0; i < PH_UNKNOWNS; i++) {
            u[r][i] = v[r][i] = vsplat(0.0);
            z[r][i] = vsplat(x->y[i]);
        }
        for (int i = 0; i < 3; i++)
            old[r][i] = vsplat(x->torque[i]);
    }
    for (int s = 0; s < substeps; s += 2) {
        const double(*length)[PH_LANES] = &SUBSTEP_LENGTH[x->sequence][s];
        const int first = s / 2 < last ? s / 2 : last; /* of the columns not yet done */
        for (size_t r = (size_t)first / LANES; r < VECTORS; r++) {
            vdouble k = x->h * vload(&length[0][r * LANES]);
            turn_at(x, loaded, s, r, z[r], k, v[r]);
            for (int i = 0; i < 3; i++)
                v[r][4 + i] += k * old[r][i];
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[r][i] = v[r][i] + x->y[i];
            k = x->h * vload(&length[1][r * LANES]);
            turn_at(x, loaded, s + 1, r, z[r], k, u[r]);
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[r][i] = u[r][i] + x->y[i];
            const vdouble w = z[r][0], a = z[r][1], b = z[r][2], c = z[r][3],
                          over = 1.0 / vsqrt((w * w + a * a) + (b * b + c * c));
            for (int i = 0; i < 4; i++)
                vstore(&q[i][r * LANES], over * z[r][i]);
            vdouble part = vsplat(0.0); /* of h that is over: (s + 2)/n */
            part += 0.5 * (double)(s + 2) * vload(&length[1][r * LANES]);
            vstore(&t[r * LANES], x->t + x->h * part);
        }
        ph_torque_lanes(x->p, first, x->columns, t, (const double(*)[PH_LANES])q, torque);
        for (size_t r = (size_t)first / LANES; r < VECTORS; r++) {
            const vdouble k = (0.5 * x->h) * vload(&length[1][r * LANES]);
            for (int i = 0; i < 3; i++) {
                const vdouble now = vload(&torque[i][r * LANES]);
                u[r][4 + i] += k * (old[r][i] + now);
                z[r][4 + i] = u[r][4 + i] + x->y[4 + i];
                old[r][i] = now;
            }
        }
    }
    for (size_t r = 0; r < VECTORS; r++) {
        for (int i = 0; i < PH_UNKNOWNS; i++)
            vstore(&end[i][r * LANES], u[r][i]);
    }
    extrapolate(x, end);
}

void KERNEL(columns_even)(extrapolation *x)
{
    columns_at_even_points(x, false);
}

void KERNEL(columns_loaded)(extrapolation *x)
{
    columns_at_even_points(x, true);
}

#else
#include "integrators/adaptive.h"
#include "integrators/lanes.h"

static const double ACCEPTED = 100.0, CAUTION = 200.0, LEAST_CAUTION = 4.0, ROUND_OFF = 1e-15,
                    CALM_BELOW = 1e-13;

KERNEL_DECLARE(extrapolation_kernel, columns_free);
KERNEL_DECLARE(extrapolation_kernel, columns_even);
KERNEL_DECLARE(extrapolation_kernel, columns_loaded);

/* ---- other torques of the velocity ------------------------------------------------ */

/* One column of n substeps from x->y, torques at every point; its end less its start. */
static void plain_column(ph_adaptive_run *r, const extrapolation *x, int n, double end[PH_UNKNOWNS])
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
        plain_column(r, x, SUBSTEPS[x->sequence][j], u);
        for (int i = 0; i < PH_UNKNOWNS; i++)
            end[i][j] = u[i];
    }
    extrapolate(x, end);
}

/* ---- a step ---------------------------------------------------------------------- */

static columns_sequence sequence_of(const ph_adaptive_run *r)
{
    const ph_problem *p = principal_problem(r);
    const bool vectors = is_field(p) && (p->torque == NULL || ph_columns_of(p) != NULL);
    return vectors && !(r->tolerance < CALM_BELOW) ? SEQUENCE_LONG : SEQUENCE_CALM;
}

/* A step of h from y at t with the first columns of the sequence; its error, in units of what
 * steps aim at. */
static double step(ph_adaptive_run *r, int columns, double t, double h, const double *y,
                   double change[PH_UNKNOWNS])
{
    static extrapolation_kernel *const without_torque[ISA_COUNT] = KERNEL_TABLE(columns_free),
                                       *const even[ISA_COUNT] = KERNEL_TABLE(columns_even),
                                       *const loaded[ISA_COUNT] = KERNEL_TABLE(columns_loaded);
    const ph_problem *p = principal_problem(r);
    extrapolation x = {
        .p = p,
        .body = free_body_of(p->body.J),
        .sequence = sequence_of(r),
        .columns = columns,
        .t = t,
        .h = h,
        .y = y,
    };
    int points = 0;
    for (int j = 0; j < columns; j++)
        points += SUBSTEPS[x.sequence][j];
    if (!is_field(p) && p->torque != NULL && p->velocity_dependent && p->damping == 0.0) {
        plain_columns(r, &x);
    } else if (is_field(p) && p->torque == NULL) {
        without_torque[ph_isa()](&x);
    } else if (is_field(p) && ph_columns_of(p) != NULL) {
        ph_columns_of(p)(&x);
        r->now.evaluations += points;
        if (p->evaluations != NULL)
            *p->evaluations += (uint64_t)points;
    } else {
        const ph_vec3 tau = torque_at(p, t, (ph_quat){y[0], y[1], y[2], y[3]});
        memcpy(x.torque, (double[]){tau.x, tau.y, tau.z}, sizeof x.torque);
        (is_field(p) ? even : loaded)[ph_isa()](&x);
        const int even_points = points / 2;
        r->now.evaluations += p->torque == NULL ? 0 : 1 + even_points;
    }
    memcpy(change, x.change, sizeof x.change);
    const double caution =
        smaller_or_nan(CAUTION, larger_or_nan(LEAST_CAUTION, r->tolerance / ROUND_OFF));
    return caution * error_size(x.estimate, y, x.change) / r->tolerance;
}

/* memory[c]: how far c columns reach, relative to all of them; guesses at first, which steps
 * put right. */
static double prepare(ph_adaptive_run *r)
{
    static const double REACH[PH_LANES] = {
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

static void attempt(ph_adaptive_run *r, double h, ph_trial_step *out)
{
    const int all = columns_in(sequence_of(r)),
              columns = fabs(h) < r->now.next && isfinite(r->now.next) ? fewest(r, h, all) : all;
    const double error = step(r, columns, r->now.t, h, r->now.y, out->change);
    out->error = error / ACCEPTED;
    out->factor = step_factor(error, 2 * columns - 1);
    out->whole = columns == all;
    if (!out->whole) {
        const double reach = fabs(h) * out->factor / r->now.next;
        if (out->factor < STEP_LONGER || reach > out->memory[columns])
            out->memory[columns] = reach;
    }
}

static void at(ph_adaptive_run *r, double t, double y[PH_UNKNOWNS])
{
    const int all = columns_in(sequence_of(r));
    const double h = t - r->now.from, *start = r->now.start;
    int columns = isfinite(r->now.next) ? fewest(r, h, all) : all;
    double change[PH_UNKNOWNS];
    while (!(step(r, columns, r->now.from, h, start, change) <= ACCEPTED) && columns < all)
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
#endif
