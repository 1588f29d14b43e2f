/* ortolan_well.c - Ortolan 2011, figures 4.1 to 4.3: which methods drift in the well, their
 * errors at T = 5, and what they cost.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include "lab/papers/experiments.h"

/* The methods, and the sign of their drift: 0 for none. */
static const char *const METHODS[] = {"eln", "tln", "prk", "mcg", "new3", "liemid", "vlv", NULL};
static const int SIGN[] = {-1, -1, -1, 1, 1, 1, 0};
enum { ELN, TLN, REST, METHOD_COUNT = COUNT(SIGN) };

static const double STEPS[] = {0.125, 0.25};
enum { SMALL, LARGE, STEP_COUNT };
static const double TIMED_STEPS[] = {10, 500, 1000};

/* ---- figure 4.1: drift ------------------------------------------------------------ */

/* The methods with both steps; tln with the large one, which is chaotic, from nearby starts. */
enum { CHAOTIC = TLN, SLOWEST = 5 /* liemid, says the thesis, of those that drift */ };

#define RUN(method, step) method, method " h = " #step, step, 0, 0
#define BOTH(method)                                                                               \
    {RUN(method, 0.125)},                                                                          \
    {                                                                                              \
        RUN(method, 0.25)                                                                          \
    }
#define NEARBY "tln starts"
static const long_run RUNS[] = {BOTH("eln"),
                                BOTH("tln"),
                                BOTH("prk"),
                                BOTH("mcg"),
                                BOTH("new3"),
                                BOTH("liemid"),
                                BOTH("vlv"),
                                {"tln", NEARBY, 0.25, 50, 0},
                                {RUN("eln_exp", 0.125)},
                                {RUN("tln_exp", 0.125)},
                                {0}};
static const long_runs DRIFT = {"well", 0, {100, 10000, 10000}, 400, .runs = RUNS};

static const char *run_name(size_t method, int step)
{
    return RUNS[STEP_COUNT * method + (size_t)step].name;
}

/* Bounds of `run_drift`: 1 of a steady drift, somewhat more of one that begins late, less
 * with an oscillation upon it; next to nothing of a run that only oscillates. */
static const double DRIFT_LEAST = 0.2, DRIFT_MOST = 1.5, STILL = 0.05;

/* What errors that grow as h^2 do for twice the step, as closely as chaos allows. */
static const double QUADRATIC = 4.0, GIVE_OR_TAKE = 1.0;

/* Of the starts of the chaotic run. */
static double mean_slope(const table *t)
{
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; next_row(t, &i, "run", NEARBY); i++) {
        sum += table_number(t, i, "mean");
        count += 1.0;
    }
    return sum / count;
}

/* The chaotic method drifts down: what is asked for is asked for of most of its starts. */
static void judge_method(const table *t, claims *out, size_t i)
{
    static const char *const steps[] = {"0.125", "0.25"};
    const char *method = METHODS[i];
    const int sign = SIGN[i];
    quote(out, "figure 4.1",
          sign == 0 ? "the energy error of VLV method remains bounded as predicted by theory"
                    : "All the algorithms but VLV exhibit a systematic energy drift");
    for (int k = 0; k < STEP_COUNT; k++) {
        const double d = run_drift(t, run_name(i, k));
        if (sign == 0) {
            claim(out, d, -STILL, STILL, "%s does not drift, h = %s" BY_SLOPE, method, steps[k]);
        } else if (i == CHAOTIC && k == LARGE) {
            claim_most(out, share_drifting(t, NEARBY, DRIFT.time[FIGURE_FULL], DRIFT_LEAST),
                       "tln drifts, h = 0.25");
            claim(out, ensemble_drift(t, NEARBY), -INFINITY, -3.0,
                  "tln drifts down, h = 0.25: the mean slope of its starts over its "
                  "standard error");
        } else if (sign > 0) {
            claim(out, d, DRIFT_LEAST, DRIFT_MOST, "%s drifts up, h = %s" BY_SLOPE, method,
                  steps[k]);
        } else {
            claim(out, d, -DRIFT_MOST, -DRIFT_LEAST, "%s drifts down, h = %s" BY_SLOPE, method,
                  steps[k]);
        }
    }
    if (sign == 0)
        return;
    double slope = run_slope(t, run_name(i, LARGE));
    if (i == CHAOTIC)
        slope = mean_slope(t);
    quote(out, "4.2", "the drift is quadratic in the timestep h");
    claim(out, slope / run_slope(t, run_name(i, SMALL)), QUADRATIC - GIVE_OR_TAKE,
          QUADRATIC + GIVE_OR_TAKE,
          "the drift of %s is quadratic in the step: its slopes' ratio for twice the step", method);
    if (i == CHAOTIC)
        correction(out, table_least(t, "run", NEARBY, "mean") / mean_slope(t), 1.05, INFINITY,
                   "at h = 0.25 tln has no slope of its own: the steepest slope of its "
                   "starts over the mean");
}

