/* step.c - the exact motion over one step: by addition and doubling (exact.h) where that is
 * accurate, and else by the uniform solution (motion.c). */
#include "motion/exact.h"
#include "motion/motion.h"

ph_status ph_motion_step(ph_state *s, ph_vec3 J, double h)
{
    if (ordinary_units(s->m, J)) {
        exact_bodies w[VECTORS];
        w[0].s = one_body(s, J, h);
        exact_move(w, NULL);
        if (take(s, &w[0].out))
            return PH_OK;
    }
    return LONGER_WAY(ph_motion_step_uniform(s, J, h));
}
