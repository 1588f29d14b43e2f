/* tableau.h - Runge-Kutta tableaus, for bodies and for spheres, their stages on any numbers, and
 * the Munthe-Kaas step of a body. */
#pragma once

#include "polhode/body.h"

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

/* A step of h from the time t on n numbers y with y' = f(t, y). */
typedef struct tableau_step {
    const tableau *table;
    double t, h;
    size_t n;
    /* f; and by how much a slope changed over h, relative to the size of what it moves */
    ph_status (*rate)(void *context, double t, const double *y, double *rate);
    double (*change)(void *context, double h, const double *y, const double *now,
                     const double *before);
    void *context;
    const double *start;
    double *slope[TABLEAU_STAGES], *at, *next; /* memory, n numbers each */
} tableau_step;

/* Takes it, to `at`; the stages of an implicit one by fixed points, each with the newest slopes of
 * the others, down to round-off: there may be too many numbers for Newton. */
ph_status ph_tableau_step(const tableau_step *s);

/* One Munthe-Kaas step in a field from the time t; principal axes; s is untouched unless
 * PH_OK. */
ph_status ph_munthe_kaas_step(const tableau *table, const ph_problem *p, ph_state *s, double t,
                              double h);
