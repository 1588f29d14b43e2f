/* polhode.h - rigid bodies that turn: bodies, states, exact free motion, flows.
 *
 * Units are the caller's, as long as they agree: moments of inertia I, times t, and then
 * angular momenta in I/t, angular velocities in rad/t, energies in I/t^2.
 *
 * Frames: "body" is the frame fixed in the body in which the caller gave the inertia;
 * "principal" is the frame of its principal axes; "space" does not turn. The two body
 * frames are the same for a body made from three moments.
 *
 * Nothing here allocates, prints or keeps state: every object is a plain struct of the
 * caller's, may be copied, and needs no release. A function that can fail returns a
 * ph_status and, when that is not PH_OK, has left its output as it was.
 *
 * Pointers must not be NULL unless a comment says that they may be. A function that returns a
 * ph_status then returns PH_NULL_ARGUMENT; what other functions do is not defined. Descriptors
 * (flows, schemes, methods, problems) must be complete: their members are not checked.
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

/* ---- what can go wrong: one list, each code with its sentence -------------------- */

#define PH_STATUS_LIST(X)                                                                \
    X(OK, 0, "success")                                                                  \
    X(BAD_INERTIA, 1, "moments of inertia must be positive and finite")                  \
    X(BAD_STATE, 2, "attitude and momentum must be finite, and the attitude not zero")   \
    X(BAD_STEP, 3, "the step must be finite")                                            \
    X(NO_CONVERGENCE, 4, "the implicit equations of the step were not solved")           \
    X(NOT_FINITE, 5, "the step gave a state that is not finite")                         \
    X(NOT_APPLICABLE, 6, "this integrator cannot do this problem")                       \
    X(BAD_PARAMETER, 7, "a parameter of the problem is out of its range")                \
    X(BAD_MASS, 8, "the mass matrix must be symmetric and positive definite")            \
    X(COINCIDENT, 9, "two particles are in the same place")                              \
    X(NOT_ON_SPHERE, 10, "each q must be of unit length and each w orthogonal to its q") \
    X(NO_ROOT, 11, "the constraint has no real multiplier")                              \
    X(NO_MEMORY, 12, "there is not enough memory")                                       \
    X(BAD_LAW, 13, "sigma must be positive, epsilon not negative, both finite")          \
    X(BAD_BOX, 14, "invalid box, cutoff or dielectric constant")                         \
    X(OVERLAP, 15, "two bodies overlap")                                                 \
    X(EXPLODED, 16, "the energy changed by more than ten times itself")                  \
    X(UNKNOWN_NAME, 17, "there is nothing of that name")                                 \
    X(NULL_ARGUMENT, 18, "a pointer is NULL that must not be")                           \
    X(BAD_SNAPSHOT, 19, "this is no snapshot, or it is truncated or altered")            \
    X(NEWER_SNAPSHOT, 20, "the snapshot was made by a newer version")                    \
    X(OTHER_SNAPSHOT, 21, "the snapshot is of another system")                           \
    X(BAD_EXPRESSION, 22, "an expression cannot be read")                                \
    X(NO_DEVICE, 23, "there is no such device with double precision")                    \
    X(DEVICE_BUILD, 24, "the compiler of the device refused the program")                \
    X(DEVICE_FAILED, 25, "the device failed")                                            \
    X(BAD_TIME, 26, "the time must be finite and within its range")                      \
    X(NOT_WHOLE_STEPS, 27, "the time must be a whole number of steps ahead")             \
    X(TIME_PASSED, 28, "a time to be observed lies before the run")                      \
    X(OUTSIDE_STEP, 29, "the time must lie within the last step")                        \
    X(STEP_TOO_SHORT, 30, "the step is too short to change the time")                    \
    X(TOO_FEW_STEPS, 31, "there are too few steps")                                      \
    X(BACKWARD, 32, "a thermostat cannot step back in time")                             \
    X(BAD_TOLERANCE, 33, "the tolerance is out of its range")                            \
    X(IN_OBSERVER, 34, "an observer must not call this function")

/* A number stays that of its code in every later version. */
typedef enum ph_status {
#define PH_STATUS_CODE(code, number, text) PH_##code = (number),
    PH_STATUS_LIST(PH_STATUS_CODE)
#undef PH_STATUS_CODE
} ph_status;

