/* cancellable.h - an integrator whose steps fail once a run is cancelled. */
#pragma once

#include "polhode/polhode.h"

/* The function that is asked whether to go on, until it says no. */
typedef struct cancellation {
    bool (*go_on)(void *context);
    void *context;
    bool cancelled;
} cancellation;

/* A flow and a method in front of the real ones. */
typedef struct cancellable {
    ph_flow flow;
    ph_method method;
    ph_integrator real;
    cancellation *cancel;
} cancellable;

/* The integrator i, every step of which, also those of a composition and the drifts of a
 * scheme, asks before it begins, and fails once cancelled; an adaptive one as a method whose
 * step of h is made to its tolerance. It lives in *c, and needs
 * *cancel and what i is made of. */
ph_integrator ph_cancellable(cancellable *c, const ph_integrator *i,
                             cancellation *cancel);

/* Asks, unless the answer was no before. */
bool ph_cancelled(cancellation *cancel);
