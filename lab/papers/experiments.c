/* experiments.c - what several figures compute: errors for smaller and smaller steps, the
 * energy in long runs, what a step costs, and random free bodies. */
#include "lab/papers/experiments.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "base/random.h"
#include "lab/measure/common.h"
#include "lab/measure/reference.h"
#include "motion/moser_veselov.h"
#include "motion/series.h"
#include "tool/files/posix.h"

/* ---- errors at a time, for smaller and smaller steps ----------------------------- */

enum { FINER = 4 }; /* the reference's steps than the smallest of the others */

typedef struct observed_run {
    figure_work *work;
    uint64_t steps;
} observed_run;

static bool observe(void *context, ph_system *s)
{
    const observed_run *r = context;
    return report_step(r->work, ph_system_steps(s), r->steps);
}

static double frobenius(ph_quat a, ph_quat b)
{
    const ph_mat3 A = ph_quat_matrix(a), B = ph_quat_matrix(b);
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        const double d = A.a[i / 3][i % 3] - B.a[i / 3][i % 3];
        sum += d * d;
    }
    return sqrt(sum);
}

/* Of the vectors of one field in two systems. */
static double distance(const ph_system *a, const ph_system *b, const char *field)
{
    const ph_array *x = find_field(a, field), *y = find_field(b, field);
    double sum = 0.0;
    for (size_t i = 0; i < x->count * x->stride; i += x->stride) {
        const ph_vec3 d = vec3(x->data[0][i] - y->data[0][i], x->data[1][i] - y->data[1][i],
                               x->data[2][i] - y->data[2][i]);
        sum += dot(d, d);
    }
    return sqrt(sum);
}

/* The two errors of a system, in the order of the columns. */
static void find_errors(const convergence *c, const ph_system *s, const ph_system *right,
                        double error[2])
{
    if (c->norms == NORMS_SPHERES) {
        error[0] = distance(s, right, "q");
        error[1] = distance(s, right, "w");
        return;
    }
    const bool krysl = c->norms == NORMS_KRYSL; /* whose 2-norm is Frobenius / sqrt 2 */
    const ph_state end = ph_system_state(s), solution = ph_system_state(right);
    const ph_vec3 dm = sub(end.m, solution.m);
    error[1] = frobenius(end.q, solution.q);
    if (krysl) {
        error[0] = norm(dm);
        error[1] /= sqrt(2.0);
    } else {
        error[0] = norm(over(dm, find_problem(c->problem)->body.J));
    }
}

/* The exact solution of a free body, or that of one run. */
static bool find_solution(const convergence *c, figure_work *work, uint64_t steps,
                          reference_solution *right)
{
    const ph_problem *p = find_problem(c->problem);
    observed_run run = {work, steps};
    const ph_observer o = {.observe = observe, .context = &run, .every = REPORT_EVERY};
    const ph_system_settings with = {.problem = c->problem};
    const reference_search by = {p == NULL ? "rkmkgl6" : "srkn6_14a+exact",
                                 .exact = p != NULL && p->torque == NULL, .fewest = steps,
                                 .most = steps, .observer = &o};
    if (ph_find_reference(&with, &by, c->time, right) == PH_OK)
        return true;
    work->error = "there is no reference solution";
    return false;
}

bool convergence_compute(figure_work *work, table *t)
{
    const convergence *c = work->figure->context;
    const int halvings = c->halvings[work->effort];
    const uint64_t finest = c->coarsest << halvings;
    size_t methods = 0;
    while (c->methods[methods] != NULL)
        methods++;
    const double all = (2.0 * (double)methods + FINER) * (double)finest; /* nearly */
    reference_solution right = {0};
    table_begin(t, c->norms == NORMS_SPHERES ? "method,h,error_position,error_velocity"
                                             : "method,h,error_momentum,error_attitude");
    work->share = FINER * (double)finest / all;
    bool good = find_solution(c, work, FINER * finest, &right);
    for (size_t m = 0; m < methods; m++) {
        for (uint64_t steps = c->coarsest; steps <= finest && good && !work->stopped; steps *= 2) {
            double error[2] = {NAN, NAN};
            ph_system *s;
            observed_run run = {work, steps};
            const ph_observer o = {.observe = observe, .context = &run, .every = REPORT_EVERY};
            const ph_system_settings with = {.problem = c->problem};
            work->before += work->share;
            work->share = (double)steps / all;
            const ph_status status = ph_run_over(&with, c->methods[m], c->time, steps, &o, &s);
            good = s != NULL;
            if (!good)
                work->error = ph_status_text(status);
            if (good && status == PH_OK)
                find_errors(c, s, right.end, error);
            ROW(t, (c->methods[m]), c->time / (double)steps, error[0], error[1]);
            ph_system_destroy(s);
        }
    }
    ph_system_destroy(right.end);
    return good && !work->stopped;
}

