/* setup.h - a problem with its parameters, its body and its start, as told. */
#ifndef POLHODE_CLI_SETUP_H
#define POLHODE_CLI_SETUP_H

#include "polhode/polhode.h"

#include "told.h"

typedef struct setup {
    const ph_problem *problem;
    ph_body body;
    ph_state start;
} setup;

/* The problem that is told, with all that is told about it, else with its own values.
 * Returns 0, or the exit status of the error it reported. */
int setup_make(setup *s, const scenario *told);

/* Its energy: kinetic, and potential where it has a potential. */
double setup_energy(const setup *s, const ph_state *state);

#endif
