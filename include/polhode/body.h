/* body.h - rigid bodies, their states, exact free motion, flows, problems and integrators.
 *
 * Units. The caller chooses a unit I of moments of inertia and a unit t of time. Angular
 * momenta are then in I/t, angular velocities in rad/t and energies in I/t^2.
 *
 * Frames. The body frame is the frame, fixed in the body, in which the caller gave the
 * inertia. The axes of the principal frame are the principal axes. The space frame does not
 * rotate. For a body made from three moments the body frame is the principal frame.
 *
 * Memory. No function here allocates, prints or keeps state. Every object is a plain struct
 * that belongs to the caller, may be copied and needs no release.
 *
 * Errors. A function that can fail returns a ph_status. Unless it returns PH_OK, it leaves
 * its output unchanged.
 *
 * Pointers must not be NULL unless a comment says that they may be. If one is NULL, a
 * function that returns a ph_status returns PH_NULL_ARGUMENT; the behaviour of other
 * functions is undefined. This holds for all headers, whose comments do not repeat it.
 *
 * Descriptors (flows, schemes, methods, problems) must be complete. Their members are not
 * checked.
 *
 * Later versions. A structure that programs fill or copy ends with the array `reserved`, whose
 * elements must be 0. A new member takes the place of some of them, so the size of the structure
 * and the offsets of its members do not change. A program that was compiled with an older header
 * then has 0 in that place, which is the default of every new member.
 *
 * A member with the size of the structure would not be enough. A program that copies a problem of
 * the catalog would copy the size that the library has, with fewer members than the library reads.
 * A program that takes an element of an array such as ph_flow_dmv would find it at a wrong place.
 *
 * If an element is not 0, the program uses a member that this library does not know.
 * ph_system_create(), ph_integrator_applies() and ph_integrator_step() then return
 * PH_NEWER_MEMBER.
 */
#ifndef POLHODE_BODY_H
#define POLHODE_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "polhode/api.h"
#include "polhode/elliptic.h"
#include "polhode/rotation.h"
#include "polhode/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status codes ---------------------------------------------------------------- */

/* All status codes: the name without PH_, the number, and a text for people. */
#define PH_STATUS_LIST(X)                                                                          \
    X(OK, 0, "success")                                                                            \
    X(BAD_INERTIA, 1, "moments of inertia must be positive and finite")                            \
    X(BAD_STATE, 2, "attitude and momentum must be finite, and the attitude not zero")             \
    X(BAD_STEP, 3, "the step must be finite")                                                      \
    X(NO_CONVERGENCE, 4, "the implicit equations of the step were not solved")                     \
    X(NOT_FINITE, 5, "the step gave a state that is not finite")                                   \
    X(NOT_APPLICABLE, 6, "this integrator cannot be used for this problem")                        \
    X(BAD_PARAMETER, 7, "a parameter of the problem is out of its range")                          \
    X(BAD_MASS, 8, "the mass matrix must be symmetric and positive definite")                      \
    X(COINCIDENT, 9, "two particles have the same position")                                       \
    X(NOT_ON_SPHERE, 10, "each q must have unit length, and each w be orthogonal to its q")        \
    X(NO_ROOT, 11, "the constraint has no real multiplier")                                        \
    X(NO_MEMORY, 12, "there is not enough memory")                                                 \
    X(BAD_LAW, 13, "sigma must be positive, epsilon not negative, both finite")                    \
    X(BAD_BOX, 14, "invalid box, cutoff or dielectric constant")                                   \
    X(OVERLAP, 15, "two bodies overlap")                                                           \
    X(EXPLODED, 16, "the energy changed by more than ten times itself")                            \
    X(UNKNOWN_NAME, 17, "the name is unknown")                                                     \
    X(NULL_ARGUMENT, 18, "a required pointer is NULL")                                             \
    X(BAD_SNAPSHOT, 19, "this is not a snapshot, or it is truncated or altered")                   \
    X(NEWER_SNAPSHOT, 20, "the snapshot was made by a newer version")                              \
    X(OTHER_SNAPSHOT, 21, "the snapshot belongs to another system")                                \
    X(BAD_EXPRESSION, 22, "an expression cannot be read")                                          \
    X(NO_DEVICE, 23, "there is no such device with double precision")                              \
    X(DEVICE_BUILD, 24, "the compiler of the device rejected the program")                         \
    X(DEVICE_FAILED, 25, "the device failed")                                                      \
    X(BAD_TIME, 26, "the time must be finite and within its range")                                \
    X(NOT_WHOLE_STEPS, 27, "the time must be a whole number of steps ahead")                       \
    X(TIME_PASSED, 28, "a time of the observer lies before the run")                               \
    X(OUTSIDE_STEP, 29, "the time must lie within the last step")                                  \
    X(STEP_TOO_SHORT, 30, "the step is too short to change the time")                              \
    X(TOO_FEW_STEPS, 31, "there are too few steps")                                                \
    X(BACKWARD, 32, "a thermostat cannot step back in time")                                       \
    X(BAD_TOLERANCE, 33, "the tolerance is out of its range")                                      \
    X(IN_OBSERVER, 34, "an observer must not call this function")                                  \
    X(BAD_LONGEST_STEP, 35, "the longest step must be positive")                                   \
    X(NEWER_MEMBER, 36, "a structure has a member that this version does not know")                \
    X(AT_SEPARATRIX, 37, "the averages are not valid at the separatrix")                           \
    X(LAW_REMEMBERS, 38,                                                                           \
      "the control law gave two results for the same argument, but it must depend on nothing "     \
      "else")

