/* tableau.h - Runge-Kutta tableaus, for bodies and for spheres, and the Munthe-Kaas step of a
 * body. */
#pragma once

#include "polhode/polhode.h"

enum { TABLEAU_STAGES = 8 };

/* Explicit if a is strictly lower triangular. */
typedef struct tableau {
    int stages;
    double a[TABLEAU_STAGES][TABLEAU_STAGES], b[TABLEAU_STAGES], c[TABLEAU_STAGES];
} tableau;

static inline bool tableau_explicit(const tableau *t)
{
    for (int k = 0; k < t->stages; k++) {
        for (int j = k; j < t->stages; j++) {
            if (t->a[k][j] != 0.0)
                return false;
        }
    }
    return true;
}

/* The classical one of order 4, and those of Gauss of orders 4 and 6. */
extern const tableau ph_tableau_rk4, ph_tableau_gauss4, ph_tableau_gauss6;

/* One Munthe-Kaas step in a field from the time t; principal axes; s is untouched unless
 * PH_OK. */
ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s,
                              double t, double h);
