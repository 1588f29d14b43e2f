/* fit_model.h - what a fit minimises, and how: chi2 as a function of what is sought, and the descent
 * from a first guess; fit_search.c finds that, fit.c judges the result. */
#pragma once

#include "base/choice.h"
#include "motion/vec.h"
#include "polhode/fit.h"

typedef struct fit_point {
    ph_quat q; /* at the first time */
    ph_vec3 w;
    double tensor[6]; /* xx, yy, zz, xy, xz, yz */
    ph_vec3 bias;     /* of observed velocities */
    double factor;    /* of the brightness */
    double parameter[PH_PARAMETER_VALUES];
} fit_point;

/* What a column of the normal equations is, and which of them. */
enum fit_kind { OF_ATTITUDE, OF_VELOCITY, OF_TENSOR, OF_BIAS, OF_FACTOR, OF_PARAMETER };
typedef struct fit_column {
    int kind, index;
} fit_column;

/* The state at an observation. Rows of its derivatives: the attitude, a small rotation in the body,
 * and the velocity; columns: theta, m and J of the start, then parameters. */
enum { FIT_ROWS = 6, FIT_SLOPES = 12 + PH_PARAMETER_VALUES };
typedef struct fit_state {
    ph_quat q;
    ph_vec3 w;
    double by[FIT_ROWS][FIT_SLOPES];
} fit_state;

typedef struct fit_model {
    /* The observations; those of a free motion with times in units of 2^time_unit, and velocities in
     * their inverse, so that the motion takes a time of 1 to 2. */
    const ph_observations *o;
    int time_unit;
    ph_observations in_units;
    double *own; /* its times and velocities */
    const ph_fit_settings *with;
    ph_fit_loss loss;
    size_t used; /* observations that count, from the first */
    int columns;
    fit_column column[PH_FIT_COLUMNS];
    bool is_free;                    /* no torque acts on the body */
    unsigned given;                  /* bits of what is known of the start, or guessed */
    bool uniform;                    /* the body turns uniformly within the noise */
    bool only_ratios;                /* the tensor can be multiplied by any factor */
    bool light_only;                 /* brightness alone is observed */
    bool principal;                  /* the axes of the body are the principal ones */
    double scale[PH_SEEN_KINDS];     /* that sigma is multiplied by, */
    double unit[PH_SEEN_KINDS];      /* and its unit */
    const char (*name)[PH_FIT_NAME]; /* of the columns */
    double *times;                   /* of the observations, from the first */
    /* Of a draw from the posterior distribution, or NULL: what is added to the residuals over sigma, and
     * a tensor, of which the squared distance with this weight is added to the loss. */
    const double *shift, *prior;
    double prior_weight;
    /* Of a body in a field: its settings, those of the start last; where each sought parameter is
     * among them; room for its states at all times. */
    ph_system_settings system;
    ph_setting *setting;
    int parameter_at[PH_PARAMETER_VALUES];
    fit_state *states;
} fit_model;

/* How many numbers the residual of each kind has. */
static const int fit_rows[PH_SEEN_KINDS] = {3, 3, 3, 3, 1};

/* The row and the column of the six numbers of a tensor, and how often each is in it. */
static const int tensor_row[6] = {0, 1, 2, 0, 0, 1}, tensor_column[6] = {0, 1, 2, 1, 2, 2};
static const double tensor_times[6] = {1.0, 1.0, 1.0, 2.0, 2.0, 2.0};

/* Sigma of what is observed, 1 if it is unknown. */
static inline double fit_sigma(const ph_observations *o, int kind, size_t i)
{
    if (o->sigma[kind] == NULL)
        return 1.0;
    return o->sigma[kind][i];
}

/* -1 if two directions are opposite and those observed have no sign. */
static inline double fit_side(const ph_observations *o, ph_vec3 a, ph_vec3 b)
{
    if (!o->undirected)
        return 1.0;
    return sign_of(dot(a, b));
}

/* Returns the brightness of a homogeneous ellipsoid with the principal moments J. `observer` and
 * `sun` are unit vectors in principal axes. The unit of brightness is arbitrary; a common
 * factor of the moments multiplies the brightness. Returns NaN if no ellipsoid has these moments.
 *
 * `by` may be NULL. If it is not, it receives the derivatives with respect to a small rotation of
 * the body (3 numbers) and to the tensor (J11, J22, J33, J12, J13, J23), in principal axes. */
double ph_ellipsoid_brightness(ph_scattering law, ph_vec3 J, ph_vec3 observer, ph_vec3 sun,
                               double by[9]);