/* What a function that can fail returns. The number of a code never changes in a later
 * version. */
typedef enum ph_status {
#define PH_STATUS_CODE(code, number, text) PH_##code = (number),
    PH_STATUS_LIST(PH_STATUS_CODE)
#undef PH_STATUS_CODE
} ph_status;

/* Returns the text of a status as a static string. For any other number it
 * returns "unknown status", never NULL. */
PH_API const char *ph_status_text(ph_status status);

/* Returns the version of the library as a static string, "major.minor.patch". The version of
 * the headers is in PH_VERSION_MAJOR, PH_VERSION_MINOR and PH_VERSION_PATCH. */
PH_API const char *ph_version(void);

/* The number of elements of the array `reserved` at the end of a structure. All must be 0. */
enum { PH_RESERVED = 8 };

/* ---- bodies ---------------------------------------------------------------------- */

/* A rigid body. Make one with ph_body_from_moments() or ph_body_from_tensor(). */
typedef struct ph_body {
    ph_vec3 J;      /* principal moments of inertia, in any order */
    ph_quat axes;   /* rotates principal to body coordinates */
    bool principal; /* true if `axes` is the identity */
} ph_body;

/* Initializes a ph_body from three principal moments, without a check. */
#define PH_MOMENTS(x, y, z)                                                                        \
    {                                                                                              \
        {(x), (y), (z)}, {1, 0, 0, 0}, true                                                        \
    }

/* Makes a body from its three principal moments of inertia, in any order. Returns PH_OK and
 * fills *b, or PH_BAD_INERTIA if a moment is not positive and finite. */
PH_API ph_status ph_body_from_moments(ph_body *b, ph_vec3 moments);

/* Makes a body from its inertia tensor in any frame that is fixed in the body. The function
 * reads the upper triangle only. The products of inertia have a minus sign: J_xy is minus the
 * integral of x y dm. Returns PH_OK and fills *b, or PH_BAD_INERTIA if the tensor is not
 * finite and positive definite. */
PH_API ph_status ph_body_from_tensor(ph_body *b, ph_mat3 tensor);

/* Returns true if a real body can have these moments: no moment exceeds the sum of the two
 * others, up to round-off. No other function needs this. */
PH_API bool ph_body_physical(const ph_body *b);

/* Returns the angular velocity (rad/t) that belongs to an angular momentum (I/t). Both are in
 * the body frame. */
PH_API ph_vec3 ph_body_velocity(const ph_body *b, ph_vec3 momentum);

/* Returns the angular momentum (I/t) that belongs to an angular velocity (rad/t). Both are in
 * the body frame. */
PH_API ph_vec3 ph_body_momentum(const ph_body *b, ph_vec3 velocity);

/* ---- states ---------------------------------------------------------------------- */

/* The state of a rotating body at one time. */
typedef struct ph_state {
    ph_quat q; /* attitude: rotates body to space coordinates */
    ph_vec3 m; /* angular momentum in the body frame */
} ph_state;

/* Returns the kinetic energy m . J^-1 m / 2 of a state, in I/t^2. */
PH_API double ph_body_energy(const ph_body *b, const ph_state *s);

/* Returns the angular momentum of a state in space coordinates. Free motion does not change
 * it. */
PH_API ph_vec3 ph_state_space_momentum(const ph_state *s);

/* ---- exact free motion ----------------------------------------------------------------
 *
 * Prepare a motion once. Then ask for its state at any time, forward or backward, as often
 * as you like:
 *
 *     ph_motion motion;
 *     if (ph_motion_prepare(&motion, &body, &start) == PH_OK)
 *         ph_state s = ph_motion_at(&motion, 40.0);
 *
 * The members of a motion are private to the library. A copy is an independent motion. */

