/* spheres_system.c - spheres and a problem on them as a system. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/extremes.h"
#include "base/reserved.h"
#include "base/text.h"
#include "kinds/spheres/spheres_list.h"
#include "kinds/spheres/workspace.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/kind.h"

typedef struct spheres_system {
    ph_spheres *spheres;
    ph_spheres_problem problem;
    ph_vec3 *q, *w;
} spheres_system;

/* After the energy and the invariants of the problem: distances from the spheres. */
enum { MOST_INVARIANTS = 8, DEFECTS = 2 };

static ph_status step_spheres(void *self, double t, double h, double end)
{
    (void)t;
    (void)end;
    spheres_system *s = self;
    return ph_spheres_step(s->spheres, s->q, s->w, h);
}

static ph_status accept(void *self, double t)
{
    (void)t;
    spheres_system *s = self;
    ph_spheres_derive(s->spheres, s->q, s->w);
    return ph_spheres_project(ph_spheres_count(s->spheres), s->q, s->w, NULL);
}

static void observe(void *self, double t, reading *out)
{
    (void)t;
    spheres_system *s = self;
    const int kept = s->problem.invariant_count;
    const ph_spheres_defects defect = ph_spheres_defect(ph_spheres_count(s->spheres), s->q, s->w);
    out[0] = (reading){{ph_spheres_energy(s->spheres, s->q, s->w)}, 0.0};
    for (int k = 0; k < kept; k++)
        out[1 + k] = (reading){{ph_spheres_invariant_value(s->spheres, k, s->q, s->w)}, 0.0};
    out[1 + kept] = (reading){{defect.length}, 0.0};
    out[2 + kept] = (reading){{defect.orthogonality}, 0.0};
}

static void release(void *self)
{
    spheres_system *s = self;
    ph_spheres_destroy(s->spheres);
    free(s->q);
}

#define INVARIANT(key, in_units, words, short_words)                                               \
    (ph_observable)                                                                                \
    {                                                                                              \
        .name = (key), .unit = (in_units), .text = (words), .label = (short_words), .width = 1,    \
        .watched = true, .conserved = true                                                         \
    }

/* The spheres of a problem, in its start. */
static ph_status prepare_method(spheres_system *s, const ph_integrator *i)
{
    const ph_status status = ph_spheres_create(&s->problem, i, &s->spheres);
    if (status != PH_OK)
        return status;
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    s->q = array_create(size_product(2, n), sizeof *s->q);
    if (s->q == NULL)
        return PH_NO_MEMORY;
    s->w = s->q + n;
    ph_spheres_start(s->spheres, s->q, s->w);
    return PH_OK;
}

static ph_status describe_system(ph_system *system)
{
    spheres_system *s = system->self;
    const ph_spheres_problem *p = &s->problem;
    if (p->invariant_count > MOST_INVARIANTS)
        return PH_BAD_PARAMETER;
    const ph_status status = accept(s, 0.0);
    if (status != PH_OK)
        return status;
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    const unsigned use = PH_ARRAY_STATE | PH_ARRAY_SHOWN | PH_ARRAY_LIST;
    const ph_array fields[] = {
        {"q", "1", "Unit vectors", "x,y,z", use | PH_ARRAY_PLACE, 3, n, 3, FIELD(s->q->x)},
        {"w", "rad/t", "Angular velocities", "x,y,z", use, 3, n, 3, FIELD(s->w->x)},
        ph_system_coefficients(system),
    };
    ph_observable observables[1 + MOST_INVARIANTS + DEFECTS] = {
        INVARIANT("energy", "", "Energy", "energy")};
    size_t count = 1;
    for (int k = 0; k < p->invariant_count; k++)
        observables[count++] =
            INVARIANT(p->invariants[k].name, "", "Invariant of the problem", p->invariants[k].name);
    observables[count] = INVARIANT("length", "1", "Largest deviation of |q| from 1", "|q|");
    observables[count].start[0] = 1.0;
    observables[count++].defect = true;
    observables[count] = INVARIANT("orthogonality", "rad/t", "Largest |q.w|", "q.w");
    observables[count++].defect = true;
    system->evaluations = &s->spheres->evaluations;
    return ph_system_describe(system, &(ph_problem_facts){PROBLEM_FACTS(p)}, fields,
                              sizeof fields / sizeof fields[0], observables, count);
}

/* ---- the catalog ------------------------------------------------------------------- */

static const ph_start_array START[] = {
    {"q", NULL, "1", "Unit vectors", "x,y,z", 3, true, "q"},
    {"w", NULL, "rad/t", "Angular velocities", "x,y,z", 3, true, "w"},
};

static ph_problem_facts facts_of(const ph_spheres_problem *p)
{
    return (ph_problem_facts){PROBLEM_FACTS(p), .first_order = p->angular_velocity != NULL,
                              /* docs/which_method.md */
                              .integrator = p->coupled || p->angular_velocity ? "rkmkgl6"
                                                                              : "srkn6_14a+circle"};
}

