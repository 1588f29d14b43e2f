/* gauss.c - a semi-exact step: by the formulas of gauss.h where they do, and else by those of
 * celledoni.c. */
#include "core/vec.h"

#include "motion/celledoni.h"
#include "motion/gauss.h"

ph_status ph_gauss_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h,
                        ph_celledoni_form *form)
{
    gauss_bodies w[VECTORS] = {{.s = one_body(s, J, h)}};
    gauss_move(w, flow);
    return take(s, &w[0].out) ? PH_OK : ph_celledoni_step(flow, s, J, h, form);
}