enum { PH_MOTION_DOUBLES = 96 };

/* A prepared free motion. It needs no release. */
typedef struct ph_motion {
    double opaque[PH_MOTION_DOUBLES];
} ph_motion;

/* Prepares the free motion of the body `b` from the state `start` at the time 0. The function
 * copies both and normalises the attitude.
 *
 * Returns PH_OK and fills *motion. Returns PH_BAD_INERTIA if a moment is not positive and
 * finite. Returns PH_BAD_STATE if the start is not finite or its attitude is zero. */
PH_API ph_status ph_motion_prepare(ph_motion *motion, const ph_body *b, const ph_state *start);

/* Returns the state at the time t after the start, in the frames of the start. t may be
 * negative. The quaternion is a continuous function of t. If t is not finite, all components
 * are NaN. */
PH_API ph_state ph_motion_at(const ph_motion *motion, double t);

/* Returns the number of decimal digits to which the phase is known at the time t, from 15.95
 * down to 0. The angle through which the body has turned has a relative error of about 2^-53.
 * Beyond 10^16 radians the state lies on the right orbit, but its phase is unknown. */
PH_API double ph_motion_phase_digits(const ph_motion *f, double t);

/* Returns the period of the angular momentum in the body frame, in t. It is infinite if the
 * momentum is constant there, and on the separatrix. */
PH_API double ph_motion_period(const ph_motion *motion);

/* Returns the mean rate of precession, in rad/t. This is the mean angular velocity, about the
 * momentum in space, of the principal axis that the momentum encircles. For a symmetric body
 * it is |m| divided by the moment that occurs twice. For a stationary rotation it is the
 * angular velocity itself, and 0 at rest. */
PH_API double ph_motion_precession(const ph_motion *motion);

/* ---- derivatives of the exact motion ---------------------------------------------------
 *
 * These functions differentiate the attitude, the momentum and the angular velocity at a time
 * with respect to the start, the inertia and the time. The derivatives are analytic; their
 * error is round-off times the condition number (docs/derivatives.md). All components are in
 * the body frame. A change of attitude is a small rotation about axes of the body:
 * q becomes q exp(theta). */

/* The columns of a derivative. theta1..3 change the attitude and keep the momentum in the body
 * frame. m1..3 change the momentum. J12, J13 and J23 each change two equal entries of the
 * tensor. t changes the time. */
#define PH_DERIVATIVE_LIST(X)                                                                      \
    X(theta1)                                                                                      \
    X(theta2) X(theta3) X(m1) X(m2) X(m3) X(J11) X(J22) X(J33) X(J12) X(J13) X(J23) X(t)

/* The index of the first column of each kind, and the number of columns. */
enum {
    PH_BY_ATTITUDE = 0,
    PH_BY_MOMENTUM = 3,
    PH_BY_INERTIA = 6,
    PH_BY_TIME = 12,
    PH_DERIVATIVE_COLUMNS
};

/* The derivative of a state: one row for each component, one column for each variable. */
typedef struct ph_derivative {
    double attitude[3][PH_DERIVATIVE_COLUMNS]; /* small rotation of the final attitude */
    double momentum[3][PH_DERIVATIVE_COLUMNS];
    double velocity[3][PH_DERIVATIVE_COLUMNS];
} ph_derivative;

/* Returns the name of a column as a static string, for example "m2". Returns NULL if there is
 * no such column. */
PH_API const char *ph_derivative_column(int column);

/* Advances s by the time h and computes the derivative of the step in *d. The new state is
 * bitwise identical to that of the flow `exact`.
 *
 * Returns PH_OK, or PH_BAD_INERTIA, PH_BAD_STATE or PH_BAD_STEP as ph_flow_step(). Returns
 * PH_NOT_FINITE if a number exceeds the range of double. Returns PH_NOT_APPLICABLE if the
 * ratio of two moments exceeds 2^100. On failure s and d are unchanged. */
PH_API ph_status ph_flow_derivative(const ph_body *b, ph_state *s, double h, ph_derivative *d);

/* Does what ph_flow_derivative() does without the columns of the inertia, which it sets to 0.
 * This is faster. It returns the same statuses. */
PH_API ph_status ph_flow_derivative_by_start(const ph_body *b, ph_state *s, double h,
                                             ph_derivative *d);

/* Stores the state of ph_motion_at() in *s and its derivative in *d. `s` may be NULL if only
 * the derivative is wanted. Returns PH_BAD_TIME if t is not finite, and the other statuses of
 * ph_flow_derivative(). On failure s and d are unchanged. */
