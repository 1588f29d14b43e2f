/* orbiter_system.c - a rigid body whose centre of mass moves as a system. State and
 * integrator are in principal axes, attitude and momentum are shown in the frame of the
 * caller. */
#include <math.h>
#include <stdio.h>

#include "integrators/field.h"
#include "motion/state.h"
#include "orbiter/orbiter.h"
#include "system/body_start.h"

typedef struct orbiter_system {
    orbiter o;
    custom_parts own; /* what the integrator is made of that the catalog has not */
    double *data;     /* of the problem */
    ph_state shown;
    ph_vec3 velocity;
} orbiter_system;

enum { ENERGY, ANGULAR_MOMENTUM, OBSERVABLES };

static ph_status step(void *self, double t, double h, double end)
{
    return ph_orbiter_step(&((orbiter_system *)self)->o, t, h, end);
}

static void show(void *self, double t)
{
    (void)t;
    orbiter_system *s = self;
    const ph_body *body = &s->o.problem.body;
    s->shown = from_principal(body, s->o.now.s);
    s->velocity = ph_body_velocity(body, s->shown.m);
}

static bool is_central(const ph_problem *p)
{
    return p->force == ph_orbiter_central.force;
}

/* mass v^2/2 + m . J^-1 m/2 + U */
static double energy(const orbiter *o, double t)
{
    const ph_problem *p = &o->problem;
    const ph_body principal = {.J = p->body.J, .axes = {1, 0, 0, 0}, .principal = true};
    const ph_instant now = ph_orbiter_instant(o, t, &o->now);
    return 0.5 * o->mass * dot(o->now.v, o->now.v) +
           ph_body_energy(&principal, &o->now.s) +
           (p->potential ? p->potential(p, &now) : 0.0);
}

static void restored(void *self)
{
    ((orbiter_system *)self)->o.known = false;
}

static ph_status accept(void *self, double t)
{
    orbiter_system *s = self;
    const ph_body *body = &s->o.problem.body;
    const ph_status status = ph_check(body, &s->shown);
    if (status != PH_OK)
        return status;
    s->o.now.s = to_principal(body, (ph_state){ph_quat_unit(s->shown.q), s->shown.m});
    restored(s);
    show(s, t);
    return isfinite(energy(&s->o, t)) ? PH_OK : PH_BAD_STATE;
}

/* The angular momentum about the origin, of orbit and spin: it counts relative to the sum of
 * their sizes. */
static void observe(void *self, double t, reading *out)
{
    const orbiter *o = &((orbiter_system *)self)->o;
    const ph_vec3 orbit = scale(o->mass, cross(o->now.x, o->now.v)),
                  spin = rotate(o->now.s.q, o->now.s.m), L = add(orbit, spin);
    out[ENERGY] = (reading){{energy(o, t)}, 0.0};
    out[ANGULAR_MOMENTUM] = (reading){{L.x, L.y, L.z}, norm(orbit) + norm(spin)};
}

static ph_vec3 momentum(const void *self, double t, ph_vec3 velocity)
{
    (void)t;
    return ph_body_momentum(&((const orbiter_system *)self)->o.problem.body, velocity);
}

static void release(void *self)
{
    orbiter_system *s = self;
    ph_problem_let_go(&s->o.problem, s->data);
}

/* The system of a problem, an integrator and a start. */
static ph_status finish(ph_system *system)
{
    orbiter_system *s = system->self;
    orbiter *o = &s->o;
    const ph_problem *p = &o->problem;
    const ph_parameter *mass = ph_problem_parameter(p, "mass");
    o->mass = mass ? p->value[mass->first] : 1.0;
    if (p->evaluations == NULL)
        o->problem.evaluations = &o->evaluations;
    const ph_status status = accept(s, 0.0);
    if (status != PH_OK)
        return status;
    const unsigned moving = PH_ARRAY_STATE | PH_ARRAY_SHOWN;
    const ph_array fields[] = {
        {"position", "l", "Position of the centre of mass in space", "x1,x2,x3",
         moving | PH_ARRAY_PLACE, 3, 1, 1, FIELD3(o->now.x)},
        {"centre_velocity", "l/t", "Velocity of the centre of mass in space", "v1,v2,v3",
         moving, 3, 1, 1, FIELD3(o->now.v)},
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, FIELD4(s->shown.q)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3",
         PH_ARRAY_SHOWN, 3, 1, 1, FIELD3(s->shown.m)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, FIELD3(s->velocity)},
        {"state", "mixed", "Attitude and angular momentum in principal axes", "value",
         PH_ARRAY_STATE, 1, sizeof o->now.s / sizeof(double), 1, FIELD1(o->now.s.q.w)},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3,
         1, 1, FIELD3(o->problem.body.J)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4,
         1, 1, FIELD4(o->problem.body.axes)},
        COEFFICIENTS_FIELD(s->own),
        {"data", "mixed", "Numbers of the problem beside its parameters", "value",
         PH_ARRAY_CONSTANT | PH_ARRAY_LIST, 1, p->data_count, 1, FIELD1(*s->data)},
    };
    const ph_observable observables[OBSERVABLES] = {
        [ENERGY] = {"energy", "m l^2/t^2", "Kinetic and potential energy", "energy", 1,
                    .watched = true, .conserved = p->potential && !p->nonconservative,
                    .relative = true},
        [ANGULAR_MOMENTUM] = {"angular_momentum", "m l^2/t",
                              "Angular momentum of orbit and spin in space", "angular m.",
                              3, .watched = true, .conserved = is_central(p),
                              .relative = true},
    };
    system->evaluations = p->evaluations;
    return ph_system_describe(system, &(ph_problem_facts){PROBLEM_FACTS(p)},
                              &o->integrator, fields, sizeof fields / sizeof fields[0],
                              observables, OBSERVABLES);
}

