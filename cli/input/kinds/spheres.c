/* spheres.c - products of two-spheres: pendulums, needles, vortices, spins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/input/kind.h"
#include "cli/tool.h"
#include "polhode/spheres.h"
#include "rotation/vec.h"
#include "spheres/list.h"
#include "system/find.h"

typedef struct spheres_model {
    ph_spheres_problem problem;
    ph_spheres *spheres; /* of the problem, to compute energies with */
    int n;
    ph_vec3 *q, *w; /* the start, in one piece of memory */
} spheres_model;

/* The method for people who name none: docs/which_method.md. */
static const char *recommended_for(const ph_spheres_problem *p)
{
    return p->coupled || p->angular_velocity ? "rkmkgl6" : "srkn6_14a+circle";
}

ENTRY_LIST(problem_entry, ph_spheres_problem, ph_spheres_problems, ENTRY_PROBLEM(d),
           .method = recommended_for(d))
ENTRY_LIST(method_entry, ph_spheres_method, ph_spheres_methods,
           ENTRY_INTEGRATOR(d, d->keeps, d->keeps))

/* ---- the problem ----------------------------------------------------------------- */

static int fail_problem(const ph_spheres_problem *p, ph_status status)
{
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status == PH_BAD_PARAMETER, "problem %s has no such number of spheres: %s",
              p->name, p->counts ? p->counts : "change its parameters");
    return fail_usage("problem %s: %s: %s", p->name, ph_status_text(status),
                      status == PH_COINCIDENT ? "choose another spacing"
                      : status == PH_BAD_MASS ? "choose other masses and lengths"
                                              : "change its parameters");
}

/* ---- the start ------------------------------------------------------------------- */

static bool accepts_key(scenario_key key)
{
    return key == KEY_Q || key == KEY_W;
}

/* The vectors of a key, if they are set. */
static int read_vectors(scenario *input, scenario_key key, const spheres_model *w,
                        ph_vec3 *out)
{
    const setting *given = &input->value[key];
    double *x = NULL;
    size_t count = 0;
    int status = 0;
    if (!given->is_set)
        return 0;
    if (!scenario_vectors(input, given->line, scenario_keys[key].name, given->tree, 3, &x,
                          &count))
        return fail_usage("%s", input->message);
    if (count != (size_t)w->n)
        status = fail_usage("%s has %zu vector%s, and %s has %d sphere%s: write as many",
                            input_place(input, key), count, count == 1 ? "" : "s",
                            w->problem.name, w->n, w->n == 1 ? "" : "s");
    for (size_t i = 0; status == 0 && i < count; i++)
        out[i] = vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    free(x);
    return status;
}

/* Where a start is set, to begin a message with. */
static const char *start_place(const scenario *input, scenario_key key)
{
    return input->value[key].is_set ? input_place(input, key) : scenario_keys[key].name;
}

/* What is wrong with one sphere. */
static int fail_sphere(const scenario *input, int number, ph_vec3 q, ph_vec3 w)
{
    const double length = norm(q), speed = norm(w);
    if (!(fabs(length - 1.0) <= PH_SPHERES_TOLERANCE))
        return fail_usage("%s: vector %d has length %.10g: make it 1",
                          start_place(input, KEY_Q), number, length);
    return fail_usage("%s: vector %d is not orthogonal to its q, q.w/|w| = %.3g: %s",
                      start_place(input, KEY_W), number, dot(q, w) / speed,
                      input->value[KEY_W].is_set ? "take away its part along q"
                                                 : "write w, too");
}

/* Brings the start onto the spheres, with a warning where it was off by more than decimal
 * digits lose. */