double final_error(const table *t, const char *method, const char *column)
{
    return table_last(t, "method", method, column);
}

double error_ratio(const table *t, const char *a, const char *b, const char *column)
{
    return final_error(t, a, column) / final_error(t, b, column);
}

double extreme_error(const table *t, const char *const *methods, const char *column,
                     double (*of)(double, double))
{
    double all = final_error(t, methods[0], column);
    for (; *methods != NULL; methods++)
        all = of(all, final_error(t, *methods, column));
    return all;
}

double final_order(const table *t, const char *method, const char *column)
{
    const double round_off = 2e-11; /* of some thousand steps */
    return table_order(t, "method", method, "h", column, round_off);
}

void claim_order_2(const table *t, claims *out, const char *who, const char *const *methods)
{
    const double order = 2.0, off = 0.1; /* what a line drawn by eye tells */
    double low = INFINITY, high = -INFINITY;
    for (; *methods != NULL; methods++) {
        const double m = final_order(t, *methods, "error_momentum"),
                     q = final_order(t, *methods, "error_attitude");
        low = smaller_or_nan(low, smaller_or_nan(m, q));
        high = larger_or_nan(high, larger_or_nan(m, q));
    }
    claim(out, low, order - off, order + off, "%s are of order 2: the lowest slope", who);
    claim(out, high, order - off, order + off, "%s are of order 2: the highest slope", who);
}

/* ---- the energy in long runs ----------------------------------------------------- */

/* The errors of some steps together. */
typedef struct block {
    uint64_t steps;
    double low, high, sum;
} block;
static const block EMPTY = {.low = INFINITY, .high = -INFINITY};

enum { FIRST = 2, ERRORS = 3 }; /* columns: run and t, and the errors */

typedef struct watcher {
    const long_runs *all;
    const long_run *run;
    figure_work *work;
    double h;
    uint64_t steps;
    table *t;
    double initial;
    bool lost;
    uint64_t written; /* blocks */
    block now;
    double more[LONG_RUN_MORE];
} watcher;

static void write_block(watcher *w)
{
    const long_run *r = w->run;
    const block *b = &w->now;
    const uint64_t steps = w->steps / w->all->blocks;
    const double at = (double)w->written + (w->all->at_end ? 1.0 : 0.5),
                 errors[ERRORS] = {b->low, b->sum / (double)b->steps, b->high};
    double row[1 + ERRORS + LONG_RUN_MORE] = {at * (double)steps * w->h};
    for (size_t i = 0; FIRST + i < w->t->columns; i++) {
        if (w->lost)
            row[1 + i] = INFINITY;
        else if (i < ERRORS)
            row[1 + i] = errors[i];
        else
            row[1 + i] = w->more[i - ERRORS];
    }
    table_row(w->t, (const char *const[]){text_or(r->name, r->method), NULL}, row);
    w->written++;
    w->now = EMPTY;
}

static bool watch(void *context, ph_system *s)
{
    watcher *w = context;
    const long_runs *r = w->all;
    const uint64_t step = ph_system_steps(s);
    const bool goes_on = report_step(w->work, step, w->steps);
    const double energy = ph_system_energy(s);
    if (step == 0) {
        w->initial = energy;
        return goes_on;
    }
    const double scale = fabs(w->initial), error = energy - w->initial;
    double shown = error;
    if (r->relative)
        shown = error / scale;
    w->lost = w->lost || !(fabs(error) < LONG_RUN_LOST * larger_or_nan(scale, 1e-300));
    block *b = &w->now;
    if (r->measure != NULL)
        r->measure(s, b->steps == 0, w->more);
    b->steps++;
    b->low = smaller_or_nan(b->low, shown);
    b->high = larger_or_nan(b->high, shown);
    b->sum += shown;
    if (b->steps == w->steps / r->blocks)
        write_block(w);
    return goes_on && !w->lost && w->written < r->blocks;
}

