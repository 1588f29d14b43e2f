/* ortolan_sphere_runs.c - Ortolan 2011, figures 7.1, 7.2, 7.4, 7.5, 7.7 and 7.8: energy,
 * angular momentum and constraints in long runs on two-spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2, with the misprints of (7.5), (7.8) and
 *      of the start of the pendulum corrected (docs/errata.md).
 */
#include "core/extremes.h"
#include "evidence/long_run.h"
#include "io/count.h"

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

static bool compute(figure_work *work, table *t)
{
    static const long_run runs[] = {{"eln", 0.01, NULL, NULL},
                                    {"rkmk4", 0.01, NULL, NULL},
                                    {"rkmkgl4", 0.01, NULL, NULL},
                                    {"rattle", 0.01, NULL, NULL},
                                    {0}};
    const long_runs all = {.problem = work->figure->context,
                           .time = by_effort(work, 1, 200, 200),
                           .blocks = 100,
                           .measure = measure,
                           .more = ",momentum,length,orthogonality"};
    return long_runs_compute(&all, runs, work, t);
}

static double worst(const table *t, const char *run, const char *column)
{
    return table_most(t, "run", run, column);
}

/* Of ELN, RKMK4 and RKMKGL4. */
static double worst_of_lie(const table *t, const char *column)
{
    return larger_or_nan(
        larger_or_nan(worst(t, "eln", column), worst(t, "rkmk4", column)),
        worst(t, "rkmkgl4", column));
}

/* Of `run_drift`: a steady drift has 1, and what only oscillates next to nothing. */
static const double STILL = 0.1, DRIFTING = 0.5;

static void claim_bounded(const table *t, findings *out, const char *method)
{
    claim(
        out, run_drift(t, method), -STILL, STILL,
        "the energy of %s is bounded: what its slope makes of the run, over its largest "
        "error",
        method);
}

static void claim_drifting(const table *t, findings *out, const char *method)
{
    claim(out, fabs(run_drift(t, method)), DRIFTING, INFINITY,
          "the energy of %s drifts: what its slope makes of the run, over its largest "
          "error",
          method);
}

/* Within a factor of five: as sizes look in a picture, of motions that part. */
static void claim_alike(const table *t, findings *out)
{
    claim(out, run_error(t, "eln") / run_error(t, "rattle"), 0.2, 5.0,
          "ELN and RATTLE behave alike: ratio of their largest errors of the energy");
}

static void judge_pendulum(const table *t, findings *out)
{
    claim_bounded(t, out, "eln");
    claim_bounded(t, out, "rattle");
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
    claim(out, run_error(t, "rattle") / run_error(t, "eln"), 1.0, INFINITY,
          "ELN has the lower error: that of RATTLE over its own");
}

/* The angular momentum is some 2: an error of 1e-4 is no round-off, and 1e-11 is more
 * than that of 20000 steps. */
static void judge_double(const table *t, findings *out)
{
    claim_alike(t, out);
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
    correction(out, fabs(run_drift(t, "rkmkgl4")), 0.0, DRIFTING,
               "the energy of rkmkgl4 does not drift visibly: the same");
    claim(out, worst(t, "eln", "momentum"), 1e-4, INFINITY,
          "ELN does not preserve the angular momentum about the vertical: its largest "
          "error");
    claim(out, worst(t, "rattle", "momentum"), 0.0, 1e-11,
          "RATTLE preserves it exactly: its largest error");
    claim(out, worst(t, "rkmkgl4", "momentum") / worst(t, "eln", "momentum"), 0.0, 0.1,
          "RKMK methods render it correctly: largest error of RKMKGL4 over that of ELN");
}

static void judge_magnets(const table *t, findings *out)
{
    claim_bounded(t, out, "eln");
    claim_bounded(t, out, "rattle");
    claim_alike(t, out);
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
    claim(out, run_error(t, "rkmkgl4") / run_error(t, "eln"), 0.0, 0.01,
          "the error of RKMKGL4 is really small: over that of ELN");
}

/* What is said of all three problems. 1e-13 is round-off that has gathered in 20000
 * steps; the q.w of ELN is round-off, too, that of RKMK methods an error of their order,
 * which is larger by far more than a picture needs to show it. */
static void judge_constraints(const table *t, findings *out)
{
    claim(
        out, worst_of_lie(t, "length"), 0.0, 1e-13,
        "Lie group methods keep the norm of q to machine precision: largest | |q| - 1 |");
    claim(out, worst(t, "eln", "orthogonality"), 0.0, 1e-11,
          "ELN keeps q and w orthogonal: its largest |q.w|");
    claim(out, worst(t, "rkmk4", "orthogonality") / worst(t, "eln", "orthogonality"),
          1000.0, INFINITY, "RKMK4 does not: its largest |q.w| over that of ELN");
    claim(out, worst(t, "rkmkgl4", "orthogonality") / worst(t, "eln", "orthogonality"),
          100.0, INFINITY, "nor does RKMKGL4: its largest |q.w| over that of ELN");
}

/* What is said of two of the three problems besides. */
static void judge_against_rattle(const table *t, findings *out)
{
    judge_constraints(t, out);
    claim(out, worst(t, "rattle", "length") / worst_of_lie(t, "length"), 2.0, INFINITY,
          "Lie group methods keep the norm better than RATTLE: its error over theirs");
    correction(out, worst(t, "rattle", "length"), 0.0, 1e-14,
               "with its constraint solved to round-off RATTLE keeps it as well: its "
               "largest | |q| - 1 |");
}

#define PLOT "ortolan_sphere_runs"

const ph_figure ph_figure_ortolan_sphere_runs[6] = {
    FIGURE("ortolan_figure7_1", 0.1, 3, 3, compute, judge_pendulum, PLOT, "pendulum"),
    FIGURE("ortolan_figure7_2", 0.1, 3, 3, compute, judge_against_rattle, PLOT,
           "pendulum"),
    FIGURE("ortolan_figure7_4", 0.1, 3, 3, compute, judge_double, PLOT,
           "double_pendulum"),
    FIGURE("ortolan_figure7_5", 0.1, 3, 3, compute, judge_constraints, PLOT,
           "double_pendulum"),
    FIGURE("ortolan_figure7_7", 0.1, 3, 3, compute, judge_magnets, PLOT, "magnets"),
    FIGURE("ortolan_figure7_8", 0.1, 3, 3, compute, judge_against_rattle, PLOT,
           "magnets"),
};
