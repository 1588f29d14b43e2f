/* long_run.h - the energy in a long run, in blocks that a picture can show.
 *
 * What most runs need is done by `long_run_add`. Those that record more than the energy
 * count their blocks themselves and begin their rows with LONG_RUN_COLUMNS, which is what
 * judges and panels ask for.
 */
#ifndef POLHODE_EVIDENCE_LONG_RUN_H
#define POLHODE_EVIDENCE_LONG_RUN_H

#include "evidence/figure.h"

typedef struct long_run {
    const char *name;   /* of the run, in the column `run` */
    const char *method; /* an integrator */
    const ph_problem *problem;
    double h;
    long steps;
    long blocks;   /* rows: the run is cut into so many parts of equal length */
    bool relative; /* (E - E0)/|E0| instead of E - E0 */
} long_run;

/* Adds to a table of LONG_RUN_COLUMNS, for each block the time in its middle, the lowest,
 * mean and highest error of the energy. Once the run fails or the error is above
 * `LONG_RUN_LOST` (relative to E0) the rest of it is infinite. `before` and `share` are
 * parts of the whole work: done before, and its own. False: stopped, or trouble. */
#define LONG_RUN_COLUMNS "run,t,low,mean,high"
#define LONG_RUN_LOST    1e3
bool long_run_add(const long_run *r, figure_work *work, table *t, double before,
                  double share);

/* ---- the errors of some steps together -------------------------------------------- */

typedef struct run_block {
    long steps;
    double low, high, sum;
} run_block;

#define RUN_BLOCK_EMPTY                                                                  \
    {                                                                                    \
        .low = INFINITY, .high = -INFINITY                                               \
    }

void block_take(run_block *b, double error);
double block_mean(const run_block *b);

/* ---- for judges ------------------------------------------------------------------ */

/* The largest |error| of a run, its range from lowest to highest, and the least-squares
 * slope of the means over the time. Infinite or NaN of a run that was lost. */
double run_error(const table *t, const char *run);
double run_range(const table *t, const char *run);
double run_slope(const table *t, const char *run);

/* What the slope makes of the run, over its largest error: 1 if it is nothing but a
 * steady drift, less than it in magnitude the more the energy oscillates. */
double run_drift(const table *t, const char *run);

/* When the run was lost; infinite if it was not. */
double run_lost(const table *t, const char *run);

/* ---- for panels ------------------------------------------------------------------ */

/* The energy of a run as a band; and a panel for each of the runs. */
#define RUN_BAND  .look = GRAPH_BAND, .x = "t", .y = "low", .high = "high"
#define RUN_BANDS RUN_BAND, .series = "run", .each = true

#endif
