/* compensated.h - the state of a free body with low-order parts, and its steps. */
#pragma once

#include "polhode/body.h"

/* A state is high + low, in principal axes; its momentum counts in units of a power of two
 * next to its size, so that no square of it overflows or vanishes. All members are
 * doubles. */
typedef struct compensated_state {
    ph_state high, low;
    double m_unit;
} compensated_state;

compensated_state ph_compensated_of(ph_state s);
ph_state ph_compensated_rounded(const compensated_state *s);

/* One step of a flow, composed or not; s is untouched unless PH_OK. `ratios` are the
 * moments J in any unit in which their squares neither overflow nor vanish. */
ph_status ph_compensated_step(const ph_integrator *i, compensated_state *s, ph_vec3 J,
                              ph_vec3 ratios, double h);
