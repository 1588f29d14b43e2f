/* space_spheres.c - spheres as what can move: pendulums, needles, vortices, spins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/extremes.h"
#include "core/vec.h"
#include "io/json.h"
#include "polhode/spheres.h"
#include "report.h"
#include "space.h"
#include "spheres.h"

/* ---- what there is --------------------------------------------------------------- */

static entry problem_entry(size_t i)
{
    size_t count;
    const ph_sphere_problem *const *problem = ph_sphere_problems(&count);
    return i < count ? (entry){ENTRY_PROBLEM(problem[i])} : (entry){0};
}

static entry method_entry(size_t i)
{
    size_t count;
    const ph_sphere_method *const *method = ph_sphere_methods(&count);
    if (i >= count)
        return (entry){0};
    const ph_sphere_method *m = method[i];
    return (entry){ENTRY_INTEGRATOR(m, m->keeps, m->keeps)};
}

/* ---- moving ---------------------------------------------------------------------- */

static int order(const void *integrator)
{
    return ph_sphere_integrator_order(integrator);
}

/* What moves the world by that integrator: made when it is another one than before. */
static ph_status prepare(spheres_world *w, const ph_sphere_integrator *i)
{
    if (w->moving != NULL && w->by.method == i->method && w->by.scheme == i->scheme)
        return PH_OK;
    ph_spheres_free(w->moving);
    w->moving = NULL;
    w->by = *i;
    return ph_spheres_create(&w->moving, &w->problem, i);
}

typedef struct observed {
    space_watcher *watch;
    void *context;
} observed;

/* The state of the run is that of the world. */
static bool observe(void *context, long step, double t, const ph_vec3 *q,
                    const ph_vec3 *w)
{
    (void)q;
    (void)w;
    const observed *o = context;
    return o->watch(o->context, step, t);
}

static ph_status run(void *of, const void *integrator, double h, long steps,
                     space_watcher *watch, void *context, long *taken)
{
    spheres_world *w = of;
    observed o = {watch, context};
    ph_sphere_report report = {0, {0.0, 0.0}};
    ph_status status = prepare(w, integrator);
    if (status == PH_OK) {
        const long before = ph_spheres_evaluations(w->moving);
        memcpy(w->q, w->start_q, w->bytes);
        memcpy(w->w, w->start_w, w->bytes);
        status = ph_spheres_run(w->moving, w->q, w->w, h, steps, observe, &o, &report);
        if (w->kicks != NULL)
            *w->kicks += (unsigned long long)(ph_spheres_evaluations(w->moving) - before);
    }
    if (taken != NULL)
        *taken = report.taken;
    return status;
}

/* What answers questions: the one that moves knows the forces already. */
static ph_spheres *asked(const spheres_world *w)
{
    return w->moving != NULL ? w->moving : w->asked;
}

static double energy(const void *of)
{
    const spheres_world *w = of;
    return ph_spheres_energy(asked(w), w->q, w->w);
}

static bool watch_kept(void *of, double e)
{
    spheres_world *w = of;
    const ph_sphere_defect now = ph_spheres_defect(w->n, w->q, w->w);
    if (!w->watched)
        w->energy = e;
    w->energy_error = larger_or_nan(w->energy_error, fabs(e - w->energy));
    w->worst.length = larger_or_nan(w->worst.length, now.length);
    w->worst.orthogonality = larger_or_nan(w->worst.orthogonality, now.orthogonality);
    bool finite = isfinite(w->energy_error);
    for (int k = 0; k < w->problem.invariant_count; k++) {
        const double value = ph_spheres_invariant(asked(w), k, w->q, w->w);
        if (!w->watched)
            w->kept[k] = value;
        w->kept_error[k] = larger_or_nan(w->kept_error[k], fabs(value - w->kept[k]));
        finite = finite && isfinite(w->kept_error[k]);
    }
    w->watched = true;
    return finite && isfinite(w->worst.length) && isfinite(w->worst.orthogonality);
}

/* ---- what is shown --------------------------------------------------------------- */

static const char *column_names(const void *of)
{
    const spheres_world *w = of;
    return w->columns;
}

static void write_row(const void *of, double t, double e, record *rows)
{
    const spheres_world *w = of;
    double *x = w->row;
    *x++ = t;
    for (int i = 0; i < w->n; i++, x += 3)
        memcpy(x, &w->q[i], sizeof w->q[i]);
    for (int i = 0; i < w->n; i++, x += 3)
        memcpy(x, &w->w[i], sizeof w->w[i]);
    *x = e;
    record_add(rows, w->row);
}

static void print_state(outfile *out, const void *of, double t)
{
    enum { SHOWN = 16 };
    const spheres_world *w = of;
    const int shown = w->n <= SHOWN ? w->n : SHOWN;
    char name[16];
    outfile_print(out, "%d sphere%s at t = %g: unit vectors q, angular velocities w\n",
                  w->n, w->n == 1 ? "" : "s", t);
    for (int i = 0; i < 2 * shown; i++) {
        const bool place = i < shown;
        const int number = place ? i : i - shown;
        (void)snprintf(name, sizeof name, "%c%d", place ? 'q' : 'w', number + 1);
        space_print_vector(out, name, (place ? w->q : w->w)[number]);
    }
    if (shown < w->n)
        outfile_print(out, "and %d more, which --json and --out have\n", w->n - shown);
}

