/* compare_measure.c - the error of a method with a step, and the time it takes. */
#include "compare_measure.h"

#include <math.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "lab/measure/convergence.h"
#include "motion/vec.h"
#include "tool/files/posix.h"
#include "tool/output/loop.h"

/* Measuring: short runs are repeated, and the best of several counts. */
#define BATCH       0.0005 /* seconds measured at a time, or one run */
#define BATCHES     15     /* at most */
#define ENOUGH      0.1    /* seconds: then no more of them */
#define CLOCK       1e-8   /* seconds that a clock can tell apart */
#define CLOCK_STEPS 256    /* from one reading of the clock to the next */

/* Shows how far the run of a row is. */
static bool show_progress(void *self, loop *l)
{
    const compare_row *row = self;
    const uint64_t step = ph_system_steps(l->system);
    if (!row->method->chooses && step % CLOCK_STEPS == 0 && step > 0)
        progress_show(row->number,
                      row->before + row->share * (double)step / (double)row->step->count);
    return true;
}

static bool go_on(void *context, ph_system *s)
{
    (void)context;
    (void)s;
    return !interrupted;
}

int compare_find_reference(const compare_request *r, reference_solution *out)
{
    const ph_observer asking = {.observe = go_on, .every = 1};
    const reference_search by = {.integrator = r->kind->reference(r->start),
                                 .exact = true,
                                 .fewest = 500,
                                 .most = 1U << 19,
                                 .start = r->start,
                                 .observer = &asking};
    ph_system_settings with = model_settings(&r->model, &(model_integrator){0}, 0.0, NULL);
    with.warn = NULL;
    const ph_status status = ph_find_reference(&with, &by, r->time, out);
    if (status == PH_OK)
        return 0;
    return fail_run("no reference solution of %s was found, %s: use a shorter "
                    "time, or other units",
                    r->problem, ph_status_text(status));
}

static double square(ph_vec3 a)
{
    return dot(a, a);
}

double compare_condition(const compare_request *r)
{
    const model_integrator by = {.name = "gbs", .tolerance = 1e-4};
    ph_system_settings settings = model_settings(&r->model, &by, 0.0, NULL);
    ph_system *s = NULL;
    double sum = NAN, start = 0.0;
    settings.warn = NULL;
    settings.derivatives = PH_DERIVATIVES_START;
    ph_status status = ph_system_create(&settings, &s);
    if (status == PH_OK) {
        start = norm(ph_system_state(s).m);
        status = loop_steps(&(loop){.system = s, .time = r->time});
    }
    if (status == PH_OK && !interrupted) {
        const double end = norm(ph_system_state(s).m);
        sum = 0.0;
        for (size_t c = 0; c < ph_system_derivative_count(s); c++) {
            ph_system_column d;
            (void)ph_system_derivative(s, c, &d);
            const double size = c < 3 ? 1.0 : start;
            sum += square(scale(size, d.attitude)) + square(scale(size / end, d.momentum));
        }
    }
    ph_system_destroy(s);
    return sqrt(sum);
}

double compare_order(const compare_row *before, const compare_row *row)
{
    if (before->failed != 0 || row->failed != 0 || before->floor || row->floor)
        return NAN;
    const double order = ph_power_of(before->error / row->error, before->size / row->size);
    return finite_or_nan(order);
}

/* A run from the start; how long its steps took. */
static double timed(const compare_request *r, compare_row *row, ph_status *status, ph_system **out)
{
    const observer shown = {.self = row, .step = show_progress};
    model_integrator by = row->method->by;
    if (row->method->chooses) {
        by.tolerance = row->step->tolerance;
        by.longest_step = r->longest_step;
    }
    *status = model_make_quietly(&r->model, &by, row->step->size, out);
    const double begun = clock_now();
    if (*status == PH_OK)
        *status = loop_steps(&(loop){.observers = &shown,
                                     .count = 1,
                                     .system = *out,
                                     .time = r->time,
                                     .steps = row->step->count});
    return clock_now() - begun;
}

/* The time of one run, out of many as long as they are short. */
static double best_time(const compare_request *r, compare_row *row, double first)
{
    double best = first, spent = first;
    long repeats = 1;
    if (first < BATCH)
        repeats = (long)ceil(BATCH / larger_or_nan(first, CLOCK));
    for (int batch = 0; batch < BATCHES && spent < ENOUGH && !interrupted; batch++) {
        double took = 0.0;
        for (long i = 0; i < repeats; i++) {
            ph_system *s = NULL;
            ph_status status;
            took += timed(r, row, &status, &s);
            ph_system_destroy(s);
        }
        best = smaller_or_nan(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

/* Over the time of the comparison, or more where that has few steps. */
static ph_lyapunov exponent_of(const compare_request *r, const compare_row *row)
{
    enum { LEAST_STEPS = 20000 };
    const uint64_t steps = row->step->count > LEAST_STEPS ? row->step->count : LEAST_STEPS;
    ph_system *s = NULL, *twin = NULL;
    ph_lyapunov found;
    const model_integrator *by = &row->method->by;
    ph_status status = model_make_quietly(&r->model, by, row->step->size, &s);
    if (status == PH_OK)
        status = model_make_quietly(&r->model, by, row->step->size, &twin);
    if (status == PH_OK)
        status = ph_system_lyapunov(s, twin, steps, &found);
    ph_system_destroy(s);
    ph_system_destroy(twin);
    if (status == PH_OK)
        return found;
    return (ph_lyapunov){NAN, NAN, NAN};
}

bool compare_measure(const compare_request *r, const reference_solution *reference,
                     compare_row *row)
{
    ph_system *end = NULL;
    const double first = timed(r, row, &row->status, &end);
    uint64_t taken = 0;
    if (end)
        taken = ph_system_steps(end);
    row->count = row->method->chooses ? taken : row->step->count;
    row->size = row->step->size;
    if (row->method->chooses) {
        if (taken == 0)
            row->size = 0.0;
        else
            row->size = r->time / (double)taken;
    }
    if (end)
        row->kicks = ph_system_evaluations(end);
    else
        row->kicks = 0;
    row->error = row->order = row->seconds = NAN;
    row->errors[ERROR_SPEED] = row->errors[ERROR_PLACE] = NAN;
    if (row->status == PH_OK && !interrupted) {
        row->error = ph_system_errors(end, reference->end, row->errors);
        row->floor = row->error < reference->floor;
        if (isfinite(row->error))
            row->seconds = best_time(r, row, first);
        else
            row->status = PH_NOT_FINITE;
    }
    row->lyapunov = (ph_lyapunov){NAN, NAN, NAN};
    if (r->lyapunov && row->status == PH_OK && !interrupted && !row->method->chooses)
        row->lyapunov = exponent_of(r, row);
    const bool at_end = taken == row->count && !row->method->chooses;
    if (row->status == PH_OK)
        row->failed = 0;
    else
        row->failed = taken + !at_end;
    ph_system_destroy(end);
    return !interrupted;
}
