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

static ph_status rk4_step(const ph_method *method, const ph_problem *p, ph_state *s,
                          double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&ph_tableau_rk4, p, s, t, h);
}

static ph_status gauss4_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&ph_tableau_gauss4, p, s, t, h);
}

static ph_status gauss6_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    (void)method;
    return ph_munthe_kaas_step(&ph_tableau_gauss6, p, s, t, h);
}

#define ROW(key, words, p, function)                                                     \
    {                                                                                    \
        .name = (key), .title = (words), .cite = "K06 section 3.7", .order = (p),        \
        .any_torque = true, .keeps = PH_MOMENTUM,                                        \
        .keeps_free = PH_MOMENTUM | PH_CASIMIR, .step = (function)                       \
    }

const ph_method ph_method_mkrk[3] = {
    ROW("mkrk_rk4", "Munthe-Kaas, classical Runge-Kutta", 4, rk4_step),
    ROW("mkrk_gl4", "Munthe-Kaas, Gauss of order 4", 4, gauss4_step),
    ROW("mkrk_gl6", "Munthe-Kaas, Gauss of order 6", 6, gauss6_step),
};
