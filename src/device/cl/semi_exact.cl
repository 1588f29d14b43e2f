/* semi_exact.cl - the flows whose form of the attitude is FORM. */
#include "device/cl/flow_begin.cl"
#include "motion/celledoni.h"
#include "motion/gauss.h"
#ifdef FINISH
#include "device/cl/uniform.cl"
#include "motion/step.c"
#define form(c, turn)             FORM(c, turn)
#define integrand                 celledoni_integrand
#define prepare                   celledoni_prepare
#define third_kind                celledoni_third_kind
#include "motion/celledoni.c"
#undef form
#undef integrand
#undef prepare
#undef third_kind
#endif

PART ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (ordinary_units(s->m, J)) {
        gauss_bodies w[VECTORS];
        w[0].s = one_body(s, J, h);
        gauss_move(w, flow);
        if (take(s, &w[0].out))
            return PH_OK;
    }
#ifdef FINISH
    return ph_celledoni_step(flow, s, J, h, 0);
#else
    return LEFT;
#endif
}

#define FLOW_DATA const int data = 0
#include "device/cl/flow_end.cl"
