/* splitting.c - runs the stages of a scheme. A kick happens at the time to which the
 * drifts so far have led: after drifts over c h in all, at t + c h. */
#include "integrators/splitting.h"

#include "motion/composition.h"

ph_status ph_splitting_step(const ph_scheme *scheme, const splitting *parts, void *system,
                            double t, double h, double end)
{
    const int last = scheme->stages - 1;
    double passed = 0.0;
    for (int i = 0; i <= last; i++) {
        const int k = i <= last / 2 ? i : last - i;
        const double c = scheme->half[k];
        const bool kick = scheme->kick_first == (i % 2 == 0);
        ph_status status;
        if (kick) {
            const double g = scheme->gradient ? scheme->gradient[k] * h * h * h : 0.0;
            status = parts->kick(system, i == last ? end : t + passed * h, c * h, g);
        } else {
            status = parts->drift(system, c * h);
            passed += c;
        }
        if (status != PH_OK)
            return status;
    }
    return PH_OK;
}

ph_status ph_splitting_run(const ph_integrator *i, const splitting *parts, void *system,
                           double t, double h, double end)
{
    const int last = i->whole ? i->whole->stages - 1 : 0;
    double passed = 0.0;
    ph_status status = PH_OK;
    for (int k = 0; k <= last && status == PH_OK; k++) {
        const double part = i->whole ? composition_part(i->whole, k) : 1.0,
                     from = t + passed * h;
        passed += part;
        status = ph_splitting_step(i->scheme, parts, system, from, part * h,
                                   k == last ? end : t + passed * h);
    }
    return status;
}
