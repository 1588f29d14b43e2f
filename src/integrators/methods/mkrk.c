/* mkrk.c - Munthe-Kaas Runge-Kutta methods: the classical one, and Gauss of orders 4 and
 * 6.
 *
 * K06  Krysl, 2006, section 3.7, Algorithm MKRK; Munthe-Kaas 1998. The loop over the
 *      tableau, and what was corrected in it, is in src/integrators/munthe_kaas.c.
 *
 * In space  pi+ = pi + h sum_j b_j R_j T_j: the momentum changes by torques only, hence
 * is kept about an axis the torque has no component along. Gauss tableaus are symmetric,
 * but the turns start from the old frame: the methods are neither symmetric nor
 * symplectic.
 */
#include "integrators/munthe_kaas.h"

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    return ph_munthe_kaas_step(method->data, p, s, t, h);
}

#define ROW(key, words, p, table)                                                        \
    {                                                                                    \
        .name = (key), .title = (words), .cite = "K06 section 3.7", .order = (p),        \
        .keeps = PH_MOMENTUM, .keeps_free = PH_MOMENTUM | PH_CASIMIR,                    \
        .any_torque = true, .step = step, .data = (table)                                \
    }

const ph_method ph_method_mkrk[3] = {
    ROW("mkrk_rk4", "Munthe-Kaas, classical Runge-Kutta", 4, &ph_tableau_rk4),
    ROW("mkrk_gl4", "Munthe-Kaas, Gauss of order 4", 4, &ph_tableau_gauss4),
    ROW("mkrk_gl6", "Munthe-Kaas, Gauss of order 6", 6, &ph_tableau_gauss6),
};
