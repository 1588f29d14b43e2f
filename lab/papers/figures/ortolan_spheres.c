/* ortolan_spheres.c - Ortolan 2011, figures 7.1 to 7.9 and tables 7.1 to 7.3: methods on
 * two-spheres, their energy, angular momentum and constraints in long runs, errors at T = 1,
 * and what they cost.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2, with the misprints of (7.5), (7.8) and
 *      of the start of the pendulum corrected (docs/errata.md); the caption of table 7.3
 *      names the double pendulum, and it is that of the dipoles.
 */
#include "lab/papers/experiments.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle", NULL};
static const int ORDERS[] = {2, 4, 4, 2};
static const char *const LIE[] = {"eln", "rkmk4", "rkmkgl4", NULL};
enum { ELN, METHOD_COUNT = 4 };

#define STEP 0.01
static const double TIMED_STEP = STEP, TIMED_STEPS[] = {2, 200, 500};

/* ---- long runs ------------------------------------------------------------------- */

/* The largest errors: of a block, but of the length in the run so far. */
enum { MOMENTUM, LENGTH, ORTHOGONALITY };

/* The observables are the energy, the momentum where it is kept, length and
 * orthogonality. */
static void measure(ph_system *s, bool fresh, double *more)
{
    size_t count;
    const ph_observable *seen = ph_system_observables(s, &count), *last = &seen[count - 1];
    const bool has_momentum = count > 3;
    if (fresh)
        more[MOMENTUM] = more[ORTHOGONALITY] = 0.0;
    if (has_momentum)
        more[MOMENTUM] = larger_or_nan(more[MOMENTUM], fabs(seen[1].now[0] - seen[1].start[0]));
    more[LENGTH] = larger_or_nan(more[LENGTH], last[-1].now[0]);
    more[ORTHOGONALITY] = larger_or_nan(more[ORTHOGONALITY], last->now[0]);
}

#define ELN_STARTS     "eln starts"
#define RKMKGL4_STARTS "rkmkgl4 starts"
#define LONG_ELN       "eln from its start to T = 20000"
#define LONG_RKMKGL4   "rkmkgl4 from its start to T = 20000"

#define ALL_METHODS                                                                                \
    {.method = "eln"}, {.method = "rkmk4"}, {.method = "rkmkgl4"},                                 \
    {                                                                                              \
        .method = "rattle"                                                                         \
    }
static const long_run RUNS[] = {ALL_METHODS, {0}};
static const long_run LONGER[] = {ALL_METHODS,
                                  {"eln", ELN_STARTS, 0, 50, 0},
                                  {"rkmkgl4", RKMKGL4_STARTS, 0, 50, 0},
                                  {"eln", LONG_ELN, 0, 0, 100},
                                  {"rkmkgl4", LONG_RKMKGL4, 0, 0, 100},
                                  {0}};

/* And what the thesis says of the constraints. */
typedef struct runs {
    long_runs all;
    const char *where, *words;
} runs;
#define LONG_RUNS(problem, runs)                                                                   \
    {                                                                                              \
        problem, STEP, {1, 200, 200}, 100, runs, false, false, measure,                            \
            ",momentum,length,orthogonality"                                                       \
    }
static const runs PENDULUM_RUNS = {LONG_RUNS("pendulum", RUNS), "figure 7.2",
                                   "ELN seems to conserve also the orthogonality between q and ω, "
                                   "while RKMK methods show an evident drift"},
                  DOUBLE_RUNS = {LONG_RUNS("double_pendulum", RUNS), "7.2.2",
                                 "ELN error on the orthogonality is much smaller than RKMKGL4"},
                  DOUBLE_LONGER = {.all = LONG_RUNS("double_pendulum", LONGER)},
                  MAGNETS_RUNS = {
                      LONG_RUNS("magnets", RUNS), "figure 7.8",
                      "ELN seems to conserve also the orthogonality between q and ω, while "
                      "RKMK methods show a non-negligible error"};

/* Of `run_drift`: a steady drift has 1, and what only oscillates next to nothing. */
static const double STILL = 0.1, DRIFTING = 0.5;

static void claim_drift(const table *t, claims *out, const char *method, bool drifts)
{
    const double drift = run_drift(t, method);
    if (drifts)
        claim(out, fabs(drift), DRIFTING, INFINITY, "the energy of %s drifts" BY_SLOPE, method);
    else
        claim(out, drift, -STILL, STILL, "the energy of %s is bounded" BY_SLOPE, method);
}

static double most_ratio(const table *t, const char *a, const char *b, const char *column)
{
    return table_most(t, "run", a, column) / table_most(t, "run", b, column);
}

