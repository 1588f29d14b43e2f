/* adaptive.c - steps to a tolerance: how long they are, what becomes of the state.
 *
 * A step that is tried comes with the error that its method sees, in units of what is
 * allowed, and with the factor by which the next may be longer. One that is to end at a
 * given time takes half of what is left where that is less than two steps. The time after a
 * step is the double t + h, and h is the difference of the two.
 *
 * A torque of time may be nothing at the start, and a short pulse later. So no step is longer
 * than a share of the interval. Before the first one the torque is looked at LOOKS times, at
 * the end of the step and each time half as far; where the body would turn much faster, the
 * step is as short as if it began there. Both need an end: without one the caller gives a
 * longest step. Where it is known when the torque or the wheels change, steps end there: changes.h.
 *
 * The sum of the steps is compensated: what rounding loses of y is carried along (Kahan).
 * The quaternion is brought back to unit length within the same sum; with d = 1 - |q|^2,
 *
 *   1/|q| - 1 = d/( |q| (1 + |q|) ),   |q| = sqrt(1 - d)
 */
#include "integrators/adaptive.h"

#include "base/arguments.h"
#include "base/choice.h"
#include "integrators/changes.h"
#include "integrators/lanes.h"
#include "motion/state.h"

/* ---- the equations --------------------------------------------------------------- */

void ph_torque_lanes(const ph_problem *p, int first, int last, const double *t,
                     const double (*q)[PH_LANES], double (*torque)[PH_LANES])
{
    torque_lanes_kernel *in_lanes = ph_lanes_of(p);
    if (in_lanes != NULL) {
        in_lanes(p, first, last, t, q, torque);
        if (p->evaluations != NULL)
            *p->evaluations += (uint64_t)(last - first);
        return;
    }
    for (int i = first; i < last; i++) {
        const ph_quat at = {q[0][i], q[1][i], q[2][i], q[3][i]};
        const ph_vec3 tau = torque_at(p, t[i], at);
        torque[0][i] = tau.x;
        torque[1][i] = tau.y;
        torque[2][i] = tau.z;
    }
}

/* The unknowns of a state. */
static void set_unknowns(double y[PH_UNKNOWNS], const ph_state *s)
{
    const double all[] = {s->q.w, s->q.x, s->q.y, s->q.z, s->m.x, s->m.y, s->m.z};
    memcpy(y, all, sizeof all);
}

void ph_motion_rate(ph_adaptive_run *r, double t, const double y[PH_UNKNOWNS],
                    double rate[PH_UNKNOWNS])
{
    if (r->method->rate != NULL) {
        r->method->rate(r, t, y, rate);
        return;
    }
    const ph_problem *p = principal_problem(r);
    const ph_quat q = {y[0], y[1], y[2], y[3]};
    const ph_vec3 m = {y[4], y[5], y[6]}, w = velocity_at(p, t, m);
    const ph_vec3 torque = torque_moving(p, t, of_unit_length(q), m, w);
    set_unknowns(rate, &(ph_state){mul(q, quat(0.0, scale(0.5, w))), add(cross(m, w), torque)});
    r->now.evaluations += p->torque != NULL;
}

/* ---- runs ------------------------------------------------------------------------ */

/* The angular velocity, and how soon the torque makes another of it: radians per time; of
 * the present state at the time t. */
static double rate_of_turning(ph_adaptive_run *r, double t)
{
    const ph_problem *p = principal_problem(r);
    const double *y = r->now.y;
    const ph_vec3 w = velocity_at(p, t, vec3(y[4], y[5], y[6]));
    double rate[PH_UNKNOWNS];
    ph_motion_rate(r, t, y, rate);
    const ph_vec3 a = over(vec3(rate[4], rate[5], rate[6]), p->body.J);
    return larger_or_nan(norm_max(w), sqrt(norm_max(a)));
}

ph_status ph_adaptive_prepare(ph_adaptive_run *r, const ph_adaptive *method, const ph_problem *p,
                              const ph_state *start, double t, double tolerance)
{
    if (ANY_NULL(r, method, p))
        return PH_NULL_ARGUMENT;
    const ph_state from = start ? *start : ph_problem_start(p);
    const ph_status status = ph_check(&p->body, &from);
    if (status != PH_OK)
        return status;
    if (!isfinite(t))
        return PH_BAD_TIME;
    if (!(tolerance > 0.0))
        return PH_BAD_TOLERANCE;
    *r = (ph_adaptive_run){.method = method, .problem = p, .tolerance = tolerance};
    (void)ph_problem_principal(p, &r->principal);
    const ph_state s = to_principal(&p->body, (ph_state){ph_quat_unit(from.q), from.m});
    set_unknowns(r->now.y, &s);
    set_unknowns(r->now.start, &s);
    r->now.t = r->now.from = r->now.begun = t;
    const double rate = rate_of_turning(r, t), most = 1e100;
    if (rate == 0.0)
        r->now.scale = 1.0;
    else
        r->now.scale = 1.0 / rate;
    if (r->now.scale > most)
        r->now.scale = most;
    r->now.next = INFINITY;
    if (!isinf(tolerance)) {
        const double part = method->prepare(r);
        r->now.next = r->now.scale * part;
    }
    return PH_OK;
}

