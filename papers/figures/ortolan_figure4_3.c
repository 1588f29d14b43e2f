/* ortolan_figure4_3.c - Ortolan 2011, figure 4.3: what the methods cost in the well.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include "base/extremes.h"
#include "cli/files/count.h"
#include "papers/timing.h"

static const char *const METHODS[] = {"eln",  "tln",    "prk", "mcg",
                                      "new3", "liemid", "vlv"};
enum { ELN, TLN, REST, METHOD_COUNT = COUNT(METHODS) };

static const struct {
    double h;
    const char *name;
} STEPS[] = {{0.125, "h = 0.125"}, {0.25, "h = 0.25"}};
enum { STEP_COUNT = COUNT(STEPS) };

static bool compute(figure_work *work, table *t)
{
    const long steps = (long)by_effort(work, 10, 500, 1000);
    const double share = 1.0 / STEP_COUNT;
    table_begin(t, "step,method,torques_per_step,seconds_per_step,seconds_ratio");
    for (int k = 0; k < STEP_COUNT; k++) {
        method_cost cost[METHOD_COUNT];
        work->before = k * share;
        work->share = share;
        if (!method_costs(work, "well", STEPS[k].h, steps, METHODS, METHOD_COUNT, cost))
            return false;
        for (int m = 0; m < METHOD_COUNT; m++)
            ROW(t, WORD(STEPS[k].name), WORD(METHODS[m]), NUMBER(cost[m].evaluations),
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

static void judge(const table *t, claims *out)
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
    correction(
        out, torques(t, METHODS[TLN]) / torques(t, METHODS[ELN]), 1.5, 3.0,
        "in evaluations of the torque, which no language changes, TLN takes twice as "
        "many as ELN: their ratio");
}

const ph_figure ph_figure_ortolan_figure4_3[1] = {
    FIGURE("ortolan_figure4_3", 2, 3, compute, judge, "ortolan_figure4_3", NULL),
};
