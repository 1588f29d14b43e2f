/* run_body.h - one body from any start, checked less than by settings: a system, and a run in
 * one call. */
#pragma once

#include "polhode/system.h"

/* An option: one vector is moved along by the tangent map, in fields as derivatives are. */
enum { OPTION_VECTOR = 1 << 17 };

/* Whether the tangent map of an integrator is known. */
bool ph_tangent_known(const ph_integrator *i);

/* A body in a problem, which is copied, from a start (NULL: the problem's own; the attitude is
 * normalised), in steps of h. PH_BAD_INERTIA, PH_BAD_STATE, PH_BAD_STEP, PH_NOT_APPLICABLE,
 * PH_NO_MEMORY. */
ph_status ph_system_from_problem(const ph_problem *p, const ph_integrator *i, const ph_state *start,
                                 double h, unsigned options, ph_system **out);

/* Takes steps of h from *s, which ends as the last state reached; observer and taken, the number of steps made, may be NULL. */
ph_status ph_run_body(const ph_integrator *i, const ph_problem *p, ph_state *s, double h,
                      uint64_t steps, unsigned options, const ph_observer *o, uint64_t *taken);
