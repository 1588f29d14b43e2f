/* batch.h - many independent free bodies, advanced together.
 *
 * The bodies are columns of memory that belongs to the caller, one array for each component
 * (structure of arrays), so that neighbouring bodies fill a vector register:
 *
 *     ph_batch b = {n, {q0, q1, q2, q3}, {m1, m2, m3}, {J1, J2, J3}};
 *     const ph_flow *exact;
 *     ph_status status = ph_flow_named("exact", &exact);
 *     if (status == PH_OK)
 *         status = ph_batch_step(exact, &b, h, &failed);
 *
 * Every body has its own moments of inertia, or all share the same. Bodies of all shapes may be
 * mixed.
 *
 * Reproducibility. The result for a body depends on that body alone. It does not depend on the
 * other bodies, on the order of the bodies, on the instruction set or on the number of threads.
 * It is bitwise identical to the result of flow->step. Linear bodies are an exception, because
 * flow->step is not defined for them.
 *
 * No function here allocates or prints. A few thousand bodies and more are shared among threads.
 * The library starts the threads when it first needs them; they then wait for work.
 */
#ifndef POLHODE_BATCH_H
#define POLHODE_BATCH_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A batch of n bodies: arrays of n doubles, in principal axes. The arrays belong to the caller.
 * They may have any alignment and must not overlap.
 *
 * If J[1] and J[2] are NULL, J[0] points to three numbers, the moments of all bodies:
 *
 *     ph_batch b = {n, {q0, q1, q2, q3}, {m1, m2, m3}, {moments}};
 *
 * The results are bitwise identical to those with arrays. The library then computes only once what
 * depends on the moments alone, which is faster. Devices need three arrays.
 *
 * A body is linear if one moment is 0 and the two others are equal within 1e-8. Every flow turns it
 * exactly. Its momentum along its axis should be 0; the library ignores it and does not change
 * it. */
struct ph_batch {
    size_t n;
    double *q[4];       /* attitudes, body to space, w x y z; unit length */
    double *m[3];       /* angular momenta in the body frames */
    const double *J[3]; /* principal moments, in any order */
};

/* Advances every body by the time h with a flow. A body whose step fails is unchanged; the other
 * bodies are advanced.
 *
 * Returns PH_OK, or the status of the failed body with the lowest index, which it stores in
 * *failed. `failed` may be NULL. Returns PH_BAD_STEP if h is not finite; no body is then changed,
 * and *failed is 0. Returns PH_NO_MEMORY if n is larger than any array can be. */
PH_API ph_status ph_batch_step(const ph_flow *flow, const ph_batch *b, double h, size_t *failed);

/* Advances body i by the time h[i], for every i. A body whose time is not finite fails with
 * PH_BAD_STEP. `failed` may be NULL. Returns the statuses of ph_batch_step(). */
PH_API ph_status ph_batch_step_each(const ph_flow *flow, const ph_batch *b, const double *h,
                                    size_t *failed);

/* A batch whose arrays have floats instead of doubles, otherwise as ph_batch. */
typedef struct ph_batchf {
    size_t n;
    float *q[4];
    float *m[3];
    const float *J[3];
} ph_batchf;

/* Advances every body by the time h with a flow, in floats.
 *
 * The flows `mr` and `sr2` compute in vectors of floats, twice as fast as in vectors of doubles.
 * They do so for bodies that turn by at most 1.56 radians. The error of such a step is at most 1e-6
 * in the attitude, and 1e-6 in the momentum relative to its length. Other bodies and flows compute
 * in doubles and round the result. The results are bitwise identical on every machine.
 *
 * Returns the statuses of ph_batch_step(), and PH_NOT_FINITE if a momentum exceeds the range of
 * float. `failed` may be NULL. */
PH_API ph_status ph_batch_stepf(const ph_flow *flow, const ph_batchf *b, float h, size_t *failed);

/* The number of columns of ph_batch_derivative: m1, m2, m3, J11, J22, J33, J12, J13, J23. */
enum { PH_BATCH_DERIVATIVE_COLUMNS = PH_BY_TIME - PH_BY_MOMENTUM };

/* The derivatives of a step with respect to the initial momentum and the inertia. Each element is
 * an array of n doubles that belongs to the caller. The columns of the inertia may all be NULL,
 * which is faster. A change of attitude is a small rotation in the body frame. */
typedef struct ph_batch_derivative {
    double *attitude[3][PH_BATCH_DERIVATIVE_COLUMNS];
    double *momentum[3][PH_BATCH_DERIVATIVE_COLUMNS];
} ph_batch_derivative;

/* Advances every body by the time h with the flow `exact` and computes the derivatives of the
 * step in *d. Linear bodies fail with PH_BAD_INERTIA. The results are bitwise identical to those
 * of ph_flow_derivative(). The derivatives of a body that fails are NaN. `failed` may be NULL.
 * Returns the statuses of ph_batch_step(). */
PH_API ph_status ph_batch_step_derivative(const ph_batch *b, double h, const ph_batch_derivative *d,
                                          size_t *failed);