static bool problem_at(size_t i, ph_problem_facts *out)
{
    size_t count;
    const ph_spheres_problem *const *all = ph_spheres_problems(&count);
    if (i < count)
        *out = facts_of(all[i]);
    return i < count;
}

static bool method_at(size_t i, ph_method_facts *out)
{
    size_t count;
    const ph_method *const *all = ph_spheres_methods(&count);
    if (i < count)
        *out = (ph_method_facts){METHOD_FACTS(all[i])};
    out->keeps_free = out->keeps;
    return i < count;
}

/* ---- from settings ----------------------------------------------------------------- */

static ph_status refuse_integrator(const ph_system_settings *s, const ph_integrator *i,
                                   const ph_spheres_problem *p)
{
    char methods[256] = "", name[PH_INTEGRATOR_NAME], why[200];
    size_t count;
    const ph_method *const *method = ph_spheres_methods(&count);
    for (size_t k = 0; k < count; k++) { /* those that can do the problem */
        if (ph_spheres_applicable(&(ph_integrator){.method = method[k]}, p))
            text_add(methods, sizeof methods, method[k]->name);
    }
    const bool hessian = p->angular_velocity == NULL && i->scheme != NULL && !p->coupled;
    const char *format = "is a method for flows without inertia, but %s has inertia";
    if (p->angular_velocity != NULL)
        format = "needs a problem with inertia, but %s has none";
    else if (hessian)
        format = "needs second derivatives of the potential, but %s has none";
    else if (i->scheme != NULL)
        format = "needs a diagonal mass matrix, but the mass matrix of %s couples the spheres";
    (void)snprintf(why, sizeof why, format, p->name);
    if (hessian)
        return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                                  "`%s` %s: use another scheme", ph_integrator_name(i, name), why);
    return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR, "`%s` %s: use one of %s",
                              ph_integrator_name(i, name), why, methods);
}

static ph_status refuse_problem(const ph_system_settings *s, const ph_spheres_problem *p,
                                ph_status status)
{
    if (status == PH_NO_MEMORY)
        return status;
    if (status == PH_BAD_PARAMETER)
        return ph_settings_refuse(s, status, PH_SETTING_NONE,
                                  "problem %s cannot have this number of spheres: %s", p->name,
                                  text_or(p->counts, "change its parameters"));
    const char *advice = "change its parameters";
    if (status == PH_COINCIDENT)
        advice = "choose another spacing";
    else if (status == PH_BAD_MASS)
        advice = "choose other masses and lengths";
    return ph_settings_refuse(s, status, PH_SETTING_NONE, "problem %s: %s: %s", p->name,
                              ph_status_text(status), advice);
}

/* The vectors of a setting, if there is one. */
static ph_status take_vectors(const ph_system_settings *s, const char *name,
                              const ph_spheres_problem *p, int n, ph_vec3 *out)
{
    size_t count;
    const double *x = ph_settings_values(s, name, &count);
    if (x == NULL)
        return PH_OK;
    count /= 3;
    if (count != (size_t)n)
        return ph_settings_refuse(
            s, PH_BAD_PARAMETER, ph_settings_find(s, name),
            "%s has %zu vector%s, but %s has %d sphere%s: write one vector for each sphere", name,
            count, plural(count), p->name, n, text_if(n != 1, "s"));
    memcpy(out, x, count * sizeof *out);
    return PH_OK;
}

/* What is wrong with one sphere. */
static ph_status refuse_sphere(const ph_system_settings *s, int number, ph_vec3 q, ph_vec3 w)
{
    const int of_q = ph_settings_find(s, "q"), of_w = ph_settings_find(s, "w");
    const double length = norm(q), speed = norm(w);
    if (!(fabs(length - 1.0) <= PH_SPHERES_TOLERANCE))
        return ph_settings_refuse(s, PH_NOT_ON_SPHERE, of_q,
                                  "q: vector %d has length %.10g: make it 1", number, length);
    return ph_settings_refuse(
        s, PH_NOT_ON_SPHERE, of_w, "w: vector %d is not orthogonal to its q, q.w/|w| = %.3g: %s",
        number, dot(q, w) / speed, of_w >= 0 ? "remove its component along q" : "write w, too");
}

/* Brings the start onto the spheres, with a warning where it was off by more than decimal
 * digits lose. */
static ph_status project(const ph_system_settings *s, int n, ph_vec3 *q, ph_vec3 *w)
{
    const double digits = 1e-14;
    ph_spheres_defects worst = {0.0, 0.0}, found;
    for (int i = 0; i < n; i++) {
        if (ph_spheres_project(1, &q[i], &w[i], &found) != PH_OK)
            return refuse_sphere(s, i + 1, q[i], w[i]);
        worst.length = larger_or_nan(worst.length, found.length);
        worst.orthogonality = larger_or_nan(worst.orthogonality, found.orthogonality);
    }
    if (worst.length > digits)
        ph_settings_warn(s, ph_settings_find(s, "q"),
                         "q: a length differs from 1 by %.1e: it was normalised", worst.length);
    if (worst.orthogonality > digits)
        ph_settings_warn(s, ph_settings_find(s, "w"),
                         "w: q.w/|w| is up to %.1e, not 0: the tool removed the component along q",
                         worst.orthogonality);
    return PH_OK;
}

