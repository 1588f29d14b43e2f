/* ortolan_sphere_times.c - Ortolan 2011, tables 7.1 to 7.3: what methods on two-spheres
 * cost.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2; the caption of table 7.3 names the
 *      double pendulum, and it is that of the dipoles.
 */
#include "evidence/sphere_case.h"
#include "evidence/timing.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle"};
enum { METHOD_COUNT = 4 };

typedef struct experiment {
    const char *problem;
    double seconds[METHOD_COUNT]; /* in the thesis */
    void (*judge)(const table *t, findings *out);
} experiment;

/* ---- the numbers ----------------------------------------------------------------- */

typedef struct task {
    sphere_case *c;
    long steps;
    ph_status status;
} task;

static void do_run(void *context)
{
    task *t = context;
    sphere_restart(t->c);
    t->status =
        ph_spheres_run(t->c->spheres, t->c->q, t->c->w, 0.01, t->steps, NULL, NULL, NULL);
}

static bool compute(const ph_figure *f, figure_work *work, table *t)
{
    const experiment *e = f->context;
    table_begin(t, ""
                   "method,thesis_s,thesis_ratio,evaluations_per_step,seconds_per_step,"
                   "seconds_ratio");
    double eln = NAN;
    for (int i = 0; i < METHOD_COUNT; i++) {
        sphere_case c;
        if (!go_on(work, (double)i / METHOD_COUNT) ||
            !sphere_open(&c, work, e->problem, METHODS[i]))
            return false;
        task run = {.c = &c, .steps = (long)by_effort(work, 2, 200, 500)};
        do_run(&run);
        const double evaluations = (double)ph_spheres_evaluations(c.spheres);
        const double seconds = best_seconds(work, do_run, &run) / (double)run.steps;
        sphere_close(&c);
        eln = i == 0 ? seconds : eln;
        ROW(t, WORD(METHODS[i]), NUMBER(e->seconds[i]),
            NUMBER(e->seconds[i] / e->seconds[0]),
            NUMBER(evaluations / (double)run.steps),
            NUMBER(run.status == PH_OK ? seconds : NAN), NUMBER(seconds / eln));
    }
    return true;
}

/* ---- what they say --------------------------------------------------------------- */

static double ratio(const table *t, const char *a, const char *b)
{
    return table_first(t, "method", a, "seconds_per_step") /
           table_first(t, "method", b, "seconds_per_step");
}

static void judge_pendulum(const table *t, findings *out)
{
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 2.5, 10.0,
          "RKMKGL4 takes five times as long as RKMK4: their ratio");
    correction(
        out, ratio(t, "rkmkgl4", "rkmk4"), 0.3, 2.5,
        "compiled, and solved by Newton, the two cost about the same: their ratio");
    claim(out, ratio(t, "rkmkgl4", "eln"), 100.0, 500.0,
          "RKMKGL4 takes 227 times as long as ELN: their ratio");
    correction(out, ratio(t, "rkmkgl4", "eln"), 1.0, 100.0,
               "compiled, it takes longer, but not by so much: their ratio");
    claim(out, ratio(t, "rattle", "eln"), 1.0, INFINITY,
          "ELN is the faster of the second-order methods: time of RATTLE over its own");
    correction(
        out, ratio(t, "rattle", "eln"), 0.1, 1.0,
        "RATTLE, whose constraint is a quadratic equation, is the faster: the same");
}

static void judge_double(const table *t, findings *out)
{
    claim(out, ratio(t, "rkmk4", "eln"), 1.0, INFINITY,
          "RKMK4 is more expensive than the second-order ELN: their ratio");
    correction(out, ratio(t, "rkmk4", "eln"), 0.3, 1.0,
               "ELN, implicit here, costs as much or more: their ratio");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 1.0, INFINITY,
          "RKMKGL4 is the most expensive: over RKMK4");
    claim(
        out, ratio(t, "rattle", "eln"), 0.0, 1.0,
        "ELN is more expensive than RATTLE, as it is implicit here: time of RATTLE over "
        "that of ELN");
    correction(out, ratio(t, "rattle", "eln"), 1.0, 2.5,
               "compiled, the two cost about the same: the same");
}

static void judge_magnets(const table *t, findings *out)
{
    claim(out, ratio(t, "rattle", "eln"), 1.0, INFINITY,
          "ELN is faster than RATTLE: time of RATTLE over that of ELN");
    correction(out, ratio(t, "rattle", "eln"), 0.4, 1.0,
               "both cost one evaluation of the forces, and are as fast: the same");
    claim(out, ratio(t, "rkmk4", "eln"), 1.5, INFINITY,
          "methods of order 4 cost more: RKMK4 over ELN");
    claim(out, ratio(t, "rkmkgl4", "rkmk4"), 1.0, INFINITY,
          "RKMKGL4, implicit and of order 4, costs the most: over RKMK4");
}

static void judge(const ph_figure *f, const table *t, findings *out)
{
    const experiment *e = f->context;
    e->judge(t, out);
}

/* ---- the tables ------------------------------------------------------------------ */

static const experiment
    PENDULUM = {"pendulum", {0.34, 17.41, 83.17, 2.72}, judge_pendulum},
    DOUBLE = {"double_pendulum", {19.71, 44.67, 166.57, 12.64}, judge_double},
    MAGNETS = {"magnets", {118.74, 289.28, 1785.53, 125.22}, judge_magnets};

#define SET_UP                                                                           \
    "h = 0.01, as in the long runs; 200 steps (quick) or 500 (full), the best of "       \
    "several times, on whatever machine this is: only ratios mean something. The "       \
    "thesis' times are those of MATLAB in 2011; there an implicit step costs what its "  \
    "interpreter makes of it."

const ph_figure ph_figure_ortolan_sphere_times[3] = {
    {.name = "ortolan_table7_1",
     .title = "Ortolan, table 7.1: running times for the spherical pendulum",
     .cite = "O11 table 7.1",
     .claim =
         "RKMKGL4 takes five times as long as RKMK4 and 227 times as long as ELN, which "
         "is faster than RATTLE.",
     .setup = SET_UP,
     .seconds = {0.05, 0.3, 0.3},
     .context = &PENDULUM,
     .compute = compute,
     .judge = judge},
    {.name = "ortolan_table7_2",
     .title = "Ortolan, table 7.2: running times for the double spherical pendulum",
     .cite = "O11 table 7.2",
     .claim =
         "The RKMK methods of order 4 are more expensive than those of order 2, and ELN, "
         "implicit here, is more expensive than RATTLE.",
     .setup = SET_UP,
     .seconds = {0.05, 0.3, 0.3},
     .context = &DOUBLE,
     .compute = compute,
     .judge = judge},
    {.name = "ortolan_table7_3",
     .title = "Ortolan, table 7.3: running times for the magnetic dipoles",
     .cite = "O11 table 7.3",
     .claim = "ELN is faster than RATTLE, and RKMKGL4 costs by far the most.",
     .setup = SET_UP,
     .seconds = {0.05, 0.4, 0.6},
     .context = &MAGNETS,
     .compute = compute,
     .judge = judge},
};
