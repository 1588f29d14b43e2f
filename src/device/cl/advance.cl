/* advance.cl - bodies over steps of a flow or a scheme, one body a work-item.
 *
 * Before it stand the step of the flow,
 *     static ph_status drift(ph_state *s, ph_vec3 J, double h)
 * which returns LEFT for a body that it cannot do, and, with WITH_FIELD defined,
 * principal_torque() and load_values(); ONE_STAGE is defined for a step that is one drift, TIMED for one of each
 * body's own time. The kernel `advance` takes all bodies; a body that is left goes, with the
 * steps it has still to take, on the list that `finish` takes, whose drift() does all. A body
 * stays at the beginning of a step that fails.
 */
#include "integrators/kick.h"

/* A drift over h, or a kick over h and h3 at the times from + after, counted from the
 * beginning of the step, or at its end. */
typedef struct stage {
    double h, h3, from, after;
    long kind;
} stage;

enum { DRIFT = 0, KICK = 1, KICK_AT_END = 2 };

/* Launches are numbered from 0 on, and not waited for. The head of the list: how many bodies
 * are on it in even and in odd launches, and at most in any; the first body that failed; and
 * the launch in which one did, or after which no `finish` was launched for those that are
 * left: the launches after it do nothing. */
enum { LIST_COUNT = 0, LIST_MOST = 2, LIST_FAILED = 3, LIST_LAUNCH = 4, LIST_HEAD = 5 };

/* Of a body that is left or failed: the steps it has to take, and a status; of others 0. */
#define STEPS_LEFT_BITS 24

#ifdef WITH_FIELD
PART ph_status kick(ph_state *s, const ph_problem *p, double t, double h, double h3,
                      bool again, ph_vec3 *tau)
{
    const ph_vec3 none = {NAN, NAN, NAN};
    const ph_instant now = {t, s->q, ph_quat_matrix(s->q), none, none};
    if (!again)
        *tau = principal_torque(p, &now);
    ph_vec3 m = kicked(s->m, *tau, h);
#ifdef WITH_GRADIENT
    if (h3 != 0.0)
        m = kicked_by_gradient(m, *tau, p->body.J, principal_derivative(p, &now), h3);
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
static inline uint place_on(global uint *list, uint launch, bool wanted, local uint *shared)
{
    const bool first = get_local_id(0) == 0;
    if (first)
        shared[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = wanted ? atomic_inc(&shared[0]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first && shared[0] > 0)
        shared[1] = atomic_add(&list[LIST_COUNT + launch % 2], shared[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return LIST_HEAD + shared[1] + mine;
}

/* What all bodies share. */
typedef struct launch_work {
    global double *q0, *q1, *q2, *q3, *m1, *m2, *m3;
    global const double *J1, *J2, *J3, *times, *values;
    constant stage *stages;
    int stage_count;
    double start, h;
    ulong first, n;
    uint steps;
    global uint *left;
} launch_work;

/* Body i over the steps of the launch from number k on; what it has still to take, if one
 * fails, goes to `left`. */
PART ph_status advance_body(const launch_work *l, size_t i, uint k)
{
    ph_state s = {{l->q0[i], l->q1[i], l->q2[i], l->q3[i]}, {l->m1[i], l->m2[i], l->m3[i]}};
    const ph_vec3 J = {l->J1[i], l->J2[i], l->J3[i]};
    ph_status status = PH_OK;
    step_work w;
    w.start = l->start;
    w.h = l->h;
#ifdef WITH_FIELD
    w.tau = vec3(NAN, NAN, NAN);
    w.kicked_last = false;
    w.p.body.J = J;
    w.p.body.axes = (ph_quat){1, 0, 0, 0};
    w.p.body.principal = true;
    w.p.velocity_dependent = false;
    load_values(&w.p, l->values, i, l->n);
#endif
#ifdef TIMED
    status = drift(&s, J, l->times[i]);
#else
    for (; k < l->steps; k++) {
#ifndef ONE_STAGE /* which leaves the state as it was */
        const ph_state before = s;
#endif
        status = take_step(&s, J, l->stages, l->stage_count, l->first + k, &w);
        if (status != PH_OK) {
#ifndef ONE_STAGE
            s = before;
#endif
            break;
        }
    }
#endif
    l->q0[i] = s.q.w, l->q1[i] = s.q.x, l->q2[i] = s.q.y, l->q3[i] = s.q.z;
    l->m1[i] = s.m.x, l->m2[i] = s.m.y, l->m3[i] = s.m.z;
#ifdef FINISH
    l->left[i] = 0;
#endif
    if (status != PH_OK)
        l->left[i] = (l->steps - k) | (uint)status << STEPS_LEFT_BITS;
    return status;
}

kernel void advance(global double *q0, global double *q1, global double *q2,
                    global double *q3, global double *m1, global double *m2,
                    global double *m3, global const double *J1, global const double *J2,
                    global const double *J3, global const double *times,
                    global const double *values, constant stage *stages, int stage_count,
                    double start, double h, ulong first, uint steps, uint launch,
                    int finish_follows, int some_failed, ulong n, global uint *left,
                    global uint *list)
{
    const launch_work l = {q0, q1, q2, q3, m1, m2, m3, J1, J2, J3, times, values,
                           stages, stage_count, start, h, first, n, steps, left};
    const size_t item = get_global_id(0);
    const bool stopped = list[LIST_LAUNCH] < launch;
#ifdef FINISH
    const uint count = stopped ? 0 : list[LIST_COUNT + launch % 2];
    if (item == 0) {
        list[LIST_MOST] = max(list[LIST_MOST], count);
        list[LIST_COUNT + (launch + 1) % 2] = 0;
    }
    for (size_t place = item; place < count; place += get_global_size(0)) {
        const uint i = list[LIST_HEAD + place],
                   to_take = left[i] & ((1u << STEPS_LEFT_BITS) - 1);
        if (advance_body(&l, i, steps - to_take) != PH_OK) {
            atomic_min(&list[LIST_FAILED], i);
            list[LIST_LAUNCH] = launch;
        }
    }
#else
    local uint shared[2];
    const bool goes_on = !stopped && item < n && !(some_failed && left[item] != 0);
    const ph_status status = goes_on ? advance_body(&l, item, 0) : PH_OK;
    const uint place = place_on(list, launch, status != PH_OK, shared);
    if (status != PH_OK) {
        list[place] = (uint)item;
        if (!finish_follows)
            list[LIST_LAUNCH] = launch;
    }
#endif
}
