/* body_system.c - one body in a problem as a system.
 *
 * A free body moved by a flow carries low-order parts along (compensated.c); all others
 * step as the integrator does. State and integrator are in principal axes, the fields that
 * are shown in the frame of the caller.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "integrators/adaptive.h"
#include "integrators/expression/sky.h"
#include "integrators/field.h"
#include "integrators/integrator.h"
#include "integrators/lane_steps.h"
#include "integrators/orbit_view.h"
#include "integrators/tangent.h"
#include "motion/state.h"
#include "system/body_start.h"
#include "system/compensated.h"
#include "system/events.h"
#include "system/find.h"
#include "system/run_body.h"

/* What a control returned first. It must return the same whenever it is asked again. */
typedef struct first_answer {
    bool known;
    ph_instant argument;
    ph_vec3 held;
} first_answer;

typedef struct body_system {
    rigid_body r;
    ph_problem principal; /* the problem in principal axes, if those are others */
    bool compensated;
    ph_vec3 ratios;
    body_in_field field;     /* moves it, unless it is compensated */
    ph_adaptive_run run;     /* or chooses its own steps */
    compensated_state state; /* high alone if it is not */
    ph_quat frame;           /* of the problem */
    ph_vec3 frame_velocity;  /* of the orbital frame, in its own axes */
    double options;
    double samples;       /* of the control, taken so far */
    first_answer first;   /* of the control */
    double derivatives;   /* bits of ph_derivatives; 0: none */
    tangent_run tangents; /* with these */
} body_system;

/* And after these the invariants of the problem. */
enum { ENERGY, LENGTH, SPACE_MOMENTUM, OBSERVABLES };

/* ---- a discrete control --------------------------------------------------------------- */

static bool is_controlled(const body_system *b)
{
    return b->r.problem.control_period != 0.0;
}

/* Asks the control once more with the argument that it had first: at once, and after 1, 2, 4, 8 ...
 * samples. A law that remembers earlier calls answers otherwise. The motion would then depend on how
 * often somebody looks at it, and on other bodies with the same law. */
static bool is_consistent(body_system *b, const ph_instant *now, ph_vec3 held)
{
    first_answer *first = &b->first;
    int exponent;
    if (!first->known)
        *first = (first_answer){true, *now, held};
    else if (frexp(b->samples, &exponent) != 0.5) /* not a power of 2 */
        return true;
    const ph_vec3 again = b->r.problem.control(&b->r.problem, &first->argument);
    return again.x == first->held.x && again.y == first->held.y && again.z == first->held.z;
}

/* Asks the control at the time t, if that is one of its times, for what it holds from then on. The
 * times are those of steps, known to round-off. */
static ph_status sample(body_system *b, double t)
{
    static const double SAME = 1e-9;
    ph_problem *p = &b->r.problem;
    const double periods = t / p->control_period;
    if (!(periods >= b->samples - SAME))
        return PH_OK;
    const ph_state s = from_principal(&p->body, ph_compensated_rounded(&b->state));
    ph_instant now = instant_at(t, s.q);
    now.m = s.m;
    now.w = ph_problem_velocity(p, t, s.m);
    const ph_vec3 held = p->control(p, &now);
    if (!finite3(held))
        return PH_NOT_FINITE;
    if (!is_consistent(b, &now, held))
        return PH_LAW_REMEMBERS;
    p->held = held;
    b->samples = floor(periods + SAME) + 1.0;
    b->field.known = false;
    return PH_OK;
}

/* The same before a fixed step, which may not go beyond the next of these times. */
static ph_status sample_step(body_system *b, double t, double h)
{
    static const double SAME = 1e-9;
    if (h < 0.0)
        return PH_BACKWARD;
    const ph_status status = sample(b, t);
    if (status == PH_OK && (t + h) / b->r.problem.control_period > b->samples + SAME)
        return PH_NOT_WHOLE_STEPS;
    return status;
}

/* ---- steps --------------------------------------------------------------------------- */

