/* space_molecules.c - many bodies that push and turn each other, as what can move. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/vec.h"
#include "io/json.h"
#include "io/xyz.h"
#include "method.h"
#include "molecules.h"
#include "report.h"
#include "space.h"
#include "threads.h"

/* The arrays that are the state. */
enum { MOVING = GROUP_ANGULAR_MOMENTA + 1, ARRAYS = 13 };

/* What a motion keeps: at the start, and the largest change of it, over the sum of the
 * sizes of its terms at that time. */
typedef struct kept_vector {
    ph_vec3 value;
    double error;
} kept_vector;

typedef struct world {
    ph_molecules *s;
    double *start, *right; /* states: the arrays one after the other */
    char *frame;           /* room for one, once it is needed */
    bool watched;
    double energy, energy_error;
    kept_vector momentum, angular_momentum;
    unsigned long long *kicks;
} world;

/* ---- what there is --------------------------------------------------------------- */

static entry problem_entry(size_t i)
{
    size_t count;
    const ph_molecule_problem *const *problem = ph_molecule_problems(&count);
    return i < count ? (entry){ENTRY_PROBLEM(problem[i])} : (entry){0};
}

/* None of its own: schemes over flows move molecules. */
static entry method_entry(size_t i)
{
    (void)i;
    return (entry){0};
}

/* ---- a world and its integrators ------------------------------------------------- */

static void save(const world *w, double *to)
{
    for (int g = 0; g < MOVING; g++) {
        for (int k = 0; k < molecules_groups[g].width; k++, to += w->s->n)
            memcpy(to, molecules_arrays(w->s, g)[k], w->s->n * sizeof *to);
    }
}

static void restore(const world *w, const double *from)
{
    for (int g = 0; g < MOVING; g++) {
        for (int k = 0; k < molecules_groups[g].width; k++, from += w->s->n)
            memcpy(molecules_arrays(w->s, g)[k], from, w->s->n * sizeof *from);
    }
}

static void discard(void *of)
{
    world *w = of;
    ph_molecules_free(w->s);
    free(w->start);
    free(w->right);
    free(w->frame);
    free(w);
}

static int make(const scenario *told, void **out)
{
    world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail_memory();
    threads_limit();
    int status = molecules_make(told, told->value[SAY_PROBLEM].text, &w->s);
    if (status == 0) {
        const size_t n = w->s->n;
        w->start = calloc(n, ARRAYS * sizeof *w->start);
        w->right = calloc(n, ARRAYS * sizeof *w->right);
        w->frame = malloc(xyz_size(n));
        if (w->start == NULL || w->right == NULL || w->frame == NULL)
            status = fail_memory();
        else
            save(w, w->start);
    }
    if (status == 0)
        *out = w;
    else
        discard(w);
    return status;
}

static int choose(const void *of, const char *place, const char *name, void **out)
{
    (void)of;
    ph_integrator found;
    const int status = method_find(place, name, &found);
    if (status != 0)
        return status;
    if (found.method != NULL)
        return fail_usage("%s`" WORDS "` moves one body: write a scheme over a flow, "
                          "such as verlet+exact",
                          place, name);
    if (found.scheme == NULL)
        return fail_usage("%s`" WORDS "` is a flow, for a free body: write verlet+%s, or "
                          "another scheme",
                          place, name, name);
    if (found.scheme->gradient != NULL)
        return fail_usage("%s%s needs the derivative of the forces, which molecules have "
                          "not: take another scheme",
                          place, found.scheme->name);
    return space_keep(&found, sizeof found, out);
}

/* ---- moving ---------------------------------------------------------------------- */

typedef struct observed {
    space_watcher *watch;
    void *context;
} observed;

static bool observe(void *context, long step, double t, ph_molecules *s)
{
    (void)s;
    const observed *o = context;
    return o->watch(o->context, step, t);
}

/* Evaluations of the forces in so many steps: where two kicks meet, one serves both. */
static unsigned long long kicks_of(const ph_scheme *scheme, long steps)
{
    const unsigned long long stages = (unsigned long long)scheme->stages,
                             n = (unsigned long long)steps;
    return scheme->kick_first ? n * (stages / 2) + 1 : n * (stages / 2);
}

