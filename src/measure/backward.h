/* backward.h - modified equations of dmv2 and imr2. */
#pragma once

#include "polhode/measure.h"

typedef enum modified_equation {
    MODIFIED_UNKNOWN,
    MODIFIED_DMV,
    MODIFIED_IMR
} modified_equation;

/* That of an integrator. */
modified_equation ph_modified_equation_of(const ph_integrator *i);

/* The modified Hamiltonian (of imr2: H), and the modified velocity s J^-1 m + d m, of the
 * first `powers` powers of h^2, up to 2. */
typedef struct modified_terms {
    double value, s, d;
} modified_terms;
modified_terms ph_modified_terms(modified_equation e, ph_vec3 J, ph_vec3 m, int powers,
                                 double h);

/* The motion of a modified equation, over the time T. */
typedef struct modified_motion {
    modified_equation equation;
    ph_vec3 J;
    double h; /* the step that it belongs to */
    int powers;
} modified_motion;
void ph_modified_run(const modified_motion *e, ph_state *s, double T);
