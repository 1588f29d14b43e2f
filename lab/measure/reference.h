/* reference.h - runs over a time, and reference solutions, of any kind of system. */
#pragma once

#include "polhode/system.h"

/* Creates the system of the settings, by `integrator` instead of theirs unless that is NULL, and
 * runs it to the time T in `steps` steps. `o` may be NULL. Returns the status of the creation or
 * of the run. *out is the system, which the caller destroys, or NULL if it could not be created. */
ph_status ph_run_over(const ph_system_settings *with, const char *integrator, double T,
                      uint64_t steps, const ph_observer *o, ph_system **out);

/* How a reference is searched for. */
typedef struct reference_search {
    const char *integrator; /* of high order */
    bool exact;             /* the exact solution is taken where it is known */
    uint64_t fewest, most;  /* steps: doubled as long as that brings two runs closer together */
    const ph_system *start; /* gives the round-off of the motion; NULL: it is taken to be 0 */
    const ph_observer *observer; /* of each run, which it may end; NULL: none */
} reference_search;

typedef struct reference_solution {
    ph_system *end; /* the system at the end, which the caller destroys; NULL: not found */
    bool exact;
    double apart; /* how far the last two runs are from each other; infinite after one run */
    double floor; /* errors below are round-off, or those of the reference */
} reference_solution;

/* Searches for the state of a system at the time T. Returns the status of a run that failed, or
 * PH_NOT_FINITE if two runs are not a finite distance apart; out->end then is NULL. */
ph_status ph_find_reference(const ph_system_settings *with, const reference_search *by, double T,
                            reference_solution *out);