PH_API ph_status ph_motion_derivative_at(const ph_motion *motion, double t, ph_state *s,
                                         ph_derivative *d);

/* A small change of the state, the inertia and the time. For ph_flow_cotangent() it is the
 * gradient of a number with respect to these. */
typedef struct ph_tangent {
    ph_vec3 attitude, momentum;
    double inertia[6]; /* J11, J22, J33, J12, J13, J23 */
    double t;
} ph_tangent;

/* Advances s by the time h and applies the derivative of the step to the change v. The
 * function replaces v->attitude and v->momentum by their values after the step. This is
 * faster than computing the matrices. Returns the statuses of ph_flow_derivative(). On
 * failure s and v are unchanged. */
PH_API ph_status ph_flow_tangent(const ph_body *b, ph_state *s, double h, ph_tangent *v);

/* Applies the transposed derivative of a step of h from the state s to the gradient v.
 *
 * On entry v->attitude and v->momentum are the gradient of a number with respect to the state
 * after the step. The function replaces them by the gradient with respect to s. It adds the
 * gradient with respect to the inertia and the time to v->inertia and v->t. Call it for the
 * steps of a motion in reverse order to get the gradient of a number that is known at the end.
 *
 * Returns the statuses of ph_flow_derivative(). s is not changed; on failure v is unchanged. */
PH_API ph_status ph_flow_cotangent(const ph_body *b, const ph_state *s, double h, ph_tangent *v);

/* ---- flows: integrators of the free body ----------------------------------------- */

/* Properties that an integrator can preserve. */
#define PH_KEEPS_LIST(X)                                                                           \
    X(MOMENTUM, "momentum")     /* angular momentum in space */                                    \
    X(CASIMIR, "casimir")       /* length of the momentum */                                       \
    X(ENERGY, "energy")         /* the energy */                                                   \
    X(SYMMETRIC, "symmetric")   /* the step back by -h undoes the step by h */                     \
    X(POISSON, "poisson")       /* the Lie-Poisson structure of the momenta */                     \
    X(SYMPLECTIC, "symplectic") /* the canonical form on attitude and momentum */

/* The index of each property. */
enum ph_keeps_index {
#define PH_KEEPS_INDEX(code, text) PH_INDEX_##code,
    PH_KEEPS_LIST(PH_KEEPS_INDEX) PH_KEEPS_COUNT
#undef PH_KEEPS_INDEX
};

/* The bit of each property. */
enum ph_keeps {
#define PH_KEEPS_BIT(code, text) PH_##code = 1 << PH_INDEX_##code,
    PH_KEEPS_LIST(PH_KEEPS_BIT) PH_KEEPS_ALL = (1 << PH_KEEPS_COUNT) - 1
#undef PH_KEEPS_BIT
};

/* PH_ORDER_EXACT is the order of an integrator without truncation error. PH_ORDER_NONE is
 * the order of a ph_integrator with no members set. */
#define PH_ORDER_EXACT 0
#define PH_ORDER_NONE  (-1)

/* Many bodies, declared in batch.h. */
typedef struct ph_batch ph_batch;

/* An integrator of the free body. */
typedef struct ph_flow ph_flow;
struct ph_flow {
    const char *name;  /* name in the catalog, in the tool and in Python */
    const char *title; /* one line for people */
    const char *cite;  /* paper and equation */
    int order;         /* order of the global error, or PH_ORDER_EXACT */
    unsigned keeps;    /* bits of ph_keeps */
    const void *data;  /* data of this flow, if several flows share a step function */

