/* grade.c - grades the results of a program on one case of the test of rotation.
 *
 * Errors of a row:
 *
 *     attitude   2 atan2(|v|, |s|), (s, v) = q_case^-1 q / |q|, in radians
 *     energy     (T - T_case) / max T_case,   T = w.Jw/2
 *     momentum   |L - L_case| / max |L_case|, L = R (J w + wheels)
 *     length     ||q| - 1|
 *     speed      ||w| - |w_case|| / max |w_case|
 *     velocity   |w - w_case| / max |w_case|
 *
 * A case is passed if no number is infinite or NaN, all times have a row, the attitude is within its
 * bound, the length within half of it, and the velocity within its own bound. Half of it, because a
 * quaternion that is off by x is off by 2 x radians. For a case at rest, max |w_case| is replaced by 1.
 *
 * A mistake is recognised by what it predicts: a row q is compared with the attitude that a program
 * with this mistake gives. The transposed and the misordered quaternion may be read, written or
 * both; a mirror M makes (s, v) to (s, -M v); motions by wrong equations are in the case. A
 * velocity that is a half step off differs by a multiple of the acceleration.
 */
#include "polhode/grade.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/choice.h"
#include "base/elementary.h"
#include "motion/vec.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static_assert(sizeof(ph_grade_row) == PH_GRADE_ROW_DOUBLES * sizeof(double),
              "a row is made of doubles alone");

/* The slope of a straight line through n points; from one number to the next it is `stride`. */
static double slope_of(const double *x, const double *y, size_t n, size_t stride)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i * stride] / (double)n;
        mean_y += y[i * stride] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i * stride] - mean_x) * (x[i * stride] - mean_x);
        xy += (x[i * stride] - mean_x) * (y[i * stride] - mean_y);
    }
    if (xx > 0.0)
        return xy / xx;
    return NAN;
}

/* ---- lengths that neither overflow nor underflow --------------------------------- */

static double length3(ph_vec3 a)
{
    const double unit = binary_unit(a);
    return unit * norm(scale(1.0 / unit, a));
}

/* Brings a quaternion to unit length and returns the length that it had. That of zero, which has
 * none, stays as it is. */
static double make_unit(ph_quat *q)
{
    const double unit = binary_unit(vec3(fabs(q->w), norm_max(vec(*q)), 0.0));
    const ph_quat near = {q->w / unit, q->x / unit, q->y / unit, q->z / unit};
    const double length = sqrt(dot4(near, near));
    if (length > 0.0)
        *q = of_unit_length(near);
    return unit * length;
}

/* ---- the rows that count --------------------------------------------------------- */

/* The rows of one step at the times of a case. */
typedef struct comparison {
    const ph_grade_case *of;
    ph_grade_row *row;
    size_t count;
} comparison;

/* -1, 0 or 1; NaN comes last. */
static int order_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

/* By step, then those at the times of the case in the order of time, then the others. What is equal
 * then is ordered by its numbers, so that the sums are the same whatever the order was. */
static int compare_rows(const void *a, const void *b)
{
    const ph_grade_row *x = a, *y = b;
    int order = order_of(fabs(x->h), fabs(y->h));
    if (order == 0)
        order = order_of(x->h, y->h);
    if (order == 0)
        order = (x->at < 0.0) - (y->at < 0.0);
    if (order == 0)
        order = order_of(x->t, y->t);
    const double p[] = {x->q.w, x->q.x, x->q.y, x->q.z, x->w.x, x->w.y, x->w.z},
                 q[] = {y->q.w, y->q.x, y->q.y, y->q.z, y->w.x, y->w.y, y->w.z};
    for (size_t i = 0; order == 0 && i < COUNT(p); i++)
        order = order_of(p[i], q[i]);
    return order;
}

