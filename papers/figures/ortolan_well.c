/* ortolan_well.c - Ortolan 2011, figures 4.1 to 4.3: which methods drift in the well, their
 * errors at T = 5, and what they cost.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/text.h"
#include "papers/convergence.h"
#include "papers/long_run.h"
#include "papers/timing.h"
#include "system/find.h"

/* The methods, and the sign of their drift: 0 for none. */
static const char *const METHODS[] = {"eln",  "tln",    "prk", "mcg",
                                      "new3", "liemid", "vlv", NULL};
static const int SIGN[] = {-1, -1, -1, 1, 1, 1, 0};
enum { ELN, TLN, REST, METHOD_COUNT = COUNT(SIGN) };

static const double STEPS[] = {0.125, 0.25};
enum { SMALL, LARGE, STEP_COUNT };

/* ---- figure 4.1: drift ------------------------------------------------------------ */

static const double TIME = 10000.0;

enum { STARTS = 6 }; /* of the run that is chaotic, besides the one drawn */

static const char CHAOTIC[] = "tln";    /* with the large step */
static const char SLOWEST[] = "liemid"; /* of those that drift, says the thesis */

enum { RUNS = (int)METHOD_COUNT * STEP_COUNT };

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

static bool compute_drift(figure_work *work, table *t)
{
    const long_runs all = {.problem = "well",
                           .time = by_effort(work, TIME / 100, TIME, TIME),
                           .blocks = 400};
    const double close = 1e-8;
    char name[RUNS + STARTS][NAME];
    ph_problem near[STARTS];
    long_run runs[RUNS + STARTS + 1] = {0};
    for (int i = 0; i < RUNS; i++) {
        const char *method = METHODS[i / STEP_COUNT];
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
    const char *method = METHODS[i];
    const int sign = SIGN[i];
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
            claim(out, d, sign > 0 ? DRIFT_LEAST : -DRIFT_MOST,
                  sign > 0 ? DRIFT_MOST : -DRIFT_LEAST,
                  "%s drifts %s, h = %s: what its slope makes of the run, over its "
                  "largest error%s",
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
        const double slope = fabs(run_slope(t, run_name(name, METHODS[i], SMALL)));
        if (SIGN[i] != 0 && strcmp(METHODS[i], SLOWEST) != 0)
            least = smaller_or_nan(least, slope);
    }
    return least;
}

static void judge_drift(const table *t, claims *out)
{
    char name[NAME];
    const slopes nearby = chaotic_slopes(t);
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        judge_method(t, out, i);
        if (strcmp(METHODS[i], CHAOTIC) == 0) /* before it: its slopes' ratio */
            correction(out, nearby.steepest / nearby.least, 1.05, INFINITY,
                       "at h = 0.25 tln has no slope of its own: the steepest slope of "
                       "seven starts within 1e-7 over the least");
    }
    quote(out, "4.2",
          "LIEMID[EA] exhibits the smallest slope constant (in absolute value)");
    claim(out, smallest_other(t) / fabs(run_slope(t, run_name(name, SLOWEST, SMALL))),
          1.0, INFINITY, "liemid has the smallest slope: the next smallest over its own");
}

/* ---- figure 4.2: errors ----------------------------------------------------------- */

static const char *const BETTER[] = {"prk", "mcg", "liemid", NULL};
static const char *const OTHERS[] = {"eln", "tln", "new3", "vlv", NULL};
static const char *const NOT_TLN[] = {"eln", "prk", "mcg", "new3", "liemid", "vlv", NULL};
static const char *const EXPLICIT[] = {"mcg", "liemid", NULL};

static const char W[] = "error_momentum", R[] = "error_attitude";
static const char *const COLUMN[] = {W, R}, *const PART[] = {"velocity", "attitude"};

static bool compute_errors(figure_work *work, table *t)
{
    const convergence c = {.problem = "well",
                           .time = 5.0,
                           .methods = METHODS,
                           .coarsest = 5,
                           .halvings = (int)by_effort(work, 4, 9, 9),
                           .norms = NORMS_ORTOLAN};
    return convergence_compute(&c, work, t);
}

