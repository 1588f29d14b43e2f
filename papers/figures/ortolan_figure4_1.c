/* ortolan_figure4_1.c - Ortolan 2011, figure 4.1: which methods drift in the well.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/count.h"
#include "papers/long_run.h"
#include "system/find.h"

/* The methods, and the sign of their drift: 0 for none. */
static const struct {
    const char *name;
    int sign;
} METHODS[] = {{"eln", -1}, {"tln", -1},   {"prk", -1}, {"mcg", 1},
               {"new3", 1}, {"liemid", 1}, {"vlv", 0}};

static const double STEPS[] = {0.125, 0.25};
static const double TIME = 10000.0;

enum { SMALL, LARGE, STEP_COUNT };
enum { STARTS = 6 }; /* of the run that is chaotic, besides the one drawn */

static const char CHAOTIC[] = "tln";    /* with the large step */
static const char SLOWEST[] = "liemid"; /* of those that drift, says the thesis */

enum { METHOD_COUNT = COUNT(METHODS), RUNS = METHOD_COUNT * STEP_COUNT };

#define NAME 32
static const char *run_name(char text[NAME], const char *method, int step)
{
    (void)snprintf(text, NAME, "%s h = %g", method, STEPS[step]);
    return text;
}

/* Of the chaotic method with the large step, from a start nearby. */
static const char *start_name(char text[NAME], int start)
{
    (void)snprintf(text, NAME, "%s start %d", CHAOTIC, start + 1);
    return text;
}

static bool compute(figure_work *work, table *t)
{
    const long_runs all = {.problem = "well",
                           .time = by_effort(work, TIME / 100, TIME, TIME),
                           .blocks = 400};
    const double close = 1e-8;
    char name[RUNS + STARTS][NAME];
    ph_problem near[STARTS];
    long_run runs[RUNS + STARTS + 1] = {0};
    for (int i = 0; i < RUNS; i++) {
        const char *method = METHODS[i / STEP_COUNT].name;
        runs[i] = (long_run){.method = method,
                             .h = STEPS[i % STEP_COUNT],
                             .name = run_name(name[i], method, i % STEP_COUNT)};
    }
    for (int i = 0; i < STARTS; i++) {
        near[i] = *find_problem("well");
        near[i].w.y += close * (i + 1);
        runs[RUNS + i] = (long_run){.method = CHAOTIC,
                                    .h = STEPS[LARGE],
                                    .name = start_name(name[RUNS + i], i),
                                    .body = &near[i]};
    }
    return long_runs_compute(&all, runs, work, t);
}

/* Bounds of `run_drift`: 1 of a steady drift, somewhat more of one that begins late, less
 * with an oscillation upon it; next to nothing of a run that only oscillates. */
static const double DRIFT_LEAST = 0.2, DRIFT_MOST = 1.5, STILL = 0.05;

/* What errors that grow as h^2 do for twice the step, as closely as chaos allows. */
static const double QUADRATIC = 4.0, GIVE_OR_TAKE = 1.0;

/* Of the chaotic run and those from nearby starts. */
typedef struct slopes {
    double mean, steepest, least; /* the last two of their size */
    double least_drift;           /* `run_drift` of the least in size, with its sign */
} slopes;

static slopes chaotic_slopes(const table *t)
{
    slopes all = {.steepest = 0.0, .least = INFINITY, .least_drift = -INFINITY};
    char name[NAME];
    for (int i = -1; i < STARTS; i++) {
        const char *run = i < 0 ? run_name(name, CHAOTIC, LARGE) : start_name(name, i);
        const double slope = run_slope(t, run);
        all.mean += slope / (STARTS + 1);
        all.steepest = larger_or_nan(all.steepest, fabs(slope));
        all.least = smaller_or_nan(all.least, fabs(slope));
        all.least_drift = larger_or_nan(all.least_drift, run_drift(t, run));
    }
    return all;
}

/* The chaotic method drifts down: what is asked for is asked for of all its starts. */
static void judge_method(const table *t, claims *out, size_t i)
{
    static const char *const steps[] = {"0.125", "0.25"};
    const char *method = METHODS[i].name;
    const int sign = METHODS[i].sign;
    const bool chaotic = strcmp(method, CHAOTIC) == 0;
    const slopes nearby = chaotic_slopes(t);
    char name[NAME];
    quote(out, "figure 4.1",
          sign == 0
              ? "the energy error of VLV method remains bounded as predicted by theory"
              : "All the algorithms but VLV exhibit a systematic energy drift");
    for (int k = 0; k < STEP_COUNT; k++) {
        const double d = chaotic && k == LARGE ? nearby.least_drift
                                               : run_drift(t, run_name(name, method, k));
        if (sign == 0)
            claim(out, d, -STILL, STILL,
                  "%s does not drift, h = %s: what its slope makes of the run, over its "
                  "largest error",
                  method, steps[k]);
        else
            claim(
                out, d, sign > 0 ? DRIFT_LEAST : -DRIFT_MOST,
                sign > 0 ? DRIFT_MOST : -DRIFT_LEAST,
                "%s drifts %s, h = %s: what its slope makes of the run, over its largest "
                "error%s",
                method, sign > 0 ? "up" : "down", steps[k],
                chaotic && k == LARGE ? ", the least of seven starts within 1e-7" : "");
    }
    if (sign == 0)
        return;
    const double small = run_slope(t, run_name(name, method, SMALL)),
                 large =
                     chaotic ? nearby.mean : run_slope(t, run_name(name, method, LARGE));
    quote(out, "4.2", "the drift is quadratic in the timestep h");
    claim(
        out, large / small, QUADRATIC - GIVE_OR_TAKE, QUADRATIC + GIVE_OR_TAKE,
        "the drift of %s is quadratic in the step: its slopes' ratio for twice the step",
        method);
}

/* Of those that drift, but for the slowest: the smallest slope. */
static double smallest_other(const table *t)
{
    char name[NAME];
    double least = INFINITY;
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        const double slope = fabs(run_slope(t, run_name(name, METHODS[i].name, SMALL)));
        if (METHODS[i].sign != 0 && strcmp(METHODS[i].name, SLOWEST) != 0)
            least = smaller_or_nan(least, slope);
    }
    return least;
}

static void judge(const table *t, claims *out)
{
    char name[NAME];
    const slopes nearby = chaotic_slopes(t);
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        judge_method(t, out, i);
        if (strcmp(METHODS[i].name, CHAOTIC) == 0) /* before it: its slopes' ratio */
            correction(out, nearby.steepest / nearby.least, 1.05, INFINITY,
                       "at h = 0.25 tln has no slope of its own: the "
                       "steepest slope of seven starts within 1e-7 over the least");
    }
    quote(out, "4.2",
          "LIEMID[EA] exhibits the smallest slope constant (in absolute value)");
    claim(out, smallest_other(t) / fabs(run_slope(t, run_name(name, SLOWEST, SMALL))),
          1.0, INFINITY, "liemid has the smallest slope: the next smallest over its own");
}

const ph_figure ph_figure_ortolan_figure4_1[1] = {
    FIGURE("ortolan_figure4_1", 8, 8, compute, judge, "ortolan_figure4_1", NULL),
};
