/* compare_measure.c - the error of a method with a step, and the time it takes. */
#include <math.h>

#include "compare.h"
#include "core/extremes.h"
#include "interrupt.h"
#include "io/clock.h"
#include "progress.h"

/* Measuring: short runs are repeated, and the best of several counts. */
#define BATCH   0.0005 /* seconds measured at a time, or one run */
#define BATCHES 15     /* at most */
#define ENOUGH  0.1    /* seconds: then no more of them */
#define CLOCK   1e-8   /* seconds that a clock can tell apart */

/* ---- the error ------------------------------------------------------------------- */

static void set_errors(const compare_request *r, const compare_reference *reference,
                       compare_row *row)
{
    r->space->errors(r->world, row->errors);
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

static bool watch(void *context, long step, double t)
{
    (void)t;
    const compare_row *row = context;
    if (step % LOOK == 0 && step > 0)
        progress_show(row->number,
                      row->before + row->share * (double)step / (double)row->step->count);
    return !interrupted;
}

/* A run from the start; how long it took. */
static double timed(const compare_request *r, compare_row *row, ph_status *status,
                    long *taken)
{
    const double begun = clock_now();
    *status = r->space->run(r->world, row->method->integrator, row->step->size,
                            row->step->count, watch, row, taken);
    return clock_now() - begun;
}

/* A run that counts the kicks. */
static double counted_run(const compare_request *r, compare_row *row, long *taken)
{
    row->kicks = 0;
    r->space->count(r->world, &row->kicks);
    const double seconds = timed(r, row, &row->status, taken);
    r->space->count(r->world, NULL);
    return seconds;
}

/* The time of one run, out of many as long as they are short. */
static double best_time(const compare_request *r, compare_row *row, double first)
{
    ph_status status;
    long taken;
    double best = first, spent = first;
    const long repeats =
        first < BATCH ? (long)ceil(BATCH / larger_or_nan(first, CLOCK)) : 1;
    for (int batch = 0; batch < BATCHES && spent < ENOUGH && !interrupted; batch++) {
        const double begun = clock_now();
        for (long i = 0; i < repeats; i++)
            (void)timed(r, row, &status, &taken);
        const double took = clock_now() - begun;
        best = smaller_or_nan(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

bool compare_measure(const compare_request *r, const compare_reference *reference,
                     compare_row *row)
{
    long taken;
    const double first = counted_run(r, row, &taken);
    row->error = NAN;
    for (int i = 0; i < ERROR_COUNT; i++)
        row->errors[i] = NAN;
    row->order = NAN;
    row->seconds = NAN;
    if (row->status == PH_OK && !interrupted) {
        set_errors(r, reference, row);
        if (isfinite(row->error))
            row->seconds = best_time(r, row, first);
        else
            row->status = PH_NOT_FINITE;
    }
    row->failed = row->status == PH_OK        ? 0
                  : taken == row->step->count ? taken
                                              : taken + 1;
    return !interrupted;
}