static ph_status run(void *of, const void *integrator, double h, long steps,
                     space_watcher *watch, void *context, long *taken)
{
    world *w = of;
    const ph_integrator *i = integrator;
    observed o = {watch, context};
    restore(w, w->start);
    ph_status status = ph_molecules_prepare(w->s, NULL);
    long done = 0;
    if (status == PH_OK)
        status = ph_molecules_run(w->s, i, h, steps, observe, &o, &done);
    if (w->kicks != NULL)
        *w->kicks += kicks_of(i->scheme, done);
    if (taken != NULL)
        *taken = done;
    return status;
}

static double energy(const void *of)
{
    const world *w = of;
    return ph_molecules_energies(w->s).total;
}

static double larger(double a, double b)
{
    return b <= a || isnan(a) ? a : b;
}

static bool watch_vector(kept_vector *v, bool first, ph_vec3 now, double size)
{
    if (first)
        v->value = now;
    const double off = norm(sub(now, v->value));
    v->error = larger(v->error, off == 0.0 ? 0.0 : off / size);
    return finite3(now);
}

static bool watch_kept(void *of, double e)
{
    world *w = of;
    const ph_molecules *s = w->s;
    double of_p = 0.0, of_L = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_vec3 x = {s->x[0][i], s->x[1][i], s->x[2][i]},
                      p = {s->p[0][i], s->p[1][i], s->p[2][i]},
                      m = {s->m[0][i], s->m[1][i], s->m[2][i]};
        of_p += norm(p);
        of_L += norm(cross(x, p)) + norm(m);
    }
    if (!w->watched)
        w->energy = e;
    w->energy_error = larger(
        w->energy_error, e == w->energy ? 0.0 : fabs(e - w->energy) / fabs(w->energy));
    const bool first = !w->watched;
    w->watched = true;
    return watch_vector(&w->momentum, first, ph_molecules_momentum(s), of_p) &&
           watch_vector(&w->angular_momentum, first, ph_molecules_angular_momentum(s),
                        of_L);
}

/* ---- what is shown --------------------------------------------------------------- */

static const char *column_names(const void *of)
{
    (void)of;
    return MOLECULES_COLUMNS;
}

static void write_rows(const void *of, double t, double e, record *rows)
{
    const world *w = of;
    if (rows->format == RECORD_XYZ) {
        xyz_write(rows->out, w->s, t, e, w->frame);
        rows->count++;
        return;
    }
    for (size_t i = 0; i < w->s->n; i++) {
        double row[MOLECULES_COLUMN_COUNT];
        molecules_row(w->s, i, t, e, row);
        record_add(rows, row);
    }
}

static void print_number(outfile *out, const char *name, double x)
{
    outfile_print(out, "%-15s %.15g\n", name, x);
}

static void print_state(outfile *out, const void *of, double t)
{
    const world *w = of;
    const ph_molecules_energy e = ph_molecules_energies(w->s);
    outfile_print(out, "%zu bodies at t = %g\n", w->s->n, t);
    print_number(out, "temperature", ph_molecules_temperature(w->s));
    print_number(out, "energy", e.total);
    print_number(out, "  translation", e.translation);
    print_number(out, "  rotation", e.rotation);
    print_number(out, "  potential", e.potential);
    space_print_vector(out, "momentum", ph_molecules_momentum(w->s));
    space_print_vector(out, "angular m.", ph_molecules_angular_momentum(w->s));
}