/* The sentence of a status; a static string, never NULL. */
PH_API const char *ph_status_text(ph_status status);

/* The version of the library, "major.minor.patch", a static string; that of the headers is
 * PH_VERSION_MAJOR, PH_VERSION_MINOR and PH_VERSION_PATCH. */
PH_API const char *ph_version(void);

/* ---- the body -------------------------------------------------------------------- */

typedef struct ph_body {
    ph_vec3 J;      /* principal moments of inertia, in any order */
    ph_quat axes;   /* principal to body coordinates */
    bool principal; /* axes is the identity: the body frame is the principal one */
} ph_body;

/* A body of three principal moments, as an initializer. */
#define PH_MOMENTS(x, y, z)                                                              \
    {                                                                                    \
        {(x), (y), (z)}, {1, 0, 0, 0}, true                                              \
    }

/* A body from its three principal moments. PH_BAD_INERTIA unless positive and finite. */
PH_API ph_status ph_body_from_moments(ph_body *b, ph_vec3 moments);

/* A body from its inertia tensor in any frame fixed in it; only the upper triangle is
 * read, J_xy = - integral of x y dm. PH_BAD_INERTIA unless positive definite and finite.
 */
PH_API ph_status ph_body_from_tensor(ph_body *b, ph_mat3 tensor);

/* Whether matter can have these moments: none above the sum of the two others, up to
 * round-off. The mathematics does not need it. */
PH_API bool ph_body_physical(const ph_body *b);

/* Angular velocity of a momentum, and momentum of a velocity; both in the body frame. */
PH_API ph_vec3 ph_body_velocity(const ph_body *b, ph_vec3 momentum);
PH_API ph_vec3 ph_body_momentum(const ph_body *b, ph_vec3 velocity);

/* ---- the state and its invariants ------------------------------------------------ */

typedef struct ph_state {
    ph_quat q; /* attitude: body to space */
    ph_vec3 m; /* angular momentum, in the body frame */
} ph_state;

/* The kinetic energy m . J^-1 m / 2. */
PH_API double ph_body_energy(const ph_body *b, const ph_state *s);

/* The angular momentum in space coordinates; constant in free motion. */
PH_API ph_vec3 ph_state_space_momentum(const ph_state *s);

/* ---- exact free motion ----------------------------------------------------------------
 *
 * Prepare a motion once, then ask for the state at any time, forward or back, as often as
 * you like:
 *
 *     ph_motion motion;
 *     if (ph_motion_prepare(&motion, &body, &start) == PH_OK)
 *         ph_state s = ph_motion_at(&motion, 40.0);
 *
 * What a motion holds is the library's (src/motion/motion.h); a copy is another motion. */

enum { PH_MOTION_DOUBLES = 96 };

typedef struct ph_motion {
    double opaque[PH_MOTION_DOUBLES];
} ph_motion;

/* PH_BAD_INERTIA, PH_BAD_STATE; the attitude is normalised. The body and the start are
 * copied. */
PH_API ph_status ph_motion_prepare(ph_motion *motion, const ph_body *b,
                                   const ph_state *start);

/* The state a time t after the start, in the frames of the start; t may be negative. The
 * quaternion is continuous in t from that of the start. NaN if t is not finite. */
PH_API ph_state ph_motion_at(const ph_motion *motion, double t);

/* How many decimal digits of the phase are left at the time t, from 15.95 down to 0: the angle
 * that the body has turned through is known to some 2^-53 of itself, and beyond 10^16 radians
 * the state is one of the right orbit, but at no known place of it. */
PH_API double ph_motion_phase_digits(const ph_motion *f, double t);

/* The time in which the momentum goes round once in the body; infinite where it stays, and
 * on the separatrix. */
PH_API double ph_motion_period(const ph_motion *motion);

/* The mean angular velocity, in rad/t, at which the axis that the momentum encircles goes
 * about the momentum in space: |m|/I of a symmetric body, I the moment of the equal ones. Of
 * a stationary rotation its own, 0 at rest. */
PH_API double ph_motion_precession(const ph_motion *motion);

