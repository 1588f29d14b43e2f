/* orbiter_system.c - a rigid body whose centre of mass moves as a system. State and
 * integrator are in principal axes, attitude and momentum are shown in the frame of the
 * caller.
 *
 * HLW  E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, VIII.6
 *
 * A scheme over a flow, with the force F in space and the torque T in the body:
 *
 *   drift   x += h v,          q and m by the free motion over h
 *   kick    v += h F/mass,     m += h T
 *
 * A tableau of Munthe-Kaas, on y = (theta, l, x, v) from (0, m, x, v), where theta is the turn
 * since the beginning of the step, q exp(theta), and l the angular momentum in the frame of
 * that beginning:
 *
 *   theta' = dexp_(-theta)^-1 w,   l' = exp(theta) T,   x' = v,   v' = F/mass
 *
 * the stages of an implicit one by fixed points (HLW VIII.6.1).
 */
#include <math.h>
#include <stdio.h>

#include "integrators/field.h"
#include "integrators/integrator.h"
#include "integrators/tableau.h"
#include "kinds/orbiter/orbiter.h"
#include "motion/state.h"
#include "system/body_start.h"
#include "system/find.h"

/* Attitude and angular momentum in principal axes, the centre in space. */
typedef struct orbit_state {
    ph_state s;
    ph_vec3 x, v;
} orbit_state;

/* Torque and force are kept: where a scheme ends with a kick and begins with one, the two that
 * meet between steps need them once. */
typedef struct orbiter {
    rigid_body r;
    double mass;
    const ph_integrator *i;
    orbit_state now;
    double t;
    ph_vec3 torque, force; /* in principal axes; in space */
    double per_mass;
    thermostat *bath; /* or NULL */
    bool known;       /* at the time t in the state `now` */
} orbiter;

enum { ENERGY, ANGULAR_MOMENTUM, OBSERVABLES };

/* A problem's instant in a state; without velocities unless they matter. */
static ph_instant instant_of(const orbiter *o, double t, const orbit_state *at)
{
    const ph_body *body = &o->r.problem.body;
    const ph_state s = from_principal(body, at->s);
    ph_instant now = instant_at(t, s.q);
    now.x = at->x;
    if (o->r.problem.velocity_dependent) {
        now.m = s.m;
        now.w = ph_body_velocity(body, s.m);
        now.v = at->v;
    }
    return now;
}

/* Torque and force in a state. */
static void act(orbiter *o, double t, const orbit_state *at)
{
    const ph_problem *p = &o->r.problem;
    const ph_instant now = instant_of(o, t, at);
    const ph_state turned = {at->s.q, p->torque ? p->torque(p, &now) : vec3(0, 0, 0)};
    o->torque = to_principal(&p->body, turned).m;
    o->force = p->force(p, &now);
    ++*p->evaluations;
}

/* ---- schemes over flows ------------------------------------------------------------ */

static ph_status drift(void *system, double h)
{
    orbiter *o = system;
    o->known = false;
    o->now.x = add(o->now.x, scale(h, o->now.v));
    return ph_drift(o->i, &o->now.s, o->r.problem.body.J, h);
}

static ph_status kick_both(void *system, double t, double h, double h3)
{
    (void)h3;
    orbiter *o = system;
    if (!(o->known && o->t == t))
        act(o, t, &o->now);
    o->known = true;
    o->t = t;
    o->now.s.m = add(o->now.s.m, scale(h, o->torque));
    o->now.v = add(o->now.v, scale(h / o->mass, o->force));
    if (finite3(o->now.s.m) && finite3(o->now.v))
        return PH_OK;
    return PH_NOT_FINITE;
}

/* The velocity as a momentum, with the inverse of the mass as its weight. */
static bool momenta_of(void *self, int kind, momenta *out)
{
    orbiter *o = self;
    ph_vec3 *y = kind == LINEAR ? &o->now.v : &o->now.s.m;
    const ph_vec3 *J = &o->r.problem.body.J;
    const double *one = &o->per_mass;
    if (kind == LINEAR)
        *out = (momenta){kind, 1, {&y->x, &y->y, &y->z}, {one, one, one}};
    else
        *out = (momenta){kind, 1, {&y->x, &y->y, &y->z}, {&J->x, &J->y, &J->z}};
    return true;
}