/* Finds the time of the case that a row belongs to; the row's time then becomes that one. */
static void match_time(const ph_grade_case *c, ph_grade_row *row)
{
    const double part = 1e-9;
    row->at = -1.0;
    for (size_t i = 0; i < c->times; i++) {
        const double t = c->time[i];
        if (!(fabs(row->t - t) <= part * larger_or_nan(1.0, fabs(t))))
            continue;
        row->at = (double)i;
        row->t = t;
        return;
    }
}

static bool is_finite(const ph_grade_row *r)
{
    return isfinite(r->t) && finite4(r->q) && finite3(r->w);
}

static const ph_grade_state *state_of(const comparison *c, size_t n)
{
    return &c->of->state[(size_t)c->row[n].at];
}

static ph_quat exact_attitude(const comparison *c, size_t n)
{
    return of_unit_length(state_of(c, n)->q);
}

/* ---- errors ---------------------------------------------------------------------- */

static double apart(ph_quat a, ph_quat b)
{
    const ph_quat d = mul(inverse(a), b);
    return 2.0 * ph_atan2(norm(vec(d)), fabs(d.w));
}

static ph_vec3 momentum_of(const ph_grade_case *c, ph_vec3 w)
{
    const double *J = c->tensor;
    return vec3(J[0] * w.x + J[3] * w.y + J[4] * w.z, J[3] * w.x + J[1] * w.y + J[5] * w.z,
                J[4] * w.x + J[5] * w.y + J[2] * w.z);
}

/* The largest |w| of the case at the times of the rows. */
static double fastest_of(const comparison *c)
{
    double fastest = 0.0;
    for (size_t n = 0; n < c->count; n++)
        fastest = larger_or_nan(fastest, norm(state_of(c, n)->w));
    return fastest;
}

/* Fills the errors of the rows, and brings their quaternions to unit length. */
static void fill_errors(const comparison *c, ph_grade *g)
{
    const double fastest = fastest_of(c);
    double most = 0.0, largest = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        ph_grade_row *r = &c->row[i];
        const ph_quat q = exact_attitude(c, i);
        const ph_vec3 w = state_of(c, i)->w, m = momentum_of(c->of, r->w),
                      exact = momentum_of(c->of, w);
        const ph_vec3 L = rotate(q, add(exact, c->of->wheels));
        r->length = fabs(make_unit(&r->q) - 1.0);
        r->attitude = apart(q, r->q);
        r->energy = 0.5 * (dot(m, r->w) - dot(exact, w));
        r->momentum = norm(sub(rotate(r->q, add(m, c->of->wheels)), L));
        r->speed = fabs(length3(r->w) - norm(w)) / positive_or_one(fastest);
        r->velocity = length3(sub(r->w, w)) / positive_or_one(fastest);
        most = larger_or_nan(most, 0.5 * dot(exact, w));
        largest = larger_or_nan(largest, norm(L));
    }
    for (size_t i = 0; i < c->count; i++) {
        ph_grade_row *r = &c->row[i];
        r->energy /= positive_or_one(most);
        r->momentum /= positive_or_one(largest);
        g->attitude = larger_or_nan(g->attitude, r->attitude);
        g->energy = larger_or_nan(g->energy, fabs(r->energy));
        g->momentum = larger_or_nan(g->momentum, r->momentum);
        g->length = larger_or_nan(g->length, r->length);
        g->speed = larger_or_nan(g->speed, r->speed);
        g->velocity = larger_or_nan(g->velocity, r->velocity);
    }
}

/* Whether the velocity, whose error is relative, is within its bound. */
static bool velocity_is_right(const comparison *c, double error)
{
    return error * positive_or_one(fastest_of(c)) <= c->of->velocity_bound;
}

/* ---- usual mistakes -------------------------------------------------------------- */

const char *ph_grade_mistake_text(ph_grade_mistake m)
{
    static const char *const texts[] = {"transposed attitude", "scalar last", "space velocity",
                                        "no gyroscopic term",  "left handed", "half step"};
    return m < PH_GRADE_NO_MISTAKE ? texts[m] : NULL;
}

