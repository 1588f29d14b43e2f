/* field.c - a body in a field: how often the torque is needed to reach an attitude error.
 *
 * From each of several starts: ours is the best of all schemes with the exact drift and of
 * all numbers of steps on a grid, theirs each solver at its cheapest tolerance; the counts
 * of all starts are added up and the thriftiest solver is taken. A kick counts one, as
 * does a right-hand side; the derivative of the torque, which some schemes need, three.
 * The times are raced too: a drift costs more than a right-hand side with a torque as
 * simple as these, so that the count tells where the torque is what costs.
 *
 * The satellite is the problem's own, whose field has 8e-4 of its kinetic energy; the weak
 * heavy top has the strength 1e-3. The right result is that of a fine splitting, which half
 * as many steps confirm.
 */
#include <math.h>
#include <stdio.h>

#include "base/extremes.h"
#include "solving.h"
#include "stepping.h"
#include "system/find.h"

/* Kicks tried at most, relative to the right-hand sides of the thriftiest solver. */
#define HOPELESS 4
#define MANY     20000L /* if no solver gets there */

static const struct target {
    double error;
    const char *name;
} targets[] = {{1e-6, "1e6"}, {1e-10, "1e10"}};

#define TARGETS (sizeof targets / sizeof targets[0])

static const struct field {
    const char *name; /* in names of ratios */
    const char *problem;
    double strength; /* of the heavy top; 0: the problem's own */
    double end;
    bool counts; /* in the ratio that is to be met, the smallest of these */
} fields[] = {
    {"heavy_top_weak", "heavy_top", 1e-3, 10.0, true},
    {"satellite", "satellite", 0.0, 10.0, true},
    {"heavy_top_weak_long", "heavy_top", 1e-3, 100.0, false},
    {"heavy_top_strong", "heavy_top", 1.0, 10.0, false},
};

#define FIELDS (sizeof fields / sizeof fields[0])

/* ---- counting -------------------------------------------------------------------- */

/* A problem that counts how often its torque is asked for. */
typedef struct counted {
    ph_problem problem, inner;
    long kicks;
} counted;

static ph_vec3 counted_torque(const ph_problem *p, const ph_instant *now)
{
    counted *c = p->context;
    c->kicks++;
    return c->inner.torque(&c->inner, now);
}

static ph_mat3 counted_derivative(const ph_problem *p, const ph_instant *now)
{
    counted *c = p->context;
    c->kicks += 3;
    return c->inner.derivative(&c->inner, now);
}

/* ---- our splittings -------------------------------------------------------------- */

typedef struct splitting_run {
    ph_integrator integrator;
    const solving *on;
    const ph_problem *problem;
    int steps;
    double error;
    long kicks;
} splitting_run;

static ph_state go(const splitting_run *r, int start)
{
    ph_state s = r->on->start[start];
    const double h = r->on->end / r->steps;
    for (int i = 0; i < r->steps; i++) {
        if (ph_integrator_step(&r->integrator, r->problem, &s, i * h, h) != PH_OK)
            s.q.w = NAN;
    }
    return s;
}

/* All starts once; for .run */
static double splitting_pass(void *work)
{
    const splitting_run *r = work;
    double sum = 0.0;
    for (int i = 0; i < r->on->starts; i++)
        sum += go(r, i).q.w;
    return sum;
}

/* Fills in error and kicks. */
static void measure(splitting_run *r)
{
    counted c = {.problem = r->on->problem, .inner = r->on->problem};
    c.problem.torque = counted_torque;
    c.problem.derivative = counted_derivative;
    c.problem.context = &c;
    r->problem = &c.problem;
    r->error = 0.0;
    for (int i = 0; i < r->on->starts; i++) {
        const double error = attitude_error(go(r, i).q, r->on->right[i][0]);
        if (isnan(error))
            r->error = INFINITY;
        else
            r->error = larger_or_nan(r->error, error);
    }
    r->kicks = c.kicks / r->on->starts;
    r->problem = &r->on->problem;
}

/* The scheme with the fewest kicks that reaches the error, if that takes less than `most`;
 * steps grow by a sixteenth. */
