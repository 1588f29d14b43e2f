/* compare_measure.c - the error of a method with a step, and the time it takes. */
#include <math.h>

#include "clock.h"
#include "compare.h"
#include "core/vec.h"
#include "interrupt.h"
#include "progress.h"

#define FLOOR    1e-13
#define ROUNDING 0x1p-53

/* Measuring: short runs are repeated, and the best of several counts. */
#define BATCH   0.0005 /* seconds measured at a time, or one run */
#define BATCHES 15     /* at most */
#define ENOUGH  0.1    /* seconds: then no more of them */
#define CLOCK   1e-8   /* seconds that a clock can tell apart */

double compare_floor(const compare_request *r)
{
    const double turned =
        norm(ph_velocity(&r->from.body, r->from.start.m)) * fabs(r->time);
    const double per_radian = 8.0; /* roundings of the run and of the reference */
    return fmax(FLOOR, per_radian * ROUNDING * (1.0 + turned));
}

/* ---- the error ------------------------------------------------------------------- */

static void set_errors(const compare_request *r, const ph_motion *reference,
                       const ph_state *s, compare_row *row)
{
    const double t = (double)row->step->count * row->step->size;
    const ph_state exact = ph_motion_at(reference, t);
    const ph_vec3 off = sub(s->m, exact.m);
    const ph_quat turned = {s->q.w - exact.q.w, s->q.x - exact.q.x, s->q.y - exact.q.y,
                            s->q.z - exact.q.z};
    const double size = norm_max(exact.m);
    row->error_momentum =
        size == 0.0 ? norm(off)
                    : norm(scale(1.0 / size, off)) / norm(scale(1.0 / size, exact.m));
    row->error_attitude = sqrt(dot4(turned, turned));
    row->error = fmax(row->error_momentum, row->error_attitude);
    row->floor = row->error < compare_floor(r);
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
static double timed(const compare_request *r, compare_row *row, ph_state *s,
                    ph_status *status, long *taken)
{
    *s = r->from.start;
    const double begun = clock_now();
    *status = ph_run(&row->method->integrator, &r->from.body, s, row->step->size,
                     row->step->count, watch, row, taken);
    return clock_now() - begun;
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
            (void)timed(r, row, &s, &status, &taken);
        const double took = clock_now() - begun;
        best = fmin(best, took / (double)repeats);
        spent += took;
    }
    return best;
}

bool compare_measure(const compare_request *r, const ph_motion *reference,
                     compare_row *row)
{
    ph_state s;
    long taken;
    const double first = timed(r, row, &s, &row->status, &taken);
    row->error = row->error_momentum = row->error_attitude = NAN;
    row->order = NAN;
    row->seconds = NAN;
    row->failed = row->status == PH_OK ? 0 : taken + 1;
    if (row->failed == 0 && !interrupted) {
        set_errors(r, reference, &s, row);
        row->seconds = best_time(r, row, first);
    }
    return !interrupted;
}
