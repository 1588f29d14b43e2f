/* oracle.c - Taylor series in Arb. Each step expands m and q in the scaled variable (t -
 * t0)/h; products of series are dot products. The step is a quarter of 1/Omega, the
 * largest frequency of the motion, well inside the radius of convergence. */
#include "support/oracle.h"

#include <math.h>

enum {
    PRECISION = 128,      /* bits */
    ORDER = 36,           /* for the solution: truncation below 1e-22 */
    DIFFERENCE_ORDER = 16 /* for differences of neighbours, whose truncation cancels */
};
static const double STEP = 0.25;

/* The coefficient n of the product of two series. */
static void convolve(arb_t out, arb_srcptr a, arb_srcptr b, slong n)
{
    arb_dot(out, NULL, 0, a, 1, b + n, -1, n + 1, PRECISION);
}

typedef struct series {
    slong order;
    arb_ptr m[3], w[3], q[4];
    arb_t difference[3]; /* 1/J_k - 1/J_j: m_i' = difference_i m_j m_k */
    arb_t velocity[3];   /* 1/J_i */
    arb_t h, sum, product;
} series;

/* q' = q (0, w)/2 as  q_a' = sum_i sign q_b w_i / 2, b = ROW[a][i]. */
static const int ROW[4][3] = {{1, 2, 3}, {0, 3, 2}, {3, 0, 1}, {2, 1, 0}};
static const int SIGN[4][3] = {{-1, -1, -1}, {1, -1, 1}, {1, 1, -1}, {-1, 1, 1}};

/* The coefficients from 1 on, from the values at the start of the step. */
static void expand(series *y)
{
    for (slong n = 0; n <= y->order; n++) {
        for (int i = 0; i < 3; i++)
            arb_mul(y->w[i] + n, y->velocity[i], y->m[i] + n, PRECISION);
        if (n == y->order)
            return;
        for (int i = 0; i < 3; i++) {
            convolve(y->product, y->m[(i + 1) % 3], y->m[(i + 2) % 3], n);
            arb_mul(y->product, y->product, y->difference[i], PRECISION);
            arb_mul(y->product, y->product, y->h, PRECISION);
            arb_div_ui(y->m[i] + n + 1, y->product, (ulong)n + 1, PRECISION);
        }
        for (int a = 0; a < 4; a++) {
            arb_zero(y->sum);
            for (int i = 0; i < 3; i++) {
                convolve(y->product, y->q[ROW[a][i]], y->w[i], n);
                if (SIGN[a][i] > 0)
                    arb_add(y->sum, y->sum, y->product, PRECISION);
                else
                    arb_sub(y->sum, y->sum, y->product, PRECISION);
            }
            arb_mul(y->sum, y->sum, y->h, PRECISION);
            arb_div_ui(y->q[a] + n + 1, y->sum, 2 * ((ulong)n + 1), PRECISION);
        }
    }
}

/* The series at the end of the step becomes the start of the next. */
static void advance(arb_ptr coefficients, slong order)
{
    for (slong n = order - 1; n >= 0; n--)
        arb_add(coefficients + n, coefficients + n, coefficients + n + 1, PRECISION);
    arb_get_mid_arb(coefficients, coefficients);
}

static void series_init(series *y, arb_srcptr inputs, ph_quat q0, slong order)
{
    const double q[4] = {q0.w, q0.x, q0.y, q0.z};
    y->order = order;
    for (int i = 0; i < 3; i++) {
        y->m[i] = _arb_vec_init(order + 1);
        y->w[i] = _arb_vec_init(order + 1);
        arb_init(y->difference[i]);
        arb_init(y->velocity[i]);
        arb_inv(y->velocity[i], inputs + ORACLE_J + i, PRECISION);
        arb_set(y->m[i], inputs + ORACLE_M + i);
    }
    for (int i = 0; i < 3; i++) /* m1' = m2 w3 - m3 w2 = (1/J3 - 1/J2) m2 m3 */
        arb_sub(y->difference[i], y->velocity[(i + 2) % 3], y->velocity[(i + 1) % 3], PRECISION);
    for (int a = 0; a < 4; a++) {
        y->q[a] = _arb_vec_init(order + 1);
        arb_set_d(y->q[a], q[a]);
    }
    arb_init(y->h);
    arb_init(y->sum);
    arb_init(y->product);
}

