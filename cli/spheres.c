/* spheres.c - a problem on spheres with its parameters and its start, as told; and the
 * integrators for it. */
#include "spheres.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "core/vec.h"
#include "report.h"
#include "space.h"

/* ---- memory ---------------------------------------------------------------------- */

void spheres_discard(void *of)
{
    spheres_world *w = of;
    ph_spheres_free(w->asked);
    ph_spheres_free(w->moving);
    free(w->vectors);
    free(w->columns);
    free(w->row);
    free(w);
}

/* t,q1x,q1y,q1z,q2x,...,w1x,...,energy */
static void name_columns(const spheres_world *w)
{
    char *at = w->columns;
    at += sprintf(at, "t");
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < 3 * w->n; i++)
            at += sprintf(at, ",%c%d%c", "qw"[kind], i / 3 + 1, "xyz"[i % 3]);
    }
    (void)sprintf(at, ",energy");
}

static bool allocate(spheres_world *w)
{
    enum { ARRAYS = 6, NAME = 12 }; /* bytes of a column's name: 5 or more digits */
    const size_t n = (size_t)w->n;
    w->bytes = n * sizeof *w->q;
    w->vectors = calloc(ARRAYS * n, sizeof *w->vectors);
    w->columns = malloc(NAME * (6 * n + 2));
    w->row = calloc(6 * n + 2, sizeof *w->row);
    if (w->vectors == NULL || w->columns == NULL || w->row == NULL)
        return false;
    ph_vec3 **arrays[ARRAYS] = {&w->start_q, &w->start_w, &w->q,
                                &w->w,       &w->right_q, &w->right_w};
    for (size_t k = 0; k < ARRAYS; k++)
        *arrays[k] = w->vectors + k * n;
    name_columns(w);
    return true;
}

/* ---- the problem ----------------------------------------------------------------- */

static int fail_problem(const ph_sphere_problem *p, ph_status status)
{
    switch (status) {
    case PH_NO_MEMORY:
        return fail_memory();
    case PH_BAD_PARAMETER:
        return fail_usage("problem %s has no such number of spheres: %s", p->name,
                          p->counts ? p->counts : "change its parameters");
    case PH_COINCIDENT:
        return fail_usage("problem %s: %s: choose another spacing", p->name,
                          ph_status_text(status));
    case PH_BAD_MASS:
        return fail_usage("problem %s: %s: choose other masses and lengths", p->name,
                          ph_status_text(status));
    default:
        return fail_usage("problem %s: %s: change its parameters", p->name,
                          ph_status_text(status));
    }
}

/* ---- the start ------------------------------------------------------------------- */

bool spheres_takes(scenario_key key)
{
    return key == SAY_Q || key == SAY_W;
}

/* The vectors of a key, if they are told. */
static int read_vectors(const scenario *told, scenario_key key, const spheres_world *w,
                        ph_vec3 *out)
{
    char message[YAML_MESSAGE], place[PLACE];
    const setting *said = &told->value[key];
    double *x = NULL;
    size_t count = 0;
    if (!said->said)
        return 0;
    if (!scenario_vectors(told, scenario_key_name(key), said->line, said->tree, 3, &x,
                          &count, message))
        return fail_usage("%s", message);
    int status = 0;
    if (count != (size_t)w->n)
        status = fail_usage("%s has %zu vector%s, and %s has %d sphere%s: write as many",
                            told_place(told, key, place), count, count == 1 ? "" : "s",
                            w->problem.name, w->n, w->n == 1 ? "" : "s");
    for (size_t i = 0; status == 0 && i < count; i++)
        out[i] = vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    free(x);
    return status;
}

/* Where a start is told, to begin a message with. */
static const char *start_place(const scenario *told, scenario_key key, char place[PLACE])
{
    return told->value[key].said ? told_place(told, key, place) : scenario_key_name(key);
}

/* What is wrong with one sphere. */
static int fail_sphere(const scenario *told, int number, ph_vec3 q, ph_vec3 w)
{
    char place[PLACE];
    const double length = norm(q), speed = norm(w);
    if (!(fabs(length - 1.0) <= PH_SPHERE_TOLERANCE))
        return fail_usage("%s: vector %d has length %.10g: make it 1",
                          start_place(told, SAY_Q, place), number, length);
    return fail_usage("%s: vector %d is not orthogonal to its q, q.w/|w| = %.3g: %s",
                      start_place(told, SAY_W, place), number, dot(q, w) / speed,
                      told->value[SAY_W].said ? "take away its part along q"
                                              : "write w, too");
}

/* Brings the start onto the spheres, with a warning where it was off by more than decimal
 * digits lose. */
