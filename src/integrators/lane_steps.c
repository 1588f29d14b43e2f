/* lane_steps.c - steps of many runs by dop853, one a lane.
 *
 * The attempts are made in vectors; how long a step is, and what becomes of the state, is decided
 * for each run by the functions of adaptive.c.
 */
#include "integrators/lane_steps.h"

#include "base/choice.h"
#include "integrators/adaptive.h"
#include "integrators/expression/expression.h"
#include "integrators/integrator.h"
#include "integrators/kick.h"
#include "integrators/lanes.h"
#include "integrators/table.h"
#include "motion/batch/part.h"
#include "polhode/catalog.h"

bool ph_lanes_can(const ph_adaptive_run *r)
{
    return r->method == &ph_adaptive_dop853;
}

/* One lane after the other, by the functions of the problems. */
static void torque_one_by_one(lane_problems *p, lane_instants *at)
{
    for (int i = 0; i < PH_LANES; i++) {
        if (p->p[i] == NULL)
            continue;
        const ph_quat q = {at->q[0][i], at->q[1][i], at->q[2][i], at->q[3][i]};
        const ph_vec3 m = {at->m[0][i], at->m[1][i], at->m[2][i]},
                      w = {at->w[0][i], at->w[1][i], at->w[2][i]},
                      torque = torque_moving(p->p[i], at->t[i], q, m, w);
        at->torque[0][i] = torque.x;
        at->torque[1][i] = torque.y;
        at->torque[2][i] = torque.z;
    }
}

/* In the frames of the bodies, as the problem in principal axes does it: problem.c. */
static void torque_in_bodies(lane_problems *p, lane_instants *at)
{
    lane_instants seen = *at;
    for (int i = 0; i < PH_LANES; i++) {
        const ph_quat axes = {p->axes[0][i], p->axes[1][i], p->axes[2][i], p->axes[3][i]},
                      q = {at->q[0][i], at->q[1][i], at->q[2][i], at->q[3][i]},
                      turned = mul(q, inverse(axes));
        const ph_vec3 m = rotate(axes, vec3(at->m[0][i], at->m[1][i], at->m[2][i])),
                      w = rotate(axes, vec3(at->w[0][i], at->w[1][i], at->w[2][i]));
        const double all[] = {turned.w, turned.x, turned.y, turned.z};
        for (int k = 0; k < 4; k++)
            seen.q[k][i] = all[k];
        seen.m[0][i] = m.x, seen.m[1][i] = m.y, seen.m[2][i] = m.z;
        seen.w[0][i] = w.x, seen.w[1][i] = w.y, seen.w[2][i] = w.z;
    }
    p->in_body(p, &seen);
    for (int i = 0; i < PH_LANES; i++) {
        const ph_quat axes = {p->axes[0][i], p->axes[1][i], p->axes[2][i], p->axes[3][i]};
        const ph_vec3 torque =
            rotate(inverse(axes), vec3(seen.torque[0][i], seen.torque[1][i], seen.torque[2][i]));
        at->torque[0][i] = torque.x;
        at->torque[1][i] = torque.y;
        at->torque[2][i] = torque.z;
    }
}

/* By one call of the problem's function for many. */
static void torque_by_one_call(lane_problems *p, lane_instants *at)
{
    const ph_problem *of[PH_LANES];
    ph_instant now[PH_LANES];
    ph_vec3 torque[PH_LANES];
    int lane[PH_LANES];
    size_t count = 0;
    for (int i = 0; i < PH_LANES; i++) {
        if (p->p[i] == NULL)
            continue;
        const ph_quat q = {at->q[0][i], at->q[1][i], at->q[2][i], at->q[3][i]};
        of[count] = ph_problem_original(p->p[i]);
        lane[count] = i;
        now[count] = instant_at(at->t[i], q);
        if (of[count]->velocity_dependent) {
            now[count].m = vec3(at->m[0][i], at->m[1][i], at->m[2][i]);
            now[count].w = vec3(at->w[0][i], at->w[1][i], at->w[2][i]);
        }
        count++;
    }
    p->like->torque_many(of, count, now, torque);
    for (size_t k = 0; k < count; k++) {
        at->torque[0][lane[k]] = torque[k].x;
        at->torque[1][lane[k]] = torque[k].y;
        at->torque[2][lane[k]] = torque[k].z;
    }
}

static bool has_tables(const ph_problem *p)
{
    bool rows = false;
    for (int k = 0; k < p->table_count && p->data_count > 0; k++)
        rows = rows || ph_table_rows(p, k) > 0;
    return rows;
}