    /* Advances s by the time h. `flow` is this descriptor. The state and the moments J are in
     * the principal frame. On failure s is unchanged. */
    ph_status (*step)(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

    /* A step of many bodies at once, for a flow of your own. b->n is a multiple of
     * PH_BATCH_GROUP. Body i advances by h[i] if h_each is true, else by h[0]. The function
     * sets not_done[i] to 0 if it has advanced body i. Otherwise it sets not_done[i] to 1 and
     * leaves the body unchanged, and ph_batch_step() then calls `step` for it. If `batch` is
     * NULL, the library uses its own function for this step if it has one. */
    void (*batch)(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,
                  unsigned char *not_done);
    uint64_t reserved[PH_RESERVED];
};

/* The number of bodies that ph_flow.batch advances is a multiple of this. */
enum { PH_BATCH_GROUP = 32 };

/* A composition raises the order of a symmetric integrator of order 2. It replaces a step of
 * h by consecutive steps of g_i h. */
typedef struct ph_composition {
    const char *name, *title, *cite;
    int order;          /* order of the composed integrator */
    int stages;         /* number of steps, odd; g_i = g_(stages + 1 - i) */
    const double *half; /* g_1 ... g_((stages + 1)/2) */
    uint64_t reserved[PH_RESERVED];
} ph_composition;

/* Stores composition i, counted from 0, in *out. Returns false if there is no composition i. */
PH_API bool ph_composition_at(size_t i, const ph_composition **out);

/* Advances the state s of the body b by the time h with a flow. h may be negative.
 *
 * Returns PH_BAD_INERTIA if a moment is not positive and finite. Returns PH_BAD_STATE if s is
 * not finite or its attitude is zero. Returns PH_BAD_STEP if h is not finite. Otherwise it
 * returns the status of the flow: PH_OK, or an error such as PH_NO_CONVERGENCE. On failure s
 * is unchanged. */
PH_API ph_status ph_flow_step(const ph_flow *flow, const ph_body *b, ph_state *s, double h);

/* Stores the flow called `name` in *out.
 *
 * Every function whose name ends in _named returns PH_OK, or PH_UNKNOWN_NAME if nothing has
 * that name. The descriptor is static; the caller does not free it. On failure *out is
 * unchanged. */
PH_API ph_status ph_flow_named(const char *name, const ph_flow **out);

/* Stores flow i of the catalog, counted from 0 in the order of their files, in *out.
 *
 * Every function that lists the catalog has a name that ends in _at. It returns true, or false if
 * there is no entry i; *out is then unspecified. The descriptor is static. */
PH_API bool ph_flow_at(size_t i, const ph_flow **out);

/* ---- problems: a body in a field ------------------------------------------------- */

/* The ranges of numbers that a parameter may have: name, and text for people. */
#define PH_RANGE_LIST(X)                                                                           \
    X(ANY, "any")                                                                                  \
    X(POSITIVE, "> 0")                                                                             \
    X(NOT_NEGATIVE, ">= 0")                                                                        \
    X(BELOW_ONE, ">= 0 and < 1")                                                                   \
    X(WHOLE, "a whole number >= 1")

/* The range of each number of a parameter. */
typedef enum ph_range {
#define PH_RANGE_CODE(code, text) PH_RANGE_##code,
    PH_RANGE_LIST(PH_RANGE_CODE)
#undef PH_RANGE_CODE
} ph_range;

/* A named parameter of a problem: the numbers value[first] to value[first + count - 1] of the
 * problem. The default is the value in the problem of the catalog. */
typedef struct ph_parameter {
    const char *name;
    int first, count;
    /* "1" for a pure number, else a unit of the caller such as "energy". */
    const char *unit;
    const char *text; /* description in one line */
    ph_range range;
} ph_parameter;

/* Returns the text of a range as a static string, for example ">= 0". */
PH_API const char *ph_range_text(ph_range range);

/* The largest number of parameter values of a problem. */
enum { PH_PARAMETER_VALUES = 48 };

/* The number of attitudes for which ph_problem.torque_lanes computes the torque at once. */
enum { PH_LANES = 8 };

/* A body at one time, as the functions of a problem get it. */
typedef struct ph_instant {
    double t;  /* time */
    ph_quat q; /* attitude: rotates body to space coordinates */
    ph_mat3 R; /* attitude as a matrix */
    /* Angular momentum and angular velocity in the body frame. Both are NaN unless the problem
     * is velocity_dependent. */
    ph_vec3 m, w;
    /* Position and velocity of the centre of mass in space. Both are NaN if the centre does
     * not move. v is also NaN unless the problem is velocity_dependent. */
    ph_vec3 x, v;
} ph_instant;

/* The first derivatives of a torque. Column k of a matrix is the derivative along axis k of the
 * body. */
typedef struct ph_torque_derivatives {
    ph_mat3 attitude;
    ph_mat3 momentum, velocity; /* with respect to m at constant w, and to w at constant m */
    ph_vec3 value[PH_PARAMETER_VALUES]; /* with respect to each parameter value */
} ph_torque_derivatives;

/* A problem: a body, its default start, and the field in which it moves.
 *
 * A problem is a value: copy one and change its numbers. A problem of your own is such a
 * struct with your functions in it. It needs no registration.
 *
 * Torques, internal momenta and derivatives are in the body frame. The torque of a potential
 * U is -dU/dxi, where xi rotates the attitude to R exp(s hat(xi)). With the internal momentum
 * H and the total angular momentum m, the equations of motion are
 *
 *   R' = R hat(w),   m' = m x w + torque,   w = J^-1 (m - H)
 *
 * The functions return NaN outside the domain of the potential. */
typedef struct ph_problem ph_problem;
struct ph_problem {
    const char *name, *title, *cite;
    const char *equations; /* the equations of motion, in lines for people */
    const char *caution;   /* warning for callers who change the body, or NULL */
    ph_body body;
    ph_quat q; /* attitude at the start */
    ph_vec3 w; /* angular velocity at the start, in the body frame */