/* ---- derivatives of the exact motion ---------------------------------------------------
 *
 * How attitude, momentum and angular velocity a time t after the start change with the start,
 * the inertia and the time: exact, and to round-off times the condition
 * (docs/derivatives.md). Everything in the frame in which the inertia was given. A change of
 * attitude is a small rotation of the body about its own axes, q -> q exp(theta). */

/* What is changed, the columns: attitude, and momentum, which has then stayed the same in the
 * body; the tensor of inertia, J12 standing for both of its entries; and the time. */
#define PH_DERIVATIVE_LIST(X)                                                            \
    X(theta1)                                                                            \
    X(theta2) X(theta3) X(m1) X(m2) X(m3) X(J11) X(J22) X(J33) X(J12) X(J13) X(J23) X(t)

enum {
    PH_BY_ATTITUDE = 0,
    PH_BY_MOMENTUM = 3,
    PH_BY_INERTIA = 6,
    PH_BY_TIME = 12,
    PH_DERIVATIVE_COLUMNS
};

typedef struct ph_derivative {
    double attitude[3][PH_DERIVATIVE_COLUMNS]; /* the small rotation of the result */
    double momentum[3][PH_DERIVATIVE_COLUMNS];
    double velocity[3][PH_DERIVATIVE_COLUMNS];
} ph_derivative;

/* The name of a column, a static string; NULL unless column < PH_DERIVATIVE_COLUMNS. */
PH_API const char *ph_derivative_column(int column);

/* Advance s by the time h with the bits of the flow `exact`, and its derivative.
 * PH_BAD_INERTIA, PH_BAD_STATE, PH_BAD_STEP; PH_NOT_FINITE where a number is beyond the range
 * of double; PH_NOT_APPLICABLE for moments more than 2^100 apart. Nothing is changed unless
 * PH_OK. */
PH_API ph_status ph_flow_derivative(const ph_body *b, ph_state *s, double h,
                                    ph_derivative *d);

/* The same without the columns of the inertia, which are 0: less work. */
PH_API ph_status ph_flow_derivative_by_start(const ph_body *b, ph_state *s, double h,
                                             ph_derivative *d);

/* The state of ph_motion_at() with its derivative; PH_BAD_TIME if t is not finite, other failures
 * as above. s may be NULL. */
PH_API ph_status ph_motion_derivative_at(const ph_motion *motion, double t, ph_state *s,
                                         ph_derivative *d);

/* A change of a start and a body; or, for what is transposed, how a number changes with them. */
typedef struct ph_tangent {
    ph_vec3 attitude, momentum;
    double inertia[6]; /* J11, J22, J33, J12, J13, J23 */
    double t;
} ph_tangent;

/* Advance s as above, and with it a change: attitude and momentum of v become those of the
 * result. Less work than the matrices. */
PH_API ph_status ph_flow_tangent(const ph_body *b, ph_state *s, double h, ph_tangent *v);

/* The transposed, for s before the step, which stays: if attitude and momentum of v say how a
 * number changes with the result, they then say how it changes with the start, and how it
 * changes with the inertia and the time of this step is added to the others. Steps backward
 * through a motion add up the gradient of a number that is known at its end. */
PH_API ph_status ph_flow_cotangent(const ph_body *b, const ph_state *s, double h,
                                   ph_tangent *v);

/* ---- flows: integrators of the free body ----------------------------------------- */

/* What an integrator keeps, beyond its order. */
#define PH_KEEPS_LIST(X)                                                                 \
    X(MOMENTUM, "momentum")     /* angular momentum in space */                          \
    X(CASIMIR, "casimir")       /* its length */                                         \
    X(ENERGY, "energy")         /* the energy */                                         \
    X(SYMMETRIC, "symmetric")   /* the step back by -h undoes the step by h */           \
    X(POISSON, "poisson")       /* the Lie-Poisson structure of the momenta */           \
    X(SYMPLECTIC, "symplectic") /* the canonical form on attitude and momentum */

enum ph_keeps_index {
#define PH_KEEPS_INDEX(code, text) PH_INDEX_##code,
    PH_KEEPS_LIST(PH_KEEPS_INDEX) PH_KEEPS_COUNT
#undef PH_KEEPS_INDEX
};

