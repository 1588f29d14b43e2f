/* moving.h - what a body of an ensemble is on a device, beside its numbers and parameters: for the
 * host and for ensemble.cl. */
#pragma once

#include "integrators/adaptive_run.h"

typedef struct moving_body {
    double J[3], axes[4]; /* principal moments and axes */
    double inside[3];     /* the momentum of wheels, in principal axes */
    double damped;        /* not 0: the torque depends on m or w */
    double longest;       /* step */
} moving_body;

/* On its way, or the status with which it came to its next row, or failed. */
enum { MOVING = -1 };
