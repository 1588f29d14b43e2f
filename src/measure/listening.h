/* listening.h - an integrator that asks before every step whether to go on. */
#ifndef POLHODE_MEASURE_LISTENING_H
#define POLHODE_MEASURE_LISTENING_H

#include "polhode/polhode.h"

/* Who is asked, and whether the answer was no; then nobody is asked again. */
typedef struct listener {
    bool (*go_on)(void *context);
    void *context;
    bool stopped;
} listener;

/* A flow and a method in front of the real ones. */
typedef struct listening {
    ph_flow flow;
    ph_method method;
    ph_integrator real;
    listener *who;
} listening;

/* The same integrator, whose steps, each of a composition's and of a scheme's drifts, fail
 * from the time on when `who` says no. It lives in *l, and needs *who and what it was made
 * of. */
ph_integrator ph_listening(listening *l, const ph_integrator *i, listener *who);

/* Asks; false once the answer was no. */
bool ph_listener_agrees(listener *who);

#endif
