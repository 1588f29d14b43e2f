/* fit_cells.h - whether fits tell the truth: observations by a Runge-Kutta method of the test's own,
 * for each kind of observation and each state of motion, and how often the intervals of fits
 * contain the truth. */
#pragma once

#include "polhode/fit.h"

enum cell_kind { CELL_ATTITUDE, CELL_AXIS, CELL_VECTORS, CELL_RATES, CELL_BRIGHTNESS, CELL_KINDS };
enum cell_state {
    CELL_ABOUT_LARGEST,
    CELL_ABOUT_SMALLEST,
    CELL_SEPARATRIX,
    CELL_SPIN_LARGEST,
    CELL_SPIN_SMALLEST,
    CELL_NEARLY_SYMMETRIC,
    CELL_SYMMETRIC,
    CELL_SHORT,
    CELL_LONG,
    CELL_OUTLIERS,
    CELL_STATES
};
extern const char *const cell_kinds[CELL_KINDS], *const cell_states[CELL_STATES];

typedef struct cell_result {
    int fits, failed;
    double bodies;          /* fits that determine something */
    double one, two;        /* the mean shares of numbers within one and two sigma */
    double numbers, beyond; /* all numbers, and those beyond six sigma */
    int claimed, missed;    /* determined and should not be; not determined and should be */
    double widest;          /* the largest error of a moment or an element of the tensor */
    int unphysical;         /* solutions that no body can have */
    /* The bodies rotate uniformly. A fit says so too, but its errors include a wobble that the observations
     * do not exclude, and these bodies have none: more numbers than usual may be within one and two sigma. */
    bool uniform;
    double seconds;
} cell_result;

/* Fits `count` sets of observations of a cell, the numbers of which begin at `first`: each number has its
 * own random body, motion and noise. `trace` prints each fit. */
cell_result cell_run(int kind, int state, uint64_t first, int count, bool trace);

/* Adds the result of some fits to that of others. */
void cell_add(cell_result *to, const cell_result *some);

/* Whether the result is what it must be: within the limits of counting at 99.9 %, widened by 0.04. */
bool cell_good(const cell_result *r);
