/* ode.h - the rotation of a body as an ordinary differential equation, for the solvers of
 * other libraries.
 *
 *   y = (q, m),   q' = q (0, w)/2,   m' = m x w + torque,   w = m/J
 *
 * in units in which |m| = 1 at the start, so that one tolerance does for all components.
 * A solver is a file of bench/solvers with one array of descriptors named after it, up to a
 * row without a name.
 */
#ifndef POLHODE_BENCH_ODE_H
#define POLHODE_BENCH_ODE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "polhode/polhode.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ODE_SIZE 7 /* q and m */

typedef struct bench_ode {
    double inverse[3];         /* 1/J in these units */
    double first;              /* a reasonable first step */
    const ph_problem *problem; /* with the torque, in its own units; NULL: free */
    double unit;               /* of momentum and torque */
    int inlined;               /* which field ode_torque_inlined() has; 0: none */
    double constant[24];       /* of that */
    long evaluations;          /* of the right-hand side */
} bench_ode;

typedef struct bench_solver {
    const char *name; /* as in the names of times */
    const char *uses; /* the library and its version */
    int variant;      /* what tells the members of a family apart */

    /* Prepares for a tolerance, absolute and relative; NULL if that fails. */
    void *(*open)(const struct bench_solver *solver, bench_ode *ode, double tolerance);
    /* From y at 0 to the time `end`, with the state at `count` points that divide the time
     * evenly, the last of them the end. False if it fails. */
    bool (*solve)(void *handle, const double *y, double end, int count, double (*points)[ODE_SIZE]);
    void (*close)(void *handle);
} bench_solver;

/* A run that needs more right-hand sides has failed. */
#define ODE_MOST_EVALUATIONS 2000000L

/* ---- torques inlined, for solvers that are compiled once more with ODE_INLINED ------- */

enum { ODE_NONE, ODE_TOP, ODE_WALL, ODE_CRAFT };

/* Where the problem `spacecraft` has its values; solving.c checks it. */
enum {
    CRAFT_ANOMALY = 6,
    CRAFT_DIPOLE = 8,
    CRAFT_EARTH = 11,
    CRAFT_DAMPING = 20,
    CRAFT_PLANE = 25
};

/* The fields that can be: of a top with up = (0, 0, 1), of the soft wall, and of a spacecraft with
 * gravity gradient, dipole and damping. */
static inline void ode_prepare_inlined(bench_ode *o)
{
    const double *v = o->problem ? o->problem->value : 0;
    if (o->problem == 0)
        return;
    if (strcmp(o->problem->name, "heavy_top") == 0 && v[1] == 0.0 && v[2] == 0.0) {
        o->inlined = ODE_TOP;
        for (int i = 0; i < 3; i++)
            o->constant[i] = 2.0 * v[0] * v[3] * v[4 + i] * o->unit;
    } else if (strcmp(o->problem->name, "soft_wall") == 0) {
        o->inlined = ODE_WALL;
        o->constant[0] = v[0];
        o->constant[1] = 10.0 * v[1];
    } else if (strcmp(o->problem->name, "spacecraft") == 0) {
        /* n, e, a, anomaly, P, Q sqrt(1 - e^2), 3 mu, J, dipole, 1e-7 times that of the
         * Earth, damping */
        const double J[3] = {o->problem->body.J.x, o->problem->body.J.y, o->problem->body.J.z};
        double *c = o->constant;
        o->inlined = ODE_CRAFT;
        c[0] = sqrt(v[0] / v[1]) / v[1];
        c[1] = v[2];
        c[2] = v[1];
        c[3] = v[CRAFT_ANOMALY];
        const double *p = v + CRAFT_PLANE, minor = sqrt(1.0 - v[2] * v[2]);
        c[4] = 1.0 - 2.0 * (p[2] * p[2] + p[3] * p[3]);
        c[5] = 2.0 * (p[1] * p[2] + p[0] * p[3]);
        c[6] = 2.0 * (p[1] * p[3] - p[0] * p[2]);
        c[7] = minor * 2.0 * (p[1] * p[2] - p[0] * p[3]);
        c[8] = minor * (1.0 - 2.0 * (p[1] * p[1] + p[3] * p[3]));
        c[9] = minor * 2.0 * (p[2] * p[3] + p[0] * p[1]);
        c[10] = 3.0 * v[0];
        memcpy(c + 11, J, sizeof J);
        memcpy(c + 14, v + CRAFT_DIPOLE, 3 * sizeof *c);
        for (int i = 0; i < 3; i++)
            c[17 + i] = 1e-7 * v[CRAFT_EARTH + i];
        c[20] = v[CRAFT_DAMPING];
    }
}

