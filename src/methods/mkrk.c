/* mkrk.c - Munthe-Kaas Runge-Kutta methods: the classical one, and Gauss of orders 4 and
 * 6.
 *
 * K06  Krysl, 2006, section 3.7, Algorithm MKRK; Munthe-Kaas 1998. The loop over the
 *      tableau, and what was corrected in it, is in src/core/munthe_kaas.c.
 *
 * In space  pi+ = pi + h sum_j b_j R_j T_j: the momentum changes by torques only, hence
 * is kept about an axis the torque has no component along. Gauss tableaus are symmetric,
 * but the turns start from the old frame: the methods are neither symmetric nor
 * symplectic.
 */
#include "core/munthe_kaas.h"

#define SQRT3  1.732050807568877293527
#define SQRT15 3.872983346207416885180

static const tableau rk4 = {
    .stages = 4,
    .a = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
    .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    .c = {0, 1.0 / 2, 1.0 / 2, 1},
};

static const tableau gauss4 = {
    .stages = 2,
    .a = {{1.0 / 4, 1.0 / 4 - SQRT3 / 6}, {1.0 / 4 + SQRT3 / 6, 1.0 / 4}},
    .b = {1.0 / 2, 1.0 / 2},
    .c = {1.0 / 2 - SQRT3 / 6, 1.0 / 2 + SQRT3 / 6},
};

static const tableau gauss6 = {
    .stages = 3,
    .a = {{5.0 / 36, 2.0 / 9 - SQRT15 / 15, 5.0 / 36 - SQRT15 / 30},
          {5.0 / 36 + SQRT15 / 24, 2.0 / 9, 5.0 / 36 - SQRT15 / 24},
          {5.0 / 36 + SQRT15 / 30, 2.0 / 9 + SQRT15 / 15, 5.0 / 36}},
    .b = {5.0 / 18, 4.0 / 9, 5.0 / 18},
    .c = {1.0 / 2 - SQRT15 / 10, 1.0 / 2, 1.0 / 2 + SQRT15 / 10},
};

static ph_status rk4_step(const ph_method *method, const ph_problem *p, ph_state *s,
                          double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&rk4, p, s, t, h);
}

static ph_status gauss4_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&gauss4, p, s, t, h);
}

static ph_status gauss6_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&gauss6, p, s, t, h);
}

#define ROW(key, words, p, function)                                                     \
    {                                                                                    \
        .name = (key), .title = (words), .cite = "K06 section 3.7", .order = (p),        \
        .keeps = PH_MOMENTUM, .keeps_free = PH_MOMENTUM | PH_CASIMIR, .step = (function) \
    }

const ph_method ph_method_mkrk[3] = {
    ROW("mkrk_rk4", "Munthe-Kaas, classical Runge-Kutta", 4, rk4_step),
    ROW("mkrk_gl4", "Munthe-Kaas, Gauss of order 4", 4, gauss4_step),
    ROW("mkrk_gl6", "Munthe-Kaas, Gauss of order 6", 6, gauss6_step),
};
