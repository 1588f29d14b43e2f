/* fit_errors.h - directions of the variables of a fit at a point, and how well the observations
 * determine each: fit_errors.c has the formulas. */
#pragma once

#include "fit/fit_model.h"

/* The standard deviation, in units of the physical range, beyond which a number is not determined, and
 * that of what is not determined at all; the eigenvalue of such a direction over the largest one. */
static const double FIT_TOO_WIDE = 0.6, FIT_NO_IDEA = 100.0, FIT_SINGULAR = 1e-14;

/* The eigenvectors of the normal matrix, in units, as rows, and its eigenvalues over the noise. The
 * scale of a tensor of which only ratios can be seen is held. */
typedef struct fit_directions {
    double unit[PH_FIT_COLUMNS], value[PH_FIT_COLUMNS], V[PH_FIT_COLUMNS * PH_FIT_COLUMNS], most;
} fit_directions;

/* Finds the directions at a point, of which `body` is the body. False if there is no such motion. */
bool ph_fit_find_directions(const fit_model *f, const fit_point *x, const ph_body *body,
                            double noise, fit_directions *d);

/* The variance of a direction, at most that of `range`. */
static inline double fit_variance(const fit_directions *d, int a, double range)
{
    if (d->value[a] > FIT_SINGULAR * d->most && d->value[a] * range * range > 1.0)
        return 1.0 / d->value[a];
    return range * range;
}

/* Whether the observations do not determine a direction. */
static inline bool fit_is_hidden(const fit_directions *d, int a)
{
    return fit_variance(d, a, FIT_TOO_WIDE) >= FIT_TOO_WIDE * FIT_TOO_WIDE;
}

/* Whether no observation shows a direction. */
static inline bool fit_is_singular(const fit_directions *d, int a)
{
    return !(d->value[a] > FIT_SINGULAR * d->most);
}

/* The squared part of a unit vector v in variables of a kind. */
double ph_fit_part(const fit_model *f, const double *v, int kind);

/* Which moment is the largest, and the derivatives of each moment by the columns. */
int ph_fit_moment_slopes(const fit_model *f, const ph_body *b, double slope[3][PH_FIT_COLUMNS]);

/* The variance of moment m, by a covariance C of the variables. */
double ph_fit_moment_variance(const fit_model *f, const ph_body *body, int m, const double *C);

/* Adds the covariance of the directions, none of which is wider than `range`. The largest moment stays
 * 1 if the tensor is divided by it. */
void ph_fit_add_covariance(const fit_model *f, const fit_point *x, const ph_body *body,
                           const fit_directions *d, double range, double *to);

/* Adds to w the variances by which variables and moments count as determined, in squared units. */
void ph_fit_add_widest(const fit_model *f, const fit_point *x, const ph_body *body,
                       const fit_directions *d, double w[PH_FIT_COLUMNS + 3]);

/* The direction of one axis does not show a turn of the body's axes about it, by whatever angle. Stores by how
 * much such a turn can change each variable, in units. One that changes more than FIT_TURNED is not
 * determined. */
static const double FIT_TURNED = 0.01;
void ph_fit_changes_by_turns(const fit_model *f, const fit_point *x, double most[PH_FIT_COLUMNS]);

/* The covariance of a uniform rotation, over bodies that have its axis. */
bool ph_fit_average_bodies(const fit_model *f, const fit_point *x, double noise, double *C,
                           double widest[PH_FIT_COLUMNS + 3]);

/* Sets the intervals and errors of what is not normally distributed, by draws: with `posterior`, and
 * where the loss is not quadratic, from the posterior distribution. */
void ph_fit_set_intervals(const fit_model *f, const fit_point *x, const fit_directions *d,
                          double noise, bool posterior, ph_fit *out);
