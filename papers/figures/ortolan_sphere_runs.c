/* ortolan_sphere_runs.c - Ortolan 2011, figures 7.1, 7.2, 7.4, 7.5, 7.7 and 7.8: energy,
 * angular momentum and constraints in long runs on two-spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2, with the misprints of (7.5), (7.8) and
 *      of the start of the pendulum corrected (docs/errata.md).
 */
#include "base/extremes.h"
#include "cli/files/count.h"
#include "papers/long_run.h"

/* The largest errors: of a block, but of the length in the run so far. */
enum { MOMENTUM, LENGTH, ORTHOGONALITY };

/* The observables are the energy, the momentum where it is kept, length and
 * orthogonality. */
static void measure(ph_system *s, bool fresh, double *more)
{
    size_t count;
    const ph_observable *seen = ph_system_observables(s, &count),
                        *last = &seen[count - 1];
    const bool has_momentum = count > 3;
    if (fresh)
        more[MOMENTUM] = more[ORTHOGONALITY] = 0.0;
    if (has_momentum)
        more[MOMENTUM] =
            larger_or_nan(more[MOMENTUM], fabs(seen[1].now[0] - seen[1].start[0]));
    more[LENGTH] = larger_or_nan(more[LENGTH], last[-1].now[0]);
    more[ORTHOGONALITY] = larger_or_nan(more[ORTHOGONALITY], last->now[0]);
}

#define RUNS_OF_THE_THESIS                                                               \
    {"eln", 0.01, NULL, NULL, 0}, {"rkmk4", 0.01, NULL, NULL, 0},                        \
        {"rkmkgl4", 0.01, NULL, NULL, 0},                                                \
    {                                                                                    \
        "rattle", 0.01, NULL, NULL, 0                                                    \
    }
#define LONG_ELN     "eln T = 20000"
#define LONG_RKMKGL4 "rkmkgl4 T = 20000"

static const long_run RUNS[] = {RUNS_OF_THE_THESIS, {0}},
                      LONGER[] = {RUNS_OF_THE_THESIS,
                                  {"eln", 0.01, LONG_ELN, NULL, 100},
                                  {"rkmkgl4", 0.01, LONG_RKMKGL4, NULL, 100},
                                  {0}};

typedef struct experiment {
    const char *problem;
    const long_run *runs;
} experiment;

static bool compute(figure_work *work, table *t)
{
    const experiment *e = work->figure->context;
    const long_runs all = {.problem = e->problem,
                           .time = by_effort(work, 1, 200, 200),
                           .blocks = 100,
                           .measure = measure,
                           .more = ",momentum,length,orthogonality"};
    return long_runs_compute(&all, e->runs, work, t);
}

static double worst(const table *t, const char *run, const char *column)
{
    return table_most(t, "run", run, column);
}

/* Of `run_drift`: a steady drift has 1, and what only oscillates next to nothing. */
static const double STILL = 0.1, DRIFTING = 0.5;

static void claim_bounded(const table *t, claims *out, const char *method)
{
    claim(
        out, run_drift(t, method), -STILL, STILL,
        "the energy of %s is bounded: what its slope makes of the run, over its largest "
        "error",
        method);
}

static void claim_drifting(const table *t, claims *out, const char *method)
{
    claim(out, fabs(run_drift(t, method)), DRIFTING, INFINITY,
          "the energy of %s drifts: what its slope makes of the run, over its largest "
          "error",
          method);
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
          "ELN and RATTLE show a bounded oscillatory behavior, while RKMK "
          "methods exhibit a linear drift");
    claim_bounded(t, out, "eln");
    claim_bounded(t, out, "rattle");
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
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
    quote(out, "7.2.2",
          "The ELN method exhibits an energy behavior comparable to RATTLE");
    claim_alike(t, out);
    quote(out, "7.2.2", "RKMK methods both display an energy drift");
    claim_drifting(t, out, "rkmk4");
    claim(out, run_error(t, LONG_RKMKGL4) / run_error(t, "rkmkgl4"), GROWING, INFINITY,
          "the energy of RKMKGL4 is not bounded: its largest error up to T = 20000 over "
          "that "
          "up to 200, where it cannot be seen yet");
    quote(out, "figure 7.4", "ELN do not preserve neither the energy nor the momentum");
    claim(out, run_error(t, LONG_ELN) / run_error(t, "eln"), GROWING, INFINITY,
          "the energy of ELN is not bounded: its largest error up to T = 20000 over that "
          "up to 200");
    claim(out, worst(t, "eln", "momentum"), 1e-4, INFINITY,
          "ELN does not preserve the angular momentum about the vertical: its largest "
          "error");
    quote(out, "figure 7.4", "The symplectic RATTLE exactly preserves the momentum");
    claim(out, worst(t, "rattle", "momentum"), 0.0, 1e-11,
          "RATTLE preserves it exactly: its largest error");
    quote(out, "figure 7.4", "they render correctly the angular momentum");
    claim(out, worst(t, "rkmkgl4", "momentum") / worst(t, "eln", "momentum"), 0.0, 0.1,
          "RKMK methods render it correctly: largest error of RKMKGL4 over that of ELN");
}