static int project(const scenario *input, spheres_model *w)
{
    const double digits = 1e-14;
    ph_spheres_defects worst = {0.0, 0.0}, found;
    for (int i = 0; i < w->n; i++) {
        if (ph_spheres_project(1, &w->q[i], &w->w[i], &found) != PH_OK)
            return fail_sphere(input, i + 1, w->q[i], w->w[i]);
        worst.length = larger_or_nan(worst.length, found.length);
        worst.orthogonality = larger_or_nan(worst.orthogonality, found.orthogonality);
    }
    if (worst.length > digits)
        warn("%s: a length differs from 1 by %.1e: normalised", start_place(input, KEY_Q),
             worst.length);
    if (worst.orthogonality > digits)
        warn("%s: q.w/|w| is up to %.1e, not 0: the part along q is taken away",
             start_place(input, KEY_W), worst.orthogonality);
    return 0;
}

static int read_start(scenario *input, spheres_model *w)
{
    const bool first_order = w->problem.angular_velocity != NULL;
    ph_spheres_start(w->spheres, w->q, w->w);
    if (first_order && input->value[KEY_W].is_set)
        return fail_usage("%s does not belong to %s, where the velocities follow from q: "
                          "leave it out",
                          input_place(input, KEY_W), w->problem.name);
    TRY(read_vectors(input, KEY_Q, w, w->q));
    TRY(read_vectors(input, KEY_W, w, w->w));
    if (first_order) /* the velocities follow */
        memset(w->w, 0, (size_t)w->n * sizeof *w->w);
    TRY(project(input, w));
    REFUSE_IF(!isfinite(ph_spheres_energy(w->spheres, w->q, w->w)),
              "the start is outside the domain of the potential of %s, or its "
              "energy overflows: choose another q, w or parameters",
              w->problem.name);
    return 0;
}

static void discard(void *of)
{
    spheres_model *w = of;
    ph_spheres_free(w->spheres);
    free(w->q);
    free(w);
}

static int read_into(scenario *input, spheres_model *w)
{
    ph_spheres_problem *p = &w->problem;
    *p = *find_spheres_problem(input->value[KEY_PROBLEM].text);
    const kind_parameter_rows rows = {p->parameters, p->parameter_count, NULL, 0};
    TRY(kind_parameters(input, p->name, &rows, p->value));
    const ph_status made = ph_spheres_create(&w->spheres, p, NULL);
    if (made != PH_OK)
        return fail_problem(p, made);
    w->n = ph_spheres_count(w->spheres);
    w->q = calloc(2 * (size_t)w->n, sizeof *w->q);
    w->w = w->q + w->n;
    return w->q != NULL ? read_start(input, w) : fail_memory();
}

static int read_model(scenario *input, void **out)
{
    spheres_model *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail_memory();
    const int status = read_into(input, w);
    if (status == 0)
        *out = w;
    else
        discard(w);
    return status;
}

/* ---- the integrator -------------------------------------------------------------- */

/* Every name there is: methods, and schemes over the circle. */
static int fail_integrator(const char *place, const char *wrong)
{
    nearest near_by = {.wrong = wrong};
    size_t methods, schemes;
    const ph_spheres_method *const *method = ph_spheres_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    for (size_t i = 0; i < methods; i++)
        ph_nearest_add(&near_by, "%s", method[i]->name);
    for (size_t i = 0; i < schemes; i++)
        ph_nearest_add(&near_by, "%s+circle", scheme[i]->name);
    return fail_unknown(place, "method on spheres", &near_by, "`polhode list methods`");
}

/* What is wrong with a name that composes the whole step. */
static int fail_composition(const char *place, const char *name)
{
    char step[INTEGRATOR_WORD];
    ph_spheres_integrator i = {0};
    const int length = (int)strcspn(name, "@");
    (void)snprintf(step, sizeof step, "%.*s", length, name);
    (void)ph_spheres_integrator_named(step, &i);
    return fail_composed_whole(
        place, name, step,
        not_composable(ph_spheres_integrator_order(&i), ph_spheres_integrator_keeps(&i)));
}