static void series_clear(series *y)
{
    const slong terms = y->order + 1;
    for (int i = 0; i < 3; i++) {
        _arb_vec_clear(y->m[i], terms);
        _arb_vec_clear(y->w[i], terms);
        arb_clear(y->difference[i]);
        arb_clear(y->velocity[i]);
    }
    for (int a = 0; a < 4; a++)
        _arb_vec_clear(y->q[a], terms);
    arb_clear(y->h);
    arb_clear(y->sum);
    arb_clear(y->product);
}

/* Omega as an arb in y->sum: Omega^2 is the largest of 2 T/J_i, above |w|^2, and of
 * m_i^2 |1/J_j - 1/J_i| |1/J_k - 1/J_i|, the frequency of m about axis i, which is larger
 * only for bodies that no matter has. */
static void frequency(series *y)
{
    arb_t energy;
    arb_init(energy);
    for (int i = 0; i < 3; i++) {
        arb_sqr(y->product, y->m[i], PRECISION);
        arb_addmul(energy, y->product, y->velocity[i], PRECISION);
    }
    arb_zero(y->sum);
    for (int i = 0; i < 3; i++) {
        arb_mul(y->product, energy, y->velocity[i], PRECISION);
        arb_max(y->sum, y->sum, y->product, PRECISION);
        arb_mul(y->product, y->difference[(i + 1) % 3], y->difference[(i + 2) % 3], PRECISION);
        arb_abs(y->product, y->product);
        arb_mul(y->product, y->product, y->m[i], PRECISION);
        arb_mul(y->product, y->product, y->m[i], PRECISION);
        arb_max(y->sum, y->sum, y->product, PRECISION);
    }
    arb_get_mid_arb(y->sum, y->sum);
    arb_sqrt(y->sum, y->sum, PRECISION);
    arb_clear(energy);
}

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static void step(series *y)
{
    expand(y);
    for (int i = 0; i < 3; i++)
        advance(y->m[i], y->order);
    for (int a = 0; a < 4; a++)
        advance(y->q[a], y->order);
}

/* From the series' state over the time t. */
static void integrate(series *y, const arb_t t)
{
    frequency(y);
    arb_mul(y->sum, y->sum, t, PRECISION);
    const ulong steps = (ulong)ceil(fabs(middle(y->sum)) / STEP) + 1;
    arb_div_ui(y->h, t, steps, PRECISION);
    for (ulong i = 0; i < steps; i++)
        step(y);
}

static void output(arb_ptr out, const series *y)
{
    for (int i = 0; i < 3; i++)
        arb_set(out + i, y->m[i]);
    for (int a = 0; a < 4; a++)
        arb_set(out + 3 + a, y->q[a]);
}

static void solve(arb_ptr out, arb_srcptr inputs, ph_quat q0, slong order)
{
    series y;
    series_init(&y, inputs, q0, order);
    integrate(&y, inputs + ORACLE_T);
    output(out, &y);
    series_clear(&y);
}

/* ---- many periods
 * ------------------------------------------------------------------------ m is periodic,
 * m(P) = m(0), and then q(t + P) = q(P) q(t) for q(0) = 1: of t = N P + r only r is
 * integrated, and q(P)^N is a power. P is where m' . (m - m(0)), m' that of the start,
 * next grows through zero. */

static const ph_quat IDENTITY = {1, 0, 0, 0};

/* d . (m - m0) and d . m' for the state of y; d = m' at the start. */
static void section(arb_t value, arb_t slope, series *y, arb_srcptr m0, arb_srcptr d)
{
    arb_zero(value);
    arb_zero(slope);
    for (int i = 0; i < 3; i++) {
        arb_sub(y->product, y->m[i], m0 + i, PRECISION);
        arb_addmul(value, y->product, d + i, PRECISION);
        arb_mul(y->product, y->m[(i + 1) % 3], y->m[(i + 2) % 3], PRECISION);
        arb_mul(y->product, y->product, y->difference[i], PRECISION);
        arb_addmul(slope, y->product, d + i, PRECISION);
    }
    arb_get_mid_arb(value, value);
    arb_get_mid_arb(slope, slope);
}