/* "The same accuracy" is within a factor of two. */
static void judge_errors(const table *t, claims *out)
{
    quote(out, "4.2", "confirm that all the methods are second-order accurate");
    claim_order_2(t, out, "all", METHODS);
    quote(out, "figure 4.2",
          "PRK, MCG and LIEMID[EA] show a better accuracy than other methods");
    for (int k = 0; k < 2; k++)
        claim(out, best_error(t, OTHERS, COLUMN[k]) / worst_error(t, BETTER, COLUMN[k]),
              1.0, INFINITY,
              "PRK, MCG and LIEMID[EA] are more accurate than the others in the %s: "
              "error of the best other over the worst of the three",
              PART[k]);
    correction(out, best_error(t, EXPLICIT, R) / final_error(t, "eln", R), 1.0, INFINITY,
               "in the attitude PRK is followed by ELN: error of the better of MCG and "
               "LIEMID[EA] over that of ELN");
    quote(out, "4.2", "despite its implicitness, TLN shows the same accuracy than ELN");
    claim(out, error_ratio(t, "tln", "eln", R), 0.5, 2.0,
          "TLN shows the same accuracy as ELN in the attitude: their errors' ratio");
    correction(out, final_error(t, "tln", R) / worst_error(t, NOT_TLN, R), 1.0, INFINITY,
               "TLN is the least accurate of all, as the thesis says further on: its "
               "error in the attitude over the largest of the others");
    claim(out, error_ratio(t, "tln", "eln", W), 0.5, 2.0,
          "TLN shows the same accuracy as ELN in the velocity: their errors' ratio");
    correction(out, final_error(t, "tln", W) / worst_error(t, NOT_TLN, W), 1.0, INFINITY,
               "TLN is the least accurate of all: its error in the velocity over the "
               "largest of the others");
}

/* ---- figure 4.3: costs ------------------------------------------------------------ */

static const char *const STEP_NAMES[] = {"h = 0.125", "h = 0.25"};

static bool compute_costs(figure_work *work, table *t)
{
    const long steps = (long)by_effort(work, 10, 500, 1000);
    const double share = 1.0 / STEP_COUNT;
    table_begin(t, "step,method,torques_per_step,seconds_per_step,seconds_ratio");
    for (int k = 0; k < STEP_COUNT; k++) {
        method_cost cost[METHOD_COUNT];
        work->before = k * share;
        work->share = share;
        if (!method_costs(work, "well", STEPS[k], steps, METHODS, METHOD_COUNT, cost))
            return false;
        for (int m = 0; m < METHOD_COUNT; m++)
            ROW(t, WORD(STEP_NAMES[k]), WORD(METHODS[m]), NUMBER(cost[m].evaluations),
                NUMBER(cost[m].seconds), NUMBER(cost[m].seconds / cost[ELN].seconds));
    }
    return true;
}

/* The ratio to ELN, the geometric mean of both steps. */
static double ratio(const table *t, const char *method)
{
    double product = 1.0;
    int found = 0;
    for (size_t i = 0; next_row(t, &i, "method", method); i++) {
        product *= table_number(t, i, "seconds_ratio");
        found++;
    }
    return found == STEP_COUNT ? sqrt(product) : NAN;
}

/* The least or the largest of this method and those after it. */
static double extreme(const table *t, int first, double (*of)(double, double))
{
    double all = ratio(t, METHODS[first]);
    for (int i = first + 1; i < METHOD_COUNT; i++)
        all = of(all, ratio(t, METHODS[i]));
    return all;
}

/* Torques of a method, of both steps together. */
static double torques(const table *t, const char *method)
{
    double sum = 0.0;
    for (size_t i = 0; next_row(t, &i, "method", method); i++)
        sum += table_number(t, i, "torques_per_step");
    return sum;
}

static void judge_costs(const table *t, claims *out)
{
    const double tln = ratio(t, METHODS[TLN]);
    quote(out, "4.2", "ELN turns out to be the fastest method");
    claim(out, extreme(t, TLN, smaller_or_nan), 1.0, INFINITY,
          "ELN is the fastest: the time of the next one over its own");
    quote(out, "4.2", "implicit algorithms are slower than semi-explicit ones");
    claim(out, tln / extreme(t, REST, larger_or_nan), 1.0, INFINITY,
          "the implicit TLN is the slowest: its time over that of the next slowest");
    quote(out, "4.2",
          "TLN requires up to twelve (!) times the running time of the remaining "
          "algorithms");
    claim(out, tln, 8.0, 16.0,
          "TLN takes up to twelve times as long: its time over that of ELN, the fastest");
    correction(out, torques(t, METHODS[TLN]) / torques(t, METHODS[ELN]), 1.5, 3.0,
               "in evaluations of the torque, which no language changes, TLN takes twice "
               "as many as ELN: their ratio");
}

const ph_figure ph_figure_ortolan_well[3] = {
    FIGURE("ortolan_figure4_1", 8, 8, compute_drift, judge_drift, "ortolan_figure4_1",
           NULL),
    FIGURE("ortolan_figure4_2", 0.2, 0.2, compute_errors, judge_errors,
           "ortolan_figure4_2", NULL),
    FIGURE("ortolan_figure4_3", 2, 3, compute_costs, judge_costs, "ortolan_figure4_3",
           NULL),
};