enum ph_keeps {
#define PH_KEEPS_BIT(code, text) PH_##code = 1 << PH_INDEX_##code,
    PH_KEEPS_LIST(PH_KEEPS_BIT) PH_KEEPS_ALL = (1 << PH_KEEPS_COUNT) - 1
#undef PH_KEEPS_BIT
};

/* The order of a flow that has no truncation error; and of an integrator that is none. */
#define PH_ORDER_EXACT 0
#define PH_ORDER_NONE  (-1)

typedef struct ph_batch ph_batch; /* many bodies: batch.h */

typedef struct ph_flow ph_flow;
struct ph_flow {
    const char *name;  /* the file's, and the command line's */
    const char *title; /* one line for people */
    const char *cite;  /* paper and equation */
    int order;         /* of the global error in the step, or PH_ORDER_EXACT */
    unsigned keeps;    /* bits of ph_keeps */
    const void *data;  /* what the step differs in from others with the same function */

#ifndef __OPENCL_VERSION__ /* which has no pointers to functions */
    /* The state a time h later, for the descriptor the step belongs to. State and moments
     * J in the principal frame; s is untouched unless PH_OK. */
    ph_status (*step)(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

    /* A kernel of your own: the step of many bodies at once, n a multiple of
     * PH_BATCH_GROUP, body i over the time h[i] (if h_each) or h[0]. A body that the kernel
     * cannot do stays as it was, with not_done[i] set to 1, else 0: the caller of the
     * kernel, ph_batch_step(), does it by `step`. NULL: the library's, if it has one for
     * this step. */
    void (*batch)(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,
                  unsigned char *not_done);
#endif
};

enum { PH_BATCH_GROUP = 32 };

/* A composition makes of any symmetric flow or integrator of order 2 one of its own order:
 * steps of g_i h one after the other. */
typedef struct ph_composition {
    const char *name, *title, *cite;
    int order;
    int stages;         /* an odd number; g_i = g_(stages + 1 - i) */
    const double *half; /* g_1 ... g_((stages + 1)/2) */
} ph_composition;

/* The composition of that name; and all, a static array of *count rows. */
PH_API ph_status ph_composition_named(const char *name, const ph_composition **out);
PH_API const ph_composition *ph_compositions(size_t *count);

/* Advance s by the time h with a flow; s in the body frame of b. PH_BAD_INERTIA,
 * PH_BAD_STATE, PH_BAD_STEP before, or what the flow returns. */
PH_API ph_status ph_flow_step(const ph_flow *flow, const ph_body *b, ph_state *s,
                              double h);

/* The flow of that name. Of every function that ends in _named: PH_UNKNOWN_NAME if there is
 * nothing of that name, PH_NULL_ARGUMENT if one of the two pointers is NULL; *out is a
 * static descriptor, and untouched unless PH_OK. */
PH_API ph_status ph_flow_named(const char *name, const ph_flow **out);

/* All flows, in the order of their files; *count is set to their number. A static
 * array. */
PH_API const ph_flow *const *ph_flows(size_t *count);

/* ---- problems: a body in a field ------------------------------------------------- */

/* What a parameter may be, each number of it. */
#define PH_RANGE_LIST(X)                                                                 \
    X(ANY, "any")                                                                        \
    X(POSITIVE, "> 0")                                                                   \
    X(NOT_NEGATIVE, ">= 0")                                                              \
    X(BELOW_ONE, ">= 0 and < 1")                                                         \
    X(WHOLE, "a whole number >= 1")

typedef enum ph_range {
#define PH_RANGE_CODE(code, text) PH_RANGE_##code,
    PH_RANGE_LIST(PH_RANGE_CODE)
#undef PH_RANGE_CODE
} ph_range;

/* A named parameter of a problem: value[first] ... value[first + count - 1]; its default is
 * what the problem of the catalog has there. */
typedef struct ph_parameter {
    const char *name;
    int first, count;
    const char
        *unit; /* "1": a pure number; "energy" and the like: in the caller's units */
    const char *text; /* one line for people: what it is */
    ph_range range;
} ph_parameter;

/* The words of a range, a static string; and whether a number is in it: none that is not
 * finite is. */
PH_API const char *ph_range_text(ph_range range);
PH_API bool ph_range_has(ph_range range, double x);

enum { PH_PARAMETER_VALUES = 32 };

enum { PH_LANES = 8 };

/* A body at one instant, as the functions of a problem see it; body frame. */
typedef struct ph_instant {
    double t;     /* time */
    ph_quat q;    /* attitude: body to space */
    ph_mat3 R;    /* the same as a matrix */
    ph_vec3 m, w; /* angular momentum and velocity; NaN unless velocity_dependent */
    /* Where the centre of mass moves its position and velocity, in space; else NaN; and v
     * is NaN unless velocity_dependent. */
    ph_vec3 x, v;
} ph_instant;

/* First derivatives of a torque; column k of a matrix is along axis k of the body. */
typedef struct ph_torque_derivatives {
    ph_mat3 attitude;
    ph_mat3 momentum, velocity;         /* by m at the same w, by w at the same m */
    ph_vec3 value[PH_PARAMETER_VALUES]; /* by each number of the parameters */
} ph_torque_derivatives;

/* A body, its start, and the field it moves in; what a run begins with unless told
 * otherwise. A value: copy it, change a number. One of your own is such a struct with
 * your functions in it; it needs no registration.
 *
 * Everything in the body frame, the one in which the inertia was given: a torque and an
 * internal momentum have their components there, and derivatives are along
 * R exp(s hat(xi)): torque = -dU/dxi. The equations of motion, with H the internal
 * momentum and m the whole one:
 *
 *   R' = R hat(w),   m' = m x w + torque,   w = J^-1 (m - H)
 *
 * A function returns NaN outside the domain of its potential. */
typedef struct ph_problem ph_problem;
struct ph_problem {
    const char *name, *title, *cite;
    const char *equations; /* lines for people: what moves it */
    const char *caution;   /* what to know before other bodies move in it; or NULL */
    ph_body body;
    ph_quat q; /* attitude at the start */
    ph_vec3 w; /* angular velocity at the start */

