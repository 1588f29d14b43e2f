/* convergence.h - the errors of several integrators at a time, for smaller and smaller
 * steps. */
#ifndef POLHODE_EVIDENCE_CONVERGENCE_H
#define POLHODE_EVIDENCE_CONVERGENCE_H

#include "evidence/figure.h"

/* In which the papers measure. */
typedef enum convergence_norms {
    NORMS_KRYSL,   /* of m, and the 2-norm of R */
    NORMS_ORTOLAN, /* of w, and the Frobenius norm of R */
} convergence_norms;

typedef struct convergence {
    const ph_problem *problem;
    double time;
    const char *const *methods; /* up to a NULL */
    long coarsest;              /* steps in that time; then twice as many, and again */
    int halvings;
    convergence_norms norms;
} convergence;

/* Adds to a table of CONVERGENCE_COLUMNS; NaN where a run failed. False: stopped, or
 * trouble. */
#define CONVERGENCE_COLUMNS "method,h,error_momentum,error_attitude"
bool convergence_add(const convergence *c, figure_work *work, table *t);

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

/* The same where only rows with this word in the column `key` count, and round-off is as
 * large as this; of both words, NULL is any. */
double order_above(const table *t, const char *key, const char *word, const char *method,
                   const char *column, double round_off);

/* Claims that `who`, these methods, are of order 2 in both columns. */
void claim_order_2(const table *t, findings *out, const char *who,
                   const char *const *methods);

#endif