ph_grade_mistake ph_grade_mistake_named(const char *text)
{
    ph_grade_mistake m = PH_GRADE_TRANSPOSED;
    while (m < PH_GRADE_NO_MISTAKE && strcmp(ph_grade_mistake_text(m), text) != 0)
        m++;
    return m;
}

static ph_quat same(ph_quat q)
{
    return q;
}

static ph_quat write_scalar_last(ph_quat q)
{
    return (ph_quat){q.x, q.y, q.z, q.w};
}

static ph_quat read_scalar_last(ph_quat q)
{
    return (ph_quat){q.z, q.w, q.x, q.y};
}

/* What is done to the attitude at the start, and to each that is written. */
static const struct exchange {
    ph_grade_mistake is;
    ph_quat (*read)(ph_quat), (*write)(ph_quat);
} exchanges[] = {
    {PH_GRADE_TRANSPOSED, same, inverse},
    {PH_GRADE_TRANSPOSED, inverse, same},
    {PH_GRADE_TRANSPOSED, inverse, inverse},
    {PH_GRADE_SCALAR_LAST, same, write_scalar_last},
    {PH_GRADE_SCALAR_LAST, read_scalar_last, same},
    {PH_GRADE_SCALAR_LAST, read_scalar_last, write_scalar_last},
};

/* Mirrors: through a plane of two axes, or exchanging two axes. Row i of M has one element that is not
 * 0: `sign[i]` in the column `from[i]`. */
static const struct mirror {
    signed char from[3], sign[3];
} mirrors[] = {
    {{0, 1, 2}, {-1, 1, 1}}, {{0, 1, 2}, {1, -1, 1}}, {{0, 1, 2}, {1, 1, -1}},
    {{1, 0, 2}, {1, 1, 1}},  {{2, 1, 0}, {1, 1, 1}},  {{0, 2, 1}, {1, 1, 1}},
};

static ph_quat mirrored(const struct mirror *M, double sign, ph_quat q)
{
    const double v[3] = {q.x, q.y, q.z};
    return (ph_quat){q.w, sign * M->sign[0] * v[M->from[0]], sign * M->sign[1] * v[M->from[1]],
                     sign * M->sign[2] * v[M->from[2]]};
}

/* The attitudes that a mistake predicts: one of the three is given. */
typedef struct prediction {
    const struct exchange *exchange;
    const struct mirror *mirror;
    double sign;             /* of the mirror */
    const ph_quat *attitude; /* at each time of the case */
} prediction;

static ph_quat predicted(const prediction *p, const comparison *c, size_t n)
{
    const ph_quat exact = exact_attitude(c, n);
    if (p->attitude != NULL)
        return of_unit_length(p->attitude[(size_t)c->row[n].at]);
    if (p->mirror != NULL)
        return mirrored(p->mirror, p->sign, exact);
    const ph_quat start = of_unit_length(c->of->attitude);
    return p->exchange->write(mul(p->exchange->read(start), mul(inverse(start), exact)));
}

/* What fits best so far: the largest distance of the rows from what a mistake predicts. */
typedef struct guess {
    double distance;
    ph_grade_mistake is;
} guess;

static void consider(guess *g, const comparison *c, ph_grade_mistake is, prediction p)
{
    double distance = 0.0;
    for (size_t n = 0; n < c->count; n++)
        distance = larger_or_nan(distance, apart(predicted(&p, c, n), c->row[n].q));
    if (distance < g->distance)
        *g = (guess){distance, is};
}

static void guess_attitude(guess *g, const comparison *c)
{
    for (size_t i = 0; i < COUNT(exchanges); i++)
        consider(g, c, exchanges[i].is, (prediction){.exchange = &exchanges[i]});
    for (size_t i = 0; i < 2 * COUNT(mirrors); i++)
        consider(g, c, PH_GRADE_LEFT_HANDED,
                 (prediction){.mirror = &mirrors[i / 2], .sign = i % 2 != 0 ? 1.0 : -1.0});
    for (size_t i = 0; i < c->of->mistakes; i++)
        consider(g, c, c->of->mistake[i].is, (prediction){.attitude = c->of->mistake[i].attitude});
}

