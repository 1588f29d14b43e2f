/* ortolan_sphere_runs.c - Ortolan 2011, figures 7.1, 7.2, 7.4, 7.5, 7.7 and 7.8: energy,
 * angular momentum and constraints in long runs on two-spheres.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2, with the misprints of (7.5), (7.8) and
 *      of the start of the pendulum corrected (docs/errata.md).
 */
#include "evidence/long_run.h"
#include "evidence/sphere_case.h"

static const char *const METHODS[] = {"eln", "rkmk4", "rkmkgl4", "rattle"};
enum { METHOD_COUNT = 4, BLOCKS = 100, LOOK = 256 };

typedef struct experiment {
    const char *problem;
    void (*judge)(const table *t, findings *out);
} experiment;

/* ---- the numbers ----------------------------------------------------------------- */

typedef struct block {
    long steps;
    double low, high, sum;
    double momentum, length, orthogonality; /* the largest errors */
} block;

typedef struct watcher {
    figure_work *work;
    table *t;
    sphere_case *c;
    const char *method;
    double before; /* part of the whole work */
    double h, energy, momentum;
    long steps, written;
    bool has_momentum, stopped;
    double length; /* the largest error so far */
    block now;
} watcher;

static const block empty = {.low = INFINITY, .high = -INFINITY};

static void write_block(watcher *w, bool lost)
{
    const long per_block = w->steps / BLOCKS;
    const double t = ((double)w->written + 0.5) * (double)per_block * w->h;
    const block *b = &w->now;
    ROW(w->t, WORD(w->method), NUMBER(t), NUMBER(lost ? INFINITY : b->low),
        NUMBER(lost ? INFINITY : b->sum / (double)b->steps),
        NUMBER(lost ? INFINITY : b->high), NUMBER(lost ? INFINITY : b->momentum),
        NUMBER(lost ? INFINITY : b->length), NUMBER(lost ? INFINITY : b->orthogonality));
    w->written++;
    w->now = empty;
}

static double momentum_of(watcher *w, const ph_vec3 *q, const ph_vec3 *velocity)
{
    return w->has_momentum ? ph_spheres_invariant(w->c->spheres, 0, q, velocity) : 0.0;
}

static bool watch(void *context, long step, double t, const ph_vec3 *q,
                  const ph_vec3 *velocity)
{
    (void)t;
    watcher *w = context;
    if (step % LOOK == 0)
        w->stopped =
            !go_on(w->work, w->before + (double)step / (double)w->steps / METHOD_COUNT);
    const double energy = ph_spheres_energy(w->c->spheres, q, velocity),
                 momentum = momentum_of(w, q, velocity);
    if (step == 0) {
        w->energy = energy;
        w->momentum = momentum;
        return !w->stopped;
    }
    const ph_sphere_defect d = ph_spheres_defect(w->c->count, q, velocity);
    block *b = &w->now;
    b->low = fmin(b->low, energy - w->energy);
    b->high = fmax(b->high, energy - w->energy);
    b->sum += energy - w->energy;
    b->momentum = fmax(b->momentum, fabs(momentum - w->momentum));
    b->length = w->length = fmax(w->length, d.length);
    b->orthogonality = fmax(b->orthogonality, d.orthogonality);
    if (++b->steps == w->steps / BLOCKS)
        write_block(w, false);
    return !w->stopped;
}

static bool add_run(const experiment *e, figure_work *work, table *t, int number)
{
    sphere_case c;
    watcher w = {.work = work,
                 .t = t,
                 .c = &c,
                 .method = METHODS[number],
                 .before = (double)number / METHOD_COUNT,
                 .h = 0.01,
                 .steps = (long)by_effort(work, BLOCKS, 20000, 20000),
                 .has_momentum = ph_sphere_problem_named(e->problem)->invariant_count > 0,
                 .now = empty};
    bool good = sphere_open(&c, work, e->problem, METHODS[number]);
    if (good) {
        (void)ph_spheres_run(c.spheres, c.q, c.w, w.h, w.steps, watch, &w, NULL);
        while (!w.stopped && w.written < BLOCKS)
            write_block(&w, true);
        good = !w.stopped;
    }
    sphere_close(&c);
    return good;
}

static bool compute(const ph_figure *f, figure_work *work, table *t)
{
    table_begin(t, "run,t,low,mean,high,momentum,length,orthogonality");
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (!add_run(f->context, work, t, i))
            return false;
    }
    return true;
}

static void judge(const ph_figure *f, const table *t, findings *out)
{
    const experiment *e = f->context;
    e->judge(t, out);
}

/* ---- what they say --------------------------------------------------------------- */

/* What the slope makes of the run, over the largest error. */
static double drift(const table *t, const char *run)
{
    return run_slope(t, run) * table_most(t, "run", run, "t") / run_error(t, run);
}

static double worst(const table *t, const char *run, const char *column)
{
    return table_most(t, "run", run, column);
}

/* Of ELN, RKMK4 and RKMKGL4. */
static double worst_of_lie(const table *t, const char *column)
{
    double all = 0.0;
    for (int i = 0; i < METHOD_COUNT - 1; i++) {
        const double x = worst(t, METHODS[i], column);
        if (isnan(x))
            return NAN;
        all = fmax(all, x);
    }
    return all;
}

static const double STILL = 0.1, DRIFTING = 0.5;

static void claim_bounded(const table *t, findings *out, const char *method)
{
    claim(
        out, drift(t, method), -STILL, STILL,
        "the energy of %s is bounded: what its slope makes of the run, over its largest "
        "error",
        method);
}

static void claim_drifting(const table *t, findings *out, const char *method)
{
    claim(out, fabs(drift(t, method)), DRIFTING, INFINITY,
          "the energy of %s drifts: what its slope makes of the run, over its largest "
          "error",
          method);
}

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

