/* rkmk.c - Munthe-Kaas Runge-Kutta methods on spheres: the classical one, and Gauss of
 * orders 4 and 6.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.1.2. The loop over the tableau is in
 *      src/spheres/munthe_kaas.c.
 *
 * rkmk4 and rkmkgl4 truncate dexp^-1 as O11 does, rkmkgl6 takes all of it. Corrected: row 2
 * of the tableau of RKMK4 is printed 1/2 1/2 0 0, which is implicit and of order 1.
 *
 * The turns begin at the old configuration, so that a Gauss tableau gives neither symmetry
 * nor symplecticity, and w is not kept orthogonal to q: q.w drifts, as O11 shows.
 */
#include "spheres/munthe_kaas.h"

static ph_status step(const ph_spheres_method *method, ph_spheres *s, ph_vec3 *q,
                      ph_vec3 *w, double h)
{
    const bool truncated = method->order <= 4;
    return ph_spheres_munthe_kaas(method->data, truncated, s, q, w, h);
}

#define ROW(key, words, p, table)                                                        \
    {                                                                                    \
        .name = (key), .title = (words), .cite = "O11 section 7.1.2", .order = (p),      \
        .applies_to = PH_FIRST_ORDER | PH_SECOND_ORDER, .step = step, .data = (table)    \
    }

const ph_spheres_method ph_spheres_method_rkmk[3] = {
    ROW("rkmk4", "Munthe-Kaas, classical Runge-Kutta", 4, &ph_tableau_rk4),
    ROW("rkmkgl4", "Munthe-Kaas, Gauss of order 4", 4, &ph_tableau_gauss4),
    ROW("rkmkgl6", "Munthe-Kaas, Gauss of order 6", 6, &ph_tableau_gauss6),
};
