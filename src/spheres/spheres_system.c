/* spheres_system.c - spheres and a problem on them as a system. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "base/nearest.h"
#include "base/text.h"
#include "rotation/vec.h"
#include "spheres/list.h"
#include "spheres/workspace.h"
#include "system/find.h"
#include "system/kind.h"

typedef struct spheres_system {
    ph_spheres *spheres;
    ph_spheres_problem problem;
    ph_vec3 *q, *w;
    custom_parts own; /* what the integrator is made of that the catalog has not */
} spheres_system;

/* After the energy and the invariants of the problem: distances from the spheres. */
enum { MOST_INVARIANTS = 8, DEFECTS = 2 };

static ph_status step(void *self, double t, double h, double end)
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
    const ph_spheres_defects defect =
        ph_spheres_defect(ph_spheres_count(s->spheres), s->q, s->w);
    out[0] = (reading){{ph_spheres_energy(s->spheres, s->q, s->w)}, 0.0};
    for (int k = 0; k < kept; k++)
        out[1 + k] =
            (reading){{ph_spheres_invariant_value(s->spheres, k, s->q, s->w)}, 0.0};
    out[1 + kept] = (reading){{defect.length}, 0.0};
    out[2 + kept] = (reading){{defect.orthogonality}, 0.0};
}

static void release(void *self)
{
    spheres_system *s = self;
    ph_spheres_free(s->spheres);
    free(s->q);
    free(s);
}

extern const ph_kind ph_kind_spheres;

#define INVARIANT(key, in_units, words, short_words)                                     \
    (ph_observable)                                                                      \
    {                                                                                    \
        .name = (key), .unit = (in_units), .text = (words), .label = (short_words),      \
        .width = 1, .watched = true, .conserved = true                                   \
    }

/* The system with its start; what it has so far is freed by the caller on failure. */
static ph_status prepare(spheres_system *s, const ph_spheres_problem *p,
                         const ph_spheres_integrator *i, const ph_vec3 *q,
                         const ph_vec3 *w)
{
    ph_spheres_integrator copy = *i;
    s->problem = *p;
    ph_status status = ph_custom_copy_scheme(&s->own, &copy.scheme);
    if (status == PH_OK)
        status = ph_custom_copy_composition(&s->own, CUSTOM_WHOLE, &copy.whole);
    if (status == PH_OK)
        status = ph_spheres_create(&s->spheres, p, &copy);
    if (status != PH_OK)
        return status;
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    s->q = calloc(2 * n, sizeof *s->q);
    if (s->q == NULL)
        return PH_NO_MEMORY;
    s->w = s->q + n;
    ph_spheres_start(s->spheres, s->q, s->w);
    if (q != NULL)
        memcpy(s->q, q, n * sizeof *q);
    if (w != NULL && p->angular_velocity == NULL)
        memcpy(s->w, w, n * sizeof *w);
    return accept(s, 0.0);
}

ph_status ph_system_of_spheres(ph_system **out, const ph_spheres_problem *p,
                               const ph_spheres_integrator *i, const ph_vec3 *q,
                               const ph_vec3 *w, double h)
{
    if (ANY_NULL(out, p, i))
        return PH_NULL_ARGUMENT;
    if (p->invariant_count > MOST_INVARIANTS)
        return PH_BAD_PARAMETER;
    spheres_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return PH_NO_MEMORY;
    const ph_status status = prepare(s, p, i, q, w);
    if (status != PH_OK) {
        release(s);
        return status;
    }
    const size_t n = (size_t)ph_spheres_count(s->spheres);
    const unsigned use = PH_FIELD_STATE | PH_FIELD_SHOWN | PH_FIELD_LIST;
    const ph_field fields[] = {
        {"q", "1", "Unit vectors", "x,y,z", use | PH_FIELD_PLACE, 3, n, 3, FIELD3(*s->q)},
        {"w", "rad/t", "Angular velocities", "x,y,z", use, 3, n, 3, FIELD3(*s->w)},
        COEFFICIENTS_FIELD(s->own),
    };
    ph_observable observables[1 + MOST_INVARIANTS + DEFECTS] = {
        INVARIANT("energy", "", "Energy", "energy")};
    size_t count = 1;
    for (int k = 0; k < p->invariant_count; k++)
        observables[count++] = INVARIANT(
            p->invariants[k].name, "", "Invariant of the problem", p->invariants[k].name);
    observables[count] =
        INVARIANT("length", "1", "Largest deviation of |q| from 1", "|q|");
    observables[count].start[0] = 1.0;
    observables[count++].defect = true;
    observables[count] = INVARIANT("orthogonality", "rad/t", "Largest |q.w|", "q.w");
    observables[count++].defect = true;
    char name[PH_INTEGRATOR_NAME];
    return ph_system_make(
        out, &(system_parts){.kind = &ph_kind_spheres,
                             .self = s,
                             .h = h,
                             .problem = p->name ? p->name : "",
                             .integrator = ph_spheres_integrator_name(i, name),
                             .order = ph_spheres_integrator_order(i),
                             .parameters = p->parameters,
                             .parameter_count = (size_t)p->parameter_count,
                             .values = s->problem.value,
                             .evaluations = &s->spheres->evaluations,
                             .fields = fields,
                             .field_count = sizeof fields / sizeof fields[0],
                             .observables = observables,
                             .observable_count = count});
}