    const ph_parameter *parameters; /* parameter_count of them; a static array */
    const ph_parameter *tables; /* table_count of them: vectors over time, in the data */
    int parameter_count, table_count, invariant_count;
    /* The energy changes: the potential depends on time, or there is a torque beside its
     * own. */
    bool nonconservative;
    /* The torque or the force depends on m, w or v. */
    bool velocity_dependent;
    /* Not 0: no part of the torque depends on m or w but one, -damping w, and torque_lanes
     * leaves that out. */
    double damping;
    double value[PH_PARAMETER_VALUES];
    void *context;         /* yours, for your own functions */
    uint64_t *evaluations; /* every torque adds one to it; NULL: none is counted */

#ifndef __OPENCL_VERSION__
    /* Sets the body and the start where they depend on the parameters: call it after a
     * change of these; NULL if nothing depends. */
    void (*prepare)(ph_problem *p);
    /* Set by it: what the parameters surely should not be, in words; NULL: nothing. */
    const char *warning;
    /* The potential energy; of time and attitude; NULL if there is none. */
    double (*potential)(const ph_problem *p, const ph_instant *now);
    /* The torque; NULL if there is none. */
    ph_vec3 (*torque)(const ph_problem *p, const ph_instant *now);
    /* The force, in space, where the centre of mass moves; NULL: it does not. */
    ph_vec3 (*force)(const ph_problem *p, const ph_instant *now);
    /* The derivative of the torque by the attitude: column k is its change along axis
     * k; or NULL. */
    ph_mat3 (*derivative)(const ph_problem *p, const ph_instant *now);
    /* All first derivatives of the torque; NULL: the one above serves for the attitude, and
     * the others are found by differences (src/integrators/tangent.c). */
    void (*derivatives)(const ph_problem *p, const ph_instant *now,
                        ph_torque_derivatives *out);
    /* The angular momentum of what turns inside the body, as a wheel does; NULL: 0. */
    ph_vec3 (*internal)(const ph_problem *p, double t);
    /* A frame that moves, in which the attitude is of interest: its coordinates to those of
     * space; NULL: none. And its name, "orbit_frame". */
    ph_quat (*frame)(const ph_problem *p, double t);
    const char *frame_name;