/* ---- from settings ----------------------------------------------------------------- */

static const ph_start_array START[] = {
    {"position", NULL, "l", "Position of the centre of mass in space", "x1,x2,x3", 3,
     false, "position"},
    {"centre_velocity", NULL, "l/t", "Velocity of the centre of mass in space",
     "v1,v2,v3", 3, false, "centre_velocity"},
    BODY_START_FIELDS,
};

static ph_vec3 take(const ph_system_settings *s, const char *name, ph_vec3 other)
{
    const double *x = ph_settings_values(s, name, NULL);
    return x ? vec3(x[0], x[1], x[2]) : other;
}

static ph_status check_place(const ph_system_settings *s, const ph_problem *p,
                             const orbit_state *start)
{
    const ph_parameter *mass = ph_problem_parameter(p, "mass");
    if (mass != NULL && !(p->value[mass->first] > 0.0))
        return ph_settings_refuse(s, PH_BAD_PARAMETER, ph_settings_find(s, "mass"),
                                  "parameter mass is %g, and must be %s: choose "
                                  "another value",
                                  p->value[mass->first],
                                  ph_range_text(PH_RANGE_POSITIVE));
    if (is_central(p) && norm_max(start->x) == 0.0)
        return ph_settings_refuse_value(s, PH_BAD_STATE, ph_settings_find(s, "position"),
                                        "this is the centre of attraction, where the "
                                        "force is infinite: write another place");
    return PH_OK;
}

static ph_status create(const ph_system_settings *settings, ph_system *system)
{
    ph_system_settings with = *settings;
    const ph_system_settings *s = &with;
    orbiter_system *self = system->self;
    orbiter *o = &self->o;
    const ph_problem *p = &o->problem;
    if (with.own_problem == NULL)
        with.own_problem = &ph_orbiter_central;
    ph_status status =
        ph_settings_problem(s, system->kind, &o->problem, &self->shown, &self->data);
    if (status == PH_OK && p->force == NULL)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_PROBLEM,
                                  "the problem has no force: give it one, or take one "
                                  "body whose centre stands still");
    o->now.x = take(s, "position", vec3(1, 0, 0));
    o->now.v = take(s, "centre_velocity", vec3(0, 1.1, 0));
    if (status == PH_OK)
        status = check_place(s, p, &o->now);
    if (status == PH_OK)
        status =
            ph_settings_integrator(s, system->kind, ph_body_problem_facts(p).integrator,
                                   &self->own, &o->integrator);
    if (status == PH_OK && !ph_orbiter_applies(&o->integrator, p))
        status = ph_settings_refuse_integrator(s, &o->integrator, p->name,
                                               p->velocity_dependent ? "mkrk_gl6" : NULL);
    if (status != PH_OK)
        return status;
    status = finish(system);
    return status != PH_BAD_STATE
               ? status
               : ph_settings_refuse(s, status, PH_SETTING_NONE,
                                    "the start is outside the domain of the potential "
                                    "of %s, or its energy overflows: choose another "
                                    "position, or other units",
                                    p->name);
}

static bool problem_at(size_t i, ph_problem_facts *out)
{
    if (i == 0)
        *out = ph_body_problem_facts(&ph_orbiter_central);
    return i == 0;
}

/* ---- comparing --------------------------------------------------------------------- */

static const char *reference(const ph_system *s)
{
    const orbiter_system *self = s->self;
    return self->o.problem.velocity_dependent ? "mkrk_gl6" : "s6_10+exact";
}

static void describe(const ph_system *s, char *text, size_t size)
{
    const orbiter *o = &((const orbiter_system *)s->self)->o;
    const ph_vec3 J = o->problem.body.J, x = o->now.x;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, position %.5g, %.5g, %.5g", J.x,
                   J.y, J.z, x.x, x.y, x.z);
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
    .size = sizeof(orbiter_system),
    .step = step,
    .show = show,
    .accept = accept,
    .restored = restored,
    .observe = observe,
    .free = release,
    .momentum = momentum,
    .error_names = {"velocities", "places"},
    .error_text =
        "|y - y*|/|y*|, y the velocity and the angular momentum, and |z - z*|, z "
        "position and attitude",
    .absolute_places = true,
    .reference = reference,
    .describe = describe,
};
