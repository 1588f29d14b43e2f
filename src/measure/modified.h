/* modified.h - splittings taken apart. */
#pragma once

#include "polhode/measure.h"

/* A step under way: its length, and the state that it has led to. */
typedef struct split_step {
    double h;
    ph_state *s;
} split_step;

/* Whether the parts of an integrator are known: an exact flow, mr, sr2, sr4, sr6, composed or
 * not, alone or in a scheme, the whole composed or not. */
bool ph_is_splitting(const ph_integrator *i);

/* A step of it part by part, without force gradients; for tests. */
ph_status ph_splitting_by_parts(const ph_integrator *i, const ph_problem *p, ph_state *s,
                                double h);