/* Within a factor of five: as sizes look in a picture, of motions that part. */
static void claim_alike(const table *t, claims *out)
{
    claim(out, run_error(t, "eln") / run_error(t, "rattle"), 0.2, 5.0,
          "ELN and RATTLE behave alike: ratio of their largest errors of the energy");
}

static void judge_pendulum(const table *t, claims *out)
{
    quote(out, "figure 7.1",
          "ELN and RATTLE show a bounded oscillatory behavior, while RKMK methods "
          "exhibit a linear drift");
    claim_drift(t, out, "eln", false);
    claim_drift(t, out, "rattle", false);
    claim_drift(t, out, "rkmk4", true);
    claim_drift(t, out, "rkmkgl4", true);
    quote(out, "figure 7.1", "Note that ELN absolute value is lower than RATTLE");
    claim(out, run_error(t, "rattle") / run_error(t, "eln"), 1.0, INFINITY,
          "ELN has the lower error: that of RATTLE over its own");
}

/* Of the largest error in a hundred times the time: 100 of a steady drift, 10 of a random
 * walk, which chaos makes of it, and 1 or 2 of what is bounded. */
static const double GROWING = 4.0;

/* The angular momentum is some 2: an error of 1e-4 is no round-off, and 1e-11 is more
 * than that of 20000 steps. */
static void judge_double(const table *t, claims *out)
{
    quote(out, "7.2.2", "The ELN method exhibits an energy behavior comparable to RATTLE");
    claim_alike(t, out);
    quote(out, "7.2.2", "RKMK methods both display an energy drift");
    claim_drift(t, out, "rkmk4", true);
    claim_most(out,
               share_drifting(t, RKMKGL4_STARTS, DOUBLE_LONGER.all.time[FIGURE_FULL], DRIFTING),
               "the energy of rkmkgl4 drifts" BY_SLOPE " is at least 0.5");
    correction(out, run_error(t, LONG_RKMKGL4) / run_error(t, "rkmkgl4"), GROWING, INFINITY,
               "up to T = 200 chaos hides a drift, but the energy is not bounded: its "
               "largest error up to T = 20000 over that up to 200");
    quote(out, "figure 7.4", "ELN do not preserve neither the energy nor the momentum");
    claim(out, fabs(ensemble_drift(t, ELN_STARTS)), 3.0, INFINITY,
          "the energy of ELN drifts: the mean slope of its starts over its standard error");
    correction(out, run_error(t, LONG_ELN) / run_error(t, "eln"), GROWING, INFINITY,
               "there is no mean slope, but the energy is not bounded: its largest error "
               "up to T = 20000 over that up to 200");
    claim(out, table_most(t, "run", "eln", "momentum"), 1e-4, INFINITY,
          "ELN does not preserve the angular momentum about the vertical: its largest "
          "error");
    quote(out, "figure 7.4", "The symplectic RATTLE exactly preserves the momentum");
    claim(out, table_most(t, "run", "rattle", "momentum"), 0.0, 1e-11,
          "RATTLE preserves it exactly: its largest error");
    quote(out, "figure 7.4", "they render correctly the angular momentum");
    claim(out, most_ratio(t, "rkmkgl4", "eln", "momentum"), 0.0, 0.1,
          "RKMK methods render it correctly: largest error of RKMKGL4 over that of ELN");
}

static const char CHOSEN[] =
    "neither step nor time of the runs is printed, nor how the needles are numbered";

static void judge_magnets(const table *t, claims *out)
{
    other_data(out, CHOSEN);
    quote(out, "figure 7.7",
          "ELN and RATTLE show a very similar oscillatory behavior, while RKMK methods "
          "exhibit a linear drift");
    claim_drift(t, out, "eln", false);
    claim_drift(t, out, "rattle", false);
    claim_alike(t, out);
    claim_drift(t, out, "rkmk4", true);
    claim_drift(t, out, "rkmkgl4", true);
    quote(out, "7.2.3", "RKMGL4 error is really small");
    claim(out, run_error(t, "rkmkgl4") / run_error(t, "eln"), 0.0, 0.01,
          "the error of RKMKGL4 is really small: over that of ELN");
}

/* The q.w of ELN is round-off, that of RKMK methods an error of their order, which is larger
 * by far more than a picture needs to show it. The length of q, which every step here brings
 * back to 1, is not judged. */
