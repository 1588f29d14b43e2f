/* timing.c - how long something takes. */
#include "evidence/timing.h"

#include "core/extremes.h"
#include "io/clock.h"

#define BATCH   0.0005 /* seconds measured at a time, or one run */
#define BATCHES 60     /* at most */
#define CLOCK   1e-8   /* seconds that a clock can tell apart */

enum { ROUNDS = 3 };

static double batch_seconds(void (*task)(void *), void *context, long repeats)
{
    const double begun = clock_now();
    for (long i = 0; i < repeats; i++)
        task(context);
    return clock_now() - begun;
}

double best_seconds(const figure_work *work, void (*task)(void *context), void *context)
{
    double best = batch_seconds(task, context, 1), spent = best;
    if (work->effort == FIGURE_TOUCH)
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

bool best_of_rounds(figure_work *work, double before, double share, timed_task *task,
                    size_t count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            timed_task *t = &task[i];
            const double done = (round + (double)i / (double)count) / ROUNDS;
            if (!go_on(work, before + share * done))
                return false;
            const double seconds = best_seconds(work, t->run, t->context);
            t->seconds = round == 0 ? seconds : smaller_or_nan(t->seconds, seconds);
        }
    }
    return true;
}