static const char CHOSEN[] = "neither step nor time of the runs is printed, nor how the "
                             "needles are numbered";

static void judge_magnets(const table *t, claims *out)
{
    other_data(out, CHOSEN);
    quote(out, "figure 7.7",
          "ELN and RATTLE show a very similar oscillatory behavior, while "
          "RKMK methods exhibit a linear drift");
    claim_bounded(t, out, "eln");
    claim_bounded(t, out, "rattle");
    claim_alike(t, out);
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
    quote(out, "7.2.3", "RKMGL4 error is really small");
    claim(out, run_error(t, "rkmkgl4") / run_error(t, "eln"), 0.0, 0.01,
          "the error of RKMKGL4 is really small: over that of ELN");
}

/* The q.w of ELN is round-off, that of RKMK methods an error of their order, which is larger
 * by far more than a picture needs to show it. Nothing is claimed of the length of q,
 * which every step brings back to 1. */
static void judge_orthogonality(const table *t, claims *out)
{
    claim(out, worst(t, "eln", "orthogonality"), 0.0, 1e-11,
          "ELN keeps q and w orthogonal: its largest |q.w|");
    claim(out, worst(t, "rkmk4", "orthogonality") / worst(t, "eln", "orthogonality"),
          1000.0, INFINITY, "RKMK4 does not: its largest |q.w| over that of ELN");
    claim(out, worst(t, "rkmkgl4", "orthogonality") / worst(t, "eln", "orthogonality"),
          100.0, INFINITY, "nor does RKMKGL4: its largest |q.w| over that of ELN");
}

static void judge_pendulum_constraints(const table *t, claims *out)
{
    quote(out, "figure 7.2",
          "ELN seems to conserve also the orthogonality between q and ω, "
          "while RKMK methods show an evident drift");
    judge_orthogonality(t, out);
}

static void judge_double_constraints(const table *t, claims *out)
{
    quote(out, "7.2.2", "ELN error on the orthogonality is much smaller than RKMKGL4");
    judge_orthogonality(t, out);
}

static void judge_magnets_constraints(const table *t, claims *out)
{
    other_data(out, CHOSEN);
    quote(out, "figure 7.8",
          "ELN seems to conserve also the orthogonality between q and ω, "
          "while RKMK methods show a non-negligible error");
    judge_orthogonality(t, out);
}

static const experiment PENDULUM = {"pendulum", RUNS}, DOUBLE = {"double_pendulum", RUNS},
                        DOUBLE_LONGER = {"double_pendulum", LONGER},
                        MAGNETS = {"magnets", RUNS};

#define PLOT "ortolan_sphere_runs"

const ph_figure ph_figure_ortolan_sphere_runs[6] = {
    FIGURE("ortolan_figure7_1", 3, 3, compute, judge_pendulum, PLOT, &PENDULUM),
    FIGURE("ortolan_figure7_2", 3, 3, compute, judge_pendulum_constraints, PLOT,
           &PENDULUM),
    FIGURE("ortolan_figure7_4", 40, 40, compute, judge_double, PLOT, &DOUBLE_LONGER),
    FIGURE("ortolan_figure7_5", 3, 3, compute, judge_double_constraints, PLOT, &DOUBLE),
    FIGURE("ortolan_figure7_7", 3, 3, compute, judge_magnets, PLOT, &MAGNETS),
    FIGURE("ortolan_figure7_8", 3, 3, compute, judge_magnets_constraints, PLOT, &MAGNETS),
};