/* The period; y is left there, having started from q = 1. */
static void find_period(arb_t period, series *y)
{
    arb_ptr m0 = _arb_vec_init(3), d = _arb_vec_init(3);
    arb_t value, slope;
    arb_init(value);
    arb_init(slope);
    for (int i = 0; i < 3; i++) {
        arb_set(m0 + i, y->m[i]);
        arb_mul(d + i, y->m[(i + 1) % 3], y->m[(i + 2) % 3], PRECISION);
        arb_mul(d + i, d + i, y->difference[i], PRECISION);
    }
    frequency(y);
    arb_set_d(y->h, STEP);
    arb_div(y->h, y->h, y->sum, PRECISION);
    arb_zero(period);
    for (int sign = 1; sign >= -1; sign -= 2) { /* until it is negative, then until it is not */
        do {
            step(y);
            arb_add(period, period, y->h, PRECISION);
            section(value, slope, y, m0, d);
        } while (sign * middle(value) > 0.0);
    }
    for (int newton = 0; newton < 8; newton++) {
        arb_div(value, value, slope, PRECISION);
        arb_neg(value, value);
        arb_get_mid_arb(value, value);
        arb_add(period, period, value, PRECISION);
        integrate(y, value);
        section(value, slope, y, m0, d);
    }
    arb_clear(value);
    arb_clear(slope);
    _arb_vec_clear(m0, 3);
    _arb_vec_clear(d, 3);
}

/* p = a b for quaternions, p another vector than a and b. */
static void multiply(arb_ptr p, arb_srcptr a, arb_srcptr b)
{
    for (int i = 0; i < 4; i++) {
        arb_mul(p + i, a + i, b, PRECISION);
        for (int k = 0; k < 3; k++) {
            if (SIGN[i][k] > 0)
                arb_addmul(p + i, a + ROW[i][k], b + 1 + k, PRECISION);
            else
                arb_submul(p + i, a + ROW[i][k], b + 1 + k, PRECISION);
        }
        arb_get_mid_arb(p + i, p + i);
    }
}

/* power = base^n by squaring; base is used up. */
static void power_of(arb_ptr power, arb_ptr base, ulong n)
{
    arb_ptr t = _arb_vec_init(4);
    arb_one(power);
    for (int i = 1; i < 4; i++)
        arb_zero(power + i);
    for (; n > 0; n >>= 1) {
        if (n & 1) {
            multiply(t, power, base);
            _arb_vec_set(power, t, 4);
        }
        multiply(t, base, base);
        _arb_vec_set(base, t, 4);
    }
    _arb_vec_clear(t, 4);
}

static void solve_periodic(arb_ptr out, arb_srcptr inputs, ph_quat q0)
{
    series y, rest;
    arb_t period, t;
    arb_ptr base = _arb_vec_init(4), power = _arb_vec_init(4), turned = _arb_vec_init(4);
    arb_init(period);
    arb_init(t);
    series_init(&y, inputs, IDENTITY, ORDER);
    find_period(period, &y);
    for (int a = 0; a < 4; a++)
        arb_set(base + a, y.q[a]);
    arb_div(t, inputs + ORACLE_T, period, PRECISION);
    const double periods = floor(middle(t));
    power_of(power, base, (ulong)periods);
    arb_set_d(t, periods);
    arb_mul(t, t, period, PRECISION);
    arb_sub(t, inputs + ORACLE_T, t, PRECISION);
    arb_get_mid_arb(t, t);
    series_init(&rest, inputs, IDENTITY, ORDER);
    integrate(&rest, t);
    output(out, &rest);
    multiply(turned, power, out + 3);
    const double q[4] = {q0.w, q0.x, q0.y, q0.z};
    for (int a = 0; a < 4; a++)
        arb_set_d(base + a, q[a]);
    multiply(out + 3, base, turned);
    series_clear(&y);
    series_clear(&rest);
    arb_clear(period);
    arb_clear(t);
    _arb_vec_clear(base, 4);
    _arb_vec_clear(power, 4);
    _arb_vec_clear(turned, 4);
}

