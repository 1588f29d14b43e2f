/* ortolan_figure4_3.c - Ortolan 2011, figure 4.3: what the methods cost in the well.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include "core/extremes.h"
#include "evidence/timing.h"
#include "io/count.h"

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
        if (!method_costs(work, k * share, share, "well", STEPS[k].h, steps, METHODS,
                          METHOD_COUNT, cost))
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
    for (size_t i = 0; i < t->rows; i++) {
        if (table_matches(t, i, "method", method)) {
            product *= table_number(t, i, "seconds_ratio");
            found++;
        }
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

static void judge(const table *t, findings *out)
{
    const double tln = ratio(t, METHODS[TLN]);
    const double equal = 0.75; /* times next to each other are told apart no better */
    claim(out, extreme(t, TLN, smaller_or_nan), equal, INFINITY,
          "ELN is the fastest, as far as times can tell: that of the next one over its "
          "own");
    claim(out, tln / extreme(t, REST, larger_or_nan), 1.0, INFINITY,
          "the implicit TLN is the slowest: its time over that of the next slowest");
    correction(out, tln / ratio(t, METHODS[ELN]), 2.0, INFINITY,
               "the implicit TLN is slower than the explicit Newmark ELN: its time over "
               "that of ELN");
    claim(
        out, tln, 8.0, 16.0,
        "TLN takes up to twelve times as long as the others: its time over that of ELN");
    correction(out, tln, 2.0, 8.0,
               "compiled, with a Newton iteration of its own derivative, it takes some "
               "four times as long: the same");
}

const ph_figure ph_figure_ortolan_figure4_3[1] = {
    FIGURE("ortolan_figure4_3", 0.1, 2, 3, compute, judge, "ortolan_figure4_3", NULL),
};
