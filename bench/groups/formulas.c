/* formulas.c - the exact step as the papers print it, on the functions of GSL, against
 * Polhode's.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU: momentum by
 *       (4) to (6), attitude by Prop. 2.1 and 2.2, Q+ = Q P(0)^T Y P(t), the angle by (14).
 *
 * Nothing is computed twice: with s = sin phi and Pi(n; phi) = F(phi) + n/3 s^3 RJ(phi),
 *
 *   F(phi0) = s0 RF once, for the phase and for Pi;  F(phi) = F(phi0) + lambda tau is known
 *   Pi(n; phi) - Pi(n; phi0) = lambda tau + n/3 ( s^3 RJ(phi) - s0^3 RJ(phi0) + 2 N RJ )
 *
 * with N the half turns of the amplitude, and three R_J, the last one complete. The
 * contestant gsl_lean leaves that one out where N = 0. For the body of the race: moments
 * ascending and distinct, not at the separatrix.
 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <gsl/gsl_version.h>

#include "base/extremes.h"
#include "stepping.h"

#define MODE  GSL_PREC_DOUBLE
#define STEPS 200 /* in a pass */

static const double ATTITUDE = 1e-11; /* after 100 steps of 0.1 */

typedef struct papers {
    stepping from;
    bool lean; /* leaves the complete R_J out where it is not needed */
} papers;

/* Momentum with |m| = 1, attitude as a matrix. */
typedef struct turning {
    double m[3], Q[3][3];
} turning;

/* One end of the step: the frame P, its rows m'/|m'|, m x m'/|m'| and m. */
static void frame(const double *m, const double *I, double P[3][3])
{
    double v[3] = {(1 / I[2] - 1 / I[1]) * m[1] * m[2], (1 / I[0] - 1 / I[2]) * m[2] * m[0],
                   (1 / I[1] - 1 / I[0]) * m[0] * m[1]};
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        P[0][i] = v[i] / length;
        P[2][i] = m[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        P[1][i] = m[j] * P[0][k] - m[k] * P[0][j];
    }
}

