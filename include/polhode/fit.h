/* fit.h - a motion from what was observed of it: inertia, start and parameters.
 *
 * Observed are attitudes, rates, directions of an axis of the body in space, or the brightness
 * of the body, at ascending times. What is sought are the start at the first of these times,
 * the inertia tensor and parameters of a field: they minimise
 *
 *   chi2 = sum of ((observed - computed) / sigma)^2
 *
 * No first guess is needed. docs/fit.md has the definitions.
 */
#ifndef POLHODE_FIT_H
#define POLHODE_FIT_H

#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is observed: an attitude, whose sign does not count; an angular velocity in the body; the
 * direction in space of an axis of the body; a brightness, in any unit. */
enum {
    PH_SEEN_ATTITUDE,
    PH_SEEN_VELOCITY,
    PH_SEEN_AXIS,
    PH_SEEN_BRIGHTNESS,
    PH_SEEN_KINDS
};

typedef struct ph_observations {
    size_t count;
    const double *t; /* ascending, in any unit */
    /* Of each kind 4, 3, 3 or 1 numbers for each time; NULL: it was not observed. */
    const double *seen[PH_SEEN_KINDS];
    /* Standard deviations, one for each time: of an attitude in radians about each axis, of a
     * direction in radians across it. NULL: unknown; then they are 1, and the covariance is
     * scaled by chi2 over the degrees of freedom. */
    const double *sigma[PH_SEEN_KINDS];
    const double *sun,
        *observer; /* of brightness: directions in space, 3 for each time */
    ph_vec3 axis;  /* whose direction is observed, in the body */
} ph_observations;

/* What is sought, beside parameters; bits. */
enum { PH_FIT_INERTIA = 1, PH_FIT_ATTITUDE = 2, PH_FIT_VELOCITY = 4, PH_FIT_ALL = 7 };

/* How residuals count: squared, or by a loss that bad observations disturb less. */
typedef enum ph_fit_loss { PH_LOSS_SQUARES, PH_LOSS_HUBER, PH_LOSS_CAUCHY } ph_fit_loss;

/* How the surface scatters light. The body is then a homogeneous ellipsoid. */
typedef enum ph_scattering { PH_LOMMEL_SEELIGER, PH_LAMBERT } ph_scattering;

/* What is 0 or NULL has its default. */
typedef struct ph_fit_settings {
    unsigned sought; /* bits of the above; default: all */
    /* The problem with its settings; its time is 0 at the first observation. What these give of
     * the start is a first guess, or known where it is not sought. Default: the free motion. */
    const ph_system_settings *system;
    const char *const *parameters; /* of its problem that are sought, by name */
    size_t parameter_count;
    ph_fit_loss loss;
    ph_scattering law;
    /* Asked from time to time whether to go on, from any thread; NULL: always. */
    bool (*go_on)(void *context);
    void *context;
    ph_message *message; /* receives what is wrong, and what to do */
} ph_fit_settings;

enum {
    PH_FIT_COLUMNS = 45,
    PH_FIT_NAME = PH_COLUMN_NAME,
    PH_FIT_UNSEEN = 12,
    PH_FIT_TEXT = 200
};

typedef struct ph_fit {
    /* At the first time. Of a free motion the tensor is over its largest moment, unless it was
     * given: only ratios can be seen. */
    ph_body body;
    double tensor[6]; /* in the axes of the body */
    ph_quat attitude;
    ph_vec3 velocity;
    double factor;                         /* of the brightness, if that was observed */
    double parameter[PH_PARAMETER_VALUES]; /* those sought, one after the other */
    double moment_sigma[3];                /* of the moments of the body */
    bool scale_unseen;                     /* the moments are over the largest */
    bool scaled;                           /* the covariance, by chi2 */
    double chi2;                           /* or the sum of another loss */
    size_t degrees_of_freedom;
    /* What was sought: theta1..3 (a small rotation of the attitude, in the body), w1..w3,
     * J11, J22, J33, J12, J13, J23, brightness, parameters. */
    size_t columns, parameters; /* the last columns are parameters */
    char column[PH_FIT_COLUMNS][PH_FIT_NAME];
    /* Row after row. Directions that cannot be seen are held, and are not in it. */
    double covariance[PH_FIT_COLUMNS * PH_FIT_COLUMNS];
    size_t unseen; /* directions in words */
    char unseen_text[PH_FIT_UNSEEN][PH_FIT_TEXT];
} ph_fit;

/* How many numbers a row of residuals has; 0 if `o` is NULL. */
PH_API size_t ph_fit_width(const ph_observations *o);

/* Finds the motion. residuals (or NULL) receives for each time observed - computed: of an attitude
 * a rotation vector in the body, of a direction and a velocity vectors, of a brightness one
 * number. PH_BAD_PARAMETER of observations or settings, PH_NO_CONVERGENCE if no motion was found,
 * PH_NO_MEMORY; the message says more. */
PH_API ph_status ph_fit_motion(const ph_observations *o, const ph_fit_settings *settings,
                               double *residuals, ph_fit *out);

/* The brightness of a homogeneous ellipsoid of these principal moments, in the direction of the
 * observer and with the sun in another, unit vectors in principal axes; its unit is arbitrary and
 * proportional to the moments. NaN if no ellipsoid has these moments. by (or NULL) receives its
 * derivatives by a small rotation of the body, and by the tensor, 11, 22, 33, 12, 13, 23, both
 * in principal axes. */
PH_API double ph_ellipsoid_brightness(ph_scattering law, ph_vec3 J, ph_vec3 observer,
                                      ph_vec3 sun, double by[9]);

#ifdef __cplusplus
}
#endif

#endif