/* The maps differ by h^3, as much as the method errs in a step: so may its drift. */
static void claim_exponential(const table *t, claims *out, const char *where, const char *method)
{
    char cay[SPLIT_NAME], exponential[SPLIT_NAME];
    (void)snprintf(cay, sizeof cay, "%s h = 0.125", method);
    (void)snprintf(exponential, sizeof exponential, "%s_exp h = 0.125", method);
    quote(out, where,
          method[0] == 'e' ? "we have noted no difference in the long-time behavior of the "
                             "integrator when using the exponential map"
                           : "we have experienced no differences in the long-time "
                             "behavior for the choice of the Cayley map");
    claim(out, run_slope(t, exponential) / run_slope(t, cay), 0.9, 1.1,
          "%s drifts as fast with exp as with cay: ratio of their slopes", method);
    correction(out, run_drift(t, exponential), -DRIFT_MOST, -DRIFT_LEAST,
               "it drifts with exp, too, in the same direction, but slower" BY_SLOPE);
}

static void judge_drift(const table *t, claims *out)
{
    double smallest = INFINITY; /* slope of those that drift, but for the slowest */
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        judge_method(t, out, i);
        if (SIGN[i] != 0 && i != SLOWEST)
            smallest = smaller_or_nan(smallest, fabs(run_slope(t, run_name(i, SMALL))));
    }
    quote(out, "4.2", "LIEMID[EA] exhibits the smallest slope constant (in absolute value)");
    claim(out, smallest / fabs(run_slope(t, run_name(SLOWEST, SMALL))), 1.0, INFINITY,
          "liemid has the smallest slope: the next smallest over its own");
    claim_exponential(t, out, "4.1.1", "eln");
    claim_exponential(t, out, "4.1.2", "tln");
}

/* ---- figure 4.2: errors ----------------------------------------------------------- */

static const char *const BETTER[] = {"prk", "mcg", "liemid", NULL};
static const char *const OTHERS[] = {"eln", "tln", "new3", "vlv", NULL};
static const char *const NOT_TLN[] = {"eln", "prk", "mcg", "new3", "liemid", "vlv", NULL};
static const char *const EXPLICIT[] = {"mcg", "liemid", NULL};

static const char W[] = "error_momentum", R[] = "error_attitude";
static const char *const COLUMN[] = {W, R}, *const WORD[] = {"velocity", "attitude"};

static const convergence ERRORS = {"well", 5.0, METHODS, 5, {4, 9, 9}, NORMS_ORTOLAN};

/* "The same accuracy" is within a factor of two. */
static void judge_errors(const table *t, claims *out)
{
    quote(out, "4.2", "confirm that all the methods are second-order accurate");
    claim_order_2(t, out, "all", METHODS);
    quote(out, "figure 4.2", "PRK, MCG and LIEMID[EA] show a better accuracy than other methods");
    for (int k = 0; k < 2; k++)
        claim(out, best_error(t, OTHERS, COLUMN[k]) / worst_error(t, BETTER, COLUMN[k]), 1.0,
              INFINITY,
              "PRK, MCG and LIEMID[EA] are more accurate than the others in the %s: "
              "error of the best other over the worst of the three",
              WORD[k]);
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
    const uint64_t steps = (uint64_t)AT_EFFORT(work, TIMED_STEPS);
    const double share = 1.0 / STEP_COUNT;
    table_begin(t, "step,method,torques_per_step,seconds_per_step,seconds_ratio");
    for (int k = 0; k < STEP_COUNT; k++) {
        method_cost cost[METHOD_COUNT];
        work->before = k * share;
        work->share = share;
        if (!method_costs(work, "well", STEPS[k], steps, METHODS, METHOD_COUNT, cost))
            return false;
        for (int m = 0; m < METHOD_COUNT; m++)
            ROW(t, (STEP_NAMES[k], METHODS[m]), cost[m].evaluations, cost[m].seconds,
                cost[m].seconds / cost[ELN].seconds);
    }
    return true;
}

/* The ratio to ELN, the geometric mean of both steps. */
static double ratio(const table *t, const char *method)
{
    return sqrt(table_first(t, "method", method, "seconds_ratio") *
                table_last(t, "method", method, "seconds_ratio"));
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
    return table_first(t, "method", method, "torques_per_step") +
           table_last(t, "method", method, "torques_per_step");
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

static const figure_number USED[] = {
    NUMBERS("steps", STEPS), NUMBERS("steps that are timed", TIMED_STEPS), {0}};

const ph_figure ph_figure_ortolan_well[3] = {
    FIGURE("ortolan_figure4_1", 8, 8, long_runs_compute, judge_drift, "ortolan_figure4_1", &DRIFT),
    FIGURE("ortolan_figure4_2", 0.2, 0.2, convergence_compute, judge_errors, "ortolan_figure4_2",
           &ERRORS),
    FIGURE_OF("ortolan_figure4_3", 2, 3, compute_costs, judge_costs, "ortolan_figure4_3", NULL,
              "well", USED),
};