static void judge_constraints(const table *t, claims *out)
{
    const runs *r = out->context;
    if (r == &MAGNETS_RUNS)
        other_data(out, CHOSEN);
    partly(out, "the length of q is not judged, since every step here brings it back to 1");
    quote(out, r->where, r->words);
    claim(out, table_most(t, "run", "eln", "orthogonality"), 0.0, 1e-11,
          "ELN keeps q and w orthogonal: its largest |q.w|");
    claim(out, most_ratio(t, "rkmk4", "eln", "orthogonality"), 1000.0, INFINITY,
          "RKMK4 does not: its largest |q.w| over that of ELN");
    claim(out, most_ratio(t, "rkmkgl4", "eln", "orthogonality"), 100.0, INFINITY,
          "nor does RKMKGL4: its largest |q.w| over that of ELN");
}

/* ---- errors ---------------------------------------------------------------------- */

static const char *const COLUMN[] = {"error_position", "error_velocity"}, *const WORD[] = {
                                                                              "positions",
                                                                              "velocities"};

/* And what the thesis says of them; NULL: nothing. */
typedef struct errors {
    convergence all;
    const char *where, *orders, *fourth, *rattle;
} errors;

static const errors
    PENDULUM = {{"pendulum", 1.0, METHODS, 4, {1, 7, 7}, NORMS_SPHERES},
                "7.2.1",
                "each Lie algorithm maintains the same original accuracy order also for "
                "the flow on TS^2",
                "implicit RKMKGL4 exhibits a smaller error than RKMK4",
                "remarkably, RATTLE shows a higher error than ELN"},
    DOUBLE = {{"double_pendulum", 1.0, METHODS, 16, {1, 5, 5}, NORMS_SPHERES},
              "7.2.2",
              "all Lie methods maintain the same accuracy order also on the discrete flow on "
              "TS^2",
              "The implicit RKMKGL4 gives the smallest error both on position and velocity",
              "all the integrators are more accurate than RATTLE method"},
    MAGNETS = {{"magnets", 1.0, METHODS, 16, {1, 5, 5}, NORMS_SPHERES},
               "figure 7.9",
               "The discrete flow on TS^2 generated by ELN is second-order accurate, while the "
               "discrete flows generated by RKMK4 and RKMKG4 are fourth-order accurate",
               NULL,
               "all the Lie group methods are more accurate than RATTLE"};

static void judge_errors(const table *t, claims *out)
{
    const errors *e = out->context;
    const double off = 0.3; /* a line of slope 4 is told from one of 3 */
    quote(out, e->where, e->orders);
    for (int i = 0; METHODS[i] != NULL; i++) {
        for (int k = 0; k < 2; k++)
            claim(out, final_order(t, METHODS[i], COLUMN[k]), ORDERS[i] - off, ORDERS[i] + off,
                  "%s is of order %d in the %s: its slope", METHODS[i], ORDERS[i], WORD[k]);
    }
    quote(out, e->fourth == NULL ? "ours" : e->where, e->fourth);
    claim(out, error_ratio(t, "rkmk4", "rkmkgl4", COLUMN[0]), 1.0, INFINITY,
          "RKMKGL4 has a smaller error than RKMK4, in the positions: the latter over the "
          "former");
    quote(out, e->where, e->rattle);
    for (int k = 0; k < 2; k++)
        claim(out, final_error(t, "rattle", COLUMN[k]) / worst_error(t, LIE, COLUMN[k]), 1.0,
              INFINITY, "RATTLE has the largest error in the %s: over the largest of the others",
              WORD[k]);
}

/* ---- times ----------------------------------------------------------------------- */

typedef struct run_times {
    const char *problem;
    double seconds[METHOD_COUNT]; /* in the thesis */
} run_times;

static const run_times PENDULUM_TIMES = {"pendulum", {0.34, 17.41, 83.17, 2.72}},
                       DOUBLE_TIMES = {"double_pendulum", {19.71, 44.67, 166.57, 12.64}},
                       MAGNETS_TIMES = {"magnets", {118.74, 289.28, 1785.53, 125.22}};

static bool compute_times(figure_work *work, table *t)
{
    const run_times *e = work->figure->context;
    method_cost cost[METHOD_COUNT];
    table_begin(t, "method,thesis_s,thesis_ratio,evaluations_per_step,seconds_per_step,"
                   "seconds_ratio");
    if (!method_costs(work, e->problem, TIMED_STEP, (uint64_t)AT_EFFORT(work, TIMED_STEPS), METHODS,
                      METHOD_COUNT, cost))
        return false;
    for (int i = 0; i < METHOD_COUNT; i++)
        ROW(t, (METHODS[i]), e->seconds[i], e->seconds[i] / e->seconds[ELN], cost[i].evaluations,
            cost[i].seconds, cost[i].seconds / cost[ELN].seconds);
    return true;
}