static splitting_run best_splitting(const solving *on, double target, long most)
{
    splitting_run best = {.kicks = most, .error = INFINITY};
    const ph_scheme *scheme;
    for (size_t i = 0; ph_scheme_at(i, &scheme); i++) {
        splitting_run r = {.on = on};
        r.integrator.flow = find_flow("exact");
        r.integrator.scheme = scheme;
        for (r.steps = 1; r.kicks < best.kicks; r.steps += 1 + r.steps / 16) {
            measure(&r);
            if (r.error <= target && r.kicks < best.kicks)
                best = r;
        }
    }
    return best;
}

/* ---- the right result ------------------------------------------------------------ */

/* Radians of rotation in a step of the reference and of the check of it. */
static const double FINE = 0.05, CHECK = 0.1;

static int steps_of(const solving *on, double radians)
{
    const ph_vec3 w = on->problem.w;
    return (int)ceil(on->end * hypot(hypot(w.x, w.y), w.z) / radians);
}

/* Fills in the right attitudes; returns how far the check is from them. */
static double fill_in(solving *on)
{
    splitting_run r = {.on = on, .problem = &on->problem};
    (void)ph_integrator_named("srkn6_14a+exact", &r.integrator);
    r.steps = steps_of(on, FINE);
    for (int i = 0; i < on->starts; i++)
        on->right[i][0] = go(&r, i).q;
    r.steps = steps_of(on, CHECK);
    measure(&r);
    return r.error;
}

/* ---- the counts ------------------------------------------------------------------ */

/* What all starts need together. */
typedef struct counts {
    int solvers;
    const char *name[SOLVING_SOLVERS];
    long evaluations[SOLVING_SOLVERS]; /* 0: does not reach the error from some start */
    long kicks;                        /* 0: the same */
} counts;

static const solving_entry *thriftiest(const solving_entry *entries, int count)
{
    const solving_entry *best = NULL;
    for (int i = 0; i < count; i++) {
        if (entries[i].handle != NULL &&
            (best == NULL || entries[i].evaluations < best->evaluations))
            best = &entries[i];
    }
    return best;
}

static long hopeless(const solving_entry *entries, int count)
{
    const solving_entry *best = thriftiest(entries, count);
    if (best != NULL)
        return HOPELESS * best->evaluations;
    return MANY;
}

static counts count_all(bench *b, const solving *all, double target)
{
    static solving_entry entries[SOLVING_SOLVERS];
    static solving on;
    counts c = {0};
    bool ours = true, lost[SOLVING_SOLVERS] = {false};
    for (int start = 0; start < all->starts; start++) {
        on = solving_from(all, start);
        c.solvers = solving_search(b, &on, target, entries);
        for (int i = 0; i < c.solvers; i++) {
            lost[i] = lost[i] || entries[i].handle == NULL;
            c.name[i] = entries[i].solver->name;
            if (lost[i])
                c.evaluations[i] = 0;
            else
                c.evaluations[i] = c.evaluations[i] + entries[i].evaluations;
        }
        const splitting_run r = best_splitting(&on, target, hopeless(entries, c.solvers));
        ours = ours && r.on != NULL;
        if (ours)
            c.kicks = c.kicks + r.kicks;
        else
            c.kicks = 0;
        solving_close(entries, c.solvers);
    }
    return c;
}

/* Tells the counts and returns their ratio; NaN if one side does not reach the error. */
static double ratio_of(bench *b, const counts *c, const struct field *field,
                       const struct target *target)
{
    long least = 0;
    for (int i = 0; i < c->solvers; i++) {
        if (c->evaluations[i] == 0)
            bench_note(b, "%s to %.0e: %s does not get there", field->name, target->error,
                       c->name[i]);
        else
            bench_note(b, "%s to %.0e: %s, %ld right-hand sides", field->name, target->error,
                       c->name[i], c->evaluations[i]);
        if (c->evaluations[i] > 0 && (least == 0 || c->evaluations[i] < least))
            least = c->evaluations[i];
    }
    bench_note(b, "%s to %.0e: our splittings, %ld kicks", field->name, target->error, c->kicks);
    if (least > 0 && c->kicks > 0)
        return (double)least / (double)c->kicks;
    return NAN;
}

