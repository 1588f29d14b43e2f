/* run_body.c - a run of one body in one call. */
#include "system/run_body.h"

ph_status ph_run_body(const ph_integrator *i, const ph_problem *p, ph_state *s, double h,
                      uint64_t steps, unsigned options, const ph_observer *o,
                      uint64_t *taken)
{
    ph_system *system;
    if (taken != NULL)
        *taken = 0;
    ph_status status = ph_system_of_body(&system, p, i, s, h, options);
    if (status != PH_OK)
        return status;
    status = ph_system_run(system, steps, o);
    if (ph_system_steps(system) > 0)
        *s = ph_system_state(system);
    if (taken != NULL)
        *taken = ph_system_steps(system);
    ph_system_free(system);
    return status;
}