static ph_status take_start(const ph_system_settings *s, spheres_system *to)
{
    const ph_spheres_problem *p = &to->problem;
    const bool first_order = p->angular_velocity != NULL;
    const int n = ph_spheres_count(to->spheres), of_w = ph_settings_find(s, "w");
    if (s->options & OPTION_OF_SNAPSHOT)
        return PH_OK;
    if (first_order && of_w >= 0)
        return ph_settings_refuse(
            s, PH_UNKNOWN_NAME, of_w,
            "w cannot be used with %s, where the velocities follow from q: remove it", p->name);
    ph_status status = take_vectors(s, "q", p, n, to->q);
    if (status == PH_OK)
        status = take_vectors(s, "w", p, n, to->w);
    if (first_order) /* the velocities follow */
        memset(to->w, 0, (size_t)n * sizeof *to->w);
    if (status == PH_OK)
        status = project(s, n, to->q, to->w);
    if (status == PH_OK && !isfinite(ph_spheres_energy(to->spheres, to->q, to->w)))
        return ph_settings_refuse(s, PH_BAD_STATE, PH_SETTING_NONE,
                                  "the initial state is outside the domain of the potential of %s, "
                                  "or its energy overflows: choose another q, w or parameters",
                                  p->name);
    return status;
}

static ph_status create(const ph_system_settings *s, ph_system *system)
{
    spheres_system *to = system->self;
    ph_spheres_problem *p = &to->problem;
    const ph_integrator *i = &system->by;
    const ph_spheres_problem *own = system->own_problem;
    if (own)
        *p = *own;
    else
        *p = *find_spheres_problem(s->problem);
    if (!p->name)
        p->name = "";
    const ph_problem_facts facts = facts_of(p);
    ph_status status = ph_settings_take(s, system->kind, &facts, p->value);
    if (status == PH_OK)
        status = ph_settings_limit(s, system->kind, p->count(p));
    if (status == PH_OK)
        status = ph_settings_integrator(s, system, facts.integrator);
    if (status == PH_OK && !ph_spheres_applicable(i, p))
        status = refuse_integrator(s, i, p);
    if (status != PH_OK)
        return status;
    status = prepare_method(to, i);
    if (status != PH_OK)
        return refuse_problem(s, p, status);
    status = take_start(s, to);
    if (status == PH_OK)
        return describe_system(system);
    return status;
}

/* ---- comparing --------------------------------------------------------------------- */

static const char *reference(const ph_system *s)
{
    const ph_spheres_problem *p = &((const spheres_system *)s->self)->problem;
    if (p->coupled || p->angular_velocity)
        return "rkmkgl6";
    return "s6_10+circle";
}

/* What rounding leaves of a motion that turns this far. */
static double round_off(const ph_system *start, const ph_system *end, double t)
{
    const spheres_system *a = start->self, *b = end->self;
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53;
    const int n = ph_spheres_count(a->spheres);
    double fastest = 0.0;
    for (int i = 0; i < n; i++)
        fastest = larger_or_nan(fastest, larger_or_nan(norm(b->w[i]), norm(a->w[i])));
    return larger_or_nan(floor, per_radian * sqrt(n) * (1.0 + fastest * fabs(t)));
}

static void describe(const ph_system *s, char *text, size_t size)
{
    const ph_spheres_problem *p = &((const spheres_system *)s->self)->problem;
    text[0] = '\0';
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        for (int k = 0; k < a->count; k++) {
            char number[64];
            (void)snprintf(number, sizeof number, k == 0 ? "%s %.5g" : "%.0s%.5g", a->name,
                           p->value[a->first + k]);
            text_add(text, size, number);
        }
    }
}

const ph_kind ph_kind_spheres = {
    .name = "spheres",
    .what = "unit vectors on spheres",
    .entries = {"1 sphere", "spheres"},
    .state_note = ": unit vectors q, angular velocities w",
    .drift = "circle",
    .start = START,
    .start_count = sizeof START / sizeof START[0],
    .problem = problem_at,
    .method = method_at,
    .step_named = ph_spheres_step_named,
    .create = create,
    .size = sizeof(spheres_system),
    .step = step_spheres,
    .accept = accept,
    .observe = observe,
    .free = release,
    .error_names = {"velocity", "direction"},
    .error_text = "|w - w*|/|w*| and |q - q*|",
    .absolute_places = true,
    .reference = reference,
    .round_off = round_off,
    .describe = describe,
};

ph_status ph_system_create_on_spheres(const ph_system_settings *settings,
                                      const ph_spheres_problem *problem, ph_system **out)
{
    if (ANY_NULL(settings, problem, out))
        return PH_NULL_ARGUMENT;
    if (!KNOWN(problem))
        return PH_NEWER_MEMBER;
    ph_system_settings with = *settings;
    with.problem = NULL;
    with.own_problem = NULL;
    return ph_system_create_of_kind(&ph_kind_spheres, &with, problem, out);
}