static int fail_applicable(const char *place, const char *name,
                           const ph_spheres_integrator *i, const ph_spheres_problem *p)
{
    char methods[256] = "";
    size_t count;
    const ph_spheres_method *const *method = ph_spheres_methods(&count);
    for (size_t k = 0; k < count; k++) { /* those that can do the problem */
        if (ph_spheres_applicable(&(ph_spheres_integrator){.method = method[k]}, p))
            text_add(methods, sizeof methods, method[k]->name);
    }
    if (p->angular_velocity != NULL)
        return fail_usage("%s`" WORDS
                          "` moves what has an inertia, and %s has none: take "
                          "one of %s",
                          place, name, p->name, methods);
    if (i->scheme != NULL && p->coupled)
        return fail_usage("%s`" WORDS "` needs a diagonal mass matrix, and that of %s "
                          "couples the spheres: take one of %s",
                          place, name, p->name, methods);
    if (i->scheme != NULL)
        return fail_usage("%s`" WORDS "` needs second derivatives of the potential, and "
                          "%s gives none: take another scheme",
                          place, name, p->name);
    return fail_usage("%s`" WORDS "` is for flows without inertia, and %s has one: take "
                      "one of %s",
                      place, name, p->name, methods);
}

static int choose(const void *of, const char *place, const char *name, custom_parts *own,
                  void **out, int *order)
{
    const spheres_model *w = of;
    ph_spheres_integrator found;
    if (find_scheme(name) != NULL)
        return fail_usage("%s`" WORDS "` is a scheme, which needs a free motion: write "
                          "%s+circle",
                          place, name, name);
    REFUSE_IF(own != NULL && own->has[CUSTOM_TABLEAU],
              "%sa tableau of your own moves one body: take one of `polhode list methods "
              "--space spheres`",
              place);
    const ph_status named = ph_spheres_custom(own, name, &found);
    if (named == PH_NOT_APPLICABLE)
        return fail_composition(place, name);
    if (named != PH_OK)
        return fail_integrator(place, name);
    if (!ph_spheres_applicable(&found, &w->problem))
        return fail_applicable(place, name, &found, &w->problem);
    *order = ph_spheres_integrator_order(&found);
    return kind_copy(&found, sizeof found, out);
}

static ph_status make(const void *model, const void *integrator, double h,
                      ph_system **out)
{
    const spheres_model *from = model;
    return ph_system_of_spheres(out, &from->problem, integrator, from->q, from->w, h);
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *recommended(const void *model)
{
    return recommended_for(&((const spheres_model *)model)->problem);
}

static const char *reference_integrator(const void *model)
{
    const ph_spheres_problem *p = &((const spheres_model *)model)->problem;
    return p->coupled || p->angular_velocity ? "rkmkgl6" : "s6_10+circle";
}

/* What rounding leaves of a motion that turns this far. */
static double round_off(const void *model, const ph_system *end, double t)
{
    const spheres_model *from = model;
    const ph_field *w = find_field(end, "w");
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53;
    double fastest = 0.0;
    for (size_t i = 0; i < w->count; i++) {
        const size_t at = i * w->stride;
        const ph_vec3 now = {w->data[0][at], w->data[1][at], w->data[2][at]};
        fastest = larger_or_nan(fastest, larger_or_nan(norm(now), norm(from->w[i])));
    }
    return larger_or_nan(floor, per_radian * sqrt(from->n) * (1.0 + fastest * fabs(t)));
}

static void describe(const void *of, char *text, size_t size)
{
    const spheres_model *w = of;
    const ph_spheres_problem *p = &w->problem;
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

const system_kind kind_spheres = {
    .rank = 2,
    .name = "spheres",
    .what = "unit vectors on spheres",
    .problem = problem_entry,
    .method = method_entry,
    .read = read_model,
    .accepts_key = accepts_key,
    .free = discard,
    .choose = choose,
    .make = make,
    .entries = {"1 sphere", "spheres"},
    .state_note = ": unit vectors q, angular velocities w",
    .error_names = {"velocity", "direction"},
    .error_text = "|w - w*|/|w*| and |q - q*|",
    .absolute_places = true,
    .recommended = recommended,
    .reference_integrator = reference_integrator,
    .round_off = round_off,
    .describe = describe,
};
