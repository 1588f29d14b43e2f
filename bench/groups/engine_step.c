/* engine_step.c - polhode_step.h beside the steps that physics engines take: price and error.
 *
 * implicit  w+ = w - [J + h (skew(w) J - skew(J w))]^-1 h w x J w, one iteration of Newton for the
 *           implicit Euler step, then q+ = q + h/2 q (0, w+), normalised: E. Catto, Numerical
 *           methods, GDC 2015; so Bullet (btRigidBody::computeGyroscopicImpulseImplicit_Body) and
 *           Jolt (MotionProperties::ApplyGyroscopicForceInternal, there about the old attitude).
 * rk4       the classical method for (q, w), q normalised afterwards; so MuJoCo with RK4.
 *
 * Each step begins where the last one ended. The error is the attitude's after a step, against
 * the library's exact motion, in radians.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "motion/vec.h"
#include "polhode/polhode.h"
#include "polhode_step.h"

/* Few steps in a row: an implicit step damps, and later its numbers are subnormal, which is slow. */
enum { BODIES = 4, ANGLES = 2, ROW = 25, ROUNDS = 10, STEPS = BODIES * ROW * ROUNDS };

static const double moments[BODIES][3] = {
    {1.0, 2.0, 3.0}, {0.376, 0.627, 1.0}, {1.0, 1.0, 1.9}, {2.0, 0.1, 2.05}};
static const double directions[BODIES][3] = {
    {0.4, 0.2, 2.0}, {0.1, 1.0, -0.1}, {0.5, -0.3, 1.0}, {0.3, 1.0, 0.2}};
static const double angles[ANGLES] = {0.1, 1.0}; /* |w| h */

/* The engines' steps for one type of numbers. */
#define ENGINE_STEPS(real, suffix, root)                                                           \
    static void implicit##suffix(real q[4], real w[3], const real J[3], real h)                    \
    {                                                                                              \
        const real L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};                                 \
        const real f[3] = {h * (w[1] * L[2] - w[2] * L[1]), h * (w[2] * L[0] - w[0] * L[2]),       \
                           h * (w[0] * L[1] - w[1] * L[0])};                                       \
        const real b = h * (L[2] - w[2] * J[1]), c = h * (w[1] * J[2] - L[1]),                     \
                   d = h * (w[2] * J[0] - L[2]), e = h * (L[0] - w[0] * J[2]),                     \
                   g = h * (L[1] - w[1] * J[0]), k = h * (w[0] * J[1] - L[0]);                     \
        const real c0 = J[1] * J[2] - e * k, c1 = e * g - d * J[2], c2 = d * k - J[1] * g;         \
        const real over = 1 / (J[0] * c0 + b * c1 + c * c2), s = (real)0.5 * h;                    \
        w[0] -= over * (c0 * f[0] + (c * k - b * J[2]) * f[1] + (b * e - c * J[1]) * f[2]);        \
        w[1] -= over * (c1 * f[0] + (J[0] * J[2] - c * g) * f[1] + (c * d - J[0] * e) * f[2]);     \
        w[2] -= over * (c2 * f[0] + (b * g - J[0] * k) * f[1] + (J[0] * J[1] - b * d) * f[2]);     \
        const real x = s * w[0], y = s * w[1], z = s * w[2];                                       \
        const real n[4] = {                                                                        \
            q[0] - q[1] * x - q[2] * y - q[3] * z, q[1] + q[0] * x + q[2] * z - q[3] * y,          \
            q[2] + q[0] * y + q[3] * x - q[1] * z, q[3] + q[0] * z + q[1] * y - q[2] * x};         \
        const real unit = 1 / root(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);         \
        for (int i = 0; i < 4; i++)                                                                \
            q[i] = unit * n[i];                                                                    \
    }

ENGINE_STEPS(double, , sqrt)
ENGINE_STEPS(float, f, sqrtf)

enum { NUMBERS = 7 }; /* q and w */

static void slope(const double s[NUMBERS], const double k[3], double d[NUMBERS])
{
    const double x = 0.5 * s[4], y = 0.5 * s[5], z = 0.5 * s[6];
    d[0] = -s[1] * x - s[2] * y - s[3] * z;
    d[1] = s[0] * x + s[2] * z - s[3] * y;
    d[2] = s[0] * y + s[3] * x - s[1] * z;
    d[3] = s[0] * z + s[1] * y - s[2] * x;
    d[4] = k[0] * s[5] * s[6];
    d[5] = k[1] * s[6] * s[4];
    d[6] = k[2] * s[4] * s[5];
}