static ph_status move(body_system *b, double t, double h, double end)
{
    if (b->compensated)
        return ph_compensated_step(b->field.i, &b->state, b->r.problem.body.J, b->ratios, h);
    b->field.s = b->state.high;
    const ph_status status = ph_body_step(&b->field, t, h, end);
    b->state.high = b->field.s;
    return status;
}

static ph_status step_body(void *self, double t, double h, double end)
{
    body_system *b = self;
    if (is_controlled(b)) {
        const ph_status sampled = sample_step(b, t, h);
        if (sampled != PH_OK)
            return sampled;
    }
    if (b->derivatives == 0.0)
        return move(b, t, h, end);
    const compensated_state before = b->state;
    const ph_state from = ph_compensated_rounded(&before);
    b->tangents.start = b->tangents.now;
    ph_status status = move(b, t, h, end);
    if (status == PH_OK && b->compensated)
        status = ph_tangent_drift(&b->tangents, &from, h);
    if (status != PH_OK) {
        b->state = before;
        b->tangents.now = b->tangents.start;
    }
    return status;
}

static void take_unknowns(body_system *b)
{
    const double *y = b->run.now.y;
    b->state.high = (ph_state){{y[0], y[1], y[2], y[3]}, {y[4], y[5], y[6]}};
}

/* A step, and the tangents along it. */
static ph_status step_with_tangents(body_system *b, double end)
{
    step_points points;
    const double from = b->run.now.t;
    b->run.points = &points;
    const ph_status status = ph_adaptive_step(&b->run, end);
    b->run.points = NULL;
    if (status == PH_OK && b->run.now.t != from) {
        copy_columns(&b->tangents.start, &b->tangents.now, b->tangents.columns);
        ph_tangent_follow(&b->tangents, &b->run, b->run.now.t, &points);
    }
    return status;
}

static ph_status advance(void *self, double *t, double end)
{
    body_system *b = self;
    ph_status status = PH_OK;
    if (is_controlled(b)) {
        if (end < *t)
            status = PH_BACKWARD;
        else
            status = sample(b, *t);
        const double next = b->samples * b->r.problem.control_period;
        if (isfinite(end)) /* the longest step is a part of the whole time */
            b->run.now.interval = larger_or_nan(b->run.now.interval, end - b->run.now.begun);
        end = smaller_or_nan(end, next);
    }
    if (status == PH_OK) {
        if (b->derivatives == 0.0)
            status = ph_adaptive_step(&b->run, end);
        else
            status = step_with_tangents(b, end);
    }
    *t = b->run.now.t;
    take_unknowns(b);
    return status;
}

static ph_adaptive_run *own_run(void *self)
{
    return &((body_system *)self)->run;
}

static ph_adaptive_run *adaptive_run(void *self)
{
    body_system *b = self;
    if (b->derivatives == 0.0 && !is_controlled(b))
        return &b->run;
    return NULL;
}

static ph_state *state(void *self, const ph_problem **problem)
{
    body_system *b = self;
    *problem = &b->r.problem;
    if (b->compensated || b->derivatives != 0.0 || is_controlled(b))
        return NULL;
    return &b->state.high;
}

static void advanced(void *self)
{
    take_unknowns(self);
}

static bool grouped(const void *self)
{
    const body_system *b = self;
    return !b->compensated && b->derivatives == 0.0 && !is_controlled(b) &&
           ph_group_can(b->field.i, b->field.p);
}

static void step_group(void *const *self, size_t count, double t, double h, double end,
                       ph_status *status)
{
    body_group g = {.i = ((body_system *)self[0])->field.i, .count = count};
    for (size_t i = 0; i < count; i++) {
        const body_system *b = self[i];
        g.problem[i] = b->field.p;
        g.state[i] = b->state.high;
    }
    const bool together = ph_group_step(&g, t, h, end);
    for (size_t i = 0; i < count; i++) {
        if (together)
            ((body_system *)self[i])->state.high = g.state[i];
        if (together)
            status[i] = PH_OK;
        else
            status[i] = step_body(self[i], t, h, end);
    }
}

