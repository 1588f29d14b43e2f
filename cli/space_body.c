/* space_body.c - one body, free or in a field, as what can move. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/vec.h"
#include "invariants.h"
#include "io/sample.h"
#include "measure/counted.h"
#include "method.h"
#include "polhode/measure.h"
#include "report.h"
#include "setup.h"
#include "space.h"

typedef struct world {
    setup from;
    double t;
    ph_state state, right; /* as it is, and as it should be */
    invariants kept;
    bool watched; /* kept has the invariants of the start */
    unsigned long long *kicks;
} world;

/* ---- what there is --------------------------------------------------------------- */

static entry problem_entry(size_t i)
{
    size_t count;
    const ph_problem *const *problem = ph_problems(&count);
    return i < count ? (entry){ENTRY_PROBLEM(problem[i])} : (entry){0};
}

static entry method_entry(size_t i)
{
    size_t count;
    const ph_method *const *method = ph_methods(&count);
    if (i >= count)
        return (entry){0};
    const ph_method *m = method[i];
    return (entry){ENTRY_INTEGRATOR(m, m->keeps, m->keeps_free)};
}

/* ---- a world and its integrators ------------------------------------------------- */

static bool takes(scenario_key key)
{
    return key < SAY_START_COUNT;
}

static int make(const scenario *told, void **out)
{
    world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail_memory();
    const int status = setup_make(&w->from, told);
    if (status != 0) {
        free(w);
        return status;
    }
    w->state = w->from.start;
    *out = w;
    return 0;
}

static int choose(const void *of, const char *place, const char *name, void **out)
{
    const world *w = of;
    ph_integrator found;
    int status = method_find(place, name, &found);
    if (status == 0)
        status = setup_accepts(&w->from, place, name, &found);
    return status == 0 ? space_keep(&found, sizeof found, out) : status;
}

/* ---- moving ---------------------------------------------------------------------- */

/* The world as the observer of its run. */
typedef struct observed {
    world *w;
    space_watcher *watch;
    void *context;
} observed;

static bool observe(void *context, long step, double t, const ph_state *s)
{
    const observed *o = context;
    o->w->state = *s;
    o->w->t = t;
    return o->watch(o->context, step, t);
}

static ph_status run(void *of, const void *integrator, double h, long steps,
                     space_watcher *watch, void *context, long *taken)
{
    world *w = of;
    observed o = {w, watch, context};
    long kicks = 0;
    counter counted = {&w->from.problem, &kicks};
    const ph_problem p =
        w->kicks != NULL ? ph_counted_problem(&counted) : w->from.problem;
    ph_state s = w->from.start;
    const ph_status status =
        ph_run_problem(integrator, &p, &s, h, steps, observe, &o, taken);
    w->state = s;
    if (w->kicks != NULL)
        *w->kicks += (unsigned long long)kicks;
    return status;
}

static double energy(const void *of)
{
    const world *w = of;
    return ph_problem_energy(&w->from.problem, w->t, &w->state);
}

static bool watch_kept(void *of, double e)
{
    world *w = of;
    if (!w->watched)
        w->kept = invariants_of(&w->state, e);
    w->watched = true;
    invariants_watch(&w->kept, &w->state, e);
    return finite3(ph_problem_velocity(&w->from.problem, w->t, w->state.m));
}

/* ---- what is shown --------------------------------------------------------------- */

static const char *column_names(const void *of)
{
    (void)of;
    return SAMPLE_COLUMNS;
}

static sample sample_now(const world *w, double t)
{
    const ph_vec3 velocity = ph_problem_velocity(&w->from.problem, t, w->state.m);
    return (sample){.t = t, .state = w->state, .velocity = velocity};
}

static void write_row(const void *of, double t, double e, record *rows)
{
    const world *w = of;
    double row[SAMPLE_COLUMN_COUNT];
    sample x = sample_now(w, t);
    x.energy = e;
    sample_row(&x, row);
    record_add(rows, row);
}

