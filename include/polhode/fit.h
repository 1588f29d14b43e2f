/* fit.h - determines the motion of a body from observations: inertia, start and parameters.
 *
 * The observations are attitudes, angular velocities, directions of an axis of the body in space,
 * or brightnesses of the body, at ascending times. The fit finds the state at the first of these
 * times, the inertia tensor and parameters of a field. They minimise
 *
 *   chi2 = sum of ((observed - computed) / sigma)^2
 *
 * No initial guess is needed. docs/fit.md has the definitions.
 */
#ifndef POLHODE_FIT_H
#define POLHODE_FIT_H

#include "polhode/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of observations, and their number. */
enum {
    PH_SEEN_ATTITUDE,   /* an attitude; q and -q are the same */
    PH_SEEN_VELOCITY,   /* an angular velocity in the body frame */
    PH_SEEN_AXIS,       /* the direction in space of an axis of the body */
    PH_SEEN_VECTOR,     /* a direction measured in the body frame, which is known in space */
    PH_SEEN_BRIGHTNESS, /* a brightness, in any unit */
    PH_SEEN_KINDS
};

/* Observations. All arrays belong to the caller. */
typedef struct ph_observations {
    size_t count; /* number of times */
    /* Ascending times, in any unit. Observations of PH_SEEN_VECTOR may have equal times. */
    const double *t;
    /* For each kind: 4, 3, 3, 3 or 1 numbers for each time, or NULL if it was not observed. */
    const double *seen[PH_SEEN_KINDS];
    /* For each kind: the standard deviation at each time. For an attitude it is in radians about
     * each axis, for a direction in radians across it. NULL if the deviations are unknown: they
     * are then 1, and the covariance is multiplied by chi2 / degrees_of_freedom. */
    const double *sigma[PH_SEEN_KINDS];
    /* For brightness: the directions to the sun and the observer in space, 3 numbers for each
     * time. */
    const double *sun, *observer;
    /* For PH_SEEN_VECTOR: the same directions in space, 3 numbers for each time. */
    const double *space;
    ph_vec3 axis; /* axis, in the body frame, whose direction is observed */
    /* The observed directions of the axis have no sign: its two ends look the same. */
    bool undirected;
} ph_observations;

/* What the fit determines, beside parameters, as bits. The bias is a constant vector that is added
 * to the observed velocities. */
enum {
    PH_FIT_INERTIA = 1,
    PH_FIT_ATTITUDE = 2,
    PH_FIT_VELOCITY = 4,
    PH_FIT_ALL = 7, /* inertia, attitude and velocity */
    PH_FIT_BIAS = 8
};

/* The loss function of the residuals: squares, or one that outliers disturb less. */
typedef enum ph_fit_loss { PH_LOSS_SQUARES, PH_LOSS_HUBER, PH_LOSS_CAUCHY } ph_fit_loss;

/* The scattering law of the surface of the body, which is a homogeneous ellipsoid. */
typedef enum ph_scattering { PH_LOMMEL_SEELIGER, PH_LAMBERT } ph_scattering;

typedef struct ph_fit ph_fit;

/* The settings of ph_fit_motion(). A member that is 0 or NULL has its default. */
typedef struct ph_fit_settings {
    unsigned sought; /* bits PH_FIT_...; default PH_FIT_ALL unless parameters are given */
    /* The problem with its settings; default: free motion. Its time is 0 at the first
     * observation. Parts of the start that it sets are an initial guess if the fit determines
     * them, else they are known. */
    const ph_system_settings *system;
    const char *const *parameters; /* names of the parameters that the fit determines */
    size_t parameter_count;
    ph_fit_loss loss;
    ph_scattering law;
    bool principal; /* the axes of the body are principal: the products of inertia are 0 */
    /* Room for other solutions, which ph_fit_motion() fills: see ph_fit.rivals. The array belongs
     * to the caller. */
    ph_fit *rivals;
    size_t rival_room;
    /* Called from time to time, from any thread. Return false to end the fit. If it is NULL, the
     * fit always continues. */
    bool (*go_on)(void *context);
    void *context;       /* passed to go_on */
    ph_message *message; /* receives the error message, unless NULL */
} ph_fit_settings;