static ph_status within(void *self, double t, bool stay)
{
    body_system *b = self;
    ph_state s;
    const ph_status status = ph_adaptive_at(&b->run, t, &s);
    if (status != PH_OK)
        return status;
    b->state.high = to_principal(&b->r.problem.body, s);
    if (stay)
        ph_adaptive_cut(&b->run, t, &b->state.high);
    if (b->derivatives != 0.0)
        ph_tangent_follow(&b->tangents, &b->run, t, NULL);
    return PH_OK;
}

static void show(void *self, double t)
{
    body_system *b = self;
    ph_rigid_show(&b->r, t, ph_compensated_rounded(&b->state));
    if (b->r.problem.frame != NULL)
        b->frame = b->r.problem.frame(&b->r.problem, t);
    if (ph_sky_on_orbit(&b->r.problem)) {
        /* it turns about the normal of the orbit, against y, at the rate r x v/r^2 */
        const orbit_view o = ph_orbit_view(&b->r.problem, &(ph_instant){.t = t});
        b->frame_velocity =
            vec3(0.0, -norm(cross(o.position, o.velocity)) / dot(o.position, o.position), 0.0);
    }
}

static ph_status accept(void *self, double t)
{
    body_system *b = self;
    const ph_integrator *i = b->field.i;
    ph_state s;
    const ph_status status = ph_rigid_accept(&b->r, &s);
    if (status != PH_OK)
        return status;
    if (b->compensated)
        b->state = ph_compensated_of(s);
    else
        b->state = (compensated_state){.high = s, .m_unit = 1.0};
    ph_status prepared = PH_OK;
    ph_tangent_reset(&b->tangents);
    if (i->adaptive != NULL) {
        const ph_adaptive_numbers before = b->run.now;
        prepared =
            ph_adaptive_prepare(&b->run, i->adaptive, &b->r.problem, &b->r.shown, t, i->tolerance);
        b->run.longest_step = i->longest_step;
        b->run.now.steps = before.steps;
        b->run.now.rejected = before.rejected;
        b->run.now.evaluations += before.evaluations;
        if (prepared == PH_OK)
            take_unknowns(b);
    }
    show(b, t);
    return prepared;
}

/* |v| of any size. */
static double length(ph_vec3 v)
{
    const double unit = binary_unit(v);
    return unit * norm(scale(1.0 / unit, v));
}

static bool derivative(const void *self, double t, size_t column, ph_system_column *out)
{
    const body_system *b = self;
    const tangent_run *g = &b->tangents;
    if (column >= (size_t)g->columns)
        return false;
    const ph_state s = ph_compensated_rounded(&b->state);
    *out = (ph_system_column){.attitude = tangent_theta(&g->now, (int)column),
                              .momentum = tangent_m(&g->now, (int)column),
                              .velocity = ph_tangent_velocity(g, t, &s, (int)column)};
    ph_tangent_name(g, (int)column, out->name, sizeof out->name);
    return true;
}

static void observe(void *self, double t, reading *out)
{
    body_system *b = self;
    show(b, t);
    const ph_problem *p = &b->r.problem;
    const ph_state *s = &b->r.shown;
    const ph_vec3 M = ph_state_space_momentum(s);
    out[ENERGY] = (reading){{ph_problem_energy(p, t, s)}, 0.0};
    out[LENGTH] = (reading){{length(s->m)}, 0.0};
    out[SPACE_MOMENTUM] = (reading){{M.x, M.y, M.z}, 0.0};
    if (p->invariant_count == 0)
        return;
    ph_instant now = instant_at(t, s->q);
    now.m = s->m;
    now.w = b->r.velocity;
    for (int k = 0; k < p->invariant_count; k++)
        out[OBSERVABLES + k] = (reading){{p->invariants[k].value(p, &now)}, 0.0};
}