/* Q P0^T Y P1 */
static void turn(double Q[3][3], double P0[3][3], double psi, double P1[3][3])
{
    const double c = cos(psi), s = sin(psi);
    double YP[3][3], T[3][3];
    for (int i = 0; i < 3; i++) {
        YP[0][i] = c * P1[0][i] - s * P1[1][i];
        YP[1][i] = s * P1[0][i] + c * P1[1][i];
        YP[2][i] = P1[2][i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            T[i][j] = P0[0][i] * YP[0][j] + P0[1][i] * YP[1][j] + P0[2][i] * YP[2][j];
    }
    for (int i = 0; i < 3; i++) {
        const double row[3] = {Q[i][0], Q[i][1], Q[i][2]};
        for (int j = 0; j < 3; j++)
            Q[i][j] = row[0] * T[0][j] + row[1] * T[1][j] + row[2] * T[2][j];
    }
}

/* s^3 RJ(c^2, 1 - k2 s^2, 1, 1 - n s^2) */
static double third(double s, double c, double k2, double n)
{
    const double s2 = s * s;
    return s * s2 * gsl_sf_ellint_RJ(c * c, 1 - k2 * s2, 1, 1 - n * s2, MODE);
}

/* A step over the time tau = h |m|. */
static void step(turning *t, const double *I, double tau, bool lean)
{
    double *m = t->m;
    const double I1 = I[0], I2 = I[1], I3 = I[2], D31 = I3 - I1;
    const double T2 = m[0] * m[0] / I1 + m[1] * m[1] / I2 + m[2] * m[2] / I3;
    const double a1 = sqrt(T2 * I3 - 1), a3 = sqrt(1 - T2 * I1);
    const double b1 = sqrt(I2 * (I3 - I2)), b3 = sqrt(I2 * (I2 - I1));
    const bool about3 = b1 * a3 > b3 * a1; /* CFSZ (6), else (5) */
    const double A1 = a1 * sqrt(I1 / D31), A3 = a3 * sqrt(I3 / D31);
    double amplitude, dominant, other, middle, n, along, across;
    if (about3) {
        amplitude = A1, dominant = b1 * a3, other = b3 * a1, middle = a1 * I2 / b1;
        n = (I2 - I1) / (I2 * a3 * a3), along = m[2], across = m[0];
    } else {
        amplitude = A3, dominant = b3 * a1, other = b1 * a3, middle = a3 * I2 / b3;
        n = (I3 - I2) / (I2 * a1 * a1), along = m[0], across = m[2];
    }
    const double k = other / dominant, k2 = k * k;
    const double sign = along < 0 ? -1 : 1;
    const double lambda = sign * dominant / (I2 * sqrt(I1 * I3));

    double P0[3][3], P1[3][3];
    frame(m, I, P0);
    /* phi0 = phi' + pi N0 with |phi'| <= pi/2, of which sn' and cn' >= 0 are taken */
    double s0 = m[1] / middle, c0 = across / amplitude, half0 = 0;
    if (c0 < 0) {
        half0 = 1;
        s0 *= -1;
        c0 *= -1;
    }
    const double F0 = s0 * gsl_sf_ellint_RF(c0 * c0, 1 - k2 * s0 * s0, 1, MODE);
    const double K = gsl_sf_ellint_RF(0, 1 - k2, 1, MODE);
    const double u = F0 + 2 * K * half0 + lambda * tau;
    const double half = rint(u / (2 * K)), N = half - half0;
    double s, c, d;
    gsl_sf_elljac_e(u - 2 * K * half, k2, &s, &c, &d);
    double E = third(s, c, k2, n) - third(s0, c0, k2, n);
    if (!lean || N != 0)
        E += 2 * N * gsl_sf_ellint_RJ(0, 1 - k2, 1, 1 - n, MODE);
    const double psi = T2 * tau + (1 - T2 * I2) / (lambda * I2) * (lambda * tau + n / 3 * E);

    const double turned = fmod(half, 2) == 0 ? 1 : -1;
    m[1] = turned * middle * s;
    if (about3)
        m[0] = turned * A1 * c;
    else
        m[0] = sign * A1 * d;
    if (about3)
        m[2] = sign * A3 * d;
    else
        m[2] = turned * A3 * c;
    frame(m, I, P1);
    turn(t->Q, P0, psi, P1);
}

static double length(ph_vec3 m)
{
    return sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
}

static turning march(const papers *p, int steps)
{
    const stepping *f = &p->from;
    const double I[3] = {f->J.x, f->J.y, f->J.z}, size = length(f->start.m);
    turning t = {{f->start.m.x / size, f->start.m.y / size, f->start.m.z / size}, {{0}}};
    t.Q[0][0] = t.Q[1][1] = t.Q[2][2] = 1;
    for (int i = 0; i < steps; i++)
        step(&t, I, f->h * size, p->lean);
    return t;
}

static double pass(void *work)
{
    const turning t = march(work, STEPS);
    return t.m[0] + t.Q[0][0];
}

/* Of the papers' formulas, after so many steps, against the exact motion. */
static double error_of(const papers *p, int steps)
{
    const turning t = march(p, steps);
    stepping reference = p->from;
    reference.h *= steps;
    const ph_mat3 right = ph_quat_matrix(stepping_end(&reference, 1).q);
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double error = fabs(t.Q[i][j] - right.a[i][j]);
            if (isnan(error))
                worst = INFINITY;
            else
                worst = larger_or_nan(worst, error);
        }
    }
    return worst;
}

static void run(bench *b)
{
    static stepping exact;
    static papers gsl, lean;
    const int checked = 100;
    exact = stepping_hairer_vilmart("exact", 0.1, STEPS);
    gsl = (papers){exact, false};
    lean = (papers){exact, true};
    bench_contestant field[] = {
        {.name = "exact_step", .run = stepping_pass, .work = &exact, .units = STEPS},
        {.name = "gsl", .run = pass, .work = &gsl, .units = STEPS, .peer = true},
        {.name = "gsl_lean", .run = pass, .work = &lean, .units = STEPS, .peer = true},
    };
    bench_uses(b, "GSL " GSL_VERSION);
    bench_check(b, &field[0], "attitude error", stepping_attitude_error(&exact, checked), 1e-12);
    bench_check(b, &field[1], "attitude error", error_of(&gsl, checked), ATTITUDE);
    bench_check(b, &field[2], "attitude error", error_of(&lean, checked), ATTITUDE);
    bench_race(b, "step", field, sizeof field / sizeof field[0]);
    bench_ratio(b, "gsl_over_exact", &field[1], &field[0]);
    bench_ratio(b, "gsl_lean_over_exact", &field[2], &field[0]);
}

const bench_group bench_group_formulas = {
    .name = "formulas",
    .title = "the papers' exact step on the functions of GSL",
    .run = run,
};
