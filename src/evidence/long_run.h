/* long_run.h - the energy in a long run, in blocks that a picture can show. */
#ifndef POLHODE_EVIDENCE_LONG_RUN_H
#define POLHODE_EVIDENCE_LONG_RUN_H

#include "evidence/figure.h"

typedef struct long_run {
    const char *name; /* of the run, in the column `run` */
    long steps;
    long blocks;   /* rows: the run is cut into so many parts of equal length */
    bool relative; /* (E - E0)/|E0| instead of E - E0 */
    bool at_end;   /* the time of a row is that at the end of its block */

    /* The numbers of a row after LONG_RUN_COLUMNS, at most LONG_RUN_MORE, and a function
     * that keeps them: after every step, `fresh` after the first of a block. */
    void (*keep)(ph_system *s, bool fresh, double *more);
    double *more;
} long_run;

/* Runs a system (NULL: trouble), which is freed, and adds to a table that begins with
 * LONG_RUN_COLUMNS: for each block the time in its middle, the lowest, mean and highest
 * error of the energy. Once the run fails or the error is above `LONG_RUN_LOST` (relative
 * to E0) the rest of it is infinite. `before` and `share` are parts of the whole work:
 * done before, and its own. False: stopped, or trouble. */
#define LONG_RUN_COLUMNS "run,t,low,mean,high"
#define LONG_RUN_LOST    1e3
enum { LONG_RUN_MORE = 4 };
bool long_run_add(const long_run *r, ph_system *s, figure_work *work, table *t,
                  double before, double share);

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

#endif