    const ph_parameter *parameters; /* static array of parameter_count rows */
    const ph_parameter *tables;     /* static array of table_count rows: vectors over time */
    int parameter_count, table_count, invariant_count;
    /* True if the energy is not conserved: the potential depends on time, or there is a torque
     * that no potential gives. */
    bool nonconservative;
    /* True if the torque or the force depends on m, w or v. */
    bool velocity_dependent;
    /* If not 0, the torque contains the term -damping w and depends on m or w in no other way.
     * torque_lanes leaves this term out. */
    double damping;
    double value[PH_PARAMETER_VALUES];
    void *context; /* for your own functions; the library does not read it */
    /* A counter to which the library adds 1 for each torque, or NULL. */
    uint64_t *evaluations;

    /* Sets the body and the start if they depend on the parameters. Call it after you change a
     * parameter. NULL if they do not depend on them. */
    void (*prepare)(ph_problem *p);
    /* A warning about unusual parameter values, which `prepare` sets; NULL if there is none. */
    const char *warning;
    /* Returns the potential energy as a function of time and attitude. NULL if there is no
     * potential. */
    double (*potential)(const ph_problem *p, const ph_instant *now);
    /* Returns the torque in the body frame. NULL if there is no torque. */
    ph_vec3 (*torque)(const ph_problem *p, const ph_instant *now);
    /* Returns the force on the centre of mass in space. NULL if the centre does not move. */
    ph_vec3 (*force)(const ph_problem *p, const ph_instant *now);
    /* Returns the derivative of the torque with respect to the attitude. Column k is the
     * derivative along axis k. May be NULL. */
    ph_mat3 (*derivative)(const ph_problem *p, const ph_instant *now);
    /* Stores all first derivatives of the torque in *out. If it is NULL, the library uses
     * `derivative` for the attitude and finite differences for the others. */
    void (*derivatives)(const ph_problem *p, const ph_instant *now, ph_torque_derivatives *out);
    /* Returns the angular momentum of parts that rotate inside the body, such as a wheel. NULL
     * if there are none. */
    ph_vec3 (*internal)(const ph_problem *p, double t);
    /* Returns the attitude of a moving reference frame: it rotates coordinates of that frame
     * to space coordinates. NULL if there is none. frame_name is for example "orbit_frame". */
    ph_quat (*frame)(const ph_problem *p, double t);
    const char *frame_name;

    /* Numbers beside the parameters, such as tables over time. A system copies them and stores
     * them in snapshots. NULL if there are none. */
    const double *data;
    size_t data_count;
    /* Creates `context` from `data`. The library calls it for each new system if data_count is
     * not 0. It returns PH_OK, or an error such as PH_BAD_PARAMETER if the data are invalid.
     * NULL if there is nothing to create. */
    ph_status (*load)(ph_problem *p);
    /* Frees the context that `load` created. */
    void (*unload)(ph_problem *p);
    /* Computes the torque for up to PH_LANES attitudes at once. The torque must not depend on
     * the velocity except by `damping`. Lane i has the time t[i] and the attitude q[0..3][i]
     * (w x y z, unit length). Its torque goes to torque[0..2][i], for first <= i < last. The
     * function may write anything to the other lanes.
     *
     * Optional: it makes integrators that need the torque at many attitudes faster. If you
     * replace `torque`, replace this function too, or set it to NULL. */
    void (*torque_lanes)(const ph_problem *p, int first, int last, const double *t,
                         const double (*q)[PH_LANES], double (*torque)[PH_LANES]);

    /* Computes the torque of up to PH_LANES similar problems, each at its own instant.
     * Optional: it makes ensembles whose torque calls an interpreter faster. If you replace
     * `torque`, replace this function too, or set it to NULL. */
    void (*torque_many)(const ph_problem *const *p, size_t count, const ph_instant *now,
                        ph_vec3 *torque);

    /* The invariants of the exact motion beside the energy: invariant_count of them, at most
     * PH_INVARIANTS. */
    const struct ph_invariant *invariants;
    /* Stores in *out the exact state at the time t after the state `start` at the time 0.
     * Returns PH_NOT_APPLICABLE if the exact motion is not known for these parameters. NULL
     * if it is never known. */
    ph_status (*exact)(const ph_problem *p, const ph_state *start, double t, ph_state *out);