/* ---- the times, from the problem's own start ------------------------------------- */

/* Not those that need many times more than the thriftiest: they take long. */
static bool worth_timing(const solving_entry *e, long most)
{
    return e->handle != NULL && e->evaluations <= most;
}

static void race(bench *b, const solving *all, double doubt, const struct field *field,
                 const struct target *target)
{
    static solving_entry entries[SOLVING_SOLVERS];
    static bench_contestant contestants[SOLVING_SOLVERS + 1];
    static char names[SOLVING_SOLVERS + 1][BENCH_NAME];
    static solving on;
    on = solving_from(all, 0);
    const int count = solving_search(b, &on, target->error, entries);
    const long most = hopeless(entries, count);
    splitting_run ours = best_splitting(&on, target->error, most);
    for (int i = 0; i < count; i++) {
        snprintf(names[i], BENCH_NAME, "%s_%s_%s", entries[i].solver->name, field->name,
                 target->name);
        contestants[i] = (bench_contestant){.name = names[i],
                                            .run = solving_pass,
                                            .work = &entries[i],
                                            .units = 1,
                                            .peer = true,
                                            .refused = !worth_timing(&entries[i], most)};
    }
    bench_contestant *splitting = &contestants[count];
    snprintf(names[count], BENCH_NAME, "splitting_%s_%s", field->name, target->name);
    *splitting =
        (bench_contestant){.name = names[count], .run = splitting_pass, .work = &ours, .units = 1};
    if (bench_check(b, splitting, "attitude error", ours.error, target->error))
        bench_note(b, "%s to %.0e from its own start: %s+exact with %d steps, %ld kicks",
                   field->name, target->error, ours.integrator.scheme->name, ours.steps,
                   ours.kicks);
    bench_check(b, splitting, "doubt of the reference", doubt, 0.5 * target->error);
    bench_race(b, "motion", contestants, count + 1);
    const bench_contestant *best = bench_fastest(contestants, count);
    char name[BENCH_NAME];
    snprintf(name, sizeof name, "best_ode_time_over_%s_%s", field->name, target->name);
    if (best != NULL)
        bench_ratio(b, name, best, splitting);
    solving_close(entries, count);
}

static ph_problem problem_of(const struct field *field)
{
    ph_problem p = *find_problem(field->problem);
    const ph_parameter *strength = ph_problem_parameter(&p, "strength");
    if (strength != NULL && field->strength > 0.0)
        p.value[strength->first] = field->strength;
    return p;
}

static void run(bench *b)
{
    static solving on;
    double least[TARGETS] = {INFINITY, INFINITY};
    for (size_t i = 0; i < FIELDS; i++) {
        const ph_problem problem = problem_of(&fields[i]);
        on = solving_new(&problem, fields[i].end, 1);
        const double doubt = fill_in(&on);
        bench_note(b, "%s over [0, %g]: the reference is sure to %.1e", fields[i].name,
                   fields[i].end, doubt);
        for (size_t k = 0; k < TARGETS; k++) {
            const counts c = count_all(b, &on, targets[k].error);
            const double ratio = ratio_of(b, &c, &fields[i], &targets[k]);
            char name[BENCH_NAME];
            snprintf(name, sizeof name, "best_ode_kicks_over_%s_%s", fields[i].name,
                     targets[k].name);
            bench_value(b, name, ratio);
            race(b, &on, doubt, &fields[i], &targets[k]);
            if (fields[i].counts) {
                if (isnan(ratio))
                    least[k] = ratio;
                else
                    least[k] = smaller_or_nan(least[k], ratio);
            }
        }
    }
    for (size_t k = 0; k < TARGETS; k++) {
        char name[BENCH_NAME];
        snprintf(name, sizeof name, "best_ode_kicks_over_weak_%s", targets[k].name);
        bench_value(b, name, least[k]);
    }
}

const bench_group bench_group_field = {
    .name = "field",
    .title = "torques needed by splittings and by solvers, weak and strong fields",
    .run = run,
};
