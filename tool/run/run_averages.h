/* run_averages.h - averages over the second half of a run, with their errors.
 *
 * A system with a thermostat fluctuates, and so does a liquid. Its last instant says little. The
 * steps of the second half are divided into blocks of equal length. The standard error of a mean is
 * that of the means of the blocks, which are nearly independent if a block lasts longer than
 * correlations do.
 *
 * A system of many bodies also has a coefficient of diffusion. x is the displacement of a body since
 * the start of a block, less that of the centre of mass of all bodies. M(t) is the mean of its
 * square at the time t of the block, which lasts T:
 *
 *   D = (M(T) - M(T/2))/(6 (T - T/2))
 *
 * This is the slope of Einstein's relation M = 6 D t where the ballistic start has passed.
 */
#pragma once

#include <jansson.h>

#include "tool/base/rendering.h"

enum { AVERAGE_BLOCKS = 16 };

/* The steps that are divided into blocks. */
typedef struct average_steps {
    uint64_t first, length; /* step after which they begin, and steps of a block; 0: none */
} average_steps;

typedef struct averages {
    average_steps steps;
    uint64_t taken; /* steps so far */
    uint64_t seen;  /* the step that was seen last */
    bool missed;    /* the run goes on after they should have begun, without the sums until then */
    size_t count;   /* of observables */
    double (*sum)[AVERAGE_BLOCKS];
    const ph_array *places, *masses; /* of bodies that diffuse; NULL: none do */
    double *origin;                  /* their places when the block began */
    double diffusion[AVERAGE_BLOCKS];
} averages;

/* Returns the blocks of a run that takes the steps up to `last`. The length is 0 in a run of few
 * steps. */
average_steps average_blocks(uint64_t last);

/* Prepares the averages of a system that takes the steps until `last`. If it goes on after the
 * blocks began, `saved` must be what averages_save() returned at this step, for the same `last`.
 * Systems without thermostat and without pressure have no averages. */
averages averages_begin(ph_system *s, uint64_t last, const json_t *saved);

/* Returns the sums so far for a snapshot, or NULL if there are none yet. */
json_t *averages_save(const averages *a);

/* Adds the system as it is after a step. Does nothing for a step that was seen before. */
void averages_add(averages *a, ph_system *s);

/* Returns the mean of the blocks, and stores its standard error in *error. */
double average_of(const double block[AVERAGE_BLOCKS], double *error);

/* Prints the means of the observables that are numbers, or adds them to the JSON. */
void averages_render(const averages *a, ph_system *s, rendering *to);
