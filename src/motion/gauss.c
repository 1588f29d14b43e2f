/* gauss.c - a semi-exact step: by the formulas of gauss.h where they do, and else by those of
 * celledoni.c. */
#include "rotation/vec.h"

#include "motion/celledoni.h"
#include "motion/gauss.h"

ph_status ph_gauss_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h,
                        ph_celledoni_form *form)
{
    gauss_bodies w[VECTORS];
    if (ordinary_units(s->m, J)) {
        w[0].s = one_body(s, J, h);
        gauss_move(w, flow);
        if (take(s, &w[0].out))
            return PH_OK;
    }
    return ph_celledoni_step(flow, s, J, h, form);
}
