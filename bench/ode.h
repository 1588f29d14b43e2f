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
    double constant[4];        /* of that */
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
    bool (*solve)(void *handle, const double *y, double end, int count,
                  double (*points)[ODE_SIZE]);
    void (*close)(void *handle);
} bench_solver;

/* A run that needs more right-hand sides has failed. */
#define ODE_MOST_EVALUATIONS 2000000L

/* ---- torques inlined, for solvers that are compiled once more with ODE_INLINED ------- */

enum { ODE_NONE, ODE_TOP, ODE_WALL };

/* The fields that can be: of a top with up = (0, 0, 1), and of the soft wall. */
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
    }
}

static inline void ode_torque_inlined(const bench_ode *o, const double *y, double *f)
{
    const double *c = o->constant;
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
    const ph_state s = {q, {y[4], y[5], y[6]}};
    const ph_vec3 tau = ph_problem_torque(o->problem, t, &s);
    f[4] += tau.x * o->unit;
    f[5] += tau.y * o->unit;
    f[6] += tau.z * o->unit;
}

static inline void ode_rhs(bench_ode *o, double t, const double *y, double *f)
{
    const double m1 = y[4], m2 = y[5], m3 = y[6];
    const double w1 = m1 * o->inverse[0], w2 = m2 * o->inverse[1],
                 w3 = m3 * o->inverse[2];
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
        ode_torque_inlined(o, y, f);
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
