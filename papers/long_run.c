/* long_run.c - the energy in a long run, in blocks that a picture can show. */
#include "papers/long_run.h"

#include <stdio.h>

#include "base/extremes.h"

/* The errors of some steps together. */
typedef struct block {
    long steps;
    double low, high, sum;
} block;

enum { FIRST = 2, ERRORS = 3 }; /* columns: run and t, and the errors */

typedef struct watcher {
    const long_runs *all;
    const long_run *run;
    figure_work *work;
    long steps;
    table *t;
    double initial;
    bool lost;
    long written; /* blocks */
    block now;
    double more[LONG_RUN_MORE];
} watcher;

static const block EMPTY = {.low = INFINITY, .high = -INFINITY};

static void write_block(watcher *w)
{
    const long_run *r = w->run;
    const long block_steps = w->steps / w->all->blocks;
    const double t =
        ((double)w->written + (w->all->at_end ? 1.0 : 0.5)) * (double)block_steps * r->h;
    const block *b = &w->now;
    const double errors[ERRORS] = {b->low, b->sum / (double)b->steps, b->high};
    cell row[FIRST + ERRORS + LONG_RUN_MORE] = {
        WORD(r->name == NULL ? r->method : r->name), NUMBER(t)};
    for (size_t i = 0; FIRST + i < w->t->columns; i++) {
        const double x = i < ERRORS ? errors[i] : w->more[i - ERRORS];
        row[FIRST + i] = NUMBER(w->lost ? INFINITY : x);
    }
    table_add(w->t, row);
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
    const double scale = fabs(w->initial), error = energy - w->initial,
                 shown = r->relative ? error / scale : error;
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

static ph_system *system_of(const long_runs *all, const long_run *r, figure_work *work)
{
    ph_integrator i;
    ph_system *s = NULL;
    if (r->body == NULL)
        s = find_system(work, all->problem, r->method, r->h);
    else if (find_integrator(work, r->method, &i) &&
             ph_system_of_body(&s, r->body, &i, NULL, r->h, 0) != PH_OK)
        work->error = "a run cannot be begun";
    if (s != NULL && all->measure != NULL)
        ph_system_watch(s, true);
    return s;
}

bool long_runs_compute(const long_runs *all, const long_run *runs, figure_work *work,
                       table *t)
{
    char columns[128];
    (void)snprintf(columns, sizeof columns, "run,t,low,mean,high%s",
                   all->more == NULL ? "" : all->more);
    table_begin(t, columns);
    size_t count = 0;
    while (runs[count].method != NULL)
        count++;
    for (size_t i = 0; i < count && !work->stopped; i++) {
        const double time = all->time * (runs[i].times > 0 ? runs[i].times : 1);
        watcher w = {.all = all,
                     .run = &runs[i],
                     .work = work,
                     .steps = lround(time / runs[i].h),
                     .t = t,
                     .now = EMPTY};
        const ph_observer o = {.see = watch, .context = &w, .every = 1};
        ph_system *s = system_of(all, w.run, work);
        if (s == NULL)
            return false;
        work->before = (double)i / (double)count;
        work->share = 1.0 / (double)count;
        w.lost = ph_system_run(s, (uint64_t)w.steps, &o) != PH_OK || w.lost;
        ph_system_free(s);
        while (!work->stopped && w.lost && w.written < all->blocks)
            write_block(&w);
    }
    return !work->stopped;
}

double run_error(const table *t, const char *run)
{
    const double low = table_least(t, "run", run, "low"),
                 high = table_most(t, "run", run, "high");
    return larger_or_nan(fabs(low), fabs(high));
}

double run_range(const table *t, const char *run)
{
    return isinf(run_error(t, run))
               ? INFINITY
               : table_most(t, "run", run, "high") - table_least(t, "run", run, "low");
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