static json_t *group_json(ph_molecules *s, int group)
{
    json_t *all = json_array();
    for (size_t i = 0; all != NULL && i < s->n; i++) {
        json_t *one = json_array();
        for (int k = 0; k < molecules_groups[group].width; k++)
            (void)json_array_append_new(one, json_real(molecules_arrays(s, group)[k][i]));
        if (json_array_append_new(all, one) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

static json_t *state_json(const void *of)
{
    const world *w = of;
    const ph_molecules_energy e = ph_molecules_energies(w->s);
    const ph_vec3 P = ph_molecules_momentum(w->s),
                  L = ph_molecules_angular_momentum(w->s);
    return json_pack("{so so so so sf sf sf sf s[fff] s[fff]}", "positions",
                     group_json(w->s, GROUP_POSITIONS), "momenta",
                     group_json(w->s, GROUP_MOMENTA), "attitudes",
                     group_json(w->s, GROUP_ATTITUDES), "angular_momenta",
                     group_json(w->s, GROUP_ANGULAR_MOMENTA), "temperature",
                     ph_molecules_temperature(w->s), "translation", e.translation,
                     "rotation", e.rotation, "potential", e.potential, "momentum", P.x,
                     P.y, P.z, "angular_momentum", L.x, L.y, L.z);
}

static void print_vector(outfile *out, const char *name, const kept_vector *v)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%.6g, %.6g, %.6g", v->value.x, v->value.y,
                   v->value.z);
    space_print_kept(out, name, text, v->error);
}

static void print_kept(outfile *out, const void *of)
{
    const world *w = of;
    char text[32];
    (void)snprintf(text, sizeof text, "%.10g", w->energy);
    space_print_kept(out, "energy", text, w->energy_error);
    print_vector(out, "momentum", &w->momentum);
    if (w->s->box.x == 0.0) /* a box turns with nobody */
        print_vector(out, "angular m.", &w->angular_momentum);
}

static json_t *vector_json(ph_vec3 v)
{
    return json_pack("[fff]", v.x, v.y, v.z);
}

static json_t *kept_json(const void *of)
{
    const world *w = of;
    return json_pack("{so so so s{so so so}}", "energy", json_finite(w->energy),
                     "momentum", vector_json(w->momentum.value), "angular_momentum",
                     vector_json(w->angular_momentum.value), "largest_relative_error",
                     "energy", json_finite(w->energy_error), "momentum",
                     json_finite(w->momentum.error), "angular_momentum",
                     json_finite(w->angular_momentum.error));
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *fine(const void *of)
{
    (void)of;
    return "srkn6_14a+exact";
}

static void keep(void *of)
{
    const world *w = of;
    save(w, w->right);
}

/* The root of the sum of squares of what a group is off, over that of the group itself
 * if it has a size. */
static double group_error(const world *w, int group, const double *right)
{
    double off = 0.0, size = 0.0;
    for (int k = 0; k < molecules_groups[group].width; k++, right += w->s->n) {
        const double *now = molecules_arrays(w->s, group)[k];
        for (size_t i = 0; i < w->s->n; i++) {
            off += (now[i] - right[i]) * (now[i] - right[i]);
            size += right[i] * right[i];
        }
    }
    return sqrt(size > 0.0 ? off / size : off);
}

static void errors(const void *of, double error[ERROR_COUNT])
{
    const world *w = of;
    const double *right = w->right;
    error[ERROR_SPEED] = error[ERROR_PLACE] = 0.0;
    for (int g = 0; g < MOVING; g++) {
        const int kind =
            g == GROUP_POSITIONS || g == GROUP_ATTITUDES ? ERROR_PLACE : ERROR_SPEED;
        error[kind] = larger(error[kind], group_error(w, g, right));
        right += (size_t)molecules_groups[g].width * w->s->n;
    }
}

/* Neighbours double what rounding leaves over and over; this is where it begins. */
static double rounding(const void *of, double t)
{
    (void)of;
    (void)t;
    return 1e-13;
}

static void count(void *of, unsigned long long *kicks)
{
    world *w = of;
    w->kicks = kicks;
}

static void describe(const void *of, char *text, size_t size)
{
    const world *w = of;
    (void)snprintf(text, size, "%zu bodies", w->s->n);
}

const space space_molecules = {
    .name = "molecules",
    .what = "molecules",
    .frames = true,
    .problem = problem_entry,
    .method = method_entry,
    .make = make,
    .takes = molecules_take,
    .discard = discard,
    .choose = choose,
    .order = space_order,
    .run = run,
    .energy = energy,
    .watch = watch_kept,
    .columns = column_names,
    .write = write_rows,
    .print_state = print_state,
    .state_json = state_json,
    .print_kept = print_kept,
    .kept_json = kept_json,
    .error_names = {"momenta", "places"},
    .error_text = "|x - x*|/|x*| over all bodies, x their momenta, angular momenta, "
                  "positions and attitudes",
    .fine = fine,
    .keep = keep,
    .errors = errors,
    .rounding = rounding,
    .count = count,
    .describe = describe,
};
