/* composition.h - one symmetric step of order 2 made into one of higher order.
 *
 *   Psi_h = Phi_{g_s h} ... Phi_{g_2 h} Phi_{g_1 h}
 *   g_1 + ... + g_s = 1,   g_i = g_{s+1-i}
 */
#pragma once

#include "polhode/polhode.h"

/* g_(k + 1), the part of the step that stage k takes; k from 0. */
static inline double composition_part(const ph_composition *c, int k)
{
    const int last = c->stages - 1;
    return c->half[k <= last / 2 ? k : last - k];
}

/* All compositions, and the places of some. */
extern const ph_composition ph_composition_table[];
enum { COMPOSITION_SUZUKI4 = 1, COMPOSITION_KAHAN_LI6 = 3 };

/* Advances s by the stages of a composition; s is untouched unless PH_OK. */
ph_status ph_composition_step(const ph_composition *composition, const ph_flow *flow,
                              ph_state *s, ph_vec3 J, double h);
