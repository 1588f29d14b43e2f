/* celledoni_figure1.c - Celledoni et al. 2007, figure 1: precision and cost of free-body
 * methods, averaged over random bodies.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.2.
 */

#include "lab/papers/experiments.h"
#include "tool/files/posix.h"

/* By fixed-point iteration as the paper's; and the library's own. */
static const char *const METHODS[] = {"dmv6",
                                      "dmv8",
                                      "dmv10",
                                      "rotation",
                                      "rotation_gauss6",
                                      "rotation_gauss8",
                                      "rotation_gauss10",
                                      "quaternion",
                                      "gauss6",
                                      "gauss8",
                                      "gauss10",
                                      "dmv6 by Newton",
                                      "dmv8 by Newton",
                                      "dmv10 by Newton"};
enum { ALL = COUNT(METHODS), SHOWN = 11 }; /* the paper's come first */

static const double TIME = 10.0;
enum { MOST_BODIES = 100, STEPS = 20 };
static const double BODIES[] = {1, 100, 100}, STEP_COUNT = STEPS;

/* In that time, of steps from 0.34 down to 0.014, evenly on a logarithmic scale. */
static const double FEWEST_AND_MOST[] = {29, 714};

static uint64_t steps_at(int k)
{
    const double fewest = FEWEST_AND_MOST[0], most = FEWEST_AND_MOST[1];
    return (uint64_t)round(fewest * pow(most / fewest, k / (STEPS - 1.0)));
}

/* A method with all steps, over the bodies of a seed for which it converged: the mean digits, and
 * the median times, of which those of the paper's methods may be the cheapest yet. */
static bool add_method(figure_work *work, table *t, size_t m, double cheapest[STEPS])
{
    double digits[STEPS][MOST_BODIES], seconds[STEPS][MOST_BODIES];
    const int bodies = (int)smaller_or_nan(AT_EFFORT(work, BODIES), MOST_BODIES);
    uint64_t seed = work->seed;
    size_t good = 0;
    for (int i = 0; i < bodies; i++) {
        const ph_vec3 J = random_moments(&seed, UNIT_RANGE);
        const ph_state start = random_start(&seed, UNIT_RANGE);
        bool converged = true;
        if (!report_progress(work, ((double)m + (double)i / bodies) / ALL))
            return false;
        for (int k = 0; k < STEPS && converged; k++) {
            const uint64_t steps = steps_at(k);
            ph_state s = start;
            const double began = clock_work();
            converged = free_run(METHODS[m], &s, J, TIME / (double)steps, steps);
            seconds[k][good] = clock_work() - began;
            digits[k][good] = free_digits(free_error(J, &start, TIME, &s));
        }
        good += converged;
    }
    for (int k = 0; k < STEPS; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < good; i++)
            sum += digits[k][i];
        const double median_time = median(seconds[k], good);
        if (m < SHOWN && median_time < cheapest[k])
            cheapest[k] = median_time;
        ROW(t, (METHODS[m], m < SHOWN ? "paper" : "ours"), TIME / (double)steps_at(k),
            (double)good / bodies, sum / (double)good, median_time, median_time);
    }
    return true;
}

static bool compute(figure_work *work, table *t)
{
    double cheapest[STEPS];
    for (int k = 0; k < STEPS; k++)
        cheapest[k] = INFINITY;
    table_begin(t, "method,whose,h,converged,digits,seconds,seconds_relative");
    for (size_t m = 0; m < ALL; m++) {
        if (!add_method(work, t, m, cheapest))
            return false;
    }
    for (size_t i = 0; i < t->rows; i++) /* its last column */
        t->cell[(i + 1) * t->columns - 1].x /= cheapest[i % STEPS];
    return true;
}

/* "5 times faster" is a half to twice of it, "about 1/3" more than 1/5 and less than 1/2,
 * "clearly more expensive" twice as much. What is said of times is said of two programs, and
 * has no correction. */
static void judge_dmv(const table *t, claims *out)
{
    static const char *const dmv[] = {"dmv6", "dmv8", "dmv10"};
    static const char *const rivals[] = {"gauss6", "gauss8", "gauss10"};
    const double share = 0.75, sigmas = 3.0 * sqrt(share * (1.0 - share) / BODIES[FIGURE_FULL]);
    quote(out, "3.2",
          "they always converge (against 75 successes for the methods dmv6, dmv8, dmv10");
    for (size_t i = 0; i < COUNT(dmv); i++)
        claim(out, table_least(t, "method", dmv[i], "converged"), share - sigmas, share + sigmas,
              "%s by fixed-point iteration converges in 75 out of 100 runs: the share, "
              "give or take three standard deviations",
              dmv[i]);
    quote(out, "3.2", "they are 5 times faster than their approximate counterparts");
    for (size_t i = 0; i < COUNT(dmv); i++)
        claim(out, table_ratio(t, "method", rivals[i], dmv[i], "seconds"), 2.5, 10.0,
              "%s is 5 times faster than %s with steps near 0.4: ratio of the times", dmv[i],
              rivals[i]);
}

/* With the shortest steps. */
static double last(const table *t, const char *method, const char *column)
{
    return table_last(t, "method", method, column);
}

static void judge_exact(const table *t, claims *out)
{
    static const char *const exact[] = {"rotation", "quaternion"};
    static const char *const quadrature[] = {"rotation_gauss10", "gauss10"};
    for (size_t i = 0; i < COUNT(exact); i++) {
        quote(out, "3.2", "The exact methods are clearly more expensive, but they always converge");
        claim(out, table_least(t, "method", exact[i], "converged"), 1.0, 1.0,
              "%s always converges: the share of the runs", exact[i]);
        claim(out, last(t, exact[i], "seconds_relative"), 2.0, INFINITY,
              "%s is clearly more expensive than the cheapest method: ratio of the times "
              "with the shortest steps",
              exact[i]);
        quote(out, "figure 1", "their relative cost rate improves for large time-steps");
        claim(out,
              table_first(t, "method", exact[i], "seconds_relative") /
                  last(t, exact[i], "seconds_relative"),
              0.0, 1.0,
              "the relative cost of %s improves for large steps: that with the longest "
              "over that with the shortest",
              exact[i]);
        quote(out, "3.2",
              "Their cost is about 1/3 of the methods using the exact elliptic integral");
        claim(out, last(t, quadrature[i], "seconds") / last(t, exact[i], "seconds"), 0.2, 0.5,
              "%s costs about 1/3 of the exact method: ratio of the times", quadrature[i]);
        quote(out, "3.2",
              "The exact methods discussed in this paper reveal a worse accumulation of "
              "roundoff error");
        claim(out, last(t, "dmv10", "digits") - last(t, exact[i], "digits"), 0.0, INFINITY,
              "%s reveals a worse accumulation of round-off: digits that dmv10 has more "
              "with the shortest steps",
              exact[i]);
    }
}

static void judge(const table *t, claims *out)
{
    judge_dmv(t, out);
    judge_exact(t, out);
}

static const figure_number USED[] = {NUMBER("time", TIME),
                                     NUMBERS("bodies", BODIES),
                                     NUMBER("step sizes", STEP_COUNT),
                                     NUMBERS("fewest and most steps", FEWEST_AND_MOST),
                                     NUMBERS("range of moments and momenta", UNIT_RANGE),
                                     {0}};

const ph_figure ph_figure_celledoni_figure1[1] = {
    FIGURE_OF("celledoni_figure1", 10, 10, compute, judge, "celledoni_figure1", NULL, NULL, USED),
};
