/* run_body.h - a run of one body in one call: a system that is made, run and freed. */
#pragma once

#include "polhode/system.h"

/* Takes steps of h from *s, which ends as the last state reached; options as for
 * ph_system_from_problem(); observer and taken, the number of steps made, may be NULL. */
ph_status ph_run_body(const ph_integrator *i, const ph_problem *p, ph_state *s, double h,
                      uint64_t steps, unsigned options, const ph_observer *o,
                      uint64_t *taken);