/* J^-1 of what changes the momentum without the internal one, whose derivative is a difference. */
static ph_vec3 acceleration(const ph_problem *p, double t, ph_vec3 change)
{
    static const double DISTANCE = 0x1p-20;
    if (p->internal == NULL)
        return ph_body_velocity(&p->body, change);
    const double d = DISTANCE * (1.0 + fabs(t));
    return ph_body_velocity(&p->body, sub(change, difference_quotient(d, p->internal(p, t + d),
                                                                      p->internal(p, t - d))));
}

/* The largest rates of a free motion. In principal axes, with W_k = min(|m|/J_k, sqrt(2 T/J_k)) and
 * c_k = |J_i - J_j|/J_k,
 *
 *   |w_k| <= W_k,   |w_k'| <= A_k = c_k W_i W_j,   |w_k''| <= c_k (A_i W_j + W_i A_j)
 *
 * and J_k times these for m. */
static void bound_rates(const body_system *b, motion_rates *out)
{
    const ph_body *body = &b->r.problem.body;
    const ph_vec3 m = to_principal(body, b->r.shown).m, v = body->J;
    const double J[3] = {v.x, v.y, v.z}, size = length(m), energy = dot(m, over(m, v)); /* twice */
    double W[3], A[3], most[4][3];
    for (int k = 0; k < 3; k++)
        W[k] = smaller_or_nan(size / J[k], sqrt(energy / J[k]));
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        A[k] = fabs(J[i] - J[j]) / J[k] * W[i] * W[j];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        most[1][k] = A[k];
        most[3][k] = fabs(J[i] - J[j]) / J[k] * (A[i] * W[j] + W[i] * A[j]);
        most[0][k] = J[k] * most[1][k];
        most[2][k] = J[k] * most[3][k];
    }
    const ph_mat3 axes = ph_quat_matrix(body->axes);
    for (int part = 0; part < 4; part++) {
        for (int k = 0; k < 3; k++) {
            double *sum = &out->most[3 * part + k];
            *sum = 0.0;
            for (int i = 0; i < 3; i++) {
                if (body->principal)
                    *sum += (i == k) * most[part][i];
                else
                    *sum += fabs(axes.a[k][i]) * most[part][i];
            }
        }
    }
    const double least = smaller_or_nan(J[0], smaller_or_nan(J[1], J[2]));
    out->most_speed = smaller_or_nan(size / least, sqrt(energy / least));
}

static void rates(void *self, double t, motion_rates *out)
{
    const body_system *b = self;
    const ph_problem *p = &b->r.problem;
    const ph_vec3 m = b->r.shown.m, w = b->r.velocity,
                  change = add(cross(m, w), torque_moving(p, t, b->r.shown.q, m, w)),
                  turned = acceleration(p, t, change);
    ph_instant now = instant_at(t, b->r.shown.q);
    now.m = m;
    now.w = w;
    memcpy(out->numbers, &now, sizeof now);
    memcpy(out->numbers + VARIABLE_RATE,
           (const double[]){change.x, change.y, change.z, turned.x, turned.y, turned.z},
           6 * sizeof(double));
    out->speed = length(w);
    out->is_free = p->torque == NULL && p->internal == NULL;
    if (out->is_free)
        bound_rates(b, out);
}

static bool momenta_of(void *self, int kind, momenta *out)
{
    body_system *b = self;
    ph_vec3 *m = &b->state.high.m;
    const ph_vec3 *J = &b->r.problem.body.J;
    *out = (momenta){kind, 1, {&m->x, &m->y, &m->z}, {&J->x, &J->y, &J->z}};
    return kind == ANGULAR;
}

/* Tangents now, or where the last step began. */
#define TANGENT_FIELDS(tangent, when, columns)                                                     \
    {"attitude_derivative" when,                                                                   \
     "mixed",                                                                                      \
     "Small rotation of the attitude by each column",                                              \
     "theta1,theta2,theta3",                                                                       \
     PH_ARRAY_STATE | PH_ARRAY_LIST,                                                               \
     3,                                                                                            \
     columns,                                                                                      \
     1,                                                                                            \
     {(tangent).x[0], (tangent).x[1], (tangent).x[2]}},                                            \
    {                                                                                              \
        "momentum_derivative" when, "mixed", "Change of the momentum by each column", "m1,m2,m3",  \
            PH_ARRAY_STATE | PH_ARRAY_LIST, 3, columns, 1,                                         \
        {                                                                                          \
            (tangent).x[3], (tangent).x[4], (tangent).x[5]                                         \
        }                                                                                          \
    }

