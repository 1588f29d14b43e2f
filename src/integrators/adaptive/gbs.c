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
 * A free body, and one in a weak torque, moves to and fro in time alike. A method of even order whose
 * steps are all equal keeps that to its leading error, so that its energy does not drift, and the
 * error of the attitude grows like the time (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
 * Integration, XI). Steps that follow each error lag behind the motion: the energy drifts, and
 * the error grows like the square of the time. So in a weak torque the length of the steps is
 * kept until it has been too short for many steps. Equal steps are as short as the worst of them has
 * to be, and most of them are better than they need to be. So they aim at a larger error.
 *
 * A step that has to be shorter than the tolerance allows, to
 * end at a given time, takes as few columns as reach that far; so does a state within the
 * last step, which is a shorter step from its start.
 */
#include "integrators/extrapolation.h"
#include "integrators/tangent_kernels.h"

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
    VECTOR_ALIGNED double q[4][PH_LANES];
    VECTOR_ALIGNED double t[PH_LANES];
    VECTOR_ALIGNED double torque[3][PH_LANES] = {{0}};
    VECTOR_ALIGNED double end[PH_UNKNOWNS][PH_LANES];
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
            keep_point(x, s, (int)r * LANES, z[r]);
            turn_at(x, loaded, s, r, z[r], k, v[r]);
            for (int i = 0; i < 3; i++)
                v[r][4 + i] += k * old[r][i];
            for (int i = 0; i < PH_UNKNOWNS; i++)
                z[r][i] = v[r][i] + x->y[i];
            keep_point(x, s + 1, (int)r * LANES, z[r]);
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

/* ---- columns of derivatives: each in a lane, over the substeps of one column ------------ */

/* A vector of columns from c on. The sums over the columns of substeps are taken over differences to
 * the last one, which comes first. */
PART void tangent_columns(tangent_step *x, int c, bool principal)
{
    vdouble even[TANGENT_ROWS], odd[TANGENT_ROWS], change[TANGENT_ROWS];
    for (int n = 0; n < TANGENT_ROWS; n++)
        even[n] = odd[n] = vload(&x->from->x[n][c]);
    for (int s = x->first; s < x->first + x->substeps; s += 2) {
        tangent_change(x, s, c, principal, even, change);
        for (int n = 0; n < TANGENT_ROWS; n++)
            odd[n] += change[n];
        tangent_change(x, s + 1, c, principal, odd, change);
        for (int n = 0; n < TANGENT_ROWS; n++)
            even[n] += change[n];
    }
    for (int n = 0; n < TANGENT_ROWS; n++) {
        if (x->last) {
            vstore(&x->end.x[n][c], even[n]);
            vstore(&x->change.x[n][c], vsplat(0.0));
            vstore(&x->error.x[n][c], vsplat(0.0));
            continue;
        }
        const vdouble d = even[n] - vload(&x->end.x[n][c]);
        vstore(&x->change.x[n][c], vload(&x->change.x[n][c]) + x->weight[0] * d);
        vstore(&x->error.x[n][c], vload(&x->error.x[n][c]) + x->weight[1] * d);
    }
}

/* The result, from the sums. */
PART void tangent_result(tangent_step *x, int c)
{
    for (int n = 0; n < TANGENT_ROWS; n++)
        vstore(&x->to->x[n][c], vload(&x->end.x[n][c]) + vload(&x->change.x[n][c]));
    x->worst = worse_of(x, c, column_size(&x->error, c, x->unit), x->to, x->worst);
}

void KERNEL(tangent_gbs)(tangent_step *x)
{
    EACH_TANGENT_VECTOR(x)
    for (int c = 0; c < x->columns && x->ends; c += LANES)
        tangent_result(x, c);
}

#else
#include "integrators/adaptive.h"
#include "integrators/lanes.h"
#include "integrators/tangent_field.h"

static const double ACCEPTED = 100.0, CAUTION = 200.0, LEAST_CAUTION = 4.0, ROUND_OFF = 1e-15,
                    CALM_BELOW = 1e-13;

KERNEL_DECLARE(extrapolation_kernel, columns_free);
KERNEL_DECLARE(extrapolation_kernel, columns_even);
KERNEL_DECLARE(extrapolation_kernel, columns_loaded);

/* ---- other torques of the velocity ------------------------------------------------ */