static ph_status heat(void *system, char part, int stage, double h)
{
    orbiter *o = system;
    momenta of;
    ph_status status = PH_OK;
    for (int kind = 0; kind < MOMENTA_KINDS && status == PH_OK; kind++) {
        (void)momenta_of(o, kind, &of);
        status = thermostat_act(o->bath, part, stage, &of, h);
    }
    return status;
}

/* ---- tableaus of Munthe-Kaas ------------------------------------------------------- */

enum { TURN, MOMENTUM, POSITION, VELOCITY, PARTS, UNKNOWNS = 3 * PARTS };

static orbit_state state_of(const orbit_state *start, const ph_vec3 *y)
{
    const ph_quat E = ph_rotation_exp(y[TURN]);
    return (orbit_state){
        {mul(start->s.q, E), rotate(inverse(E), y[MOMENTUM])}, y[POSITION], y[VELOCITY]};
}

static ph_status rate(void *system, double t, const double *at, double *slope)
{
    orbiter *o = system;
    const ph_vec3 *y = (const ph_vec3 *)at;
    ph_vec3 *f = (ph_vec3 *)slope;
    const orbit_state then = state_of(&o->now, y);
    act(o, t, &then);
    f[TURN] = ph_dexp_inverse(scale(-1.0, y[TURN]), over(then.s.m, o->r.problem.body.J));
    f[MOMENTUM] = rotate(ph_rotation_exp(y[TURN]), o->torque);
    f[POSITION] = then.v;
    f[VELOCITY] = scale(1.0 / o->mass, o->force);
    return PH_OK;
}

static double change(void *system, double h, const double *at, const double *now,
                     const double *before)
{
    (void)system;
    const ph_vec3 *y = (const ph_vec3 *)at, *f = (const ph_vec3 *)now,
                  *old = (const ph_vec3 *)before;
    double largest = 0.0;
    for (int k = 0; k < PARTS; k++) {
        const double by = fabs(h) * norm_max(sub(f[k], old[k])), moved = fabs(h) * norm_max(f[k]),
                     size = k == TURN ? 1.0 : larger_or_nan(moved, norm_max(y[k]));
        largest = larger_or_nan(largest, by == 0.0 ? 0.0 : by / size);
    }
    return largest;
}

static ph_status tableau_of(orbiter *o, double t, double h)
{
    const ph_vec3 start[PARTS] = {{0, 0, 0}, o->now.s.m, o->now.x, o->now.v};
    ph_vec3 slope[TABLEAU_STAGES][PARTS], at[PARTS], next[PARTS];
    tableau_step step = {
        o->i->method->data, t, h, UNKNOWNS, rate, change, o, &start->x, .at = &at->x,
        .next = &next->x};
    for (int k = 0; k < TABLEAU_STAGES; k++)
        step.slope[k] = &slope[k]->x;
    const ph_status status = ph_tableau_step(&step);
    if (status != PH_OK)
        return status;
    o->now = state_of(&o->now, at);
    o->now.s.q = renormalize(o->now.s.q);
    return PH_OK;
}

/* ---- either ------------------------------------------------------------------------ */

/* A scheme over a flow without derivatives of the force; or any tableau of Munthe-Kaas, also
 * where the velocity matters. */
static bool applies(const ph_integrator *i, const ph_problem *p)
{
    if (i->method != NULL)
        return i->method->step == find_method("mkrk_rk4")->step;
    return i->flow != NULL && i->scheme != NULL && i->scheme->gradient == NULL &&
           !p->velocity_dependent;
}

static ph_status step_orbiter(void *self, double t, double h, double end)
{
    static const splitting parts = {drift, kick_both, heat};
    orbiter *o = self;
    const orbit_state before = o->now;
    ph_status status;
    if (o->i->method != NULL)
        status = tableau_of(o, t, h);
    else
        status = ph_splitting_run(o->i, &parts, o, t, h, end);
    if (status == PH_OK &&
        !(finite4(o->now.s.q) && finite3(o->now.s.m) && finite3(o->now.x) && finite3(o->now.v)))
        status = PH_NOT_FINITE;
    if (status != PH_OK) {
        o->now = before;
        o->known = false;
    }
    return status;
}

/* ---- as a system ------------------------------------------------------------------- */

static void show(void *self, double t)
{
    orbiter *o = self;
    ph_rigid_show(&o->r, t, o->now.s);
}

