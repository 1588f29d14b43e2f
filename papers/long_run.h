/* long_run.h - the energy in a long run, in blocks that a picture can show. */
#pragma once

#include "papers/figure.h"

typedef struct long_run {
    const char *method;
    double h;
    const char *name;       /* in the column `run`; NULL: the method's */
    const ph_problem *body; /* instead of the problem of all; or NULL */
    double times;           /* as long as the others; 0: once */
} long_run;

/* What several runs share. */
typedef struct long_runs {
    const char *problem;
    double time;
    long blocks;   /* rows of a run, which is cut into so many parts of equal length */
    bool relative; /* (E - E0)/|E0| instead of E - E0 */
    bool at_end;   /* the time of a row is that at the end of its block */

    /* Sets the numbers of a row after the five columns, at most LONG_RUN_MORE: called
     * after every step, `fresh` after the first of a block. NULL: there are none. */
    void (*measure)(ph_system *s, bool fresh, double *more);
    const char *more; /* their columns, each with a comma before it; NULL: none */
} long_runs;

/* Begins a table of the columns run, t, low, mean, high and `more`, and adds the runs, up
 * to one without a method: for each block the time in its middle, the lowest, mean and
 * highest error of the energy. Once a run fails or the error is above LONG_RUN_LOST
 * (relative to E0) the rest of it is infinite. False: stopped, or an error. */
#define LONG_RUN_LOST 1e3
enum { LONG_RUN_MORE = 4 };
bool long_runs_compute(const long_runs *all, const long_run *runs, figure_work *work,
                       table *t);

/* ---- for judges ------------------------------------------------------------------ */

/* The largest |error| of a run, its range from lowest to highest, and the least-squares
 * slope of the means over the time. Infinite or NaN of a run that was lost. */
double run_error(const table *t, const char *run);
double run_range(const table *t, const char *run);
double run_slope(const table *t, const char *run);

/* What the slope makes of the run, over its largest error: 1 if it is nothing but a
 * steady drift, less than it in magnitude the more the energy oscillates. */
double run_drift(const table *t, const char *run);