    /* The period of the torque in time, for averages over it; `prepare` may set it. 0 if the torque
     * does not depend on time or its period is not known. */
    double period;

    /* A discrete control, if control_period is not 0. A system calls `control` at the times 0,
     * control_period, 2 control_period and so on. It stores the result in `held` until the next of
     * these times, and the torque depends on `held`. The instant contains m and w. The result must
     * depend on the arguments only. The system sometimes calls the function again with the arguments
     * of its first call; if the result differs, the run returns PH_LAW_REMEMBERS. */
    double control_period;
    ph_vec3 (*control)(const ph_problem *p, const ph_instant *now);
    void *control_context; /* for your own control; the library does not read it */
    ph_vec3 held;
    uint64_t reserved[PH_RESERVED - 7];
};

/* The largest number of invariants of a problem. */
enum { PH_INVARIANTS = 4 };

/* An invariant of a problem. The instant that `value` gets contains m and w. */
typedef struct ph_invariant {
    const char *name, *unit, *text;
    double (*value)(const ph_problem *p, const ph_instant *now);
} ph_invariant;

/* Stores the problem of the catalog called `name` in *out. Copy it before you change it.
 * Returns PH_OK or PH_UNKNOWN_NAME, as ph_flow_named() does. */
PH_API ph_status ph_problem_named(const char *name, const ph_problem **out);

/* Returns the parameter of a problem called `name`, or NULL if there is none. The descriptor
 * belongs to the problem. */
PH_API const ph_parameter *ph_problem_parameter(const ph_problem *p, const char *name);

/* Returns the default start of a problem at the time 0: its attitude q and its angular momentum
 * m = J w + H in the body frame. */
PH_API ph_state ph_problem_start(const ph_problem *p);

/* Returns the angular velocity J^-1 (m - H) that belongs to the angular momentum m at the time
 * t. Both are in the body frame. */
PH_API ph_vec3 ph_problem_velocity(const ph_problem *p, double t, ph_vec3 m);

/* Returns the angular momentum J w + H that belongs to the angular velocity w at the time t.
 * Both are in the body frame. */
PH_API ph_vec3 ph_problem_momentum(const ph_problem *p, double t, ph_vec3 w);

/* Returns the energy w.Jw/2 + U of a state at the time t, in I/t^2. */
PH_API double ph_problem_energy(const ph_problem *p, double t, const ph_state *s);

/* Returns the torque on a body in the state s at the time t, in the body frame. It is 0 if the
 * problem has no torque. */
PH_API ph_vec3 ph_problem_torque(const ph_problem *p, double t, const ph_state *s);

/* ---- methods: one-step integrators of a body in a field -------------------------- */

/* A one-step integrator of a body in a field. */
typedef struct ph_method ph_method;
struct ph_method {
    const char *name, *title, *cite;
    int order;
    /* Bits of ph_keeps in a field. PH_MOMENTUM refers to the momentum about the symmetry axis
     * of the field. */
    unsigned keeps;
    unsigned keeps_free; /* bits of ph_keeps without torque */
    bool any_torque;     /* accepts velocity-dependent torques and internal momenta */
    const void *data;    /* data of this method, if several methods share a step function */