/* The system of a problem, integrator, options and a start, which is shown. */
static ph_status describe_system(ph_system *system)
{
    body_system *b = system->self;
    const ph_problem *p = &b->r.problem;
    ph_integrator *i = &system->by;
    if (ph_integrator_applies(i, p) != PH_OK || p->force != NULL)
        return PH_NOT_APPLICABLE;
    if (i->adaptive != NULL && !(i->longest_step >= 0.0))
        return PH_BAD_LONGEST_STEP;
    if (p->invariant_count > PH_INVARIANTS || !(p->control_period >= 0.0))
        return PH_BAD_PARAMETER;
    if (is_controlled(b) && p->control == NULL)
        return PH_NULL_ARGUMENT;
    const bool is_free = p->torque == NULL && p->internal == NULL,
               conservative = p->torque == NULL || (p->potential != NULL && !p->nonconservative &&
                                                    !p->velocity_dependent);
    b->compensated = is_free && i->scheme == NULL && i->method == NULL && i->adaptive == NULL &&
                     !((unsigned)b->options & PH_SYSTEM_UNCOMPENSATED);
    b->ratios = scale(1.0 / binary_unit(p->body.J), p->body.J);
    if (p->evaluations == NULL)
        b->r.problem.evaluations = &system->counted;
    system->evaluations = p->evaluations;
    b->field.i = i;
    b->field.p = ph_problem_principal(p, &b->principal);
    b->field.tangents = b->derivatives != 0.0 ? &b->tangents : NULL;
    b->field.bath = bath_of(system);
    ph_tangent_begin(&b->tangents, p, (unsigned)b->derivatives);
    const size_t columns = (size_t)b->tangents.columns;
    const ph_status status = accept(b, 0.0);
    if (status != PH_OK)
        return status;
    const ph_array fields[] = {
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, FIELD(b->r.shown.q.w)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3", PH_ARRAY_SHOWN, 3, 1,
         1, FIELD(b->r.shown.m.x)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, FIELD(b->r.velocity.x)},
        {"state", "mixed", "Attitude and momentum in principal axes with their low-order parts",
         "value", PH_ARRAY_STATE, 1, sizeof b->state / sizeof(double), 1, FIELD(b->state.high.q.w)},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3, 1, 1,
         FIELD(b->r.problem.body.J.x)},
        {"options", "1", "Options of the system", "options", PH_ARRAY_CONSTANT, 1, 1, 1,
         FIELD(b->options)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4, 1, 1,
         FIELD(b->r.problem.body.axes.w)},
        ph_system_coefficients(system),
        {"tolerance", "1", "Error allowed per turn", "tolerance", PH_ARRAY_CONSTANT, 1,
         i->adaptive != NULL, 1, FIELD(i->tolerance)},
        {"longest_step", "t", "Longest step", "longest_step", PH_ARRAY_CONSTANT, 1,
         i->adaptive != NULL && i->longest_step != 0.0, 1, FIELD(i->longest_step)},
        {"step_control", "mixed", "What the choice of the next step depends on", "value",
         PH_ARRAY_STATE, 1, i->adaptive ? sizeof b->run.now / sizeof(double) : 0, 1,
         FIELD(b->run.now.t)},
        {"derivatives", "1", "What the motion is differentiated by", "bits", PH_ARRAY_CONSTANT, 1,
         b->derivatives != 0.0, 1, FIELD(b->derivatives)},
        TANGENT_FIELDS(b->tangents.now, "", columns),
        TANGENT_FIELDS(b->tangents.start, "_start", columns),
        {"data", "mixed", "Numbers of the problem beside its parameters", "value",
         PH_ARRAY_CONSTANT | PH_ARRAY_LIST, 1, p->data_count, 1, FIELD(*b->r.data)},
        {p->frame_name, "1", "A frame that moves, to space, scalar first", "f0,f1,f2,f3",
         PH_ARRAY_DERIVED, 4, p->frame != NULL, 1, FIELD(b->frame.w)},
        {"orbit_velocity", "rad/t", "Angular velocity of the orbital frame, in its own axes",
         "o1,o2,o3", PH_ARRAY_DERIVED, 3, ph_sky_on_orbit(p), 1, FIELD(b->frame_velocity.x)},
        {"control", "mixed", "What the control holds", "c1,c2,c3", PH_ARRAY_STATE, 3,
         is_controlled(b), 1, FIELD(b->r.problem.held.x)},
        {"control_samples", "1", "How often the control was asked", "samples", PH_ARRAY_STATE, 1,
         is_controlled(b), 1, FIELD(b->samples)},
    };
    ph_observable observables[OBSERVABLES + PH_INVARIANTS] = {
        [ENERGY] = {"energy", "I/t^2", "Kinetic and potential energy", "energy", 1, .watched = true,
                    .conserved = conservative, .relative = true},
        [LENGTH] = {"momentum", "I/t", "Length of the angular momentum", "|momentum|", 1,
                    .watched = true, .conserved = p->torque == NULL, .relative = true},
        [SPACE_MOMENTUM] = {"space_momentum", "I/t", "Angular momentum in space", "space momentum",
                            3, .watched = true, .conserved = p->torque == NULL, .relative = true},
    };
    size_t count = OBSERVABLES;
    for (int k = 0; k < p->invariant_count; k++) {
        const ph_invariant *v = &p->invariants[k];
        observables[count++] =
            (ph_observable){v->name, v->unit,         v->text,           v->name,
                            1,       .watched = true, .conserved = true, .relative = true};
    }
    system->adaptive = i->adaptive ? &b->run.now : NULL;
    return ph_system_describe(system, &(ph_problem_facts){PROBLEM_FACTS(p)}, fields,
                              sizeof fields / sizeof fields[0], observables, count);
}