static int mend(const scenario *told, spheres_world *w)
{
    const double digits = 1e-14;
    char place[PLACE];
    ph_sphere_defect worst = {0.0, 0.0}, found;
    for (int i = 0; i < w->n; i++) {
        if (ph_spheres_mend(1, &w->start_q[i], &w->start_w[i], &found) != PH_OK)
            return fail_sphere(told, i + 1, w->start_q[i], w->start_w[i]);
        worst.length = larger_or_nan(worst.length, found.length);
        worst.orthogonality = larger_or_nan(worst.orthogonality, found.orthogonality);
    }
    if (worst.length > digits)
        warn("%s: a length differs from 1 by %.1e: normalised",
             start_place(told, SAY_Q, place), worst.length);
    if (worst.orthogonality > digits)
        warn("%s: q.w/|w| is up to %.1e, not 0: the part along q is taken away",
             start_place(told, SAY_W, place), worst.orthogonality);
    return 0;
}

static int read_start(const scenario *told, spheres_world *w)
{
    char place[PLACE];
    const bool first_order = w->problem.turning != NULL;
    ph_spheres_start(w->asked, w->start_q, w->start_w);
    if (first_order && told->value[SAY_W].said)
        return fail_usage("%s does not belong to %s, where q alone says how it turns: "
                          "leave it out",
                          told_place(told, SAY_W, place), w->problem.name);
    int status = read_vectors(told, SAY_Q, w, w->start_q);
    if (status == 0)
        status = read_vectors(told, SAY_W, w, w->start_w);
    if (status == 0 && first_order) /* the velocities follow */
        memset(w->start_w, 0, w->bytes);
    if (status == 0)
        status = mend(told, w);
    if (status == 0 && !isfinite(ph_spheres_energy(w->asked, w->start_q, w->start_w)))
        status = fail_usage("the start is outside the domain of the potential of %s, or "
                            "its energy overflows: choose another q, w or parameters",
                            w->problem.name);
    memcpy(w->q, w->start_q, w->bytes);
    memcpy(w->w, w->start_w, w->bytes);
    return status;
}

int spheres_make(const scenario *told, void **out)
{
    spheres_world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail_memory();
    ph_sphere_problem *p = &w->problem;
    *p = *find_sphere_problem(told->value[SAY_PROBLEM].text);
    int status =
        space_parameters(told, p->name, p->parameters, p->parameter_count, p->value);
    if (status == 0) {
        const ph_status made = ph_spheres_create(&w->asked, p, NULL);
        if (made != PH_OK)
            status = fail_problem(p, made);
    }
    if (status == 0) {
        w->n = ph_spheres_count(w->asked);
        status = allocate(w) ? read_start(told, w) : fail_memory();
    }
    if (status == 0)
        *out = w;
    else
        spheres_discard(w);
    return status;
}

/* ---- the integrator -------------------------------------------------------------- */

#define NAME 64 /* bytes of a name */

/* Every name there is: methods, and schemes over the circle. */
static int fail_integrator(const char *place, const char *wrong)
{
    size_t methods, schemes;
    const ph_sphere_method *const *method = ph_sphere_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const size_t count = methods + schemes;
    char(*text)[NAME] = calloc(count, sizeof *text);
    const char **names = calloc(count, sizeof *names);
    int status = EXIT_FAILED;
    if (text == NULL || names == NULL) {
        status = fail_memory();
    } else {
        for (size_t i = 0; i < count; i++) {
            if (i < methods)
                (void)snprintf(text[i], NAME, "%s", method[i]->name);
            else
                (void)snprintf(text[i], NAME, "%s+circle", scheme[i - methods]->name);
            names[i] = text[i];
        }
        status = fail_unknown(place, "method on spheres", wrong, names, count,
                              "`polhode list methods`");
    }
    free(text);
    free(names);
    return status;
}

/* The methods that can do a problem, "a, b, c". */
static const char *able(const ph_sphere_problem *p, char *text, size_t size)
{
    size_t count, used = 0;
    const ph_sphere_method *const *method = ph_sphere_methods(&count);
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const ph_sphere_integrator one = {.method = method[i]};
        if (ph_sphere_applicable(&one, p))
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used == 0 ? "" : ", ", method[i]->name);
    }
    return text;
}

static int fail_applicable(const char *place, const char *name,
                           const ph_sphere_integrator *i, const ph_sphere_problem *p)
{
    char methods[4 * NAME];
    (void)able(p, methods, sizeof methods);
    if (p->turning != NULL)
        return fail_usage("%s`" WORDS "` moves what has an inertia, and %s has none, its "
                          "q say how it turns: take one of %s",
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

int spheres_choose(const void *of, const char *place, const char *name, void **out)
{
    const spheres_world *w = of;
    ph_sphere_integrator found;
    if (find_scheme(name) != NULL)
        return fail_usage("%s`" WORDS "` is a scheme, which needs a free motion: write "
                          "%s+circle",
                          place, name, name);
    if (ph_sphere_integrator_named(name, &found) != PH_OK)
        return fail_integrator(place, name);
    if (!ph_sphere_applicable(&found, &w->problem))
        return fail_applicable(place, name, &found, &w->problem);
    return space_keep(&found, sizeof found, out);
}