static ph_status open(ph_system **out, const system_source *from)
{
    const ph_spheres_problem *named;
    ph_spheres_integrator i;
    custom_parts own = {0};
    if (!ph_snapshot_coefficients(from, &own))
        return PH_OTHER_SNAPSHOT;
    if (ph_spheres_problem_named(from->problem, &named) != PH_OK ||
        ph_spheres_custom(&own, from->integrator, &i) != PH_OK)
        return PH_UNKNOWN_NAME;
    ph_spheres_problem p = *named;
    if (!ph_snapshot_parameters(from, p.parameters, p.parameter_count, p.value))
        return PH_OTHER_SNAPSHOT;
    return ph_system_of_spheres(out, &p, &i, NULL, NULL, from->h);
}

/* ---- the catalog ------------------------------------------------------------------- */

static const ph_start_field START[] = {
    {"q", NULL, "1", "Unit vectors", "x,y,z", 3, true, "q"},
    {"w", NULL, "rad/t", "Angular velocities", "x,y,z", 3, true, "w"},
};

static ph_problem_facts facts_of(const ph_spheres_problem *p)
{
    return (ph_problem_facts){
        .name = p->name ? p->name : "",
        .title = p->title,
        .cite = p->cite,
        .equations = p->equations,
        .parameters = p->parameters,
        .parameter_count = p->parameter_count,
        .value = p->value,
        .first_order = p->angular_velocity != NULL,
        /* docs/which_method.md */
        .integrator = p->coupled || p->angular_velocity ? "rkmkgl6" : "srkn6_14a+circle"};
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
    const ph_spheres_method *const *all = ph_spheres_methods(&count);
    if (i < count)
        *out = (ph_method_facts){.name = all[i]->name,
                                 .title = all[i]->title,
                                 .cite = all[i]->cite,
                                 .order = all[i]->order,
                                 .keeps = all[i]->keeps,
                                 .keeps_free = all[i]->keeps};
    return i < count;
}

static bool integrates(const char *name)
{
    ph_spheres_integrator i;
    return ph_spheres_integrator_named(name, &i) == PH_OK;
}

/* ---- the integrator of settings ---------------------------------------------------- */

/* What is wrong with a name that stands for no integrator. */
static ph_status refuse_name(const ph_system_settings *s, const char *name,
                             ph_status status)
{
    char text[PH_MESSAGE], step[PH_INTEGRATOR_NAME];
    ph_spheres_integrator i = {0};
    nearest near_by = {.wrong = name};
    size_t methods, schemes;
    const ph_spheres_method *const *method = ph_spheres_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    if (find_scheme(name) != NULL)
        return ph_settings_refuse(
            s, status, PH_SETTING_INTEGRATOR,
            "`%s` is a scheme, which needs a free motion: write %s+circle", name, name);
    for (size_t k = 0; k < methods; k++)
        ph_nearest_add(&near_by, "%s", method[k]->name);
    for (size_t k = 0; k < schemes; k++)
        ph_nearest_add(&near_by, "%s+circle", scheme[k]->name);
    (void)snprintf(step, sizeof step, "%.*s", (int)strcspn(name, "@"), name);
    if (status == PH_NOT_APPLICABLE && ph_spheres_integrator_named(step, &i) == PH_OK)
        ph_say_not_composable(text, name, ph_spheres_integrator_order(&i),
                              ph_spheres_integrator_keeps(&i));
    else
        (void)ph_nearest_text(&near_by, "method on spheres", "`polhode list methods`",
                              text, sizeof text);
    return ph_settings_refuse(s, status, PH_SETTING_INTEGRATOR, "%s", text);
}

