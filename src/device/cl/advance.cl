/* advance.cl - bodies over steps of a flow or a scheme, one body a work-item.
 *
 * Before it stand the step of the flow,
 *     static ph_status drift(ph_state *s, ph_vec3 J, double h)
 * which returns LEFT for a body that it cannot do, and, with WITH_FIELD defined, torque() and
 * load_values(); ONE_STAGE is defined for a step that is one drift, TIMED for one of each
 * body's own time. The kernel `advance` takes all bodies; a body that is left goes, with the
 * steps it has still to take, on the list that `finish` takes, whose drift() does all. A body
 * stays at the beginning of a step that fails.
 */
#include "core/kick.h"

/* A drift over h, or a kick over h and h3 at the times from + after, counted from the
 * beginning of the step, or at its end. */
typedef struct stage {
    double h, h3, from, after;
    long kind;
} stage;

enum { DRIFT = 0, KICK = 1, KICK_AT_END = 2 };

/* The head of the list: how many bodies are on it, the first that failed, and of what. */
enum { LIST_COUNT = 0, LIST_FAILED = 1, LIST_HEAD = 2 };

/* Of a body that is left or failed: the steps it has to take, and a status. */
#define STEPS_LEFT_BITS 24

#ifdef WITH_FIELD
PART ph_status kick(ph_state *s, const ph_problem *p, double t, double h, double h3,
                      bool again, ph_vec3 *tau)
{
    const ph_vec3 none = {NAN, NAN, NAN};
    const ph_instant now = {t, s->q, ph_quat_matrix(s->q), none, none};
    if (!again)
        *tau = torque(p, &now);
    ph_vec3 m = kicked(s->m, *tau, h);
#ifdef WITH_GRADIENT
    if (h3 != 0.0)
        m = kicked_by_gradient(m, *tau, p->body.J, derivative(p, &now), h3);
#endif
    if (!finite3(m))
        return PH_NOT_FINITE;
    s->m = m;
    return PH_OK;
}
#endif

/* One step; s may be anywhere on the way where it fails. */
typedef struct step_work {
#ifdef WITH_FIELD
    ph_problem p;
    ph_vec3 tau;
    bool kicked_last;
#endif
    double start, h;
} step_work;

PART ph_status take_step(ph_state *s, ph_vec3 J, constant stage *stages, int stage_count,
                         ulong number, step_work *w)
{
#ifdef ONE_STAGE
    return drift(s, J, stages[0].h);
#else
    ph_status status = PH_OK;
    for (int j = 0; j < stage_count && status == PH_OK; j++) {
#ifdef WITH_FIELD
        if (stages[j].kind != DRIFT) {
            const double t = w->start + (double)number * w->h,
                         end = w->start + (double)(number + 1) * w->h;
            status = kick(s, &w->p,
                          stages[j].kind == KICK ? (t + stages[j].from) + stages[j].after
                                                 : end,
                          stages[j].h, stages[j].h3, w->kicked_last, &w->tau);
            w->kicked_last = true;
            continue;
        }
        w->kicked_last = false;
#endif
        status = drift(s, J, stages[j].h);
    }
    return status;
#endif
}

/* A place on the list for those work-items of a group that want one: one of them asks for
 * all. */
static inline uint place_on(global uint *list, bool wanted, local uint *shared)
{
    const bool first = get_local_id(0) == 0;
    if (first)
        shared[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = wanted ? atomic_inc(&shared[0]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first && shared[0] > 0)
        shared[1] = atomic_add(&list[LIST_COUNT], shared[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return LIST_HEAD + shared[1] + mine;
}

kernel void advance(global double *q0, global double *q1, global double *q2,
                    global double *q3, global double *m1, global double *m2,
                    global double *m3, global const double *J1, global const double *J2,
                    global const double *J3, global const double *times,
                    global const double *values, constant stage *stages, int stage_count,
                    double start, double h, ulong first, uint steps, ulong n,
                    global uint *left, global uint *list)
{
    const size_t item = get_global_id(0);
#ifdef FINISH
    const bool inside = item < list[LIST_COUNT];
    const size_t i = inside ? list[LIST_HEAD + item] : 0;
    uint k = inside ? steps - (left[i] & ((1u << STEPS_LEFT_BITS) - 1)) : steps;
#else
    local uint shared[2];
    const bool inside = item < n;
    const size_t i = inside ? item : 0;
    uint k = inside ? 0 : steps;
#endif
    ph_state s = {{q0[i], q1[i], q2[i], q3[i]}, {m1[i], m2[i], m3[i]}};
    const ph_vec3 J = {J1[i], J2[i], J3[i]};
    ph_status status = PH_OK;
    step_work w;
    w.start = start;
    w.h = h;
#ifdef WITH_FIELD
    w.tau = vec3(NAN, NAN, NAN);
    w.kicked_last = false;
    w.p.body.J = J;
    w.p.body.axes = (ph_quat){1, 0, 0, 0};
    w.p.body.principal = true;
    w.p.velocity_dependent = false;
    load_values(&w.p, values, i, n);
#endif
#ifdef TIMED
    if (inside)
        status = drift(&s, J, times[i]);
#else
    for (; k < steps; k++) {
#ifndef ONE_STAGE /* which leaves the state as it was */
        const ph_state before = s;
#endif
        status = take_step(&s, J, stages, stage_count, first + k, &w);
        if (status != PH_OK) {
#ifndef ONE_STAGE
            s = before;
#endif
            break;
        }
    }
#endif
    if (inside) {
        q0[i] = s.q.w, q1[i] = s.q.x, q2[i] = s.q.y, q3[i] = s.q.z;
        m1[i] = s.m.x, m2[i] = s.m.y, m3[i] = s.m.z;
    }
    if (status != PH_OK)
        left[i] = (steps - k) | (uint)status << STEPS_LEFT_BITS;
#ifdef FINISH
    if (status != PH_OK)
        atomic_min(&list[LIST_FAILED], (uint)i);
#else
    const uint place = place_on(list, status != PH_OK, shared);
    if (status != PH_OK)
        list[place] = (uint)i;
#endif
}
