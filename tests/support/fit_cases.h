/* fit_cases.h - synthetic observations of motions that are known, and how well fits find them. */
#pragma once

#include "polhode/fit.h"

/* ---- random tumblers: attitudes over five turns with noise of 0.1 degrees ----------- */

enum { FIT_TIMES = 80 };
#define FIT_NOISE (0.1 * PH_PI / 180.0)

typedef struct fit_case {
    ph_body body; /* the largest moment 1 */
    ph_state start;
    double tensor[6];
    double t[FIT_TIMES], q[4 * FIT_TIMES], w[3 * FIT_TIMES], axis[3 * FIT_TIMES], sigma[FIT_TIMES];
} fit_case;

/* Number `which` of them; the axis is the third. */
void fit_case_make(fit_case *c, uint64_t which);

/* What fits without a first guess find. */
typedef struct fit_coverage {
    int cases, failed;
    double one, two; /* parts of the parameters that are within 1 and 1.96 standard deviations */
    double numbers;  /* independent ones that these are of */
} fit_coverage;
fit_coverage fit_cases_cover(int cases);

/* ---- light curves of tumbling ellipsoids: 400 points with 2 % noise ----------------- */

/* Whether a fit finds both periods to 1 %, with the processor time it takes. */
bool fit_light_curve(uint64_t which, double *seconds);