/* One run, of start k; its rows if k is 0, else one for the whole. False: stopped. */
static bool long_run_compute(watcher *w, int k)
{
    const ph_observer o = {.observe = watch, .context = w, .every = 1};
    const ph_system_settings with = {w->all->problem, .integrator = w->run->method, .step = w->h};
    ph_system *s = create_system(w->work, &with);
    if (s == NULL || (k > 0 && ph_neighbouring_start(s, k) != PH_OK))
        return false;
    if (w->all->measure != NULL)
        ph_system_watch(s, true);
    w->lost = ph_system_run(s, w->steps, &o) != PH_OK || w->lost;
    ph_system_destroy(s);
    while (w->lost && w->written < w->all->blocks && !w->work->stopped)
        write_block(w);
    return !w->work->stopped;
}

/* The rows of one start as one. */
static void add_start(table *t, const table *rows, const char *name, int k)
{
    double row[1 + ERRORS + LONG_RUN_MORE] = {k, table_least(rows, NULL, NULL, "low"),
                                              run_slope(rows, name),
                                              table_most(rows, NULL, NULL, "high")};
    for (size_t i = 1 + ERRORS; FIRST - 1 + i < t->columns; i++)
        row[i] = NAN;
    table_row(t, (const char *const[]){name, NULL}, row);
}

bool long_runs_compute(figure_work *work, table *t)
{
    const long_runs *all = work->figure->context;
    char columns[128];
    (void)snprintf(columns, sizeof columns, "run,t,low,mean,high%s", text_or_empty(all->more));
    table_begin(t, columns);
    double count = 0.0, before = 0.0;
    for (const long_run *r = all->runs; r->method != NULL; r++)
        count += 1.0 + r->starts;
    work->share = 1.0 / count;
    bool good = true;
    for (const long_run *r = all->runs; r->method != NULL && good; r++) {
        int starts = r->starts;
        if (work->effort == FIGURE_SMOKE)
            starts = smaller_int(starts, 2);
        const double h = r->h > 0.0 ? r->h : all->h;
        const watcher begin = {
            .all = all,
            .run = r,
            .work = work,
            .h = h,
            .now = EMPTY,
            .steps = (uint64_t)round(all->time[work->effort] * positive_or_one(r->times) / h)};
        for (int k = starts > 0; k <= starts && good; k++) {
            watcher w = begin;
            table rows;
            table_begin(&rows, columns);
            w.t = k == 0 ? t : &rows;
            work->before = before++ / count;
            good = long_run_compute(&w, k);
            if (k > 0)
                add_start(t, &rows, r->name, k);
        }
    }
    return good;
}

double run_error(const table *t, const char *run)
{
    const double low = table_least(t, "run", run, "low"), high = table_most(t, "run", run, "high");
    return larger_or_nan(fabs(low), fabs(high));
}

double run_range(const table *t, const char *run)
{
    if (isinf(run_error(t, run)))
        return INFINITY;
    return table_most(t, "run", run, "high") - table_least(t, "run", run, "low");
}

double run_slope(const table *t, const char *run)
{
    double count = 0.0, x = 0.0, y = 0.0, xy = 0.0, xx = 0.0;
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        count += 1.0;
        x += table_number(t, i, "t");
        y += table_number(t, i, "mean");
    }
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        const double dx = table_number(t, i, "t") - x / count;
        xy += dx * (table_number(t, i, "mean") - y / count);
        xx += dx * dx;
    }
    return xy / xx;
}

double run_drift(const table *t, const char *run)
{
    return run_slope(t, run) * table_most(t, "run", run, "t") / run_error(t, run);
}

/* ---- ensembles ------------------------------------------------------------------- */

/* Wilson's interval: (p + z^2/2n -+ z sqrt(p (1 - p)/n + z^2/4n^2))/(1 + z^2/n). */
static ensemble_share share_of(double count, double of)
{
    const double z = 1.96, p = count / of, middle = p + z * z / (2 * of),
                 half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of)), all = 1 + z * z / of;
    return (ensemble_share){of, count, (middle - half) / all, (middle + half) / all};
}

