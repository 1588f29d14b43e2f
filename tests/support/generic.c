/* generic.c - problems of the tests' own. */
#include "support/generic.h"

#include "base/elementary.h"
#include "motion/vec.h"

/* As ph_problem_generic: exp(0.3, -0.8, 0.5), and J^-1 (0.9, -1.4, 1.7) */
#define BODY_AND_START                                                                             \
    .body = PH_MOMENTS(1.3, 2.1, 2.9),                                                             \
    .q = {0.8799807056103828548, 0.1439495950537319562, -0.3838655868099518832,                    \
          0.239915991756219927},                                                                   \
    .w = {0.9 / 1.3, -1.4 / 2.1, 1.7 / 2.9}

/* ---- with time ------------------------------------------------------------------- */

static double strength(double t)
{
    return 1 + ph_sin(3 * t) / 2;
}

static ph_vec3 timed_torque(const ph_problem *p, const ph_instant *now)
{
    const double t = now->t;
    return add(scale(strength(t), ph_problem_generic.torque(p, now)),
               vec3(ph_cos(2 * t), ph_sin(5 * t), 1 / (1 + t)));
}

static ph_mat3 timed_derivative(const ph_problem *p, const ph_instant *now)
{
    ph_mat3 D = ph_problem_generic.derivative(p, now);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            D.a[i][k] *= strength(now->t);
    }
    return D;
}

const ph_problem timed_problem = {
    .name = "timed",
    BODY_AND_START,
    .torque = timed_torque,
    .derivative = timed_derivative,
};

/* ---- free ------------------------------------------------------------------------ */

const ph_problem free_problem = {.name = "free", BODY_AND_START};
