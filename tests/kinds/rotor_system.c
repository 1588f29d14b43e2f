/* rotor_system.c - a body on a fixed axis, a kind of system for the tests alone: a pendulum.
 *
 * Angle a about the axis z and momentum p, with the energy p^2/(2 J) - strength cos(a):
 *
 *   drift   a += h p/J          kick   p -= h strength sin(a)
 */
#include <math.h>
#include <stdio.h>

#include "base/elementary.h"
#include "integrators/integrator.h"
#include "motion/vec.h"
#include "system/kind.h"

enum { MOMENT, STRENGTH };
static const ph_parameter PARAMETERS[] = {
    {"moment", MOMENT, 1, "I", "of inertia about the axis", PH_RANGE_POSITIVE},
    {"strength", STRENGTH, 1, "I/t^2", "of the field", PH_RANGE_NOT_NEGATIVE},
};
static const double DEFAULTS[] = {[MOMENT] = 2.0, [STRENGTH] = 3.0};

typedef struct rotor {
    double value[sizeof DEFAULTS / sizeof *DEFAULTS];
    double a, p; /* the state */
    ph_quat q;   /* and as it is shown */
    ph_vec3 m, w;
    ph_system *system;
} rotor;

static ph_status drift(void *self, double h)
{
    rotor *r = self;
    r->a += h * r->p / r->value[MOMENT];
    return PH_OK;
}

static ph_status kick(void *self, double t, double h, double h3)
{
    (void)t;
    (void)h3;
    rotor *r = self;
    r->p -= h * r->value[STRENGTH] * ph_sin(r->a);
    r->system->counted++;
    return PH_OK;
}

static ph_status step(void *self, double t, double h, double end)
{
    static const splitting parts = {drift, kick, NULL};
    rotor *r = self;
    const double a = r->a, p = r->p;
    ph_status status = ph_splitting_run(&r->system->by, &parts, r, t, h, end);
    if (status == PH_OK && !isfinite(r->a + r->p))
        status = PH_NOT_FINITE;
    if (status != PH_OK) {
        r->a = a;
        r->p = p;
    }
    return status;
}

static void show(void *self, double t)
{
    (void)t;
    rotor *r = self;
    r->q = (ph_quat){ph_cos(0.5 * r->a), 0, 0, ph_sin(0.5 * r->a)};
    r->m = vec3(0, 0, r->p);
    r->w = vec3(0, 0, r->p / r->value[MOMENT]);
}

static ph_status accept(void *self, double t)
{
    rotor *r = self;
    const double a = 2.0 * ph_atan2(r->q.z, r->q.w);
    if (!isfinite(a + r->m.z) || r->q.x != 0 || r->q.y != 0 || r->m.x != 0 || r->m.y != 0)
        return PH_BAD_STATE;
    r->a = a;
    r->p = r->m.z;
    show(r, t);
    return PH_OK;
}

static void observe(void *self, double t, reading *out)
{
    (void)t;
    const rotor *r = self;
    out[0] =
        (reading){{0.5 * r->p * r->p / r->value[MOMENT] - r->value[STRENGTH] * ph_cos(r->a)}, 0.0};
}

static const ph_start_array START[] = {
    {"attitude", NULL, "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3", 4, false,
     "attitude"},
    {"momentum", NULL, "I/t", "Angular momentum in the body frame", "m1,m2,m3", 3, false,
     "momentum"},
};

static bool problem_at(size_t i, ph_problem_facts *out)
{
    *out = (ph_problem_facts){.name = "rotor",
                              .title = "Body on a fixed axis",
                              .cite = "for tests",
                              .equations = "a' = p/moment, p' = -strength sin(a).",
                              .parameters = PARAMETERS,
                              .parameter_count = sizeof PARAMETERS / sizeof *PARAMETERS,
                              .value = DEFAULTS,
                              .integrator = "srkn6_14a+exact"};
    return i == 0;
}

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    rotor *r = system->self;
    r->system = system;
    ph_problem_facts facts;
    (void)problem_at(0, &facts);
    for (size_t i = 0; i < sizeof DEFAULTS / sizeof *DEFAULTS; i++)
        r->value[i] = DEFAULTS[i];
    ph_status status = ph_settings_take(s, system->kind, &facts, r->value);
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, facts.integrator);
    if (status != PH_OK)
        return status;
    const ph_scheme *scheme = system->by.scheme;
    if (scheme == NULL || scheme->gradient != NULL)
        return ph_settings_refuse_integrator(s, &system->by, facts.name, NULL);
    const double *q = ph_settings_values(s, "attitude", NULL),
                 *m = ph_settings_values(s, "momentum", NULL);
    r->q = q ? (ph_quat){q[0], q[1], q[2], q[3]} : (ph_quat){0.6, 0, 0, 0.8};
    r->m = m ? vec3(m[0], m[1], m[2]) : vec3(0, 0, 1);
    status = accept(r, 0.0);
    if (status != PH_OK)
        return status;
    const ph_array fields[] = {
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, FIELD(r->q.w)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3", PH_ARRAY_SHOWN, 3, 1,
         1, FIELD(r->m.x)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, FIELD(r->w.x)},
        {"state", "mixed", "Angle and momentum", "a,p", PH_ARRAY_STATE, 2, 1, 1, FIELD(r->a)},
        ph_system_coefficients(system),
    };
    const ph_observable energy = {"energy",
                                  "I/t^2",
                                  "Kinetic and potential energy",
                                  "energy",
                                  1,
                                  .watched = true,
                                  .conserved = true,
                                  .relative = true};
    facts.value = r->value;
    return ph_system_describe(system, &facts, fields, sizeof fields / sizeof fields[0], &energy, 1);
}

static const char *reference(const ph_system *s)
{
    (void)s;
    return "srkn6_14a+exact";
}

static void describe(const ph_system *s, char *text, size_t size)
{
    (void)snprintf(text, size, "moment %.5g", ((const rotor *)s->self)->value[MOMENT]);
}

const ph_kind ph_kind_rotor = {
    .name = "rotor",
    .what = "one body on an axis",
    .entries = {"The body"},
    .state_note = ", momentum and velocity in its frame",
    .drift = "exact",
    .start = START,
    .start_count = sizeof START / sizeof *START,
    .problem = problem_at,
    .create = create,
    .size = sizeof(rotor),
    .step = step,
    .show = show,
    .accept = accept,
    .observe = observe,
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .absolute_places = true,
    .reference = reference,
    .describe = describe,
};