static void print_state(outfile *out, const void *of, double t)
{
    const world *w = of;
    const ph_quat q = w->state.q;
    outfile_print(out, "The body at t = %g, momentum and velocity in its frame\n", t);
    outfile_print(out, "%-15s %.15g, %.15g, %.15g, %.15g\n", "attitude", q.w, q.x, q.y,
                  q.z);
    space_print_vector(out, "momentum", w->state.m);
    space_print_vector(out, "velocity", sample_now(w, t).velocity);
}

static json_t *state_json(const void *of)
{
    const world *w = of;
    const sample x = sample_now(w, w->t);
    return sample_json(&x);
}

static void print_kept(outfile *out, const void *of)
{
    const world *w = of;
    invariants_print(out, &w->kept, !setup_in_field(&w->from));
}

static json_t *kept_json(const void *of)
{
    const world *w = of;
    return invariants_json(&w->kept);
}

/* ---- comparing ------------------------------------------------------------------- */

static const char *fine(const void *of)
{
    const world *w = of;
    const char *name = ph_converged_by(&w->from.problem);
    return strcmp(name, "exact") == 0 ? "s6_10+exact" : name;
}

static bool exact(void *of, double t)
{
    world *w = of;
    ph_motion motion;
    if (setup_in_field(&w->from) ||
        ph_motion_prepare(&motion, &w->from.problem.body, &w->from.start) != PH_OK)
        return false;
    w->state = ph_motion_at(&motion, t);
    w->t = t;
    return true;
}

static void keep(void *of)
{
    world *w = of;
    w->right = w->state;
}

static void errors(const void *of, double error[ERROR_COUNT])
{
    const world *w = of;
    const ph_state *s = &w->state, *right = &w->right;
    const ph_vec3 off = sub(s->m, right->m);
    const ph_quat turned = {s->q.w - right->q.w, s->q.x - right->q.x, s->q.y - right->q.y,
                            s->q.z - right->q.z};
    const double size = norm_max(right->m);
    error[ERROR_SPEED] = size == 0.0 ? norm(off)
                                     : norm(over(off, vec3(size, size, size))) /
                                           norm(over(right->m, vec3(size, size, size)));
    error[ERROR_PLACE] = sqrt(dot4(turned, turned));
}

#define FLOOR    1e-13
#define ROUNDING 0x1p-53

/* What rounding leaves of a motion that turns this far. */
static double rounding(const void *of, double t)
{
    const world *w = of;
    const double turned =
        norm(ph_problem_velocity(&w->from.problem, 0.0, w->from.start.m)) * fabs(t);
    const double per_radian = 8.0; /* roundings of the run and of the reference */
    return larger_or_nan(FLOOR, per_radian * ROUNDING * (1.0 + turned));
}

static void count(void *of, unsigned long long *kicks)
{
    world *w = of;
    w->kicks = kicks;
}

static void describe(const void *of, char *text, size_t size)
{
    const world *w = of;
    const ph_vec3 J = w->from.problem.body.J, m = w->from.start.m;
    (void)snprintf(text, size, "moments %.5g, %.5g, %.5g, momentum %.5g, %.5g, %.5g", J.x,
                   J.y, J.z, m.x, m.y, m.z);
}

const space space_body = {
    .name = "body",
    .what = "one body",
    .problem = problem_entry,
    .method = method_entry,
    .make = make,
    .takes = takes,
    .discard = free,
    .choose = choose,
    .order = space_order,
    .run = run,
    .energy = energy,
    .watch = watch_kept,
    .columns = column_names,
    .write = write_row,
    .print_state = print_state,
    .state_json = state_json,
    .print_kept = print_kept,
    .kept_json = kept_json,
    .error_names = {"momentum", "attitude"},
    .error_text = "|m - m*|/|m*| and |q - q*|",
    .fine = fine,
    .exact = exact,
    .keep = keep,
    .errors = errors,
    .rounding = rounding,
    .count = count,
    .describe = describe,
};
