/* compare_measure.c - the error of a method with a step, and the time it takes. */
#include <math.h>

#include "clock.h"
#include "compare.h"
#include "interrupt.h"
#include "progress.h"

/* Measuring: short runs are repeated, and the best of several counts. */
#define BATCH   0.0005 /* seconds measured at a time, or one run */
#define BATCHES 15     /* at most */
#define ENOUGH  0.1    /* seconds: then no more of them */
#define CLOCK   1e-8   /* seconds that a clock can tell apart */

/* ---- the error ------------------------------------------------------------------- */

static void set_errors(const compare_reference *reference, const ph_state *s,
                       compare_row *row)
{
    compare_errors(s, &reference->end, &row->error_momentum, &row->error_attitude);
    row->error = fmax(row->error_momentum, row->error_attitude);
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

static bool watch(void *context, long step, double t, const ph_state *s)
{
    (void)t;
    (void)s;
    const compare_row *row = context;
    if (step % LOOK == 0 && step > 0)
        progress_show(row->number,
                      row->before + row->share * (double)step / (double)row->step->count);
    return !interrupted;
}

/* A run from the start; how long it took. */
static double timed(const setup *from, compare_row *row, ph_state *s, ph_status *status,
                    long *taken)
{
    *s = from->start;
    const double begun = clock_now();
    *status = setup_run(from, &row->method->integrator, s, row->step->size,
                        row->step->count, watch, row, taken);
    return clock_now() - begun;
}

/* ---- the kicks ------------------------------------------------------------------- */

/* A problem that counts how often its torque is asked for. */
typedef struct counted {
    ph_problem problem;
    unsigned long long *kicks;
} counted;

static ph_vec3 counted_torque(const ph_problem *p, double t, ph_mat3 R)
{
    const counted *c = p->context;
    ++*c->kicks;
    return c->problem.torque(&c->problem, t, R);
}

/* A run that counts. */
static double counted_run(const compare_request *r, compare_row *row, ph_state *s,
                          long *taken)
{
    const counted inner = {r->from.problem, &row->kicks};
    setup from = r->from;
    row->kicks = 0;
    if (setup_in_field(&from)) {
        from.problem.torque = counted_torque;
        from.problem.context = &inner;
    }
    return timed(&from, row, s, &row->status, taken);
}

/* The time of one run, out of many as long as they are short. */
static double best_time(const compare_request *r, compare_row *row, double first)
{
    ph_state s;
    ph_status status;
    long taken;
    double best = first, spent = first;
    const long repeats = first < BATCH ? (long)ceil(BATCH / fmax(first, CLOCK)) : 1;
    for (int batch = 0; batch < BATCHES && spent < ENOUGH && !interrupted; batch++) {
        const double begun = clock_now();
        for (long i = 0; i < repeats; i++)
            (void)timed(&r->from, row, &s, &status, &taken);
        const double took = clock_now() - begun;
        best = fmin(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

bool compare_measure(const compare_request *r, const compare_reference *reference,
                     compare_row *row)
{
    ph_state s;
    long taken;
    const double first = counted_run(r, row, &s, &taken);
    row->error = row->error_momentum = row->error_attitude = NAN;
    row->order = NAN;
    row->seconds = NAN;
    row->failed = row->status == PH_OK ? 0 : taken + 1;
    if (row->failed == 0 && !interrupted) {
        set_errors(reference, &s, row);
        row->seconds = best_time(r, row, first);
    }
    return !interrupted;
}