static double ratio(const table *t, const char *a, const char *b)
{
    return table_ratio(t, "method", a, b, "seconds_per_step");
}

static void claim_eln_faster(const table *t, claims *out)
{
    quote(out, "7.2.3",
          "As in the single spherical pendulum case, the ELN method is faster than RATTLE");
    claim(out, ratio(t, "rattle", "eln"), 1.0, INFINITY,
          "ELN is faster than RATTLE: time of RATTLE over that of ELN");
}

/* Where the thesis gives a factor, half to twice as much counts as that. */
static void judge_pendulum_times(const table *t, claims *out)
{
    quote(out, "7.2.1",
          "RKMKGL4 requires five times and 227 times the run-time of RKMK4 and ELN, "
          "respectively");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 2.5, 10.0,
          "RKMKGL4 takes five times as long as RKMK4: their ratio");
    claim(out, ratio(t, "rkmkgl4", "eln"), 113.0, 454.0,
          "RKMKGL4 takes 227 times as long as ELN (245 by the table): their ratio");
    claim_eln_faster(t, out);
}

static void judge_double_times(const table *t, claims *out)
{
    quote(out, "7.2.2",
          "RKMK fourth-order methods are predictably more expensive than second-order "
          "methods");
    claim(out, ratio(t, "rkmk4", "eln"), 1.0, INFINITY,
          "RKMK4 is more expensive than the second-order ELN: their ratio");
    claim(out, ratio(t, "rkmkgl4", "eln"), 1.0, INFINITY,
          "RKMKGL4 is more expensive than the second-order ELN: their ratio");
    quote(out, "7.2.2", "ELN is more expensive than RATTLE in this case");
    claim(out, ratio(t, "rattle", "eln"), 0.0, 1.0,
          "ELN, implicit here, is more expensive than RATTLE: time of RATTLE over that "
          "of ELN");
}

static void judge_magnets_times(const table *t, claims *out)
{
    other_data(out, "neither step nor time of the runs is printed");
    claim_eln_faster(t, out);
    quote(out, "7.2.3",
          "The high computational cost of the RKMKGL4 is due to its implicitness and to "
          "its high order");
    claim(out, ratio(t, "rkmk4", "eln"), 1.0, INFINITY,
          "methods of order 4 cost more: RKMK4 over ELN");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 1.0, INFINITY,
          "RKMKGL4, implicit and of order 4, costs the most: over RKMK4");
}

#define RUNS_FIGURE(n, seconds, judge, of)                                                         \
    FIGURE("ortolan_figure7_" #n, seconds, seconds, long_runs_compute, judge,                      \
           "ortolan_sphere_runs", of)
#define ERRORS_FIGURE(n, seconds, of)                                                              \
    FIGURE("ortolan_figure7_" #n, seconds, seconds, convergence_compute, judge_errors,             \
           "ortolan_sphere_errors", of)
#define TIMES_TABLE(n, problem, judge, of)                                                         \
    FIGURE_OF("ortolan_table7_" #n, 1, 3, compute_times, judge, NULL, of, problem, USED[(n)-1])

#define USED_OF(of)                                                                                \
    {                                                                                              \
        NUMBER("step", TIMED_STEP), NUMBERS("steps", TIMED_STEPS),                                 \
            NUMBERS("seconds of the thesis", (of).seconds),                                        \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const figure_number USED[][4] = {USED_OF(PENDULUM_TIMES), USED_OF(DOUBLE_TIMES),
                                        USED_OF(MAGNETS_TIMES)};

const ph_figure ph_figure_ortolan_spheres[12] = {
    RUNS_FIGURE(1, 3, judge_pendulum, &PENDULUM_RUNS),
    RUNS_FIGURE(2, 3, judge_constraints, &PENDULUM_RUNS),
    ERRORS_FIGURE(3, 0.2, &PENDULUM),
    RUNS_FIGURE(4, 20, judge_double, &DOUBLE_LONGER),
    RUNS_FIGURE(5, 3, judge_constraints, &DOUBLE_RUNS),
    ERRORS_FIGURE(6, 0.2, &DOUBLE),
    RUNS_FIGURE(7, 3, judge_magnets, &MAGNETS_RUNS),
    RUNS_FIGURE(8, 3, judge_constraints, &MAGNETS_RUNS),
    ERRORS_FIGURE(9, 1, &MAGNETS),
    TIMES_TABLE(1, "pendulum", judge_pendulum_times, &PENDULUM_TIMES),
    TIMES_TABLE(2, "double_pendulum", judge_double_times, &DOUBLE_TIMES),
    TIMES_TABLE(3, "magnets", judge_magnets_times, &MAGNETS_TIMES),
};