/* The largest |w - sign R^n velocity|, n = 1: the velocity in space, of the row's attitude. */
static double velocity_distance(const comparison *c, bool in_space, double sign)
{
    double distance = 0.0;
    for (size_t n = 0; n < c->count; n++) {
        const ph_vec3 w = state_of(c, n)->w;
        ph_vec3 v = w;
        if (in_space)
            v = rotate(c->row[n].q, w);
        distance = larger_or_nan(distance, norm(sub(c->row[n].w, scale(sign, v))));
    }
    return distance;
}

/* The velocity at other times: w - velocity = s acceleration, with half a step for s. */
static bool is_half_step(const comparison *c, double off)
{
    const double low = 0.3, high = 0.7, h = fabs(c->row[0].h); /* steps */
    double xy = 0.0, xx = 0.0, rest = 0.0;
    for (size_t n = 0; n < c->count; n++) {
        const ph_grade_state *exact = state_of(c, n);
        xx += dot(exact->acceleration, exact->acceleration);
        xy += dot(exact->acceleration, sub(c->row[n].w, exact->w));
    }
    const double s = quotient_or(xy, xx, 0.0);
    for (size_t n = 0; n < c->count; n++) {
        const ph_grade_state *exact = state_of(c, n);
        rest = larger_or_nan(rest,
                             norm(sub(sub(c->row[n].w, exact->w), scale(s, exact->acceleration))));
    }
    return rest < 0.2 * off && (h == 0.0 || (fabs(s) > low * h && fabs(s) < high * h));
}

/* The mistake that explains the errors but for a tenth. */
static ph_grade_mistake mistake_of(const comparison *c, double attitude)
{
    const double part = 0.1, most = 0.2; /* radians */
    if (c->count == 0)
        return PH_GRADE_NO_MISTAKE;
    const double bound = c->of->bound, off = velocity_distance(c, false, 1.0);
    if (attitude > bound) {
        guess g = {smaller_or_nan(part * attitude, most), PH_GRADE_NO_MISTAKE};
        guess_attitude(&g, c);
        if (g.is == PH_GRADE_TRANSPOSED && velocity_distance(c, false, -1.0) < part * off)
            return PH_GRADE_LEFT_HANDED; /* both are reversed */
        if (g.is != PH_GRADE_NO_MISTAKE)
            return g.is;
    }
    if (!(off > larger_or_nan(1e-6, 10.0 * attitude) * fastest_of(c)) && attitude < bound)
        return PH_GRADE_NO_MISTAKE;
    if (velocity_distance(c, true, 1.0) < part * off)
        return PH_GRADE_SPACE_VELOCITY;
    if (attitude <= bound && is_half_step(c, off))
        return PH_GRADE_HALF_STEP;
    return PH_GRADE_NO_MISTAKE;
}

/* ---- steps ----------------------------------------------------------------------- */

/* Explicit Euler adds h w' to w, and so h^2 w'.Jw'/2 to the energy of a free body, which implicit Euler
 * loses. Returns the h for which that is the energy gained until the first row. */
static double euler_step(const comparison *c)
{
    double sum = 0.0;
    for (size_t i = 0; i < c->of->times; i++) {
        const ph_vec3 a = c->of->state[i].acceleration;
        sum += dot(momentum_of(c->of, a), a) / (double)c->of->times;
    }
    if (c->count == 0 || !(sum > 0.0))
        return NAN;
    const ph_vec3 w = c->row[0].w, exact = state_of(c, 0)->w;
    const double gained = dot(momentum_of(c->of, w), w) - dot(momentum_of(c->of, exact), exact);
    return gained / (sum * c->row[0].t);
}

/* The order: the slope of the errors over the steps, in logarithms. `x` has room for two numbers for each
 * row. The rows are sorted, and their errors are filled in. */