static ph_status refuse_integrator(const ph_system_settings *s,
                                   const ph_spheres_integrator *i,
                                   const ph_spheres_problem *p)
{
    char methods[256] = "", name[PH_INTEGRATOR_NAME], why[200];
    size_t count;
    const ph_spheres_method *const *method = ph_spheres_methods(&count);
    for (size_t k = 0; k < count; k++) { /* those that can do the problem */
        if (ph_spheres_applicable(&(ph_spheres_integrator){.method = method[k]}, p))
            text_add(methods, sizeof methods, method[k]->name);
    }
    const bool hessian = p->angular_velocity == NULL && i->scheme != NULL && !p->coupled;
    const char *format =
        p->angular_velocity != NULL ? "needs problems with inertia, and %s has none"
        : hessian ? "needs second derivatives of the potential, and %s gives none"
        : i->scheme != NULL
            ? "needs a diagonal mass matrix, and that of %s couples the spheres"
            : "is for flows without inertia, and %s has one";
    (void)snprintf(why, sizeof why, format, p->name);
    return ph_settings_refuse(s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
                              "`%s` %s: take %s%s", ph_spheres_integrator_name(i, name),
                              why, hessian ? "another scheme" : "one of ",
                              hessian ? "" : methods);
}

static ph_status choose(const ph_system_settings *s, const ph_spheres_problem *p,
                        custom_parts *own, ph_spheres_integrator *out)
{
    const ph_integrator *given = s->own_integrator;
    ph_integrator copy;
    const char *name = s->integrator || given ? s->integrator : facts_of(p).integrator;
    ph_status status = given ? ph_custom_copy(own, given, &copy) : PH_OK;
    if (status != PH_OK)
        return status;
    if (given != NULL && given->method != NULL)
        return ph_settings_refuse(
            s, PH_NOT_APPLICABLE, PH_SETTING_INTEGRATOR,
            "a tableau of your own moves one body: take one of `polhode list methods "
            "--space spheres`");
    if (name == NULL)
        *out = (ph_spheres_integrator){.scheme = copy.scheme, .whole = copy.whole};
    else
        status = ph_spheres_custom(given ? own : NULL, name, out);
    if (status != PH_OK)
        return refuse_name(s, name, status);
    return ph_spheres_applicable(out, p) ? PH_OK : refuse_integrator(s, out, p);
}

/* ---- the start of settings --------------------------------------------------------- */

static ph_status refuse_problem(const ph_system_settings *s, const ph_spheres_problem *p,
                                ph_status status)
{
    if (status == PH_NO_MEMORY)
        return status;
    if (status == PH_BAD_PARAMETER)
        return ph_settings_refuse(s, status, PH_SETTING_NONE,
                                  "problem %s has no such number of spheres: %s", p->name,
                                  p->counts ? p->counts : "change its parameters");
    return ph_settings_refuse(s, status, PH_SETTING_NONE, "problem %s: %s: %s", p->name,
                              ph_status_text(status),
                              status == PH_COINCIDENT ? "choose another spacing"
                              : status == PH_BAD_MASS ? "choose other masses and lengths"
                                                      : "change its parameters");
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
            "%s has %zu vector%s, and %s has %d sphere%s: write as many", name, count,
            count == 1 ? "" : "s", p->name, n, n == 1 ? "" : "s");
    memcpy(out, x, count * sizeof *out);
    return PH_OK;
}

/* What is wrong with one sphere. */
static ph_status refuse_sphere(const ph_system_settings *s, int number, ph_vec3 q,
                               ph_vec3 w)
{
    const int of_q = ph_settings_find(s, "q"), of_w = ph_settings_find(s, "w");
    const double length = norm(q), speed = norm(w);
    if (!(fabs(length - 1.0) <= PH_SPHERES_TOLERANCE))
        return ph_settings_refuse(s, PH_NOT_ON_SPHERE, of_q,
                                  "q: vector %d has length %.10g: make it 1", number,
                                  length);
    return ph_settings_refuse(
        s, PH_NOT_ON_SPHERE, of_w,
        "w: vector %d is not orthogonal to its q, q.w/|w| = %.3g: %s", number,
        dot(q, w) / speed, of_w >= 0 ? "take away its part along q" : "write w, too");
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
                         "q: a length differs from 1 by %.1e: normalised", worst.length);
    if (worst.orthogonality > digits)
        ph_settings_warn(
            s, ph_settings_find(s, "w"),
            "w: q.w/|w| is up to %.1e, not 0: the part along q is taken away",
            worst.orthogonality);
    return PH_OK;
}

