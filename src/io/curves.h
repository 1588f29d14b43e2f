/* curves.h - the curves that a free motion draws, sampled as finely as a picture
 * needs. */
#ifndef POLHODE_IO_CURVES_H
#define POLHODE_IO_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "polhode/polhode.h"

typedef struct curves {
    size_t count;
    double begin, end; /* times drawn */
    bool cut;          /* the motion asked for is longer than that */
    bool rest;         /* nothing moves */
    ph_vec3 momentum;  /* its direction in space, fixed */
    ph_vec3 *axis[3];  /* where the principal axes point in space */
    ph_vec3 *polhode;  /* J^1/2 w in the principal frame, scaled to length 1 */
} curves;

/* Samples the motion from time `begin` to `end`. False without memory; free it anyway. */
bool curves_sample(curves *c, const ph_body *body, const ph_motion *motion, double begin,
                   double end);
void curves_free(curves *c);

/* Room for so many samples, to be filled one by one; the rest of *c is the caller's. False
 * without memory; free it anyway. */
bool curves_make(curves *c, size_t count);
void curves_take(curves *c, size_t i, const ph_body *body, const ph_state *s);

#endif