extern const ph_kind ph_kind_body;

ph_status ph_system_from_problem(const ph_problem *p, const ph_integrator *i, const ph_state *start,
                                 double h, unsigned options, ph_system **out)
{
    if (ANY_NULL(out, p, i))
        return PH_NULL_ARGUMENT;
    if (i->scheme != NULL && i->scheme->parts != NULL)
        return PH_NOT_APPLICABLE; /* without a temperature */
    ph_system *s = ph_system_begin(&ph_kind_body, h);
    if (s == NULL)
        return PH_NO_MEMORY;
    body_system *b = s->self;
    b->r.problem = *p;
    if (start)
        b->r.shown = *start;
    else
        b->r.shown = ph_problem_start(p);
    b->options = options & PH_SYSTEM_UNCOMPENSATED;
    b->derivatives = options & OPTION_VECTOR ? TANGENT_VECTOR : 0;
    ph_status status = ph_custom_copy(&s->own, i, &s->by);
    if (status == PH_OK)
        status = ph_problem_own(&b->r.problem, &b->r.data);
    if (status == PH_OK)
        status = describe_system(s);
    return ph_system_complete(s, status, out);
}

ph_status ph_run_body(const ph_integrator *i, const ph_problem *p, ph_state *s, double h,
                      uint64_t steps, unsigned options, const ph_observer *o, uint64_t *taken)
{
    ph_system *system;
    if (taken != NULL)
        *taken = 0;
    ph_status status = ph_system_from_problem(p, i, s, h, options, &system);
    if (status != PH_OK)
        return status;
    status = ph_system_run(system, steps, o);
    if (ph_system_steps(system) > 0)
        *s = ph_system_state(system);
    if (taken != NULL)
        *taken = ph_system_steps(system);
    ph_system_destroy(system);
    return status;
}

