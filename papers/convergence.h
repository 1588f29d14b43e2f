/* convergence.h - the errors of several integrators at a time, for smaller and smaller
 * steps. */
#pragma once

#include "papers/figure.h"

/* In which the papers measure. */
typedef enum convergence_norms {
    NORMS_KRYSL,   /* of m, and the 2-norm of R */
    NORMS_ORTOLAN, /* of w, and the Frobenius norm of R */
    NORMS_SPHERES, /* of q, and of w, over all spheres */
} convergence_norms;

typedef struct convergence {
    const char *problem;
    double time;
    const char *const *methods; /* up to a NULL */
    long coarsest;              /* steps in that time; then twice as many, and again */
    int halvings;
    convergence_norms norms;
} convergence;

/* Begins and fills a table: method, h, error_momentum and error_attitude, of spheres
 * error_position and error_velocity; NaN where a run failed. The solution is that of a free
 * body, or found by a method of order 6 with a fourth of the smallest step. False: stopped,
 * or an error. */
bool convergence_compute(const convergence *c, figure_work *work, table *t);

/* ---- for judges ------------------------------------------------------------------ */

/* The error at the smallest step. */
double final_error(const table *t, const char *method, const char *column);

/* That of one method over that of another. */
double error_ratio(const table *t, const char *a, const char *b, const char *column);

/* The smallest and the largest final error of these methods. */
double best_error(const table *t, const char *const *methods, const char *column);
double worst_error(const table *t, const char *const *methods, const char *column);

/* The slope of log error over log h between the two smallest steps before the errors come
 * down to round-off. */
double final_order(const table *t, const char *method, const char *column);

/* Claims that `who`, these methods, are of order 2 in both columns. */
void claim_order_2(const table *t, claims *out, const char *who,
                   const char *const *methods);