static torque_each_kernel *torque_for(const ph_problem *p, lane_problems *all)
{
    const ph_problem *of = ph_problem_original(p);
    all->like = of;
    all->turned = of != p;
    if (of->torque_many != NULL)
        all->in_body = torque_by_one_call;
    else
        all->in_body = has_tables(of) ? NULL : ph_each_of(of);
    if (all->in_body == NULL)
        all->in_body = ph_expression_each(of);
    if (p->torque == NULL)
        return NULL;
    if (all->in_body == NULL)
        return torque_one_by_one;
    return all->turned ? torque_in_bodies : all->in_body;
}

/* Whether two problems can have lanes of one group: by one torque, of the same data. */
static bool alike(const ph_problem *p, const ph_problem *q)
{
    const ph_problem *a = ph_problem_original(p), *b = ph_problem_original(q);
    return p->torque == q->torque && a->torque == b->torque && a->data_count == b->data_count &&
           (a->data_count == 0 || memcmp(a->data, b->data, a->data_count * sizeof *a->data) == 0);
}

static void put_problem(lane_problems *all, int lane, const ph_problem *p)
{
    all->p[lane] = p;
    all->is_derived = false;
    for (int k = 0; k < PH_PARAMETER_VALUES; k++)
        all->value[k][lane] = p->value[k];
    all->J[0][lane] = p->body.J.x;
    all->J[1][lane] = p->body.J.y;
    all->J[2][lane] = p->body.J.z;
    const ph_quat a = ph_problem_original(p)->body.axes;
    all->axes[0][lane] = a.w;
    all->axes[1][lane] = a.x;
    all->axes[2][lane] = a.y;
    all->axes[3][lane] = a.z;
}

bool ph_lanes_put(lane_group *g, int lane, ph_adaptive_run *r)
{
    lane_problems *all = &g->a.problems;
    const ph_problem *p = r ? principal_problem(r) : NULL;
    if (p != NULL && g->like != NULL && !alike(p, g->like))
        return false;
    g->run[lane] = r;
    g->retrying[lane] = false;
    all->p[lane] = p;
    if (p == NULL) {
        g->a.h[lane] = 0.0; /* the lane stays where it is */
        return true;
    }
    if (g->like == NULL) { /* all lanes have numbers that can be computed with */
        *g = (lane_group){.like = p, .run = {NULL}};
        g->a.torque = torque_for(p, all);
        for (int i = PH_LANES; i-- > 0;)
            (void)ph_lanes_put(g, i, r);
        for (int i = 0; i < PH_LANES; i++) {
            if (i != lane)
                (void)ph_lanes_put(g, i, NULL);
        }
        return true;
    }
    put_problem(all, lane, p);
    g->a.internal = g->a.internal || p->internal != NULL;
    g->a.tolerance[lane] = r->tolerance;
    g->a.t[lane] = r->now.t;
    for (int n = 0; n < PH_UNKNOWNS; n++)
        g->a.y[n][lane] = r->now.y[n];
    return true;
}

/* The step that a run tries next. */
static ph_status choose(lane_group *g, int i, double end)
{
    ph_adaptive_run *r = g->run[i];
    ph_status status = PH_OK;
    if (!g->retrying[i]) {
        g->end[i] = end;
        status = ph_step_begin(r, &g->end[i], &g->longest[i]);
    }
    if (status == PH_OK)
        status = ph_step_choose(r, g->end[i], g->longest[i], &g->then[i]);
    g->a.h[i] = 0.0;
    if (status == PH_OK)
        g->a.h[i] = g->then[i] - r->now.t;
    return status;
}

/* Takes the step that was tried, if it is accepted. */
static bool accept_attempt(lane_group *g, int i)
{
    static const double none[PH_UNKNOWNS];
    ph_adaptive_run *r = g->run[i];
    const double error = g->a.error[i];
    double change[PH_UNKNOWNS];
    const bool torque = g->a.torque != NULL;
    if (torque)
        r->now.evaluations += DOP853_STAGES;
    if (torque && g->a.torque != torque_one_by_one && g->a.problems.p[i]->evaluations)
        *g->a.problems.p[i]->evaluations += DOP853_STAGES;
    g->retrying[i] = !ph_step_judge(r, g->then[i], error / DOP853_ACCEPTED,
                                    step_factor(error, DOP853_ORDER), true);
    if (g->retrying[i])
        return false;
    r->now.memory[0] = 0.0; /* no polynomial yet */
    for (int n = 0; n < PH_UNKNOWNS; n++)
        change[n] = g->a.change[n][i];
    ph_step_commit(r, g->then[i], change, none);
    g->a.t[i] = r->now.t;
    for (int n = 0; n < PH_UNKNOWNS; n++)
        g->a.y[n][i] = r->now.y[n];
    return true;
}

