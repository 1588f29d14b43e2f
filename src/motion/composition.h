/* composition.h - one symmetric step of order 2 made into one of higher order.
 *
 *   Psi_h = Phi_{g_s h} ... Phi_{g_2 h} Phi_{g_1 h}
 *   g_1 + ... + g_s = 1,   g_i = g_{s+1-i}
 */
#pragma once

#include "base/choice.h"
#include "polhode/body.h"

/* A step that is not composed, of NULL, is one stage. */
static inline int composition_stages(const ph_composition *c)
{
    if (c == NULL)
        return 1;
    return c->stages;
}

/* g_(k + 1), the part of the step that stage k takes; k from 0. */
static inline double composition_part(const ph_composition *c, int k)
{
    if (c == NULL)
        return 1.0;
    return c->half[smaller_int(k, c->stages - 1 - k)];
}

/* Stores the composition called `name` in *out. Returns PH_OK or PH_UNKNOWN_NAME, as
 * ph_flow_named() does. */
ph_status ph_composition_named(const char *name, const ph_composition **out);

/* Returns a static array of all compositions and stores its length in *count. */
const ph_composition *ph_compositions(size_t *count);

/* All compositions, and the places of some. */
extern const ph_composition ph_composition_table[];
enum { COMPOSITION_SUZUKI4 = 1, COMPOSITION_KAHAN_LI6 = 3 };

/* Whether the step is one of a flow alone: its composition is that of the whole step. */
static inline bool flow_alone(const ph_integrator *i)
{
    return i->scheme == NULL && i->method == NULL;
}

/* What the flow of an integrator is composed by, NULL: it is not. */
static inline const ph_composition *flow_composition(const ph_integrator *i)
{
    if (flow_alone(i) && i->whole != NULL)
        return i->whole;
    return i->composition;
}

/* Whether a composition raises the order of what has this order and keeps this. */
static inline bool may_be_composed(int order, unsigned keeps)
{
    return order == 2 && (keeps & PH_SYMMETRIC) != 0;
}

/* Advances s by the stages of a composition; s is untouched unless PH_OK. */
ph_status ph_composition_step(const ph_composition *composition, const ph_flow *flow, ph_state *s,
                              ph_vec3 J, double h);