/* The loss at a point, NaN if there is no such motion; the normal equations N x = g of a step, if
 * N is not NULL; the residuals over sigma, ph_fit_width() for each time, if not NULL. */
double ph_fit_loss_at(const fit_model *f, const fit_point *x, double *N, double *g,
                      double *residuals);

/* The loss of a squared residual of so many rows. Stores its derivative by the square in *slope. */
double ph_fit_loss_of(ph_fit_loss loss, double square, int rows, double *slope);

/* Replaces the tensor, if it is sought, by the nearest one of a physical body. A tensor of which
 * only ratios can be seen is divided by its largest moment. */
void ph_fit_make_physical(const fit_model *f, fit_point *x);

/* Returns the point that is displaced along the columns. */
fit_point ph_fit_moved(const fit_model *f, const fit_point *x, const double *by);

/* Descends to a minimum in at most so many steps, and returns the loss there; NaN: none. */
double ph_fit_descend(const fit_model *f, fit_point *x, int steps);

/* The direction in which only the scale of the tensor changes. */
void ph_fit_scale_direction(const fit_model *f, const fit_point *x,
                            double direction[PH_FIT_COLUMNS]);

/* Eigenvalues of a symmetric matrix of n rows, which is lost, and its eigenvectors as rows. */
void ph_eigenvectors(int n, double *A, double *value, double *vectors);

/* A minimum of the loss, or a point near it. */
typedef struct fit_minimum {
    fit_point x;
    double loss;
} fit_minimum;
enum { FIT_MINIMA = 64 };

/* Finds points near minima, from nothing and from the settings' guess. Stores at most FIT_MINIMA of
 * them, the best first, and returns how many there are. */
size_t ph_fit_search(fit_model *f, const fit_point *x, fit_minimum *out);

/* Stores in out points that look as x does, and returns how many there are. One of them may be x itself.
 * The direction of one axis is observed, which is principal, or x is a twin of such a body; or brightness
 * alone is observed. */
enum { FIT_TWINS = 5 };
size_t ph_fit_twins(const fit_model *f, const fit_point *x, fit_point out[FIT_TWINS]);

/* Sets the tensor to that of these moments and principal axes, times a factor. */
void ph_fit_set_tensor(fit_point *x, ph_vec3 J, ph_quat axes, double by);

/* Sets the tensor to that of a physical body at random. */
void ph_fit_draw_tensor(const fit_model *f, uint64_t *seed, fit_point *x);

/* Returns a normally distributed number. */
double ph_fit_gauss(uint64_t *seed);

/* Sets the covariance, the quantities and what is not determined of a solution, whose body, chi2 and
 * variables are set. `r` are its residuals over sigma. With `posterior` draws of the posterior
 * distribution are made if the loss is not quadratic. */
void ph_fit_judge(const fit_model *f, const fit_point *x, const double *r, bool posterior,
                  ph_fit *out);

/* Hides the moments and elements of the tensor for which a solution has an error, if the best one and its
 * rivals together leave them open. */
void ph_fit_compare(const fit_model *f, ph_fit *best, ph_fit *rival, size_t rivals);

/* Whether the observations determine the tensor only vaguely: a part of it to less than a twentieth. */
bool ph_fit_is_vague(const fit_model *f, const fit_point *x, double noise);

/* Stores the best rotation about one axis with constant velocity, and the body of a uniform rotation with
 * this axis. Returns its number of turns; 0 if there is none to compare. */
double ph_fit_uniform(const fit_model *f, const fit_minimum *best, fit_minimum *round);

/* Replaces a uniform rotation by a minimum near it: the small wobble of body k of those at random. Returns
 * its loss. */
double ph_fit_wobble(const fit_model *f, int k, uint64_t *seed, fit_minimum *x);

/* How many independent numbers an observation of each kind has. */
static const int fit_freedom[PH_SEEN_KINDS] = {3, 3, 2, 2, 1};

/* Returns how many independent numbers were observed. */
static inline size_t fit_numbers(const ph_observations *o)
{
    size_t sum = 0;
    for (int k = 0; k < PH_SEEN_KINDS; k++) {
        if (o->seen[k] != NULL)
            sum += o->count * (size_t)fit_freedom[k];
    }
    return sum;
}

/* How many of them are left after so many unknowns, at least 1. */
static inline double fit_numbers_left(const ph_observations *o, size_t unknowns)
{
    const size_t all = fit_numbers(o);
    return (double)(all > unknowns ? all - unknowns : 1);
}

/* Whether the caller lets the work go on. */
static inline bool fit_goes_on(const fit_model *f)
{
    return f->with->go_on == NULL || f->with->go_on(f->with->context);
}