static void judge_double(const table *t, findings *out)
{
    claim_alike(t, out);
    claim_drifting(t, out, "rkmk4");
    claim_drifting(t, out, "rkmkgl4");
    correction(out, fabs(drift(t, "rkmkgl4")), 0.0, DRIFTING,
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

/* What is said of all three problems. */
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

/* ---- the pictures ---------------------------------------------------------------- */

#define ENERGY                                                                           \
    {                                                                                    \
        .xlabel = "time in s", .ylabel = "E - E_0 in J", .look = GRAPH_BAND,             \
        .series = "run", .each = true, .x = "t", .y = "low", .high = "high"              \
    }
#define ERRORS(heading, label, column)                                                   \
    {                                                                                    \
        .title = (heading), .xlabel = "time in s", .ylabel = (label), .log_y = true,     \
        .look = GRAPH_LINE, .series = "run", .x = "t", .y = (column)                     \
    }

static const figure_panel ENERGY_PANELS[] = {ENERGY};
static const figure_panel CONSTRAINT_PANELS[] = {
    {.title = "Length of q",
     .xlabel = "time in s",
     .ylabel = "| |q| - 1 |, largest of the spheres so far",
     .look = GRAPH_LINE,
     .log_y = true,
     .series = "run",
     .x = "t",
     .y = "length",
     .y_range = {1e-17, 1e-12}},
    ERRORS("Orthogonality of q and w", "|q.w| in rad/s, largest of the spheres",
           "orthogonality"),
};
static const figure_panel INVARIANT_PANELS[] = {
    ENERGY,
    ERRORS("Angular momentum about the vertical", "|L - L_0|", "momentum"),
};

#define RUNS                                                                             \
    "h = 0.01, T = 200; shown are the lowest and highest error, or the largest one, of " \
    "every 100th part of the run. Implicit equations are solved to round-off. "
#define PENDULUM                                                                         \
    RUNS "m = l = 2, g = 9.81, q = (1, 1, -1)/sqrt 3, w = (1, 1, 2): the thesis' dq/dt " \
         "is the linear velocity of the mass, with which its w agrees. (7.5) is "        \
         "printed with k.q for k x q."
#define DOUBLE                                                                           \
    RUNS "Masses 2 and 1, lengths 1; the start of the thesis, q normalised. The motion " \
         "is chaotic: after t = 20 or so only sizes are comparable."
#define MAGNETS                                                                          \
    RUNS "4 x 4 needles of mass 0.05, length 0.02 and moment 0.1, spacing 0.024, "       \
         "needle i at (i mod 4, i div 4). Step and horizon are not printed; chosen as "  \
         "for the pendulums. (7.8) is printed with its factor upside down."

static const experiment PENDULUM_ENERGY = {"pendulum", judge_pendulum},
                        PENDULUM_SPHERE = {"pendulum", judge_against_rattle},
                        DOUBLE_ENERGY = {"double_pendulum", judge_double},
                        DOUBLE_SPHERE = {"double_pendulum", judge_constraints},
                        MAGNETS_ENERGY = {"magnets", judge_magnets},
                        MAGNETS_SPHERE = {"magnets", judge_against_rattle};

#define FIGURE(number, heading, sentence, description, experiment, drawn, shape)         \
    {                                                                                    \
        .name = "ortolan_figure7_" #number,                                              \
        .title = "Ortolan, figure 7." #number ": " heading,                              \
        .cite = "O11 figure 7." #number, .claim = (sentence), .setup = (description),    \
        .seconds = {0.1, 3, 3}, .context = &(experiment), .compute = compute,            \
        .judge = judge, .panels = sizeof(drawn) / sizeof(drawn)[0], .panel = (drawn),    \
        .columns = (shape)                                                               \
    }

const ph_figure ph_figure_ortolan_sphere_runs[6] = {
    FIGURE(1, "the energy of the spherical pendulum",
           "The energy of ELN and RATTLE oscillates within bounds, that of ELN within "
           "narrower ones, while RKMK methods drift linearly.",
           PENDULUM, PENDULUM_ENERGY, ENERGY_PANELS, 2),
    FIGURE(
        2, "the spherical pendulum stays on its sphere",
        "Lie group methods keep the norm of q to machine precision, better than RATTLE; "
        "ELN keeps q and w orthogonal, RKMK methods do not.",
        PENDULUM, PENDULUM_SPHERE, CONSTRAINT_PANELS, 2),
    FIGURE(4, "energy and momentum of the double spherical pendulum",
           "The energy of ELN is comparable to that of RATTLE, but it does not keep the "
           "angular momentum; RKMK methods drift in the energy and render the momentum "
           "correctly; RATTLE keeps the momentum exactly.",
           DOUBLE, DOUBLE_ENERGY, INVARIANT_PANELS, 2),
    FIGURE(
        5, "the double spherical pendulum stays on its spheres",
        "Lie group methods keep the norm of q to machine precision; RKMK methods drift "
        "in the orthogonality of q and w, of which ELN's error is much smaller.",
        DOUBLE, DOUBLE_SPHERE, CONSTRAINT_PANELS, 2),
    FIGURE(
        7, "the energy of an array of magnetic dipoles",
        "The energy of ELN and RATTLE oscillates alike, RKMK methods drift linearly, and "
        "the error of RKMKGL4 is really small.",
        MAGNETS, MAGNETS_ENERGY, ENERGY_PANELS, 2),
    FIGURE(
        8, "the dipoles stay on their spheres",
        "Lie group methods keep the norm of q to machine precision, better than RATTLE; "
        "ELN keeps q and w orthogonal, RKMK methods do not.",
        MAGNETS, MAGNETS_SPHERE, CONSTRAINT_PANELS, 2),
};