void ph_lanes_try(lane_group *g, double end, bool done[PH_LANES], ph_status status[PH_LANES])
{
    static attempts_kernel *const attempt[ISA_COUNT] = KERNEL_TABLE(dop853);
    for (int i = 0; i < PH_LANES; i++) {
        status[i] = PH_OK;
        if (g->run[i] != NULL)
            status[i] = choose(g, i, end);
        done[i] = status[i] != PH_OK;
    }
    attempt[ph_isa()](&g->a);
    for (int i = 0; i < PH_LANES; i++) {
        if (g->run[i] != NULL && !done[i])
            done[i] = accept_attempt(g, i);
    }
}

/* ---- fixed steps ------------------------------------------------------------------------ */

enum { GROUP = PH_BATCH_GROUP, PARTS = GROUP / PH_LANES };

typedef struct group_arrays {
    const body_group *g;
    torque_each_kernel *torque;
    double q[4][GROUP], m[3][GROUP], J[3][GROUP];
    lane_problems problems[PARTS];
} group_arrays;

bool ph_group_can(const ph_integrator *i, const ph_problem *p)
{
    return i->scheme != NULL && i->scheme->gradient == NULL && i->scheme->parts == NULL &&
           i->flow != NULL && i->method == NULL && i->adaptive == NULL && p->torque != NULL &&
           !p->velocity_dependent && p->internal == NULL && p->body.principal;
}

static ph_status group_drift(void *system, double h)
{
    group_arrays *a = system;
    size_t failed;
    const ph_batch all = {a->g->count,
                          {a->q[0], a->q[1], a->q[2], a->q[3]},
                          {a->m[0], a->m[1], a->m[2]},
                          {a->J[0], a->J[1], a->J[2]}};
    return ph_batch_drift(a->g->i, &all, h, &failed);
}

static ph_status group_kick(void *system, double t, double h, double h3)
{
    group_arrays *a = system;
    (void)h3;
    double sum = 0.0;
    for (size_t from = 0; from < a->g->count; from += PH_LANES) {
        lane_instants at = {.t = {0}};
        lane_problems *problems = &a->problems[from / PH_LANES];
        for (int i = 0; i < PH_LANES; i++)
            at.t[i] = t;
        for (int k = 0; k < 4; k++)
            memcpy(at.q[k], &a->q[k][from], sizeof at.q[k]);
        a->torque(problems, &at);
        for (size_t i = 0; i < PH_LANES && from + i < a->g->count; i++) {
            double *m[3] = {&a->m[0][from + i], &a->m[1][from + i], &a->m[2][from + i]};
            const ph_vec3 then = kicked(vec3(*m[0], *m[1], *m[2]),
                                        vec3(at.torque[0][i], at.torque[1][i], at.torque[2][i]), h);
            *m[0] = then.x;
            *m[1] = then.y;
            *m[2] = then.z;
            sum += 0.0 * then.x + 0.0 * then.y + 0.0 * then.z; /* NaN unless all are finite */
            if (a->torque != torque_one_by_one && problems->p[i]->evaluations != NULL)
                ++*problems->p[i]->evaluations;
        }
    }
    return ok_if(sum == 0.0, PH_NOT_FINITE);
}

bool ph_group_step(body_group *g, double t, double h, double end)
{
    static const splitting parts = {group_drift, group_kick, NULL};
    group_arrays a = {.g = g};
    for (int k = 0; k < PARTS; k++)
        a.torque = torque_for(g->problem[0], &a.problems[k]);
    for (size_t i = 0; i < GROUP; i++) { /* the last one also stands where there is none */
        const size_t of = i < g->count ? i : g->count - 1;
        const ph_state s = g->state[of];
        const double q[4] = {s.q.w, s.q.x, s.q.y, s.q.z}, m[3] = {s.m.x, s.m.y, s.m.z};
        const ph_vec3 J = g->problem[of]->body.J;
        for (int k = 0; k < 4; k++)
            a.q[k][i] = q[k];
        for (int k = 0; k < 3; k++)
            a.m[k][i] = m[k];
        a.J[0][i] = J.x;
        a.J[1][i] = J.y;
        a.J[2][i] = J.z;
        put_problem(&a.problems[i / PH_LANES], (int)(i % PH_LANES), g->problem[of]);
        if (i >= g->count)
            a.problems[i / PH_LANES].p[i % PH_LANES] = NULL;
        if (!alike(g->problem[of], g->problem[0]))
            return false;
    }
    if (ph_splitting_run(g->i, &parts, &a, t, h, end) != PH_OK)
        return false;
    for (size_t i = 0; i < g->count; i++)
        g->state[i] = (ph_state){{a.q[0][i], a.q[1][i], a.q[2][i], a.q[3][i]},
                                 {a.m[0][i], a.m[1][i], a.m[2][i]}};
    return true;
}