/* Gravity gradient, dipole and damping on an orbit. */
static inline void ode_craft(const bench_ode *o, double t, const double *y, double *f)
{
    const double *c = o->constant, e = c[1], M = remainder(c[3] + c[0] * t, 6.283185307179586);
    double E = M + e * sin(M), s = sin(E), k = cos(E), change = 1.0;
    for (int i = 0; i < 10 && fabs(change) > 1e-15; i++) {
        change = (E - e * s - M) / (1.0 - e * k);
        E -= change;
        s = sin(E);
        k = cos(E);
    }
    const double r = c[2] * (1.0 - e * k), x = c[2] * (k - e) / r, z = c[2] * s / r,
                 r3 = 1.0 / (r * r * r);
    double u[3], B[3], D = 0.0, ub[3], Bb[3];
    for (int i = 0; i < 3; i++) {
        u[i] = x * c[4 + i] + z * c[7 + i];
        D += c[17 + i] * u[i];
    }
    for (int i = 0; i < 3; i++)
        B[i] = (3.0 * D * u[i] - c[17 + i]) * r3;
    const double a = y[0], b = y[1], d = y[2], g = y[3];
    const double R[3][3] = {
        {a * a + b * b - d * d - g * g, 2.0 * (b * d - a * g), 2.0 * (b * g + a * d)},
        {2.0 * (b * d + a * g), a * a - b * b + d * d - g * g, 2.0 * (d * g - a * b)},
        {2.0 * (b * g - a * d), 2.0 * (d * g + a * b), a * a - b * b - d * d + g * g}};
    for (int i = 0; i < 3; i++) {
        ub[i] = R[0][i] * u[0] + R[1][i] * u[1] + R[2][i] * u[2];
        Bb[i] = R[0][i] * B[0] + R[1][i] * B[1] + R[2][i] * B[2];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, n = (i + 2) % 3;
        const double torque = c[10] * r3 * (c[11 + n] - c[11 + j]) * ub[j] * ub[n] +
                              c[14 + j] * Bb[n] - c[14 + n] * Bb[j];
        f[4 + i] += torque * o->unit - c[20] * y[4 + i] * o->inverse[i] * o->unit;
    }
}

static inline void ode_torque_inlined(const bench_ode *o, double t, const double *y, double *f)
{
    const double *c = o->constant;
    if (o->inlined == ODE_CRAFT) {
        ode_craft(o, t, y, f);
        return;
    }
    const double a = y[1] * y[3] - y[0] * y[2], b = y[2] * y[3] + y[0] * y[1],
                 g = 0.5 - y[1] * y[1] - y[2] * y[2]; /* half of the third row of R */
    if (o->inlined == ODE_TOP) {
        f[4] += b * c[2] - g * c[1];
        f[5] += g * c[0] - a * c[2];
        f[6] += a * c[1] - b * c[0];
    } else {
        const double x = 1.0 / (c[0] + 2.0 * g), x3 = x * x * x;
        const double d = 2.0 * x * x * (c[1] * (x3 * x3 * x3) - 1.0) * o->unit;
        f[4] += d * b;
        f[5] -= d * a;
    }
}

static inline void ode_torque(const bench_ode *o, double t, const double *y, double *f)
{
    const ph_quat q = {y[0], y[1], y[2], y[3]};
    const ph_state s = {q, {y[4] / o->unit, y[5] / o->unit, y[6] / o->unit}};
    const ph_vec3 tau = ph_problem_torque(o->problem, t, &s);
    f[4] += tau.x * o->unit;
    f[5] += tau.y * o->unit;
    f[6] += tau.z * o->unit;
}

static inline void ode_rhs(bench_ode *o, double t, const double *y, double *f)
{
    const double m1 = y[4], m2 = y[5], m3 = y[6];
    const double w1 = m1 * o->inverse[0], w2 = m2 * o->inverse[1], w3 = m3 * o->inverse[2];
    f[0] = -0.5 * (y[1] * w1 + y[2] * w2 + y[3] * w3);
    f[1] = 0.5 * (y[0] * w1 + y[2] * w3 - y[3] * w2);
    f[2] = 0.5 * (y[0] * w2 + y[3] * w1 - y[1] * w3);
    f[3] = 0.5 * (y[0] * w3 + y[1] * w2 - y[2] * w1);
    f[4] = m2 * w3 - m3 * w2;
    f[5] = m3 * w1 - m1 * w3;
    f[6] = m1 * w2 - m2 * w1;
    o->evaluations++;
#ifdef ODE_INLINED
    if (o->inlined) {
        ode_torque_inlined(o, t, y, f);
        return;
    }
#endif
    if (o->problem)
        ode_torque(o, t, y, f);
}

#ifdef __cplusplus
}
#endif

#endif