ensemble_share share_within(const table *t, const char *run, double bound)
{
    double of = 0.0, count = 0.0;
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        of += 1.0;
        count +=
            fabs(table_number(t, i, "low")) <= bound && fabs(table_number(t, i, "high")) <= bound;
    }
    return share_of(count, of);
}

ensemble_share share_drifting(const table *t, const char *run, double time, double least)
{
    double of = 0.0, count = 0.0;
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        const double most =
            larger_or_nan(fabs(table_number(t, i, "low")), fabs(table_number(t, i, "high")));
        of += 1.0;
        count += fabs(table_number(t, i, "mean")) * time >= least * most;
    }
    return share_of(count, of);
}

double ensemble_drift(const table *t, const char *run)
{
    double n = 0.0, sum = 0.0, squares = 0.0;
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        n += 1.0;
        sum += table_number(t, i, "mean");
    }
    for (size_t i = 0; next_row(t, &i, "run", run); i++) {
        const double d = table_number(t, i, "mean") - sum / n;
        squares += d * d;
    }
    return sum / n / sqrt(squares / (n - 1) / n);
}

void claim_most(claims *out, ensemble_share s, const char *what)
{
    claim(out, s.low, 0.5, 1.0,
          "%s: %.0f of %.0f neighbouring starts, the lower end of the 95 %% interval %.2f "
          "to %.2f",
          what, s.count, s.of, s.low, s.high);
}

/* ---- costs ------------------------------------------------------------------------ */

#define BATCH 0.0005 /* seconds measured at a time, or one run */
#define CLOCK 1e-8   /* seconds that a clock can tell apart */
enum { BATCHES = 60 /* at most */, ROUNDS = 3 };

static double batch_seconds(void (*task)(void *), void *context, long repeats)
{
    const double begun = clock_work();
    for (long i = 0; i < repeats; i++)
        task(context);
    return clock_work() - begun;
}

double best_seconds(const figure_work *work, void (*task)(void *context), void *context)
{
    double best = batch_seconds(task, context, 1), spent = best;
    const double enough = by_effort(work, 0.0, 0.06, 0.25); /* seconds for all of it */
    long repeats = 1;
    if (best < BATCH)
        repeats = (long)ceil(BATCH / larger_or_nan(best, CLOCK));
    for (int batch = 0; batch < BATCHES && spent < enough; batch++) {
        const double took = batch_seconds(task, context, repeats);
        best = smaller_or_nan(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

typedef struct task {
    const char *problem, *method;
    double h;
    uint64_t steps;
    double evaluations; /* NaN: it failed */
} task;

static void run_task(void *context)
{
    task *t = context;
    ph_system *s = NULL;
    ph_status status = system_by_names(&s, t->problem, t->method, t->h);
    uint64_t before = 0;
    if (status == PH_OK) {
        before = ph_system_evaluations(s);
        status = ph_system_run(s, t->steps, NULL);
    }
    if (status == PH_OK)
        t->evaluations = (double)(ph_system_evaluations(s) - before);
    else
        t->evaluations = NAN;
    ph_system_destroy(s);
}

bool method_costs(figure_work *work, const char *problem, double h, uint64_t steps,
                  const char *const *methods, size_t count, method_cost *cost)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            task t = {problem, methods[i], h, (uint64_t)steps, NAN};
            if (!report_progress(work, (round + (double)i / (double)count) / ROUNDS))
                return false;
            const double seconds = best_seconds(work, run_task, &t) / (double)steps;
            cost[i].evaluations = t.evaluations / (double)steps;
            if (round == 0)
                cost[i].seconds = seconds;
            else
                cost[i].seconds = smaller_or_nan(cost[i].seconds, seconds);
            if (isnan(t.evaluations))
                cost[i].seconds = NAN;
        }
    }
    return true;
}

/* ---- splittings ------------------------------------------------------------------- */

const char *split_name(char text[SPLIT_NAME], const char *scheme, int flow)
{
    (void)snprintf(text, SPLIT_NAME, "%s+%s", scheme, flow == SPLIT_EXACT ? "exact" : "mr");
    return text;
}

int split_kicks(const char *scheme)
{
    return (find_scheme(scheme)->stages - 1) / 2;
}

/* ---- random free bodies ------------------------------------------------------------- */

enum { ITERATIONS = 100 }; /* of a step before it has failed */

const double UNIT_RANGE[2] = {0, 1};

