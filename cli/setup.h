/* setup.h - a problem with its parameters, its body and its start, as told. */
#ifndef POLHODE_CLI_SETUP_H
#define POLHODE_CLI_SETUP_H

#include "polhode/polhode.h"

#include "told.h"

typedef struct setup {
    ph_problem problem; /* a copy, with the parameters and moments as told */
    ph_body body;
    ph_state start;
} setup;

/* The problem that is told, one of ph_problems, with all that is told about it, else with
 * its own values. Returns 0, or the exit status of the error it reported. */
int setup_make(setup *s, const scenario *told);

/* Whether an integrator can do the problem: 0, or the exit status of the error it
 * reported, which begins with a place. */
int setup_accepts(const setup *s, const char *place, const char *name,
                  const ph_integrator *integrator);

/* Whether a torque acts on the body. */
bool setup_in_field(const setup *s);

/* Its energy: kinetic, and potential where it has a potential. */
double setup_energy(const setup *s, const ph_state *state);

/* Steps from *state, in the frame of the body. */
ph_status setup_run(const setup *s, const ph_integrator *integrator, ph_state *state,
                    double h, long steps, ph_observer *observer, void *context,
                    long *taken);

#endif
