/* setup.h - a problem with its parameters, its body and its start, as told. */
#ifndef POLHODE_CLI_SETUP_H
#define POLHODE_CLI_SETUP_H

#include "polhode/polhode.h"

#include "told.h"

typedef struct setup {
    ph_problem problem; /* a copy, with the parameters and the body as told */
    ph_state start;
} setup;

/* The problem that is told, one of ph_problems, with all that is told about it, else with
 * its own values. Returns 0, or the exit status of the error it reported. */
int setup_make(setup *s, const scenario *told);

/* Whether an integrator can do the problem: 0, or the exit status of the error it
 * reported, which begins with a place. */
int setup_accepts(const setup *s, const char *place, const char *name,
                  const ph_integrator *integrator);

/* Whether the body is not free: a torque acts on it, or wheels turn in it. */
bool setup_in_field(const setup *s);

#endif