static bool is_central(const ph_problem *p)
{
    return p->force == ph_orbiter_central.force;
}

/* mass v^2/2 + m . J^-1 m/2 + U */
static double energy(const orbiter *o, double t)
{
    const ph_problem *p = &o->r.problem;
    const ph_body principal = {.J = p->body.J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_instant now = instant_of(o, t, &o->now);
    return 0.5 * o->mass * dot(o->now.v, o->now.v) + ph_body_energy(&principal, &o->now.s) +
           (p->potential ? p->potential(p, &now) : 0.0);
}

static void restored(void *self)
{
    ((orbiter *)self)->known = false;
}

static ph_status accept(void *self, double t)
{
    orbiter *o = self;
    const ph_status status = ph_rigid_accept(&o->r, &o->now.s);
    if (status != PH_OK)
        return status;
    restored(o);
    show(o, t);
    return ok_if(isfinite(energy(o, t)), PH_BAD_STATE);
}

/* The angular momentum about the origin, of orbit and spin: it counts relative to the sum of
 * their sizes. */
static void observe(void *self, double t, reading *out)
{
    const orbiter *o = self;
    const ph_vec3 orbit = scale(o->mass, cross(o->now.x, o->now.v)),
                  spin = rotate(o->now.s.q, o->now.s.m), L = add(orbit, spin);
    out[ENERGY] = (reading){{energy(o, t)}, 0.0};
    out[ANGULAR_MOMENTUM] = (reading){{L.x, L.y, L.z}, norm(orbit) + norm(spin)};
}

/* The system of a problem, an integrator and a start. */
static ph_status describe_system(ph_system *system)
{
    orbiter *o = system->self;
    const ph_problem *p = &o->r.problem;
    const ph_parameter *mass = ph_problem_parameter(p, "mass");
    if (mass)
        o->mass = p->value[mass->first];
    else
        o->mass = 1.0;
    o->per_mass = 1.0 / o->mass;
    o->bath = bath_of(system);
    o->i = &system->by;
    if (p->evaluations == NULL)
        o->r.problem.evaluations = &system->counted;
    system->evaluations = p->evaluations;
    const ph_status status = accept(o, 0.0);
    if (status != PH_OK)
        return status;
    const unsigned moving = PH_ARRAY_STATE | PH_ARRAY_SHOWN;
    const ph_array fields[] = {
        {"position", "l", "Position of the centre of mass in space", "x1,x2,x3",
         moving | PH_ARRAY_PLACE, 3, 1, 1, FIELD(o->now.x.x)},
        {"centre_velocity", "l/t", "Velocity of the centre of mass in space", "v1,v2,v3", moving, 3,
         1, 1, FIELD(o->now.v.x)},
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, FIELD(o->r.shown.q.w)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3", PH_ARRAY_SHOWN, 3, 1,
         1, FIELD(o->r.shown.m.x)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, FIELD(o->r.velocity.x)},
        {"state", "mixed", "Attitude and angular momentum in principal axes", "value",
         PH_ARRAY_STATE, 1, sizeof o->now.s / sizeof(double), 1, FIELD(o->now.s.q.w)},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3, 1, 1,
         FIELD(o->r.problem.body.J.x)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4, 1, 1,
         FIELD(o->r.problem.body.axes.w)},
        ph_system_coefficients(system),
        {"data", "mixed", "Numbers of the problem beside its parameters", "value",
         PH_ARRAY_CONSTANT | PH_ARRAY_LIST, 1, p->data_count, 1, FIELD(*o->r.data)},
    };
    const ph_observable observables[OBSERVABLES] = {
        [ENERGY] = {"energy", "m l^2/t^2", "Kinetic and potential energy", "energy", 1,
                    .watched = true, .conserved = p->potential && !p->nonconservative,
                    .relative = true},
        [ANGULAR_MOMENTUM] = {"angular_momentum", "m l^2/t",
                              "Angular momentum of orbit and spin in space", "angular m.", 3,
                              .watched = true, .conserved = is_central(p), .relative = true},
    };
    return ph_system_describe(system, &(ph_problem_facts){PROBLEM_FACTS(p)}, fields,
                              sizeof fields / sizeof fields[0], observables, OBSERVABLES);
}

/* ---- from settings ----------------------------------------------------------------- */