/* Flows of the catalog alone: what one of the caller's own says of itself may be wrong. */
bool ph_tangent_known(const ph_integrator *i)
{
    const ph_flow *known;
    return i->adaptive != NULL ||
           (i->method == NULL && i->flow != NULL && i->composition == NULL &&
            (i->scheme == NULL || i->scheme->parts == NULL) && i->flow->order == PH_ORDER_EXACT &&
            ph_flow_named(i->flow->name, &known) == PH_OK && known->step == i->flow->step);
}

/* A control goes forward, by steps of which a period has a whole number, without derivatives. */
static ph_status check_control(const ph_system_settings *s, const ph_system *system)
{
    static const double SAME = 1e-9;
    const body_system *b = system->self;
    const double period = b->r.problem.control_period, steps = period / s->step;
    if (b->r.problem.control == NULL)
        return ph_settings_refuse(s, PH_NULL_ARGUMENT, PH_SETTING_PROBLEM,
                                  "the control has a period but no function: give one");
    if (b->derivatives != 0.0)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_PROBLEM,
            "derivatives cannot be computed for a motion with a control: remove one");
    if (s->step < 0.0)
        return ph_settings_refuse(
            s, PH_BACKWARD, PH_SETTING_STEP,
            "step %g goes back in time, but a control can only go forward: write a positive step",
            s->step);
    if (system->by.adaptive == NULL && s->step != 0.0 &&
        !(steps >= 1.0 - SAME && fabs(steps - rint(steps)) <= SAME * steps))
        return ph_settings_refuse(s, PH_NOT_WHOLE_STEPS, PH_SETTING_STEP,
                                  "step %g does not divide the period %g of the control: use "
                                  "another step, or gbs with a tolerance",
                                  s->step, period);
    return PH_OK;
}

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    body_system *b = system->self;
    const ph_problem *p = &b->r.problem;
    const double *options = ph_settings_field(s, FIELD_MARK "options", 1);
    if (options)
        b->options = *options == PH_SYSTEM_UNCOMPENSATED;
    else
        b->options = s->options & PH_SYSTEM_UNCOMPENSATED;
    const double *derivatives = ph_settings_field(s, FIELD_MARK "derivatives", 1);
    const unsigned all = PH_DERIVATIVES_START | PH_DERIVATIVES_INERTIA | PH_DERIVATIVES_PARAMETERS;
    b->derivatives = derivatives ? *derivatives : s->derivatives;
    if (!(b->derivatives >= 0.0 && b->derivatives <= all &&
          b->derivatives == floor(b->derivatives)))
        return derivatives ? PH_OTHER_SNAPSHOT : PH_BAD_PARAMETER;
    ph_status status = ph_settings_problem(s, system->kind, &b->r.problem, &b->r.shown, &b->r.data);
    const bool named = s->integrator != NULL || s->own_integrator != NULL;
    if (status == PH_OK)
        status =
            ph_settings_integrator(s, system, ph_body_recommended(p, named ? NULL : &b->r.shown));
    if (status == PH_OK && ph_integrator_applies(&system->by, p) != PH_OK)
        status = ph_settings_refuse_integrator(
            s, &system->by, p->name, p->internal || p->velocity_dependent ? "gbs, mkrk_rk4" : NULL);
    if (status == PH_OK && b->derivatives != 0.0 && !ph_tangent_known(&system->by))
        status = ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                    "derivatives cannot be computed with `%s`: use a scheme over "
                                    "exact, such as srkn6_14a+exact, or gbs, gauss16, dop853",
                                    ph_integrator_name(&system->by, (char[PH_INTEGRATOR_NAME]){0}));
    if (status == PH_OK && is_controlled(b))
        status = check_control(s, system);
    if (status == PH_OK)
        return describe_system(system);
    return status;
}

/* ---- the catalog ------------------------------------------------------------------- */

static const ph_start_array START[] = {BODY_START_FIELDS};

static bool problem_at(size_t i, ph_problem_facts *out)
{
    size_t count;
    const ph_problem *const *all = ph_problems(&count);
    if (i < count)
        *out = ph_body_problem_facts(all[i]);
    return i < count;
}