    /* Numbers beside the parameters, such as tables over time, that a system copies and a
     * snapshot keeps; NULL: none. */
    const double *data;
    size_t data_count;
    /* Makes the context of a problem from its data: each system has its own; NULL: there is
     * nothing to make. PH_BAD_PARAMETER and the like; and its end. */
    ph_status (*load)(ph_problem *p);
    void (*unload)(ph_problem *p);
    /* The torque, where it does not depend on the velocity but for the damping, in PH_LANES
     * attitudes at once: that of lane i at the time t[i] in the attitude q[0..3][i] (w x y
     * z, of unit length) goes to torque[0..2][i], for first <= i < last; the other lanes may
     * hold anything.
     * Optional: integrators that have many attitudes at hand are faster by it. It goes with
     * the torque: whoever replaces that replaces this. */
    void (*torque_lanes)(const ph_problem *p, int first, int last, const double *t,
                         const double (*q)[PH_LANES], double (*torque)[PH_LANES]);

    /* The torque of up to PH_LANES problems like this one, each at an instant of its own. Optional:
     * ensembles whose torque calls an interpreter are faster by it. It goes with the torque. */
    void (*torque_many)(const ph_problem *const *p, size_t count, const ph_instant *now,
                        ph_vec3 *torque);

    /* What the exact motion keeps beside the energy; invariant_count of them, at most
     * PH_INVARIANTS. */
    const struct ph_invariant *invariants;
    /* The exact motion, where it is known: the state a time t after that at the time 0.
     * PH_NOT_APPLICABLE where it is not; or NULL. */
    ph_status (*exact)(const ph_problem *p, const ph_state *start, double t,
                       ph_state *out);
#endif
};

#ifndef __OPENCL_VERSION__
/* A quantity of a problem, at an instant with the momentum and the velocity. */
enum { PH_INVARIANTS = 4 };
typedef struct ph_invariant {
    const char *name, *unit, *text;
    double (*value)(const ph_problem *p, const ph_instant *now);
} ph_invariant;

/* The problem of that name; and all, in the order of their files. */
PH_API ph_status ph_problem_named(const char *name, const ph_problem **out);
PH_API const ph_problem *const *ph_problems(size_t *count);

/* The parameter of that name, or NULL. */
PH_API const ph_parameter *ph_problem_parameter(const ph_problem *p, const char *name);

/* The state that a problem starts from at the time 0: its q, and m = J w + H. */
PH_API ph_state ph_problem_start(const ph_problem *p);

/* The angular velocity J^-1 (m - H) of a momentum at the time t, and the momentum of a
 * velocity. */
PH_API ph_vec3 ph_problem_velocity(const ph_problem *p, double t, ph_vec3 m);
PH_API ph_vec3 ph_problem_momentum(const ph_problem *p, double t, ph_vec3 w);

/* The energy w.Jw/2 + U of a state, and the torque in it: 0 if there is none. */
PH_API double ph_problem_energy(const ph_problem *p, double t, const ph_state *s);
PH_API ph_vec3 ph_problem_torque(const ph_problem *p, double t, const ph_state *s);

/* ---- methods: one-step integrators of a body in a field -------------------------- */

struct ph_spheres;
typedef struct ph_method ph_method;
struct ph_method {
    const char *name, *title, *cite;
    int order;
    unsigned keeps; /* bits of ph_keeps, in a field; momentum: about its symmetry axis */
    unsigned keeps_free; /* the same without torque */
    bool any_torque;     /* it takes velocity-dependent torques and internal momenta */
    const void *data;    /* what the step differs in from others with the same function */

    /* The state a time h after t; s is untouched unless PH_OK. State and problem are in
     * principal axes, whatever those of the caller are. */
    ph_status (*step)(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h);

