/* compare_measure.c - the error of a method with a step, and the time it takes. */
#include <math.h>

#include "compare.h"
#include "core/extremes.h"
#include "interrupt.h"
#include "io/clock.h"
#include "progress.h"
#include "show.h"

/* Measuring: short runs are repeated, and the best of several counts. */
#define BATCH   0.0005 /* seconds measured at a time, or one run */
#define BATCHES 15     /* at most */
#define ENOUGH  0.1    /* seconds: then no more of them */
#define CLOCK   1e-8   /* seconds that a clock can tell apart */

/* ---- the error ------------------------------------------------------------------- */

static void set_errors(const ph_system *end, const compare_reference *reference,
                       compare_row *row)
{
    show_errors(end, reference->end, row->errors);
    row->error = 0.0;
    for (int i = 0; i < ERROR_COUNT; i++)
        row->error = larger_or_nan(row->error, row->errors[i]);
    row->floor = row->error < reference->floor;
}

double compare_order(const compare_row *before, const compare_row *row)
{
    if (before->failed != 0 || row->failed != 0 || before->floor || row->floor)
        return NAN;
    const double order =
        log(before->error / row->error) / log(before->step->size / row->step->size);
    return isfinite(order) ? order : NAN;
}

/* ---- the time -------------------------------------------------------------------- */

#define LOOK 256 /* steps from one look at the clock to the next */

static bool watch(void *context, ph_system *s)
{
    const compare_row *row = context;
    const uint64_t step = ph_system_steps(s);
    if (step % LOOK == 0 && step > 0)
        progress_show(row->number,
                      row->before + row->share * (double)step / (double)row->step->count);
    return !interrupted;
}

/* A run from the start; how long its steps took. */
static double timed(const compare_request *r, compare_row *row, unsigned options,
                    ph_status *status, ph_system **out)
{
    const ph_observer o = {watch, row, 1, NULL, 0};
    *status =
        r->kind->make(r->input, row->method->integrator, row->step->size, options, out);
    const double begun = clock_now();
    if (*status == PH_OK)
        *status = ph_system_run(*out, (uint64_t)row->step->count, &o);
    return clock_now() - begun;
}

/* The time of one run, out of many as long as they are short. */
static double best_time(const compare_request *r, compare_row *row, double first)
{
    double best = first, spent = first;
    const long repeats =
        first < BATCH ? (long)ceil(BATCH / larger_or_nan(first, CLOCK)) : 1;
    for (int batch = 0; batch < BATCHES && spent < ENOUGH && !interrupted; batch++) {
        double took = 0.0;
        for (long i = 0; i < repeats; i++) {
            ph_system *s = NULL;
            ph_status status;
            took += timed(r, row, 0, &status, &s);
            ph_system_free(s);
        }
        best = smaller_or_nan(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

bool compare_measure(const compare_request *r, const compare_reference *reference,
                     compare_row *row)
{
    ph_system *end = NULL;
    const double first = timed(r, row, 0, &row->status, &end);
    const long taken = end ? (long)ph_system_steps(end) : 0;
    row->kicks = end ? ph_system_evaluations(end) : 0;
    row->error = NAN;
    for (int i = 0; i < ERROR_COUNT; i++)
        row->errors[i] = NAN;
    row->order = NAN;
    row->seconds = NAN;
    if (row->status == PH_OK && !interrupted) {
        set_errors(end, reference, row);
        if (isfinite(row->error))
            row->seconds = best_time(r, row, first);
        else
            row->status = PH_NOT_FINITE;
    }
    row->failed = row->status == PH_OK        ? 0
                  : taken == row->step->count ? taken
                                              : taken + 1;
    ph_system_free(end);
    return !interrupted;
}