ph_vec3 random_moments(uint64_t *seed, const double range[2])
{
    const double a = between(seed, range[0], range[1]), b = between(seed, range[0], range[1]);
    return vec3(smaller_or_nan(a, b), larger_or_nan(a, b), 1.0);
}

ph_state random_start(uint64_t *seed, const double range[2])
{
    double x[3];
    draw_each(seed, range[0], range[1], 3, x);
    const ph_vec3 m = vec3(x[0], x[1], x[2]);
    return (ph_state){{1, 0, 0, 0}, scale(1.0 / norm(m), m)};
}

static bool fixed_point_step(int order, ph_state *s, ph_vec3 J, double h)
{
    const ph_vec3 j = over(vec3(1, 1, 1), J);
    const ph_series_at at = ph_series_invariants(j, s->m);
    const ph_modified c = ph_series_modified(ph_dmv_series, order / 2 - 1, &at, h, false);
    const ph_vec3 ones = vec3(1, 1, 1), I = over(ones, add(scale(c.s, j), scale(c.d, ones)));
    const ph_vec3 first = scale(0.5 * h, over(s->m, I));
    ph_vec3 e = first, cross_term = cross(times(I, e), e);
    double alpha = 1.0, change = INFINITY;
    for (int i = 0; i < ITERATIONS && change > 2.0 * DBL_EPSILON * norm_max(e); i++) {
        const ph_vec3 last = e;
        alpha = 1.0 + dot(e, e);
        e = add(scale(alpha, first), over(cross_term, I));
        cross_term = cross(times(I, e), e);
        change = norm_max(sub(e, last));
    }
    if (!(change <= 2.0 * DBL_EPSILON * norm_max(e)))
        return false;
    alpha = 1.0 + dot(e, e);
    s->m = add(s->m, scale(4.0 / (h * alpha), cross_term));
    const ph_quat turn = quat(1.0 / sqrt(alpha), scale(1.0 / sqrt(alpha), e));
    s->q = mul(s->q, turn);
    return finite3(s->m) && finite4(s->q);
}

bool free_run(const char *method, ph_state *s, ph_vec3 J, double h, uint64_t steps)
{
    char name[32];
    const bool newton = strstr(method, " by Newton") != NULL;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(method, " "), method);
    int fixed_point = 0;
    if (!newton && strncmp(name, "dmv", 3) == 0)
        fixed_point = (int)strtol(name + 3, NULL, 10);
    const ph_flow *flow = find_flow(name);
    bool good = flow != NULL;
    for (uint64_t i = 0; i < steps && good; i++) {
        if (fixed_point > 0)
            good = fixed_point_step(fixed_point, s, J, h);
        else
            good = flow->step(flow, s, J, h) == PH_OK;
    }
    return good;
}

void free_timed_run(void *context)
{
    timed_run *r = context;
    r->end = r->start;
    r->good = free_run(r->method, &r->end, r->J, r->h, r->steps);
}

bool dmv_step(ph_vec3 I, ph_state *s, double h)
{
    ph_vec3 e;
    if (!ph_dmv_solve(I, s->m, h, &e))
        return false;
    const ph_quat turn = ph_quat_unit(quat(1.0, e));
    *s = (ph_state){mul(s->q, turn), rotate(inverse(turn), s->m)};
    return true;
}

bool free_exact(ph_vec3 J, const ph_state *start, double t, ph_state *s)
{
    ph_body b;
    ph_motion motion;
    if (ph_body_from_moments(&b, J) != PH_OK || ph_motion_prepare(&motion, &b, start) != PH_OK)
        return false;
    *s = ph_motion_at(&motion, t);
    return true;
}

double free_error(ph_vec3 J, const ph_state *start, double t, const ph_state *s)
{
    ph_state right;
    if (!free_exact(J, start, t, &right))
        return NAN;
    const ph_mat3 A = ph_quat_matrix(s->q), B = ph_quat_matrix(right.q);
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += fabs(A.a[i][k] - B.a[i][k]);
        most = larger_or_nan(most, sum);
    }
    return most;
}

double free_digits(double error)
{
    const double log_of_10 = 2.302585092994045684018;
    if (isnan(error))
        return NAN;
    return -ph_real_log(larger_or_nan(error, 0.5 * DBL_EPSILON)) / log_of_10;
}