static void rk4(double q[4], double w[3], const double J[3], double h)
{
    static const double before[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const double k[3] = {(J[1] - J[2]) / J[0], (J[2] - J[0]) / J[1], (J[0] - J[1]) / J[2]};
    const double s[NUMBERS] = {q[0], q[1], q[2], q[3], w[0], w[1], w[2]};
    double d[NUMBERS] = {0}, sum[NUMBERS] = {0}, at[NUMBERS];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < NUMBERS; i++)
            at[i] = s[i] + before[stage] * h * d[i];
        slope(at, k, d);
        for (int i = 0; i < NUMBERS; i++)
            sum[i] += weight[stage] * d[i];
    }
    for (int i = 0; i < NUMBERS; i++)
        at[i] = s[i] + h / 6.0 * sum[i];
    const double unit = 1.0 / sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2] + at[3] * at[3]);
    for (int i = 0; i < 4; i++)
        q[i] = unit * at[i];
    memcpy(w, at + 4, 3 * sizeof *w);
}

/* What is timed: a step for doubles or one for floats, at an angle a step. */
typedef struct work {
    const char *name;
    void (*step)(double q[4], double w[3], const double J[3], double h);
    void (*stepf)(float q[4], float w[3], const float J[3], float h);
    double angle;
} work;

static double pass(void *given)
{
    const work *a = given;
    double sum = 0.0;
    for (int row = 0; row < BODIES * ROUNDS; row++) {
        const int body = row % BODIES;
        double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3];
        float qf[4] = {1.0F, 0.0F, 0.0F, 0.0F}, wf[3], J[3];
        for (int i = 0; i < 3; i++) {
            w[i] = directions[body][i];
            wf[i] = (float)w[i];
            J[i] = (float)moments[body][i];
        }
        const double h = a->angle / sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (int i = 0; i < ROW; i++) {
            if (a->step != NULL)
                a->step(q, w, moments[body], h);
            else
                a->stepf(qf, wf, J, (float)h);
        }
        sum += q[1] + (double)qf[1];
    }
    return sum;
}

/* The largest error of one step over the bodies. */
static double error_of(const work *a)
{
    double largest = 0.0;
    for (int body = 0; body < BODIES; body++) {
        const double *J = moments[body];
        double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3];
        memcpy(w, directions[body], sizeof w);
        const double h = a->angle / sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        ph_body exact;
        ph_state s = {{1.0, 0.0, 0.0, 0.0}, {J[0] * w[0], J[1] * w[1], J[2] * w[2]}};
        if (ph_body_from_moments(&exact, vec3(J[0], J[1], J[2])) != PH_OK ||
            ph_flow_step(&ph_flow_exact, &exact, &s, h) != PH_OK)
            return NAN;
        a->step(q, w, J, h);
        const ph_vec3 off = vec(mul(inverse(s.q), (ph_quat){q[0], q[1], q[2], q[3]}));
        largest = larger_or_nan(largest, 2.0 * norm(off));
    }
    return largest;
}

static void run(bench *b)
{
    enum { IMPLICIT, RK4, STEP, IMPLICITF, STEPF, CONTESTANTS };
    static const work steps[CONTESTANTS] = {{"implicit", implicit, NULL, 0.0},
                                            {"rk4", rk4, NULL, 0.0},
                                            {"polhode_step", polhode_step, NULL, 0.0},
                                            {"implicit_float", NULL, implicitf, 0.0},
                                            {"polhode_stepf", NULL, polhode_stepf, 0.0}};
    static const char *const suffix[ANGLES] = {"0.1", "1"};
    static work works[ANGLES][CONTESTANTS];
    static char name[ANGLES][CONTESTANTS][BENCH_NAME];
    for (int n = 0; n < ANGLES; n++) {
        bench_contestant field[CONTESTANTS];
        double error[CONTESTANTS] = {0.0};
        char ratio[BENCH_NAME];
        for (int i = 0; i < CONTESTANTS; i++) {
            works[n][i] = steps[i];
            works[n][i].angle = angles[n];
            (void)snprintf(name[n][i], BENCH_NAME, "%s_%s_rad", steps[i].name, suffix[n]);
            field[i] = (bench_contestant){.name = name[n][i],
                                          .run = pass,
                                          .work = &works[n][i],
                                          .units = STEPS,
                                          .peer = i == IMPLICIT || i == RK4 || i == IMPLICITF};
            if (steps[i].step != NULL)
                error[i] = error_of(&works[n][i]);
        }
        bench_check(b, &field[STEP], "attitude error of a step", error[STEP], 1e-13);
        bench_race(b, "step", field, CONTESTANTS);
        bench_note(b, "error of a step of %g rad: implicit %.1e, rk4 %.1e, polhode_step %.1e",
                   angles[n], error[IMPLICIT], error[RK4], error[STEP]);
        (void)snprintf(ratio, sizeof ratio, "step_over_engine_%s", suffix[n]);
        bench_ratio(b, ratio, &field[STEP], &field[IMPLICIT]);
        (void)snprintf(ratio, sizeof ratio, "stepf_over_engine_%s", suffix[n]);
        bench_ratio(b, ratio, &field[STEPF], &field[IMPLICITF]);
        (void)snprintf(ratio, sizeof ratio, "engine_error_over_step_%s", suffix[n]);
        bench_value(b, ratio, error[IMPLICIT] / error[STEP]);
    }
}

const bench_group bench_group_engine_step = {
    .name = "engine_step",
    .title = "one file for engines beside the steps that engines take",
    .run = run,
};