/* One column from x->y, torques at every point; its end less its start. */
static void plain_column(ph_adaptive_run *r, const extrapolation *x, int j, double end[PH_UNKNOWNS])
{
    const int n = SUBSTEPS[x->sequence][j];
    double u[2][PH_UNKNOWNS] = {{0}}, z[PH_UNKNOWNS], rate[PH_UNKNOWNS];
    memcpy(z, x->y, sizeof z);
    for (int s = 0; s < n; s++) {
        double *to = u[s % 2 == 0]; /* odd points, even points */
        const double k = s == 0 ? x->h / n : 2.0 * x->h / n;
        for (int i = 0; i < PH_UNKNOWNS && x->points != NULL; i++)
            x->points->y[s][i][j] = z[i];
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
        plain_column(r, x, j, u);
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
    if (vectors && !(r->tolerance < CALM_BELOW))
        return SEQUENCE_LONG;
    return SEQUENCE_CALM;
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
        .points = r->points,
    };
    if (r->points != NULL) {
        r->points->columns = columns;
        r->points->sequence = (int)x.sequence;
    }
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
        if (p->torque != NULL)
            r->now.evaluations += 1 + even_points;
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

/* Whether a step is shorter than the longest one by more than its end is rounded. A step that only
 * rounding makes shorter has all columns, so that it can say how long the next one may be. */
static bool is_short(const ph_adaptive_run *r, double h)
{
    static const double ROUNDED = 0x1p-51;
    const ph_adaptive_numbers *n = &r->now;
    return isfinite(n->next) && n->next - fabs(h) > ROUNDED * larger_or_nan(fabs(n->t), fabs(h));
}

/* Whether the torque changes |m|^2 by a small part in a step from the present state. */
static bool is_weak(const ph_adaptive_run *r, const double change[PH_UNKNOWNS])
{
    static const double WEAK = 0.02;
    double size = 0.0, work = 0.0;
    for (int i = 4; i < PH_UNKNOWNS; i++) {
        const double m = r->now.y[i];
        size += m * m;
        work += change[i] * (2.0 * m + change[i]);
    }
    return fabs(work) <= WEAK * size;
}

/* memory[HELD]: the number of steps of equal length so far; memory[LEAST]: the least factor by which
 * the error of one of them allowed it to be longer. */
enum { HELD, LEAST };

/* The factor by which the next step is longer, after an accepted step that allows `factor`. */
static double held_factor(const ph_adaptive_run *r, double factor, const double change[PH_UNKNOWNS],
                          double memory[])
{
    /* LONGER: how much longer equal steps may be, by the sequence of columns. They become longer
     * by less than STEP_LONGER only after MOST_HELD steps, or a share of those at the start, and
     * only by more than WORTH. */
    static const double LONGER[SEQUENCES] = {1.12, 1.07}, WORTH = 1.1, MOST_HELD = 256.0,
                        SHARE = 0.25;
    const double allowed = LONGER[sequence_of(r)] * factor, held = memory[HELD] + 1.0;
    memory[HELD] = 0.0;
    if (!is_weak(r, change))
        return factor;
    if (allowed < 1.0 || allowed >= STEP_LONGER)
        return smaller_or_nan(allowed, STEP_LONGER);
    const double least = held > 1.0 ? smaller_or_nan(memory[LEAST], allowed) : allowed;
    if (held >= smaller_or_nan(MOST_HELD, SHARE * r->now.steps))
        return least > WORTH ? least : 1.0;
    memory[HELD] = held;
    memory[LEAST] = least;
    return 1.0;
}

static void attempt(ph_adaptive_run *r, double h, ph_trial_step *out)
{
    const int all = columns_in(sequence_of(r)), columns = is_short(r, h) ? fewest(r, h, all) : all;
    const double error = step(r, columns, r->now.t, h, r->now.y, out->change);
    out->error = error / ACCEPTED;
    out->factor = step_factor(error, 2 * columns - 1);
    out->whole = columns == all;
    if (out->whole && out->error <= 1.0)
        out->factor = held_factor(r, out->factor, out->change, out->memory);
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

static double tangents(const tangent_run *g, double t, double h, const step_points *points,
                       const tangent *from, tangent *to)
{
    static tangent_kernel *const kernel[ISA_COUNT] = KERNEL_TABLE(tangent_gbs);
    const int row = weight_row((columns_sequence)points->sequence, points->columns);
    tangent_points at;
    tangent_step x;
    at.cleared = 0;
    tangent_step_begin(&x, g, &at, from, to);
    /* The last columns are long and the first ones short: two of them fill the points. */
    for (int first = 0, last = points->columns - 1; first <= last; last--) {
        const int *n = SUBSTEPS[points->sequence];
        const int together = first < last && n[first] + n[last] <= TANGENT_POINTS ? 2 : 1;
        const int column[2] = {last, first};
        at.count = 0;
        for (int i = 0; i < together; i++) {
            const int substeps = n[column[i]];
            const double length = h / substeps;
            for (int s = 0; s < substeps; s++) {
                at.t[at.count + s] = t + length * s;
                if (s == 0)
                    at.length[at.count + s] = length;
                else
                    at.length[at.count + s] = 2.0 * length;
            }
            ph_tangent_add_points(&at, points, column[i], substeps);
        }
        ph_tangent_field(g, &at);
        if (last == points->columns - 1)
            x.unit = ph_tangent_unit(g, &at, h);
        x.first = 0;
        for (int i = 0; i < together; i++) {
            const int j = column[i];
            x.substeps = n[j];
            x.last = j == points->columns - 1;
            x.ends = i + 1 == together && first + together > last;
            x.weight[0] = WEIGHT[row][j];
            x.weight[1] = WEIGHT_OF_ERROR[row][j];
            kernel[ph_isa()](&x);
            x.first += n[j];
        }
        first += together - 1;
    }
    return x.worst;
}

const ph_adaptive ph_adaptive_gbs = {
    .name = "gbs",
    .title = "Extrapolation of Gragg, Bulirsch and Stoer, adaptive",
    .cite = "HNW II.9",
    .order = 14,
    .prepare = prepare,
    .attempt = attempt,
    .at = at,
    .tangents = tangents,
};
#endif
