/* precision.h - the defects of a step in quadruple precision: plain numbers in and out, since the
 * types of the library have other numbers in precision.c. */
#pragma once

#include <stdbool.h>

enum { PRECISE_STAGES = 64 };

/* A step of h of a free body: of dmv of this order, or (0) of mr, composed of parts of it. */
typedef struct precise_step {
    double J[3], q[4], m[3], h;
    int dmv, stages;
    double part[PRECISE_STAGES];
} precise_step;

typedef struct precise_defects {
    double symplectic, poisson, energy; /* the last: |H+ - H| */
} precise_defects;

/* False where the step is not solved. */
bool ph_precise_defects(const precise_step *p, precise_defects *out);
