/* batch.h - many independent free bodies, stepped at once.
 *
 * The bodies are columns of the caller's memory, one array for each component (structure
 * of arrays), so that neighbours fill the lanes of a vector register:
 *
 *     ph_batch b = {n, {q0, q1, q2, q3}, {m1, m2, m3}, {J1, J2, J3}};
 *     const ph_flow *exact;
 *     ph_status status = ph_flow_named("exact", &exact);
 *     if (status == PH_OK)
 *         status = ph_batch_step(exact, &b, h, &failed);
 *
 * Every body has its own moments of inertia; any shape, degenerate ones too, may stand
 * anywhere. The result of a body depends on that body alone: not on its neighbours, nor
 * on its place, nor on the number of threads. It has the bits of flow->step, with every
 * instruction set.
 *
 * Nothing here allocates or prints. From some thousand bodies on they are shared among
 * threads, which are started when first needed and then wait for work.
 */
#ifndef POLHODE_BATCH_H
#define POLHODE_BATCH_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays of n doubles, of any alignment, that do not overlap; in principal axes. */
struct ph_batch {
    size_t n;
    double *q[4];       /* attitudes, body to space, w x y z; of unit length */
    double *m[3];       /* angular momenta, in the body frames */
    const double *J[3]; /* principal moments, in any order */
};

/* Advance every body by the time h with a flow. A body whose step fails is left as it
 * was, and the others are advanced all the same; returned is the status of the first that
 * failed, and *failed (if not NULL) is set to its index. PH_BAD_STEP before anything
 * where h is not finite; *failed is then 0. */
PH_API ph_status ph_batch_step(const ph_flow *flow, const ph_batch *b, double h,
                               size_t *failed);

/* Advance body i by the time h[i], as ph_batch_step does; a time that is not finite is
 * PH_BAD_STEP of that body. `failed` may be NULL. */
PH_API ph_status ph_batch_step_each(const ph_flow *flow, const ph_batch *b,
                                    const double *h, size_t *failed);

/* Derivatives of attitudes (small rotations, in the body frames) and momenta after a step: arrays of n
 * doubles for each row and column, m1, m2, m3 and J11, J22, J33, J12, J13, J23 at the start. Those by J
 * may be NULL, all of them: less work. */
enum { PH_BATCH_DERIVATIVE_COLUMNS = PH_BY_TIME - PH_BY_MOMENTUM };

typedef struct ph_batch_derivative {
    double *attitude[3][PH_BATCH_DERIVATIVE_COLUMNS];
    double *momentum[3][PH_BATCH_DERIVATIVE_COLUMNS];
} ph_batch_derivative;

/* Advance every body by the time h with the flow `exact`, and the derivatives of the step, with
 * the bits of ph_flow_derivative(); failures as with ph_batch_step, the derivatives of a body
 * that failed being NaN. `failed` may be NULL. */
PH_API ph_status ph_batch_step_derivative(const ph_batch *b, double h,
                                          const ph_batch_derivative *d, size_t *failed);

/* m += h (x, y, z), arrays of the components of the torques in the body frames: what stands
 * between two drifts. */
PH_API void ph_batch_kick(const ph_batch *b, const double *x, const double *y,
                          const double *z, double h);

/* ---- bodies of another program --------------------------------------------------- */

/* Bodies as they lie in the records of a program that keeps the angular momentum in space,
 * where free motion does not change it: body i has its attitude in q[i q_stride] and the
 * next three doubles, and so on; strides count doubles. Records of different bodies do not
 * overlap, but those of m and J may be the same for all, with a stride of 0. */
typedef struct ph_batch_strided {
    size_t n;
    double *q; /* attitudes, body to space, w x y z; of unit length */
    size_t q_stride;
    const double *m; /* angular momenta, in space */
    size_t m_stride;
    const double *J; /* principal moments, in any order */
    size_t J_stride;
    double *along; /* vectors fixed in the bodies, in space, such as dipoles; or NULL */
    size_t along_stride;
} ph_batch_strided;

/* Turn every body by the time h with a flow that keeps the momentum in space
 * (PH_NOT_APPLICABLE before anything for another), and the vectors along with it; failures as
 * with ph_batch_step. `failed` may be NULL. */
PH_API ph_status ph_batch_strided_step(const ph_flow *flow, const ph_batch_strided *b,
                                       double h, size_t *failed);

/* The same for one body: q turned by the time h, with the momentum m in space. *w, if w is not
 * NULL, becomes the angular velocity in space, in the middle of the step: at the attitude
 * half-way from the old to the new, which the body has at h/2 up to O(h^2), or, where it
 * turned by half a turn and more, at the flow's own of h/2. A moment may be 0: the body is
 * linear, and does not turn about that axis. Nothing is changed unless PH_OK. */
PH_API ph_status ph_flow_turn(const ph_flow *flow, ph_vec3 J, ph_quat *q, ph_vec3 m,
                              double h, ph_vec3 *w);

/* ---- many steps ------------------------------------------------------------------ */

/* Hears how much of the work is done, from 0 to 1; returning false ends it. Called from one
 * thread at a time, any of them. */
typedef bool ph_batch_observer(void *context, double done);

/* How many steps of a batch ended. */
typedef struct ph_batch_result {
    bool stopped;     /* by the observer: the bodies are anywhere on their way */
    ph_status status; /* of the first body that failed, or PH_OK */
    size_t failed;    /* its index, n if there is none: those before it are at the end */
    uint64_t step;    /* the step that failed, from 0 */
} ph_batch_result;

/* Take `steps` steps of h with a flow, composed or not; PH_NOT_APPLICABLE of body 0, before
 * anything, for another integrator. A thread takes some bodies all the way before it takes
 * others: they stay in its cache, and threads need not wait for each other at every step.
 * The bits are those of as many calls of ph_batch_step. observer may be NULL. */
PH_API ph_batch_result ph_batch_run(const ph_integrator *i, const ph_batch *b, double h,
                                    uint64_t steps, ph_batch_observer *observer,
                                    void *context);

/* ---- many times ------------------------------------------------------------------ */

/* The states of one motion at n times: attitudes to q[4 i], momenta to m[3 i], with the bits
 * of ph_motion_at(). */
PH_API void ph_motion_fill(const ph_motion *motion, const double *t, size_t n, double *q,
                           double *m);

/* The same in vector lanes: the states differ from those by round-off, and depend each on its
 * own time alone. Faster for times in ascending or descending order, many to a turn. NaN where
 * ph_motion_at() is. */
PH_API void ph_motion_fill_fast(const ph_motion *motion, const double *t, size_t n,
                                double *q, double *m);

/* Threads that bodies are shared among: at first as many as POLHODE_THREADS in the
 * environment says, or OMP_NUM_THREADS, or as there are processors; 0 sets that again. The
 * bits do not depend on it. */
PH_API int ph_threads(void);
PH_API void ph_set_threads(int count);

#ifdef __cplusplus
}
#endif

#endif
