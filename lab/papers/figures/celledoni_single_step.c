/* celledoni_single_step.c - Celledoni et al. 2007, figure 2 and table 1: error and cost
 * of the two exact methods in a single step.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.2.
 */
#include "lab/papers/experiments.h"

static const double STEP = 5.0, RUNS[] = {4, 100, 100};

static const char *const METHODS[] = {"rotation", "quaternion"};

/* What table 1 says of them: the median of the errors, and their standard deviation. */
static const double ERRORS[] = {7.0865e-13, 3.3383e-13}, SIGMAS[] = {4.4725e-12, 2.3748e-12};

/* The rows of figure 2; table 1 is of the same experiments. */
static bool compute_runs(figure_work *work, table *t)
{
    const int runs = (int)AT_EFFORT(work, RUNS);
    uint64_t seed = figure_seed("celledoni_figure2");
    table_begin(t, "method,run,error,seconds");
    for (int i = 0; i < runs; i++) {
        const ph_vec3 J = random_moments(&seed, UNIT_RANGE);
        timed_run e = {.J = J, .start = random_start(&seed, UNIT_RANGE), .h = STEP, .steps = 1};
        for (size_t m = 0; m < COUNT(METHODS); m++) {
            if (!report_progress(work, (double)i / runs))
                return false;
            e.method = METHODS[m];
            const double seconds = best_seconds(work, free_timed_run, &e);
            ROW(t, (e.method), i + 1, e.good ? free_error(e.J, &e.start, STEP, &e.end) : NAN,
                seconds);
        }
    }
    return true;
}

enum { MOST_RUNS = 100 };

/* The median or the deviation of the numbers of a method. */
static double of_method(const table *t, const char *method, const char *column,
                        double (*statistic)(double *, size_t))
{
    double x[MOST_RUNS];
    size_t count = 0;
    for (size_t i = 0; next_row(t, &i, "method", method) && count < MOST_RUNS; i++)
        x[count++] = table_number(t, i, column);
    return statistic(x, count);
}

static bool compute_table(figure_work *work, table *t)
{
    table runs;
    const bool good = compute_runs(work, &runs);
    table_begin(t, "method,median_error,sigma_error,largest_error,"
                   "seconds_median,seconds_sigma");
    for (size_t m = 0; m < COUNT(METHODS) && good; m++) {
        const char *name = METHODS[m];
        ROW(t, (name), of_method(&runs, name, "error", median),
            of_method(&runs, name, "error", deviation), table_most(&runs, "method", name, "error"),
            of_method(&runs, name, "seconds", median),
            of_method(&runs, name, "seconds", deviation));
    }
    return good;
}

/* "Very comparable" is within a factor of three for errors, of two for times. */
static void judge_figure(const table *t, claims *out)
{
    quote(out, "3.2",
          "the accuracy of the two exact methods is very comparable and also their cost");
    claim(out,
          of_method(t, "rotation", "error", median) / of_method(t, "quaternion", "error", median),
          1.0 / 3.0, 3.0,
          "the accuracy of the two is very comparable: ratio of the median errors, "
          "rotation over quaternion");
    claim(out,
          of_method(t, "rotation", "seconds", median) /
              of_method(t, "quaternion", "seconds", median),
          0.5, 2.0, "and also their cost: ratio of the median times");
    quote(out, "table 1", "Average error and cpu for the two exact methods");
    for (size_t m = 0; m < COUNT(METHODS); m++)
        claim(out, of_method(t, METHODS[m], "error", median) / ERRORS[m], 0.0, 1.0,
              "%s is no less accurate than in table 1: median error over that there", METHODS[m]);
}

static void judge_table(const table *t, claims *out)
{
    const double factor = 3.0; /* within which a random experiment repeats another */
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        const char *name = METHODS[m];
        const double error = table_first(t, "method", name, "median_error"),
                     sigma = table_first(t, "method", name, "sigma_error");
        quote(out, "table 1", "Average error and cpu for the two exact methods");
        claim(out, error, ERRORS[m] / factor, ERRORS[m] * factor, "the median error of %s is %g",
              name, ERRORS[m]);
        claim(out, sigma, SIGMAS[m] / factor, SIGMAS[m] * factor,
              "the standard deviation of the error of %s is %g", name, SIGMAS[m]);
    }
    claim(out, table_ratio(t, "method", "rotation", "quaternion", "seconds_median"), 0.5, 2.0,
          "both cost the same, 2.2466e-5 s and 2.1452e-5 s then: ratio of the median "
          "times, rotation over quaternion");
}

static const figure_number USED[] = {NUMBER("step", STEP),
                                     NUMBERS("runs", RUNS),
                                     NUMBERS("median errors", ERRORS),
                                     NUMBERS("deviations of errors", SIGMAS),
                                     NUMBERS("range of moments and momenta", UNIT_RANGE),
                                     {0}};

const ph_figure ph_figure_celledoni_single_step[2] = {
    FIGURE_OF("celledoni_figure2", 4, 4, compute_runs, judge_figure, "celledoni_single_step", NULL,
              NULL, USED),
    FIGURE_OF("celledoni_table1", 4, 4, compute_table, judge_table, NULL, NULL, NULL, USED),
};
