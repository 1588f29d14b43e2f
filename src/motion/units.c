/* units.c - a step in ordinary units: largest moment and largest component of the momentum
 * in [1, 2). */
#include "motion/units.h"

#include "motion/motion.h"
#include "motion/vec.h"

#ifdef __OPENCL_VERSION__ /* no pointers to functions; and one flow in a program */
#define FLOW_STEP(flow) step
#else
#define FLOW_STEP(flow) (flow)->step
#endif

static ph_vec3 vector_times_power(ph_vec3 v, int exponent)
{
    return vec3(ldexp(v.x, exponent), ldexp(v.y, exponent), ldexp(v.z, exponent));
}

bool ph_to_ordinary_units(ph_vec3 *m, ph_vec3 *J, double *h, int *exponent)
{
    *exponent = ilogb(norm_max(*m));
    const int of_J = ilogb(norm_max(*J));
    *m = vector_times_power(*m, -*exponent);
    *J = vector_times_power(*J, -of_J);
    *h = ldexp(*h, *exponent - of_J);
    return ordinary_units(*m, *J);
}

ph_status ph_step_in_units(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    ph_state next = *s;
    ph_vec3 I = J;
    double time = h;
    int exponent;
    if (norm_max(s->m) == 0.0 || h == 0.0)
        return PH_OK;
    if (!ph_to_ordinary_units(&next.m, &I, &time, &exponent))
        return ph_motion_step(s, J, h);
    ph_status status = PH_NOT_FINITE;
    if (isfinite(time))
        status = FLOW_STEP(flow)(flow, &next, I, time);
    if (status != PH_OK)
        return status;
    next.m = vector_times_power(next.m, exponent);
    if (!finite3(next.m))
        return PH_NOT_FINITE;
    *s = next;
    return PH_OK;
}
