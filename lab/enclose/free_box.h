/* free_box.h - all motions of free bodies whose moments and initial velocity lie in intervals.
 *
 * The unknowns are the turn from the start, U (a quaternion, 1 at the start), the velocity w in the
 * body, and the constants a_1 = (J_2 - J_3)/J_1 and so on:
 *
 *     U' = U (0, w)/2,   w_1' = a_1 w_2 w_3,   a_1' = 0
 */
#pragma once

#include "enclosure.h"

/* A number between middle - width and middle + width. */
typedef struct uncertain {
    double middle, width;
} uncertain;

/* What is known of the bodies: principal moments, all positive; velocity or momentum, in the
 * body; and attitude, at the start. */
typedef struct free_box {
    uncertain inertia[3], spin[3], attitude[4];
    bool momentum; /* `spin` is the momentum */
} free_box;

typedef struct free_motions {
    enclosure_field field;
    enclosure_set set;
    arb_ptr attitude; /* at the start, of length 1 */
    arb_t bound[3];   /* |w_i| is at most this, by the energy */
    bool lost;        /* a step failed: only the bounds are known */
} free_motions;

/* Intervals that contain every motion at a time. */
typedef struct free_bounds {
    double attitude[2][4], velocity[2][3]; /* lower and upper ends */
    double
        angle; /* no attitude is more than this away from that of the middle, in radians; at most pi */
} free_bounds;

/* Begins at the time 0. Free with free_motions_clear(). */
void free_motions_init(free_motions *m, const free_box *box);
void free_motions_clear(free_motions *m);

/* Takes a step towards a time. Returns false when it is reached, or when the box has become so
 * large that nothing but bounds is known. */
bool free_motions_step(free_motions *m, double time);

/* Stores the intervals at the time of the last step. */
void free_motions_bounds(const free_motions *m, free_bounds *b);