static const char *recommended(size_t i)
{
    size_t count;
    const ph_problem *p = ph_problems(&count)[i];
    const ph_state start = ph_problem_start(p);
    return ph_body_recommended(p, &start);
}

static bool method_at(size_t i, ph_method_facts *out)
{
    size_t fixed, adaptive;
    const ph_method *const *one = ph_methods(&fixed);
    const ph_adaptive *const *other = ph_adaptives(&adaptive);
    if (i < fixed)
        *out = (ph_method_facts){METHOD_FACTS(one[i])};
    else if (i < fixed + adaptive)
        *out = (ph_method_facts){METHOD_FACTS(other[i - fixed]), .adaptive = true};
    return i < fixed + adaptive;
}

/* ---- comparing --------------------------------------------------------------------- */

/* Of a free body, and of some problems, from the state at the time 0. */
static bool exact(ph_system *s, double t)
{
    body_system *b = s->self;
    const ph_problem *p = &b->r.problem;
    ph_motion motion;
    ph_state end;
    if (p->exact != NULL) {
        if (p->exact(p, &b->r.shown, t, &end) != PH_OK)
            return false;
    } else if (p->torque != NULL || p->internal != NULL ||
               ph_motion_prepare(&motion, &p->body, &b->r.shown) != PH_OK) {
        return false;
    } else {
        end = ph_motion_at(&motion, t);
    }
    b->r.shown = end;
    const bool accepted = accept(b, 0.0) == PH_OK;
    b->r.shown.q = end.q; /* not normalised again */
    return accepted;
}

/* What rounding leaves of a motion that turns this far. */
static double round_off(const ph_system *start, const ph_system *end, double t)
{
    (void)end;
    const body_system *b = start->self;
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53; /* of run and reference */
    return larger_or_nan(floor, per_radian * (1.0 + norm(b->r.velocity) * fabs(t)));
}

static void describe(const ph_system *s, char *text, size_t size)
{
    const body_system *b = s->self;
    const ph_vec3 J = b->r.problem.body.J, m = b->r.shown.m;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, momentum %.5g, %.5g, %.5g", J.x, J.y, J.z,
                   m.x, m.y, m.z);
}

static bool spend(const ph_system *s, bool torques, double h, int calls)
{
    const body_system *b = s->self;
    const ph_integrator *i = &s->by, drift = {i->flow, .composition = i->composition};
    ph_problem p = b->r.problem;
    ph_state now = b->r.shown;
    if (i->scheme == NULL || p.torque == NULL)
        return false;
    p.evaluations = NULL;
    if (!torques)
        p.torque = NULL;
    for (int k = 0; k < calls && !torques; k++)
        (void)ph_integrator_step(&drift, &p, &now, 0.0, h);
    for (int k = 0; k < calls && torques; k++) { /* each waits for the last one */
        const ph_instant here = instant_at(0.0, now.q);
        now.q.w += 0.0 * p.torque(&p, &here).x;
    }
    return true;
}

const ph_kind ph_kind_body = {
    .name = "body",
    .what = "one body",
    .entries = {"The body"},
    .state_note = ", momentum and velocity in its frame",
    .own_problems = true,
    .drift = "exact",
    .start = START,
    .start_count = sizeof START / sizeof START[0],
    .problem = problem_at,
    .recommended = recommended,
    .method = method_at,
    .create = create,
    .size = sizeof(body_system),
    .step = step_body,
    .advance = advance,
    .within = within,
    .adaptive_run = adaptive_run,
    .own_run = own_run,
    .advanced = advanced,
    .grouped = grouped,
    .state = state,
    .step_group = step_group,
    .show = show,
    .accept = accept,
    .observe = observe,
    .rates = rates,
    .momenta = momenta_of,
    .field = ph_rigid_problem,
    .free = ph_rigid_release,
    .momentum = ph_rigid_momentum,
    .derivative = derivative,
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .absolute_places = true,
    .reference = ph_rigid_reference,
    .exact = exact,
    .round_off = round_off,
    .describe = describe,
    .spend = spend,
};
