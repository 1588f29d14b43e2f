/* ortolan_sphere_times.c - Ortolan 2011, tables 7.1 to 7.3: what methods on two-spheres
 * cost.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2; the caption of table 7.3 names the
 *      double pendulum, and it is that of the dipoles.
 */
#include "cli/files/count.h"
#include "papers/timing.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle"};
enum { ELN, METHOD_COUNT = COUNT(METHODS) };

static const double STEP = 0.01;

typedef struct experiment {
    const char *problem;
    double seconds[METHOD_COUNT]; /* in the thesis */
} experiment;

static bool compute(figure_work *work, table *t)
{
    const experiment *e = work->figure->context;
    method_cost cost[METHOD_COUNT];
    table_begin(t, "method,thesis_s,thesis_ratio,evaluations_per_step,seconds_per_step,"
                   "seconds_ratio");
    if (!method_costs(work, e->problem, STEP, (long)by_effort(work, 2, 200, 500), METHODS,
                      METHOD_COUNT, cost))
        return false;
    for (int i = 0; i < METHOD_COUNT; i++)
        ROW(t, WORD(METHODS[i]), NUMBER(e->seconds[i]),
            NUMBER(e->seconds[i] / e->seconds[ELN]), NUMBER(cost[i].evaluations),
            NUMBER(cost[i].seconds), NUMBER(cost[i].seconds / cost[ELN].seconds));
    return true;
}

static double ratio(const table *t, const char *a, const char *b)
{
    return table_ratio(t, "method", a, b, "seconds_per_step");
}

/* In evaluations of the force per step, which no language changes. */
static double work_ratio(const table *t, const char *a, const char *b)
{
    return table_ratio(t, "method", a, b, "evaluations_per_step");
}

static void claim_eln_faster(const table *t, claims *out)
{
    quote(out, "7.2.3",
          "As in the single spherical pendulum case, the ELN method is faster "
          "than RATTLE");
    claim(out, ratio(t, "rattle", "eln"), 1.0, INFINITY,
          "ELN is faster than RATTLE: time of RATTLE over that of ELN");
    correction(out, work_ratio(t, "rattle", "eln"), 1.0, 1.0,
               "both evaluate the force once a step: evaluations of RATTLE over those of "
               "ELN");
}

/* Where the thesis gives a factor, half to twice as much counts as that. */
static void judge_pendulum(const table *t, claims *out)
{
    quote(out, "7.2.1",
          "RKMKGL4 requires five times and 227 times the run-time of RKMK4 and "
          "ELN, respectively");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 2.5, 10.0,
          "RKMKGL4 takes five times as long as RKMK4: their ratio");
    claim(out, ratio(t, "rkmkgl4", "eln"), 113.0, 454.0,
          "RKMKGL4 takes 227 times as long as ELN (245 by the table): their ratio");
    correction(out, work_ratio(t, "rkmkgl4", "eln"), 8.0, 30.0,
               "in evaluations of the force, which no language changes, it is some "
               "fifteen times the work: their ratio");
    claim_eln_faster(t, out);
}

static void judge_double(const table *t, claims *out)
{
    quote(out, "7.2.2",
          "RKMK fourth-order methods are predictably more expensive than "
          "second-order methods");
    claim(out, ratio(t, "rkmk4", "eln"), 1.0, INFINITY,
          "RKMK4 is more expensive than the second-order ELN: their ratio");
    claim(out, ratio(t, "rkmkgl4", "eln"), 1.0, INFINITY,
          "RKMKGL4 is more expensive than the second-order ELN: their ratio");
    quote(out, "7.2.2", "ELN is more expensive than RATTLE in this case");
    claim(
        out, ratio(t, "rattle", "eln"), 0.0, 1.0,
        "ELN, implicit here, is more expensive than RATTLE: time of RATTLE over that of "
        "ELN");
}

static void judge_magnets(const table *t, claims *out)
{
    other_data(out, "neither step nor time of the runs is printed");
    claim_eln_faster(t, out);
    quote(out, "7.2.3",
          "The high computational cost of the RKMKGL4 is due to its implicitness "
          "and to its high order");
    claim(out, ratio(t, "rkmk4", "eln"), 1.0, INFINITY,
          "methods of order 4 cost more: RKMK4 over ELN");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 1.0, INFINITY,
          "RKMKGL4, implicit and of order 4, costs the most: over RKMK4");
}

static const experiment PENDULUM = {"pendulum", {0.34, 17.41, 83.17, 2.72}},
                        DOUBLE = {"double_pendulum", {19.71, 44.67, 166.57, 12.64}},
                        MAGNETS = {"magnets", {118.74, 289.28, 1785.53, 125.22}};

const ph_figure ph_figure_ortolan_sphere_times[3] = {
    FIGURE("ortolan_table7_1", 1, 3, compute, judge_pendulum, NULL, &PENDULUM),
    FIGURE("ortolan_table7_2", 1, 3, compute, judge_double, NULL, &DOUBLE),
    FIGURE("ortolan_table7_3", 1, 3, compute, judge_magnets, NULL, &MAGNETS),
};