static arb_ptr inputs_of(const oracle_case *c)
{
    const double values[ORACLE_INPUTS] = {c->J.x,       c->J.y,       c->J.z, c->start.m.x,
                                          c->start.m.y, c->start.m.z, c->t};
    arb_ptr inputs = _arb_vec_init(ORACLE_INPUTS);
    for (int i = 0; i < ORACLE_INPUTS; i++)
        arb_set_d(inputs + i, values[i]);
    return inputs;
}

void oracle_solve(arb_ptr out, const oracle_case *c)
{
    arb_ptr inputs = inputs_of(c);
    solve(out, inputs, c->start.q, ORDER);
    _arb_vec_clear(inputs, ORACLE_INPUTS);
}

void oracle_solve_periodic(arb_ptr out, const oracle_case *c)
{
    arb_ptr inputs = inputs_of(c);
    solve_periodic(out, inputs, c->start.q);
    _arb_vec_clear(inputs, ORACLE_INPUTS);
}

static double norm_of_difference(arb_srcptr a, arb_srcptr b, slong n)
{
    arb_t sum, d;
    arb_init(sum);
    arb_init(d);
    for (slong i = 0; i < n; i++) {
        arb_sub(d, a + i, b + i, PRECISION);
        arb_addmul(sum, d, d, PRECISION);
    }
    arb_get_mid_arb(sum, sum);
    arb_sqrt(sum, sum, PRECISION);
    const double norm = middle(sum);
    arb_clear(sum);
    arb_clear(d);
    return norm;
}

static oracle_condition distance(arb_srcptr a, arb_srcptr b)
{
    arb_ptr zero = _arb_vec_init(3);
    const double length = norm_of_difference(a, zero, 3);
    _arb_vec_clear(zero, 3);
    return (oracle_condition){length > 0.0 ? norm_of_difference(a, b, 3) / length : 0.0,
                              norm_of_difference(a + 3, b + 3, 4)};
}

oracle_condition oracle_condition_of(const oracle_case *c)
{
    const double perturbation = 0x1p-52;
    oracle_condition total = {0.0, 0.0};
    arb_ptr inputs = inputs_of(c), here = _arb_vec_init(ORACLE_OUTPUTS),
            other = _arb_vec_init(ORACLE_OUTPUTS);
    arb_t original;
    arb_init(original);
    solve(here, inputs, c->start.q, DIFFERENCE_ORDER);
    for (int i = 0; i < ORACLE_INPUTS; i++) {
        arb_set(original, inputs + i);
        arb_mul_2exp_si(inputs + i, original, -52);
        arb_add(inputs + i, inputs + i, original, PRECISION);
        solve(other, inputs, c->start.q, DIFFERENCE_ORDER);
        arb_set(inputs + i, original);
        const oracle_condition d = distance(here, other);
        total.m += d.m / perturbation;
        total.q += d.q / perturbation;
    }
    arb_clear(original);
    _arb_vec_clear(inputs, ORACLE_INPUTS);
    _arb_vec_clear(here, ORACLE_OUTPUTS);
    _arb_vec_clear(other, ORACLE_OUTPUTS);
    return total;
}

oracle_condition oracle_distance(arb_srcptr solution, const ph_state *s)
{
    const double values[ORACLE_OUTPUTS] = {s->m.x, s->m.y, s->m.z, s->q.w, s->q.x, s->q.y, s->q.z};
    arb_ptr other = _arb_vec_init(ORACLE_OUTPUTS);
    for (int i = 0; i < ORACLE_OUTPUTS; i++)
        arb_set_d(other + i, values[i]);
    const oracle_condition d = distance(solution, other);
    _arb_vec_clear(other, ORACLE_OUTPUTS);
    return d;
}

void oracle_close(void)
{
    flint_cleanup();
}