static ph_status take_start(const ph_system_settings *s, const ph_spheres_problem *p,
                            ph_spheres *spheres, ph_vec3 *q)
{
    const bool first_order = p->angular_velocity != NULL;
    const int n = ph_spheres_count(spheres), of_w = ph_settings_find(s, "w");
    ph_vec3 *w = q + n;
    ph_spheres_start(spheres, q, w);
    if (first_order && of_w >= 0)
        return ph_settings_refuse(s, PH_UNKNOWN_NAME, of_w,
                                  "w does not belong to %s, where the velocities follow "
                                  "from q: leave it out",
                                  p->name);
    ph_status status = take_vectors(s, "q", p, n, q);
    if (status == PH_OK)
        status = take_vectors(s, "w", p, n, w);
    if (first_order) /* the velocities follow */
        memset(w, 0, (size_t)n * sizeof *w);
    if (status == PH_OK)
        status = project(s, n, q, w);
    if (status == PH_OK && !isfinite(ph_spheres_energy(spheres, q, w)))
        return ph_settings_refuse(
            s, PH_BAD_STATE, PH_SETTING_NONE,
            "the start is outside the domain of the potential of %s, or its energy "
            "overflows: choose another q, w or parameters",
            p->name);
    return status;
}

static ph_status create(const ph_system_settings *s, ph_system **out)
{
    ph_spheres_problem p = s->own_problem ? *(const ph_spheres_problem *)s->own_problem
                                          : *find_spheres_problem(s->problem);
    const ph_problem_facts facts = facts_of(&p);
    ph_spheres_integrator i;
    custom_parts own = {0};
    ph_spheres *spheres = NULL;
    ph_vec3 *q = NULL;
    ph_status status = ph_settings_take(s, &ph_kind_spheres, &facts, p.value);
    if (status == PH_OK)
        status = ph_settings_limit(s, &ph_kind_spheres, p.count(&p));
    if (status != PH_OK)
        return status;
    status = ph_spheres_create(&spheres, &p, NULL);
    if (status != PH_OK)
        return refuse_problem(s, &p, status);
    const size_t n = (size_t)ph_spheres_count(spheres);
    q = calloc(2 * n, sizeof *q);
    status = q ? take_start(s, &p, spheres, q) : PH_NO_MEMORY;
    if (status == PH_OK)
        status = choose(s, &p, &own, &i);
    if (status == PH_OK)
        status = ph_settings_tolerance(s, NULL);
    if (status == PH_OK)
        status = ph_system_of_spheres(out, &p, &i, q, q + n, s->step);
    ph_spheres_free(spheres);
    free(q);
    return status;
}

/* ---- comparing --------------------------------------------------------------------- */

static const char *reference(const ph_system *s)
{
    const ph_spheres_problem *p = &((const spheres_system *)ph_system_self(s))->problem;
    return p->coupled || p->angular_velocity ? "rkmkgl6" : "s6_10+circle";
}

/* What rounding leaves of a motion that turns this far. */
static double round_off(const ph_system *start, const ph_system *end, double t)
{
    const spheres_system *a = ph_system_self(start), *b = ph_system_self(end);
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53;
    const int n = ph_spheres_count(a->spheres);
    double fastest = 0.0;
    for (int i = 0; i < n; i++)
        fastest = larger_or_nan(fastest, larger_or_nan(norm(b->w[i]), norm(a->w[i])));
    return larger_or_nan(floor, per_radian * sqrt(n) * (1.0 + fastest * fabs(t)));
}

static void describe(const ph_system *s, char *text, size_t size)
{
    const ph_spheres_problem *p = &((const spheres_system *)ph_system_self(s))->problem;
    text[0] = '\0';
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        for (int k = 0; k < a->count; k++) {
            char number[64];
            (void)snprintf(number, sizeof number, k == 0 ? "%s %.5g" : "%.0s%.5g",
                           a->name, p->value[a->first + k]);
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
    .integrates = integrates,
    .create = create,
    .open = open,
    .step = step,
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
