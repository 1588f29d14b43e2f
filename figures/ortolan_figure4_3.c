/* ortolan_figure4_3.c - Ortolan 2011, figure 4.3: what the methods cost in the well.
 *
 * O11  Ortolan, thesis, Padova 2011, section 4.2.
 */
#include <stdio.h>

#include "catalog/find.h"
#include "core/extremes.h"
#include "evidence/statistics.h"
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

/* ---- the numbers ----------------------------------------------------------------- */

typedef struct task {
    const ph_method *method;
    const ph_problem *problem;
    double h;
    long steps;
    ph_status status;
} task;

static void do_run(void *context)
{
    task *r = context;
    ph_state s = ph_problem_start(r->problem);
    r->status = PH_OK;
    for (long i = 0; i < r->steps && r->status == PH_OK; i++)
        r->status = r->method->step(r->method, r->problem, &s, (double)i * r->h, r->h);
}

static double torques_of(const task *r)
{
    const ph_integrator i = {.method = r->method};
    ph_system *s;
    if (ph_system_of_body(&s, r->problem, &i, NULL, r->h, PH_COUNTED) != PH_OK)
        return NAN;
    (void)ph_system_run(s, (uint64_t)r->steps, NULL);
    const double count = (double)ph_system_evaluations(s);
    ph_system_free(s);
    return count / (double)r->steps;
}

/* The rows of one step. */
static bool add_rows(figure_work *work, table *t, int step)
{
    const long steps = (long)by_effort(work, 10, 500, 1000);
    task run[METHOD_COUNT];
    timed_task timed[METHOD_COUNT];
    for (int m = 0; m < METHOD_COUNT; m++) {
        run[m] = (task){.method = find_method(METHODS[m]),
                        .problem = find_problem("well"),
                        .h = STEPS[step].h,
                        .steps = steps};
        timed[m] = (timed_task){.run = do_run, .context = &run[m]};
    }
    const double share = 1.0 / STEP_COUNT;
    if (!best_of_rounds(work, step * share, share, timed, METHOD_COUNT))
        return false;
    for (int m = 0; m < METHOD_COUNT; m++)
        ROW(t, WORD(STEPS[step].name), WORD(METHODS[m]), NUMBER(torques_of(&run[m])),
            NUMBER(run[m].status == PH_OK ? timed[m].seconds / (double)steps : NAN),
            NUMBER(timed[m].seconds / timed[ELN].seconds));
    return true;
}

static bool compute(figure_work *work, table *t)
{
    table_begin(t, "step,method,torques_per_step,seconds_per_step,seconds_ratio");
    bool good = true;
    for (int k = 0; k < STEP_COUNT && good; k++)
        good = add_rows(work, t, k);
    return good;
}

/* ---- what they say --------------------------------------------------------------- */

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

const ph_figure ph_figure_ortolan_figure4_3 = {
    .name = "ortolan_figure4_3",
    .seconds = {0.1, 2, 3},
    .compute = compute,
    .judge = judge,
    .plot = "ortolan_figure4_3",
};