/* The sizes of the arrays of ph_fit. */
enum { PH_FIT_COLUMNS = 48, PH_FIT_NAME = PH_COLUMN_NAME, PH_FIT_UNSEEN = 12, PH_FIT_TEXT = 200 };

/* A number that the fit determines, if the observations permit. */
typedef struct ph_fit_quantity {
    char name[PH_FIT_NAME];
    bool determined; /* false: the value is one of many that are possible */
    double value;    /* 0 for a small rotation */
    double sigma;    /* its standard deviation; NaN if it is not determined */
    /* If the errors are not normally distributed: the interval that contains the value with the
     * probability 0.683, then the interval for the probability 0.954. NaN otherwise. */
    double interval[2][2];
} ph_fit_quantity;

/* The result of a fit. */
struct ph_fit {
    /* The body and its state at the first time. The body is physical: no moment is larger than the
     * sum of the others. Observations of a free motion determine only the ratios of the moments.
     * The tensor is then divided by the largest moment, unless the caller gave it. */
    ph_body body;
    double tensor[6]; /* J11, J22, J33, J12, J13, J23 in the body frame */
    ph_quat attitude;
    ph_vec3 velocity;
    ph_vec3 bias;                          /* bias of observed velocities */
    double factor;                         /* factor of the brightness, if observed */
    double parameter[PH_PARAMETER_VALUES]; /* values of the parameters; the rest is 0 */
    /* Standard deviations of the moments; NaN if they are not determined. */
    double moment_sigma[3];
    /* The moments divided by their sum, with their covariance, row by row. It is NaN if the
     * observations do not determine them. */
    double over_trace[3], over_trace_covariance[9];
    bool scale_unseen; /* the moments are divided by the largest one */
    bool scaled;       /* the covariance comes from the scatter of the residuals */
    double chi2;       /* or the sum of another loss function */
    size_t degrees_of_freedom;
    /* The variables of the fit: theta1..3 (a small rotation of the attitude in the body frame),
     * w1..w3, J11, J22, J33, J12, J13, J23, bias1..3, brightness, parameters. The last `parameters`
     * of the `columns` variables are parameters. */
    size_t columns, parameters;
    char column[PH_FIT_COLUMNS][PH_FIT_NAME];
    /* The covariance, row by row. Rows and columns of variables that the observations do not
     * determine are NaN. */
    double covariance[PH_FIT_COLUMNS * PH_FIT_COLUMNS];
    /* The variables, then inertia1..3 in the order of body.J if the inertia is sought. */
    size_t quantities;
    ph_fit_quantity quantity[PH_FIT_COLUMNS + 3];
    size_t unseen; /* number of directions that the observations do not determine */
    char unseen_text[PH_FIT_UNSEEN][PH_FIT_TEXT];
    /* The number of different minima that the search has found, and the number of rivals: other
     * solutions whose chi2 is less than 9 above the least, in units of the noise. The first
     * settings->rival_room rivals are in settings->rivals. */
    size_t minima, rivals;
};

/* Returns the number of residuals for each time. It is 0 if `o` is NULL. */
PH_API size_t ph_fit_width(const ph_observations *o);

/* Fits a motion to the observations and stores it in *out.
 *
 * `residuals` may be NULL. If it is not, it receives ph_fit_width() numbers for each time:
 * observed minus computed. The residual of an attitude is a rotation vector in the body frame.
 * For a velocity or a direction it is a vector, and for a brightness a number.
 *
 * Returns PH_OK. Returns PH_BAD_PARAMETER if an observation or a setting is invalid. Returns
 * PH_UNKNOWN_NAME or PH_NOT_APPLICABLE if the problem has no such parameter or cannot be fitted.
 * Returns PH_NO_CONVERGENCE if no motion was found. Returns PH_NO_MEMORY if memory runs out. On
 * failure *out is unchanged, and settings->message (if not NULL) says what is wrong. */
PH_API ph_status ph_fit_motion(const ph_observations *o, const ph_fit_settings *settings,
                               double *residuals, ph_fit *out);

#ifdef __cplusplus
}
#endif

#endif
