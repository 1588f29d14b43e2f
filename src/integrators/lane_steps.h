/* lane_steps.h - runs that choose their steps, one a lane: each has steps of its own, and a lane
 * whose run is over takes another. The bits are those of ph_adaptive_step(). */
#pragma once

#include "integrators/lane_kernels.h"

typedef struct lane_group {
    lane_attempts a;
    ph_adaptive_run *run[PH_LANES]; /* NULL: the lane is free */
    const ph_problem *like; /* what all its problems are like; NULL: it is empty */
    bool within[PH_LANES];  /* a step was tried, and rejected */
    double longest[PH_LANES], then[PH_LANES];
} lane_group;

/* Whether there are such steps of a run. */
bool ph_lanes_can(const ph_adaptive_run *r);

/* Puts a run into a lane, or (NULL) takes it out. False if it is not like those that are there. */
bool ph_lanes_put(lane_group *g, int lane, ph_adaptive_run *r);

/* Tries a step of each run towards a time. done[i]: it was taken, or failed with status[i]. */
void ph_lanes_try(lane_group *g, double end, bool done[PH_LANES],
                  ph_status status[PH_LANES]);