    /* A method on spheres (polhode/spheres.h) has these instead: PH_SPHERES_FIRST_ORDER,
     * PH_SPHERES_SECOND_ORDER or both; and q and w a time h later, untouched unless PH_OK. */
    int applies_to;
    ph_status (*step_spheres)(const ph_method *method, struct ph_spheres *s, ph_vec3 *q,
                              ph_vec3 *w, double h);
};

/* The method of that name; and all, in the order of their files. */
PH_API ph_status ph_method_named(const char *name, const ph_method **out);
PH_API const ph_method *const *ph_methods(size_t *count);

/* ---- schemes: free motion and torque by turns ------------------------------------ */

/* A palindrome of drifts (free motion over a_i h) and kicks (m += b_i h torque), by
 * turns. */
typedef struct ph_scheme {
    const char *name, *title, *cite;
    int order;
    bool kick_first;    /* it begins and ends with a kick; else with a drift */
    int stages;         /* an odd number: drifts and kicks together */
    const double *half; /* the coefficients of the stages 1 ... (stages + 1)/2 */
    /* In the same places, those of h^3 times the force gradient; or NULL. */
    const double *gradient;
    /* Of a thermostat: the order of its parts, A drifts, B kicks, and another letter for what
     * the thermostat does, all of a letter over equal parts of the step; else NULL. */
    const char *parts;
} ph_scheme;

/* The scheme of that name; and all, in the order of their files. */
PH_API ph_status ph_scheme_named(const char *name, const ph_scheme **out);
PH_API const ph_scheme *const *ph_schemes(size_t *count);

/* Schemes with a thermostat: they move systems that have a temperature. */
typedef ph_scheme ph_thermostat;
PH_API ph_status ph_thermostat_named(const char *name, const ph_thermostat **out);
PH_API const ph_thermostat *const *ph_thermostats(size_t *count);

/* ---- integrators ----------------------------------------------------------------- */

typedef struct ph_adaptive ph_adaptive; /* a method that chooses its steps: adaptive.h */

/* What makes the steps of a run: a method; or a flow, perhaps composed, alone (for a free
 * body) or as the drift of a scheme; or a method that chooses its own steps, to a
 * tolerance. The step of any of them but the last may be composed as a whole. What is not
 * used is NULL; one with none of them is refused by steps and runs, PH_NOT_APPLICABLE, has
 * no order, keeps nothing, and its name is empty. */
typedef struct ph_integrator {
    const ph_flow *flow;
    const ph_composition *composition; /* of the flow */
    const ph_scheme *scheme;
    const ph_method *method;
    const ph_composition *whole; /* of the whole step */
    const ph_adaptive *adaptive;
    double tolerance;    /* of an adaptive one, see ph_adaptive_prepare() */
    double longest_step; /* of an adaptive one, 0: the default, see ph_adaptive_step() */
} ph_integrator;

/* The integrator called `method`, `flow`, `flow:composition`, `scheme+flow` or
 * `scheme+flow:composition`, or any of these followed by `@composition`, which composes the
 * whole step; PH_NOT_APPLICABLE if what is to be composed is not symmetric and of order
 * 2. */
PH_API ph_status ph_integrator_named(const char *name, ph_integrator *out);

/* The name of an integrator, as ph_integrator_named() takes it; written to `name`, which is
 * returned. Longer ones are cut off. */
enum { PH_INTEGRATOR_NAME = 160 };
PH_API const char *ph_integrator_name(const ph_integrator *i,
                                      char name[PH_INTEGRATOR_NAME]);

/* The order of an integrator, PH_ORDER_EXACT if it has no truncation error, PH_ORDER_NONE if it is
 * none; what it keeps, and what it keeps without torque. */
PH_API int ph_integrator_order(const ph_integrator *i);
PH_API unsigned ph_integrator_keeps(const ph_integrator *i);
PH_API unsigned ph_integrator_keeps_free(const ph_integrator *i);

/* PH_OK if an integrator can do a problem, else PH_NOT_APPLICABLE: no method and no flow;
 * a flow alone where there is a torque; a scheme with a gradient where the torque has no derivative; and where
 * the torque depends on the velocity, or there is an internal momentum, all but methods
 * with any_torque. */
PH_API ph_status ph_integrator_applies(const ph_integrator *i, const ph_problem *p);

/* One step of a problem from the time t; body frame; s is untouched unless PH_OK. With an
 * adaptive method: as many steps as its tolerance asks for. PH_BAD_STEP if h is not finite,
 * PH_BAD_TIME if t or t + h is not, PH_NOT_APPLICABLE as above, or what the step returns. */
PH_API ph_status ph_integrator_step(const ph_integrator *i, const ph_problem *p,
                                    ph_state *s, double t, double h);
#endif

#ifdef __cplusplus
}
#endif

#endif
