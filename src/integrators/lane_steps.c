/* lane_steps.c - steps of many runs by dop853, one a lane.
 *
 * The attempts are made in vectors; how long a step is, and what becomes of the state, is decided
 * for each run by the functions of adaptive.c.
 */
#include "integrators/lane_steps.h"

#include "integrators/adaptive.h"
#include "integrators/lanes.h"
#include "polhode/catalog.h"

extern const ph_adaptive ph_adaptive_dop853;

bool ph_lanes_can(const ph_adaptive_run *r)
{
    return r->method == &ph_adaptive_dop853;
}

/* One lane after the other, by the functions of the problems. */
static void torque_one_by_one(const lane_problems *p, lane_instants *at)
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

static bool has_tables(const ph_problem *p)
{
    return p->table_count > 0 && p->data_count > 0;
}

bool ph_lanes_put(lane_group *g, int lane, ph_adaptive_run *r)
{
    lane_problems *all = &g->a.problems;
    const ph_problem *p = r ? principal_problem(r) : NULL;
    if (p != NULL && g->like != NULL &&
        (p->torque != g->like->torque || has_tables(p) != has_tables(g->like)))
        return false;
    g->run[lane] = r;
    g->within[lane] = false;
    all->p[lane] = p;
    if (p == NULL) {
        g->a.h[lane] = 0.0; /* the lane stays where it is */
        return true;
    }
    if (g->like == NULL) { /* all lanes have numbers that can be computed with */
        torque_each_kernel *each = has_tables(p) ? NULL : ph_each_of(p);
        *g = (lane_group){.like = p, .run = {NULL}};
        g->a.torque = p->torque == NULL ? NULL : each ? each : torque_one_by_one;
        for (int i = PH_LANES; i-- > 0;)
            (void)ph_lanes_put(g, i, r);
        for (int i = 0; i < PH_LANES; i++) {
            if (i != lane)
                (void)ph_lanes_put(g, i, NULL);
        }
        return true;
    }
    for (int k = 0; k < PH_PARAMETER_VALUES; k++)
        all->value[k][lane] = p->value[k];
    all->J[0][lane] = p->body.J.x;
    all->J[1][lane] = p->body.J.y;
    all->J[2][lane] = p->body.J.z;
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
    ph_status status = g->within[i] ? PH_OK : ph_step_begin(r, end, &g->longest[i]);
    if (status == PH_OK)
        status = ph_step_choose(r, end, g->longest[i], &g->then[i]);
    g->a.h[i] = status == PH_OK ? g->then[i] - r->now.t : 0.0;
    return status;
}

/* Takes the step that was tried, if it is accepted. */
static bool finish(lane_group *g, int i)
{
    static const double none[PH_UNKNOWNS];
    ph_adaptive_run *r = g->run[i];
    const double error = g->a.error[i];
    double change[PH_UNKNOWNS];
    const bool torque = g->a.torque != NULL;
    r->now.evaluations += torque ? DOP853_STAGES : 0;
    if (torque && g->a.torque != torque_one_by_one && g->a.problems.p[i]->evaluations)
        *g->a.problems.p[i]->evaluations += DOP853_STAGES;
    g->within[i] = !ph_step_judge(r, g->then[i], error / DOP853_ACCEPTED,
                                  step_factor(error, DOP853_ORDER), true);
    if (g->within[i])
        return false;
    r->now.memory[0] = 0.0; /* no polynomial yet */
    for (int n = 0; n < PH_UNKNOWNS; n++)
        change[n] = g->a.change[n][i];
    ph_step_take(r, g->then[i], change, none);
    g->a.t[i] = r->now.t;
    for (int n = 0; n < PH_UNKNOWNS; n++)
        g->a.y[n][i] = r->now.y[n];
    return true;
}

void ph_lanes_try(lane_group *g, double end, bool done[PH_LANES],
                  ph_status status[PH_LANES])
{
    static attempts_kernel *const attempt[ISA_COUNT] = KERNEL_TABLE(dop853);
    for (int i = 0; i < PH_LANES; i++) {
        status[i] = g->run[i] != NULL ? choose(g, i, end) : PH_OK;
        done[i] = status[i] != PH_OK;
    }
    attempt[ph_isa()](&g->a);
    for (int i = 0; i < PH_LANES; i++) {
        if (g->run[i] != NULL && !done[i])
            done[i] = finish(g, i);
    }
}
