/* long_run.c - the energy in a long run, in blocks that a picture can show. */
#include "evidence/long_run.h"

#include "core/extremes.h"
#include "evidence/statistics.h"

typedef struct watcher {
    const long_run *r;
    work_part part;
    table *t;
    double initial;
    bool lost;
    long written; /* blocks */
    run_block now;
} watcher;

static const run_block EMPTY = RUN_BLOCK_EMPTY;

void block_take(run_block *b, double error)
{
    b->steps++;
    b->low = smaller_or_nan(b->low, error);
    b->high = larger_or_nan(b->high, error);
    b->sum += error;
}

double block_mean(const run_block *b)
{
    return b->sum / (double)b->steps;
}

static void write_block(watcher *w)
{
    const long_run *r = w->r;
    const long block_steps = r->steps / r->blocks;
    const double t = ((double)w->written + 0.5) * (double)block_steps * r->h;
    const run_block *b = &w->now;
    if (w->lost)
        ROW(w->t, WORD(r->name), NUMBER(t), NUMBER(INFINITY), NUMBER(INFINITY),
            NUMBER(INFINITY));
    else
        ROW(w->t, WORD(r->name), NUMBER(t), NUMBER(b->low), NUMBER(block_mean(b)),
            NUMBER(b->high));
    w->written++;
    w->now = EMPTY;
}

static bool watch(void *context, long step, double t, const ph_state *s)
{
    (void)t;
    watcher *w = context;
    const long_run *r = w->r;
    const bool goes_on = part_go_on(&w->part, step);
    const double energy = ph_problem_energy(r->problem, t, s);
    if (step == 0)
        w->initial = energy;
    const double scale = fabs(w->initial), error = energy - w->initial,
                 shown = r->relative ? error / scale : error;
    w->lost = w->lost || !(fabs(error) < LONG_RUN_LOST * larger_or_nan(scale, 1e-300));
    if (step == 0)
        return goes_on;
    block_take(&w->now, shown);
    if (w->now.steps == r->steps / r->blocks)
        write_block(w);
    return goes_on && !w->lost && w->written < r->blocks;
}

bool long_run_add(const long_run *r, figure_work *work, table *t, double before,
                  double share)
{
    ph_integrator integrator;
    if (!find_integrator(work, r->method, &integrator))
        return false;
    watcher w = {
        .r = r,
        .part = {.work = work, .before = before, .share = share, .steps = r->steps},
        .t = t,
        .now = EMPTY};
    ph_state s = ph_problem_start(r->problem);
    const ph_status status =
        ph_run_problem(&integrator, r->problem, &s, r->h, r->steps, watch, &w, NULL);
    w.lost = w.lost || status != PH_OK;
    while (!w.part.stopped && w.lost && w.written < r->blocks)
        write_block(&w);
    return !w.part.stopped;
}

/* ---- for judges ------------------------------------------------------------------ */

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
    for (size_t i = 0; i < t->rows; i++) {
        if (table_matches(t, i, "run", run)) {
            count += 1.0;
            x += table_number(t, i, "t");
            y += table_number(t, i, "mean");
        }
    }
    for (size_t i = 0; i < t->rows; i++) {
        if (table_matches(t, i, "run", run)) {
            const double dx = table_number(t, i, "t") - x / count;
            xy += dx * (table_number(t, i, "mean") - y / count);
            xx += dx * dx;
        }
    }
    return xy / xx;
}

double run_drift(const table *t, const char *run)
{
    return run_slope(t, run) * table_most(t, "run", run, "t") / run_error(t, run);
}

double run_lost(const table *t, const char *run)
{
    for (size_t i = 0; i < t->rows; i++) {
        if (table_matches(t, i, "run", run) && isinf(table_number(t, i, "mean")))
            return table_number(t, i, "t");
    }
    return isnan(run_error(t, run)) ? NAN : INFINITY;
}