/* Adds h (x, y, z) to the momenta m of all bodies. x, y and z are arrays of n components of the
 * torques in the body frames. This is the kick of a splitting scheme, between two drifts. */
PH_API void ph_batch_kick(const ph_batch *b, const double *x, const double *y, const double *z,
                          double h);

/* ---- bodies in the memory of another program ------------------------------------- */

/* Bodies in the records of a program that stores the angular momentum in space, where free
 * motion does not change it. The attitude of body i begins at q[i * q_stride], and so on. Strides
 * count doubles. The memory belongs to the caller. Records of different bodies must not overlap;
 * m and J may have the stride 0 if they are the same for all bodies. Bodies may be linear, as in
 * ph_batch. */
typedef struct ph_batch_strided {
    size_t n;
    double *q; /* attitudes, body to space, w x y z; unit length */
    size_t q_stride;
    const double *m; /* angular momenta in space */
    size_t m_stride;
    const double *J; /* principal moments, in any order */
    size_t J_stride;
    double *along; /* vectors fixed in the bodies, such as dipoles, in space; or NULL */
    size_t along_stride;
} ph_batch_strided;

/* Rotates every body, and its vector `along`, by the motion over the time h. `failed` may be
 * NULL. Returns PH_NOT_APPLICABLE, before any body is changed, if the flow does not preserve the
 * momentum in space. Otherwise it returns the statuses of ph_batch_step(). */
PH_API ph_status ph_batch_strided_step(const ph_flow *flow, const ph_batch_strided *b, double h,
                                       size_t *failed);

/* Rotates the attitude q of one body with the principal moments J by the motion over the time h.
 * m is the angular momentum in space. If a moment is 0, the body is linear and does not rotate
 * about that axis.
 *
 * `w` may be NULL. If it is not, the function stores in *w the angular velocity in space in the
 * middle of the step. It computes it at the attitude halfway between the old and the new one. This
 * attitude agrees with the attitude at h/2 up to O(h^2). If the body turned by half a turn or more,
 * the function uses the attitude that the flow gives at h/2.
 *
 * Returns PH_OK. Returns PH_NOT_APPLICABLE if the flow does not preserve the momentum in space.
 * Returns PH_BAD_INERTIA if a moment is negative or not finite. Otherwise it returns the statuses
 * of ph_flow_step(). On failure q and w are unchanged. */
PH_API ph_status ph_flow_turn(const ph_flow *flow, ph_vec3 J, ph_quat *q, ph_vec3 m, double h,
                              ph_vec3 *w);

/* ---- many steps ------------------------------------------------------------------ */

/* A progress callback. `done` is the completed fraction of the work, from 0 to 1. Return false to
 * stop. Calls never overlap, but they may come from different threads. */
typedef bool ph_batch_observer(void *context, double done);

/* The result of many steps of a batch. */
typedef struct ph_batch_result {
    bool stopped;     /* the observer stopped the run; bodies have taken different steps */
    ph_status status; /* status of the failed body with the lowest index, or PH_OK */
    size_t failed;    /* index of that body, or n; all bodies before it are at the end */
    uint64_t step;    /* number of the step that failed, counted from 0 */
} ph_batch_result;

/* Takes `steps` steps of h with an integrator that is a flow, composed or not. `observer` may be
 * NULL; `context` is passed to it.
 *
 * The results are bitwise identical to those of as many calls of ph_batch_step(). The function is
 * faster: a thread takes all steps of some bodies, which stay in its cache, before it takes the
 * next bodies.
 *
 * Returns the result. Its status is PH_NOT_APPLICABLE if the integrator is not a flow, and
 * PH_NO_MEMORY if n is larger than any array can be; no body is then changed. Otherwise it is the
 * status of ph_batch_step(). */
PH_API ph_batch_result ph_batch_run(const ph_integrator *i, const ph_batch *b, double h,
                                    uint64_t steps, ph_batch_observer *observer, void *context);

/* ---- many times ------------------------------------------------------------------ */

/* Computes the states of one motion at n times. Stores the attitude at the time t[i] in q[4 i] to
 * q[4 i + 3] and the momentum in m[3 i] to m[3 i + 2]. The states are bitwise identical to those
 * of ph_motion_at(). */
PH_API void ph_motion_fill(const ph_motion *motion, const double *t, size_t n, double *q,
                           double *m);

/* Computes the states of one motion at n times in vector lanes. The states differ from those of
 * ph_motion_fill() by round-off, and each depends on its own time alone. This is faster if the
 * times are in ascending or descending order, many to a turn. */
PH_API void ph_motion_fill_fast(const ph_motion *motion, const double *t, size_t n, double *q,
                                double *m);

/* Returns the number of threads among which the library shares bodies. The default is the value
 * of the environment variable POLHODE_THREADS, else of OMP_NUM_THREADS, else the number of
 * processors. */
PH_API int ph_threads(void);

/* Sets the number of threads; the maximum is 256. A count below 1 restores the default. Results
 * do not depend on the number of threads. */
PH_API void ph_set_threads(int count);

#ifdef __cplusplus
}
#endif

#endif
