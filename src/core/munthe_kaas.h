/* munthe_kaas.h - a Munthe-Kaas Runge-Kutta step in a field, for any tableau. */
#ifndef POLHODE_CORE_MUNTHE_KAAS_H
#define POLHODE_CORE_MUNTHE_KAAS_H

#include "polhode/polhode.h"

enum { TABLEAU_STAGES = 4 };

/* Explicit if a is strictly lower triangular. */
typedef struct tableau {
    int stages;
    double a[TABLEAU_STAGES][TABLEAU_STAGES], b[TABLEAU_STAGES], c[TABLEAU_STAGES];
} tableau;

/* One step from the time t; principal axes; s is untouched unless PH_OK. */
ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s,
                              double t, double h);

#endif