static double order_of_method(const ph_grade_case *c, const ph_grade_row *row, size_t count,
                              double *x)
{
    const double round_off = 1e-10, large = 0.3;
    double *y = x + count;
    for (size_t last = c->times; last-- > 0;) {
        size_t points = 0;
        for (size_t begin = 0, end; begin < count; begin = end) {
            double error = 0.0;
            for (end = begin; end < count && row[end].h == row[begin].h; end++)
                if (row[end].at >= 0.0 && row[end].at <= (double)last)
                    error = larger_or_nan(error, row[end].attitude);
            if (row[begin].h != 0.0 && error > round_off && error < large) {
                x[points] = ph_real_log(fabs(row[begin].h));
                y[points++] = ph_real_log(error);
            }
        }
        if (points > 1)
            return slope_of(x, y, points, 1);
    }
    return NAN;
}

/* ---- grades ---------------------------------------------------------------------- */

/* Grades the rows of one step; the first of them are those at the times of the case. */
static void grade_step(const ph_grade_case *c, ph_grade_row *row, size_t count, ph_grade *g)
{
    bool finite = true;
    *g = (ph_grade){.h = row[0].h, .diverged = NAN, .cut = NAN};
    for (size_t i = 0; i < count; i++) {
        if (!is_finite(&row[i])) {
            finite = false;
            if (order_of(row[i].t, g->diverged) < 0)
                g->diverged = row[i].t;
        }
        if (row[i].at < 0.0)
            continue;
        g->matched += i == 0 || row[i].at != row[i - 1].at;
        g->rows = i + 1;
    }
    const comparison rows = {c, row, g->rows};
    fill_errors(&rows, g);
    g->energy_drift = slope_of(&row->t, &row->energy, g->rows, PH_GRADE_ROW_DOUBLES);
    g->attitude_drift = slope_of(&row->t, &row->attitude, g->rows, PH_GRADE_ROW_DOUBLES);
    if (g->rows > 0)
        g->energy_end = row[g->rows - 1].energy;
    else
        g->energy_end = NAN;
    g->euler_step = euler_step(&rows);
    if (g->matched < c->times && g->rows > 0 && (size_t)row[g->rows - 1].at + 1 == g->matched)
        g->cut = c->time[g->matched];
    if (g->rows == 0)
        g->attitude = g->energy = g->momentum = g->length = g->speed = g->velocity = NAN;
    if (!finite)
        g->verdict = PH_GRADE_DIVERGED;
    else if (g->matched < c->times)
        g->verdict = PH_GRADE_TIMES_MISSING;
    else if (!(2.0 * g->length <= c->bound))
        g->verdict = PH_GRADE_WRONG_LENGTH;
    else if (!(g->attitude <= c->bound))
        g->verdict = PH_GRADE_WRONG_ATTITUDE;
    else if (!velocity_is_right(&rows, g->velocity))
        g->verdict = PH_GRADE_WRONG_VELOCITY;
}

ph_status ph_grade_rows(const ph_grade_case *c, ph_grade_row *row, size_t count, ph_grade *out)
{
    if (ANY_NULL(c, row, out))
        return PH_NULL_ARGUMENT;
    double *x = array_create(size_product(2, count), sizeof *x);
    if (x == NULL)
        return PH_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        match_time(c, &row[i]);
    qsort(row, count, sizeof *row, compare_rows);
    *out = (ph_grade){.diverged = NAN,
                      .cut = NAN,
                      .energy_end = NAN,
                      .euler_step = NAN,
                      .looks_like = PH_GRADE_NO_MISTAKE,
                      .verdict = PH_GRADE_TIMES_MISSING};
    for (size_t begin = 0, end; begin < count; begin = end) {
        ph_grade g;
        for (end = begin + 1; end < count && row[end].h == row[begin].h;)
            end++;
        grade_step(c, row + begin, end - begin, &g);
        if (begin == 0) {
            *out = g;
            out->looks_like = mistake_of(&(comparison){c, row, g.rows}, g.attitude);
        }
    }
    out->order = order_of_method(c, row, count, x);
    free(x);
    return PH_OK;
}
