/* drift.h - the free motion of an integrator for many bodies: a step, or many of them. */
#ifndef POLHODE_BATCH_DRIFT_H
#define POLHODE_BATCH_DRIFT_H

#include "polhode/batch.h"

/* Advances the bodies by h with the flow of an integrator, or the composition of it. If a
 * body fails, *failed (if not NULL) is its index and its status is returned: the bodies
 * before it are advanced all the same, those after it perhaps by a part of h. */
ph_status ph_batch_drift(const ph_integrator *i, const ph_batch *b, double h,
                         size_t *failed);

/* Hears how far many steps have come, as a fraction of the work; false ends them. One
 * thread calls it at a time, any of them. */
typedef bool batch_listener(void *context, double done);

/* How many steps ended. */
typedef struct batch_end {
    bool stopped;     /* by the listener: the bodies are anywhere on their way */
    ph_status status; /* of the first body that failed, or PH_OK */
    size_t failed;    /* its index, n if there is none: those before are at the end */
    long step;        /* the step that failed, from 0 */
} batch_end;

/* Takes `steps` steps of h. A thread takes some bodies all the way before it takes others:
 * they stay in its cache, and threads need not wait for each other at every step. */
batch_end ph_batch_drifts(const ph_integrator *i, const ph_batch *b, double h, long steps,
                          batch_listener *listener, void *context);

#endif
