/* lane_steps.h - runs that choose their steps, one a lane: each has steps of its own, and a lane
 * whose run is over takes another. The bits are those of ph_adaptive_step(). */
#pragma once

#include "integrators/lane_kernels.h"
#include "polhode/batch.h"

typedef struct lane_group {
    lane_attempts a;
    ph_adaptive_run *run[PH_LANES]; /* NULL: the lane is free */
    const ph_problem *like;         /* what all its problems are like; NULL: it is empty */
    bool retrying[PH_LANES];        /* a step was tried, and rejected */
    double end[PH_LANES], longest[PH_LANES], then[PH_LANES];
} lane_group;

/* Whether there are such steps of a run. */
bool ph_lanes_can(const ph_adaptive_run *r);

/* Puts a run into a lane, or (NULL) takes it out. False if it is not like those that are there. */
bool ph_lanes_put(lane_group *g, int lane, ph_adaptive_run *r);

/* Tries a step of each run towards a time. done[i]: it was taken, or failed with status[i]. */
void ph_lanes_try(lane_group *g, double end, bool done[PH_LANES], ph_status status[PH_LANES]);

/* ---- fixed steps ------------------------------------------------------------------------ */

/* Bodies in principal axes, that take the same steps by a scheme over a flow. */
typedef struct body_group {
    const ph_integrator *i;
    size_t count; /* up to PH_BATCH_GROUP */
    const ph_problem *problem[PH_BATCH_GROUP];
    ph_state state[PH_BATCH_GROUP];
} body_group;

/* Whether a body in a problem can be one of them. */
bool ph_group_can(const ph_integrator *i, const ph_problem *p);

/* One step of all from the time t to `end`, h later, with the bits of ph_body_step(). False, and
 * nothing has changed: one of them fails. */
bool ph_group_step(body_group *g, double t, double h, double end);
