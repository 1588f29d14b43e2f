/* timing.c - how long something takes. */
#include "papers/timing.h"

#include "base/extremes.h"
#include "cli/files/posix.h"
#include "system/find.h"

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
    if (work->effort == FIGURE_SMOKE)
        return best;
    const double enough = by_effort(work, 0.0, 0.06, 0.25); /* seconds for all of it */
    const long repeats =
        best < BATCH ? (long)ceil(BATCH / larger_or_nan(best, CLOCK)) : 1;
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

static void run(void *context)
{
    task *t = context;
    ph_system *s = NULL;
    ph_status status = system_by_names(&s, t->problem, t->method, t->h);
    if (status == PH_OK)
        status = ph_system_run(s, t->steps, NULL);
    t->evaluations = status == PH_OK ? (double)ph_system_evaluations(s) : NAN;
    ph_system_free(s);
}

bool method_costs(figure_work *work, const char *problem, double h, long steps,
                  const char *const *methods, size_t count, method_cost *cost)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            task t = {problem, methods[i], h, (uint64_t)steps, NAN};
            if (!report_progress(work, (round + (double)i / (double)count) / ROUNDS))
                return false;
            const double seconds = best_seconds(work, run, &t) / (double)steps;
            cost[i].evaluations = t.evaluations / (double)steps;
            cost[i].seconds = isnan(t.evaluations) ? NAN
                              : round == 0         ? seconds
                                           : smaller_or_nan(cost[i].seconds, seconds);
        }
    }
    return true;
}
