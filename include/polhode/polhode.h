/* polhode.h - the header that most programs need.
 *
 * It declares rotations, bodies, states, the exact motion of a free body, flows, problems and
 * integrators (body.h), and systems that run a problem (system.h). docs/c.md lists the thirty
 * functions that most programs use, in the order of use.
 *
 * Other headers are included one by one: batch.h and ensemble.h for many bodies, device.h for
 * GPUs, fit.h for observations, measure.h for the properties of integrators, catalog.h for
 * descriptors by their names in C.
 */
#ifndef POLHODE_POLHODE_H
#define POLHODE_POLHODE_H

#include "polhode/body.h"
#include "polhode/system.h"

#endif