    /* Advances s from the time t by the time h. The state and the problem are in principal
     * axes; the library converts them. On failure s is unchanged. */
    ph_status (*step)(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h);
    uint64_t reserved[PH_RESERVED];
};

/* ---- schemes: alternate free motion and torque ----------------------------------- */

/* A splitting scheme: a palindrome of alternating drifts (free motion over the time a_i h) and
 * kicks (m += b_i h torque). */
typedef struct ph_scheme {
    const char *name, *title, *cite;
    int order;
    bool kick_first;    /* begins and ends with a kick, else with a drift */
    int stages;         /* number of drifts and kicks, odd */
    const double *half; /* coefficients of the stages 1 to (stages + 1)/2 */
    /* The coefficients of h^3 times the force gradient for the same stages, or NULL. */
    const double *gradient;
    /* For a thermostat: the order of its parts, else NULL. A is a drift, B a kick, and another
     * letter is the action of the thermostat. The parts with one letter have equal lengths. */
    const char *parts;
    uint64_t reserved[PH_RESERVED];
} ph_scheme;

/* Stores scheme i, counted from 0, in *out. Returns false if there is no scheme i. Thermostats are
 * not among the schemes. */
PH_API bool ph_scheme_at(size_t i, const ph_scheme **out);

/* A scheme with a thermostat, for systems that have a temperature. */
typedef ph_scheme ph_thermostat;

/* ---- integrators ----------------------------------------------------------------- */

/* An adaptive method. Its members are private to the library. */
typedef struct ph_adaptive ph_adaptive;

/* An integrator takes the steps of a run. It is one of these:
 *
 * - a method;
 * - a flow, alone for a free body, or as the drift of a scheme;
 * - an adaptive method, which chooses the step sizes for a tolerance.
 *
 * `composition` composes the flow. `whole` composes the whole step of a method, a flow or a
 * scheme. Members that are not used are NULL.
 *
 * An integrator with no members set has the order PH_ORDER_NONE, no properties and an empty
 * name. Functions that take steps then return PH_NOT_APPLICABLE. */
typedef struct ph_integrator {
    const ph_flow *flow;
    const ph_composition *composition; /* composes the flow */
    const ph_scheme *scheme;
    const ph_method *method;
    const ph_composition *whole; /* composes the whole step */
    const ph_adaptive *adaptive;
    /* For an adaptive method: the error allowed per turn, of the attitude, and of m relative to
     * its size. */
    double tolerance;
    /* For an adaptive method, see ph_system_settings; 0 for the default. */
    double longest_step;
    uint64_t reserved[PH_RESERVED];
} ph_integrator;

/* The smallest, the largest and the default tolerance of an adaptive method in a system. */
#define PH_TOLERANCE_LEAST   1e-15
#define PH_TOLERANCE_MOST    0.1
#define PH_TOLERANCE_DEFAULT 1e-10

/* The default of the longest step is the length of the run divided by this number. */
enum { PH_LONGEST_STEPS = 32 };

/* Stores the integrator called `name` in *out. A name is `method`, `flow`, `flow:composition`,
 * `scheme+flow` or `scheme+flow:composition`. A following `@composition` composes the whole
 * step.
 *
 * Returns PH_OK, or PH_UNKNOWN_NAME if a part of the name does not exist. Returns
 * PH_NOT_APPLICABLE if the integrator to be composed is not symmetric with order 2. On failure
 * *out is unchanged. */
PH_API ph_status ph_integrator_named(const char *name, ph_integrator *out);

/* The size of a buffer for the name of an integrator, in bytes. */
enum { PH_INTEGRATOR_NAME = 160 };

/* Writes the name of an integrator to the buffer `name`, in the form that
 * ph_integrator_named() reads, and returns the buffer. A longer name is truncated. */
PH_API const char *ph_integrator_name(const ph_integrator *i, char name[PH_INTEGRATOR_NAME]);

/* Returns the order of an integrator. It is PH_ORDER_EXACT if there is no truncation error, and
 * PH_ORDER_NONE if no member is set. */
PH_API int ph_integrator_order(const ph_integrator *i);

/* Returns what an integrator preserves in a field, as bits of ph_keeps. */
PH_API unsigned ph_integrator_keeps(const ph_integrator *i);

/* Returns what an integrator preserves without torque, as bits of ph_keeps. */
PH_API unsigned ph_integrator_keeps_free(const ph_integrator *i);

/* Checks whether an integrator can solve a problem. Returns PH_OK if it can.
 *
 * Returns PH_NEWER_MEMBER if the integrator or the problem has an element of `reserved` that is
 * not 0. Returns PH_NOT_APPLICABLE in these cases:
 *
 * - The integrator has no method, no flow and no adaptive method.
 * - The integrator is a flow alone, and the problem has a torque.
 * - The scheme needs the derivative of the torque, and the problem has none.
 * - The torque depends on the velocity, or there is an internal momentum. Only an adaptive
 *   method and a method with any_torque can solve such a problem. */
PH_API ph_status ph_integrator_applies(const ph_integrator *i, const ph_problem *p);

/* Advances the state s, in the body frame, from the time t by the time h. An adaptive method
 * takes as many steps as its tolerance requires.
 *
 * Returns PH_BAD_STEP if h is not finite. Returns PH_BAD_TIME if t or t + h is not finite.
 * Returns PH_NEWER_MEMBER or PH_NOT_APPLICABLE as ph_integrator_applies() does. Otherwise it
 * returns the status of the step: PH_OK, or an error such as PH_NO_CONVERGENCE. On failure s is
 * unchanged. */
PH_API ph_status ph_integrator_step(const ph_integrator *i, const ph_problem *p, ph_state *s,
                                    double t, double h);

#ifdef __cplusplus
}
#endif

#endif