static json_t *vectors_json(int n, const ph_vec3 *v)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(array, json_pack("[fff]", v[i].x, v[i].y, v[i].z));
    return array;
}

static json_t *state_json(const void *of)
{
    const spheres_world *w = of;
    return json_pack("{so so}", "q", vectors_json(w->n, w->q), "w",
                     vectors_json(w->n, w->w));
}

static void print_within(outfile *out, const char *name, const char *value, double error)
{
    outfile_print(out, "%-15s %-42s within %.1e\n", name, value, error);
}

static void print_kept(outfile *out, const void *of)
{
    const spheres_world *w = of;
    char value[32];
    (void)snprintf(value, sizeof value, "%.10g", w->energy);
    space_print_kept(out, "energy", value,
                     w->energy_error == 0.0 ? 0.0 : w->energy_error / fabs(w->energy));
    for (int k = 0; k < w->problem.invariant_count; k++) {
        (void)snprintf(value, sizeof value, "%.10g", w->kept[k]);
        print_within(out, w->problem.invariants[k].name, value, w->kept_error[k]);
    }
    print_within(out, "|q|", "1", w->worst.length);
    print_within(out, "q.w", "0", w->worst.orthogonality);
}

static json_t *kept_json(const void *of)
{
    const spheres_world *w = of;
    json_t *error = json_pack("{so}", "energy", json_finite(w->energy_error)),
           *object = json_pack("{so}", "energy", json_finite(w->energy));
    for (int k = 0; k < w->problem.invariant_count; k++) {
        const char *name = w->problem.invariants[k].name;
        (void)json_object_set_new(object, name, json_finite(w->kept[k]));
        (void)json_object_set_new(error, name, json_finite(w->kept_error[k]));
    }
    (void)json_object_set_new(error, "length", json_finite(w->worst.length));
    (void)json_object_set_new(error, "orthogonality",
                              json_finite(w->worst.orthogonality));
    (void)json_object_set_new(object, "largest_error", error);
    return object;
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *fine(const void *of)
{
    const spheres_world *w = of;
    return w->problem.coupled || w->problem.turning ? "rkmkgl6" : "s6_10+circle";
}

static void keep(void *of)
{
    spheres_world *w = of;
    memcpy(w->right_q, w->q, w->bytes);
    memcpy(w->right_w, w->w, w->bytes);
}

/* |a - b| over all spheres, and |b|. */
static double distance(int n, const ph_vec3 *a, const ph_vec3 *b, double *size)
{
    double sum = 0.0, of_b = 0.0;
    for (int i = 0; i < n; i++) {
        const ph_vec3 d = sub(a[i], b[i]);
        sum += dot(d, d);
        of_b += dot(b[i], b[i]);
    }
    *size = sqrt(of_b);
    return sqrt(sum);
}

static void errors(const void *of, double error[ERROR_COUNT])
{
    const spheres_world *w = of;
    double size;
    error[ERROR_PLACE] = distance(w->n, w->q, w->right_q, &size);
    error[ERROR_SPEED] = distance(w->n, w->w, w->right_w, &size);
    if (size > 0.0)
        error[ERROR_SPEED] /= size;
}

/* What rounding leaves of a motion that turns this far. */
static double rounding(const void *of, double t)
{
    const spheres_world *w = of;
    const double floor = 1e-13, per_radian = 8.0 * 0x1p-53;
    double fastest = 0.0;
    for (int i = 0; i < w->n; i++)
        fastest =
            larger_or_nan(fastest, larger_or_nan(norm(w->w[i]), norm(w->start_w[i])));
    return larger_or_nan(floor, per_radian * sqrt(w->n) * (1.0 + fastest * fabs(t)));
}

static void count(void *of, unsigned long long *kicks)
{
    spheres_world *w = of;
    w->kicks = kicks;
}

static void describe(const void *of, char *text, size_t size)
{
    const spheres_world *w = of;
    const ph_sphere_problem *p = &w->problem;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < p->parameter_count && used < size; i++) {
        const ph_parameter *a = &p->parameters[i];
        for (int k = 0; k < a->count && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%.5g",
                                     i + k > 0 ? ", " : "", k == 0 ? a->name : "",
                                     k == 0 ? " " : "", p->value[a->first + k]);
    }
}

const space space_spheres = {
    .name = "spheres",
    .what = "unit vectors on spheres",
    .problem = problem_entry,
    .method = method_entry,
    .make = spheres_make,
    .takes = spheres_takes,
    .discard = spheres_discard,
    .choose = spheres_choose,
    .order = order,
    .run = run,
    .energy = energy,
    .watch = watch_kept,
    .columns = column_names,
    .write = write_row,
    .print_state = print_state,
    .state_json = state_json,
    .print_kept = print_kept,
    .kept_json = kept_json,
    .error_names = {"velocity", "direction"},
    .error_text = "|w - w*|/|w*| and |q - q*|",
    .fine = fine,
    .keep = keep,
    .errors = errors,
    .rounding = rounding,
    .count = count,
    .describe = describe,
};
