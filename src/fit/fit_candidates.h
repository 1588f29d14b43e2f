/* fit_candidates.h - many points from which a fit may begin. */
#pragma once

#include "fit/fit_model.h"

typedef struct fit_contest {
    const fit_model *f;
    fit_minimum *c;
    size_t first; /* observations that the refinement begins with */
    int steps;    /* of each descent */
} fit_contest;

/* Sets the loss of candidate i of a contest, with the best factor of the brightness. */
void ph_fit_score(void *contest, size_t i);

/* Refines candidate i of a contest over more and more observations. */
void ph_fit_refine(void *contest, size_t i);

/* Compares two candidates by their loss, for qsort(). */
int ph_fit_by_loss(const void *a, const void *b);

/* Whether a loss is as small as the noise makes it. */
bool ph_fit_good_enough(const fit_model *f, double loss);

ph_quat ph_fit_random_attitude(uint64_t *seed);

/* Moments of an ellipsoid at random, ascending, the largest 1. */
ph_vec3 ph_fit_random_moments(uint64_t *seed);

/* Sets the tensor to that of these moments and principal axes, times a factor. */
void ph_fit_set_tensor(fit_point *x, ph_vec3 J, ph_quat axes, double by);

/* ph_fit_search() if brightness alone is observed. */
size_t ph_fit_search_light(fit_model *f, const fit_point *x, fit_minimum *out);