static const ph_start_array START[] = {
    {"position", NULL, "l", "Position of the centre of mass in space", "x1,x2,x3", 3, false,
     "position"},
    {"centre_velocity", NULL, "l/t", "Velocity of the centre of mass in space", "v1,v2,v3", 3,
     false, "centre_velocity"},
    BODY_START_FIELDS,
};

static ph_vec3 take(const ph_system_settings *s, const char *name, ph_vec3 other)
{
    const double *x = ph_settings_values(s, name, NULL);
    if (x)
        return vec3(x[0], x[1], x[2]);
    return other;
}

static ph_status check_place(const ph_system_settings *s, const ph_problem *p,
                             const orbit_state *start)
{
    const ph_parameter *mass = ph_problem_parameter(p, "mass");
    if (mass != NULL && !(p->value[mass->first] > 0.0))
        return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, "mass"),
                                  "parameter mass is %g, but must be %s: choose another value",
                                  p->value[mass->first], ph_range_text(PH_RANGE_POSITIVE));
    if (is_central(p) && norm_max(start->x) == 0.0)
        return ph_settings_refuse_value(s, PH_BAD_STATE, ph_settings_find(s, "position"),
                                        "this is the centre of attraction, where the force is "
                                        "infinite: choose another position");
    return PH_OK;
}

static ph_status create(const ph_system_settings *settings, ph_system *system)
{
    ph_system_settings with = *settings;
    const ph_system_settings *s = &with;
    orbiter *o = system->self;
    const ph_problem *p = &o->r.problem;
    if (with.own_problem == NULL)
        with.own_problem = &ph_orbiter_central;
    ph_status status = ph_settings_problem(s, system->kind, &o->r.problem, &o->r.shown, &o->r.data);
    if (status == PH_OK && p->force == NULL)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_PROBLEM,
            "the problem has no force: add one, or use a problem whose centre of mass is fixed");
    o->now.x = take(s, "position", vec3(1, 0, 0));
    o->now.v = take(s, "centre_velocity", vec3(0, 1.1, 0));
    if (status == PH_OK)
        status = check_place(s, p, &o->now);
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, ph_body_recommended(p, NULL));
    if (status == PH_OK && !applies(&system->by, p))
        status = ph_settings_refuse_integrator(s, &system->by, p->name,
                                               p->velocity_dependent ? "mkrk_gl6" : NULL);
    if (status != PH_OK)
        return status;
    status = describe_system(system);
    if (status != PH_BAD_STATE)
        return status;
    return ph_settings_refuse(
        s, status, PH_SETTING_NONE,
        "the initial state is outside the domain of the potential of %s, or its "
        "energy overflows: choose another position, or other units",
        p->name);
}

static bool problem_at(size_t i, ph_problem_facts *out)
{
    if (i == 0) {
        *out = ph_body_problem_facts(&ph_orbiter_central);
        out->integrator = ph_body_recommended(&ph_orbiter_central, NULL);
    }
    return i == 0;
}

/* ---- comparing --------------------------------------------------------------------- */

static void describe(const ph_system *s, char *text, size_t size)
{
    const orbiter *o = s->self;
    const ph_vec3 J = o->r.problem.body.J, x = o->now.x;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, position %.5g, %.5g, %.5g", J.x, J.y, J.z,
                   x.x, x.y, x.z);
}

const ph_kind ph_kind_orbiter = {
    .name = "orbiter",
    .what = "one body whose centre moves",
    .entries = {"The body"},
    .state_note = ", momentum and velocity in its frame",
    .own_problems = true,
    .moving_centre = true,
    .drift = "exact",
    .start = START,
    .start_count = sizeof START / sizeof START[0],
    .problem = problem_at,
    .create = create,
    .size = sizeof(orbiter),
    .step = step_orbiter,
    .show = show,
    .accept = accept,
    .restored = restored,
    .observe = observe,
    .momenta = momenta_of,
    .field = ph_rigid_problem,
    .free = ph_rigid_release,
    .momentum = ph_rigid_momentum,
    .error_names = {"velocities", "places"},
    .error_text = "|y - y*|/|y*|, y the velocity and the angular momentum, and |z - z*|, z "
                  "position and attitude",
    .absolute_places = true,
    .reference = ph_rigid_reference,
    .describe = describe,
};