/* Whether the same attitude may have another torque at another time. */
static bool may_depend_on_time(const ph_problem *p)
{
    return p->internal != NULL ||
           (p->torque != NULL &&
            (p->potential == NULL || p->nonconservative || p->velocity_dependent));
}

/* The longest step towards a time. */
static double longest_step(ph_adaptive_run *r, double end)
{
    ph_adaptive_numbers *n = &r->now;
    const double divided = positive_or_one(r->divided);
    if (r->longest_step > 0.0)
        return r->longest_step / divided;
    if (isinf(end) || isinf(r->tolerance) || !may_depend_on_time(r->problem))
        return INFINITY;
    n->interval = larger_or_nan(n->interval, fabs(end - n->begun));
    return larger_or_nan(n->interval / (PH_LONGEST_STEPS * divided), SHORTEST_STEP * fabs(n->t));
}

/* Shortens the first step, which would be of that length with its sign, where the torque
 * is much stronger at later times. */
static void look_ahead(ph_adaptive_run *r, double length)
{
    enum { LOOKS = 8 };
    static const double MUCH = 2.0;
    ph_adaptive_numbers *n = &r->now;
    const double slowest = n->next, scale = n->scale;
    for (int i = 0; i < LOOKS; i++) {
        const double faster = rate_of_turning(r, n->t + ldexp(length, -i)) * scale;
        if (faster > MUCH && slowest / faster < n->next)
            n->next = slowest / faster;
    }
}

/* The time before `end` at which a step has to end, because the torque or the wheels change; `end` if
 * there is none within two of the longest steps that can follow. */
static double next_change(const ph_adaptive_run *r, double end, double longest)
{
    const ph_adaptive_numbers *n = &r->now;
    if (n->t == end || r->method->rate != NULL || !ph_changes_any(r->problem))
        return end;
    const double reach = 2.0 * smaller_or_nan(n->next, longest),
                 within = n->t + copysign(reach, end - n->t);
    const bool beyond = !(reach < fabs(end - n->t));
    const double stop = beyond ? end : within, change = ph_change_next(r->problem, n->t, stop);
    return change != stop ? change : end;
}

ph_status ph_step_begin(ph_adaptive_run *r, double *to, double *longest)
{
    ph_adaptive_numbers *n = &r->now;
    double end = *to;
    if (isnan(end) || (isinf(end) && !isfinite(n->next)))
        return PH_BAD_TIME;
    if (!(r->longest_step >= 0.0))
        return PH_BAD_LONGEST_STEP;
    *longest = longest_step(r, end);
    *to = end = next_change(r, end, *longest);
    if (n->t == n->from && isfinite(*longest) && isfinite(end) && n->t != end &&
        may_depend_on_time(r->problem))
        look_ahead(r, step_length(smaller_or_nan(n->next, *longest), end - n->t));
    return PH_OK;
}

ph_status ph_adaptive_step(ph_adaptive_run *r, double end)
{
    if (r == NULL)
        return PH_NULL_ARGUMENT;
    ph_adaptive_numbers *n = &r->now;
    double longest, then;
    ph_status status = ph_step_begin(r, &end, &longest);
    while (status == PH_OK && n->t != end) {
        status = ph_step_choose(r, end, longest, &then);
        if (status != PH_OK)
            break;
        ph_trial_step a;
        memcpy(a.memory, n->memory, sizeof a.memory);
        memset(a.rest, 0, sizeof a.rest);
        r->method->attempt(r, then - n->t, &a);
        if (!ph_step_judge(r, then, a.error, a.factor, a.whole))
            continue;
        memcpy(n->memory, a.memory, sizeof n->memory);
        ph_step_commit(r, then, a.change, a.rest);
        break;
    }
    return status;
}

ph_status ph_adaptive_advance(ph_adaptive_run *r, double end)
{
    if (r == NULL)
        return PH_NULL_ARGUMENT;
    ph_status status = ok_if(isfinite(end), PH_BAD_TIME);
    while (status == PH_OK && r->now.t != end)
        status = ph_adaptive_step(r, end);
    return status;
}

static ph_state state_of(const double y[PH_UNKNOWNS])
{
    return (ph_state){{y[0], y[1], y[2], y[3]}, {y[4], y[5], y[6]}};
}

ph_state ph_adaptive_state(const ph_adaptive_run *r)
{
    return from_principal(&r->problem->body, state_of(r->now.y));
}

ph_status ph_adaptive_at(ph_adaptive_run *r, double t, ph_state *s)
{
    if (ANY_NULL(r, s))
        return PH_NULL_ARGUMENT;
    const ph_adaptive_numbers *n = &r->now;
    const double least = smaller_or_nan(n->from, n->t), most = larger_or_nan(n->from, n->t);
    if (!(t >= least && t <= most))
        return PH_OUTSIDE_STEP;
    ph_state then = state_of(t == n->t ? n->y : n->start);
    if (t != n->t && t != n->from) {
        double y[PH_UNKNOWNS];
        r->method->at(r, t, y);
        then = state_of(y);
        if (!finite4(then.q) || !finite3(then.m))
            return PH_NOT_FINITE;
        then.q = of_unit_length(then.q);
    }
    *s = from_principal(&r->problem->body, then);
    return PH_OK;
}

void ph_adaptive_cut(ph_adaptive_run *r, double t, const ph_state *s)
{
    set_unknowns(r->now.y, s);
    memset(r->now.lost, 0, sizeof r->now.lost);
    r->now.t = t;
}
