/* runs.c - runs of many steps: how far invariants move, the trend of the energy and whether it
 * drifts, and the largest step at which it stays near where it was. */
#include "base/arguments.h"
#include "base/extremes.h"
#include "base/random.h"
#include "lab/measure/common.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/run_body.h"

/* A share of the energy that an error is to stay within, and standard errors that a drift is
 * above. */
static const double NEAR = 0.1, ERRORS = 6;

/* ---- invariants ------------------------------------------------------------------ */

typedef struct watched {
    double energy, casimir; /* at the start */
    ph_vec3 momentum;
    ph_invariant_errors *worst;
} watched;

static void raise_to(double *worst, double error)
{
    *worst = larger_or_nan(*worst, error);
}

static bool watch_invariants(void *context, ph_system *system)
{
    const watched *w = context;
    const ph_state now = ph_system_state(system), *s = &now;
    const ph_vec3 moved = sub(ph_state_space_momentum(s), w->momentum);
    raise_to(&w->worst->energy, fabs(ph_system_energy(system) - w->energy));
    raise_to(&w->worst->momentum, norm(moved));
    raise_to(&w->worst->vertical, fabs(moved.z));
    raise_to(&w->worst->casimir, fabs(norm(s->m) - w->casimir));
    raise_to(&w->worst->unit, fabs(sqrt(dot4(s->q, s->q)) - 1));
    return true;
}

ph_status ph_measure_invariants(const ph_integrator *i, const ph_problem *p, double h,
                                uint64_t steps, ph_invariant_errors *out)
{
    if (ANY_NULL(out, i, p))
        return PH_NULL_ARGUMENT;
    ph_state s = ph_problem_start(p);
    *out = (ph_invariant_errors){0};
    watched w = {ph_problem_energy(p, 0.0, &s), norm(s.m), ph_state_space_momentum(&s), out};
    const ph_observer o = {watch_invariants, &w, 1, NULL, 0};
    return ph_run_body(i, p, &s, h, steps, PH_SYSTEM_UNCOMPENSATED, &o, &out->taken);
}

/* ---- the trend of the energy, as a statistical statement ------------------------- */

/* With t counted from the middle of the run and e = E - E0, over all steps and the start:
 *
 *   slope = sum t e / sum t^2
 *
 * Oscillations are not independent from step to step, and the residuals of single steps
 * say nothing of the error of the slope. The means of K = PH_BLOCKS parts of the run
 * nearly are: their scatter about the line through them gives the standard error. */
regression_line ph_regression(const double *x, const double *y, int count)
{
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0, rr = 0;
    for (int k = 0; k < count; k++) {
        mean_x += x[k] / count;
        mean_y += y[k] / count;
    }
    for (int k = 0; k < count; k++) {
        xy += (x[k] - mean_x) * (y[k] - mean_y);
        xx += (x[k] - mean_x) * (x[k] - mean_x);
    }
    for (int k = 0; k < count; k++) {
        const double r = y[k] - mean_y - xy / xx * (x[k] - mean_x);
        rr += r * r;
    }
    return (regression_line){xy / xx, sqrt(rr / (count - 2) / xx)};
}

static bool trend_drifts(const ph_trend *d, double T)
{
    /* what a drift is above besides: shares of the largest error, of the energy per step */
    static const double SHARE = 0.02, ROUND_OFF = 1e-15;
    const double total = fabs(d->slope * T),
                 round_off = ROUND_OFF * (double)d->taken * fabs(d->initial);
    return !(fabs(d->slope) <= ERRORS * d->standard_error || total <= SHARE * d->max_error ||
             total <= round_off);
}

typedef struct sums {
    double middle; /* of the run, time */
    uint64_t samples;
    double te, tt;
    double block_t[PH_BLOCKS], block_e[PH_BLOCKS]; /* sums over the parts */
    uint64_t block_count[PH_BLOCKS];
    ph_trend *trend;
} sums;

static bool watch_trend(void *context, ph_system *s)
{
    sums *w = context;
    const uint64_t step = ph_system_steps(s);
    const double energy = ph_system_energy(s), from_middle = ph_system_clock(s) - w->middle;
    if (step == 0)
        w->trend->initial = energy;
    const double e = energy - w->trend->initial;
    w->trend->max_error = larger_or_nan(w->trend->max_error, fabs(e));
    w->te += from_middle * e;
    w->tt += from_middle * from_middle;
    const int block = (int)((double)step * PH_BLOCKS / (double)w->samples);
    w->block_t[block] += from_middle;
    w->block_e[block] += e;
    w->block_count[block]++;
    return true;
}

static double standard_error(const sums *w)
{
    double t[PH_BLOCKS], e[PH_BLOCKS];
    for (int k = 0; k < PH_BLOCKS; k++) {
        t[k] = w->block_t[k] / (double)w->block_count[k];
        e[k] = w->block_e[k] / (double)w->block_count[k];
    }
    return ph_regression(t, e, PH_BLOCKS).standard_error;
}

ph_status ph_system_energy_trend(ph_system *s, uint64_t steps, ph_trend *out)
{
    if (ANY_NULL(out, s))
        return PH_NULL_ARGUMENT;
    const double h = ph_system_step(s), T = (double)steps * h;
    *out = (ph_trend){.h = h, .slope = NAN, .standard_error = NAN, .drifts = true};
    sums w = {.middle = T / 2, .samples = steps + 1, .trend = out};
    const ph_observer o = {watch_trend, &w, 1, NULL, 0};
    const ph_status status = ph_system_run(s, steps, &o);
    out->taken = ph_system_steps(s);
    out->exceeds_tenth = !(out->max_error <= NEAR * fabs(out->initial));
    if (status != PH_OK || steps < PH_BLOCKS)
        return status;
    out->slope = w.te / w.tt;
    out->standard_error = standard_error(&w);
    out->drifts = trend_drifts(out, T);
    return PH_OK;
}

ph_status ph_energy_trend(const ph_integrator *i, const ph_problem *p, double h, uint64_t steps,
                          ph_trend *out)
{
    if (ANY_NULL(out, i, p))
        return PH_NULL_ARGUMENT;
    ph_system *s;
    *out = (ph_trend){.h = h, .slope = NAN, .standard_error = NAN, .drifts = true};
    ph_status status = ph_system_from_problem(p, i, NULL, h, PH_SYSTEM_UNCOMPENSATED, &s);
    if (status != PH_OK)
        return status;
    status = ph_system_energy_trend(s, steps, out);
    ph_system_destroy(s);
    return status;
}

/* ---- the largest stable step ----------------------------------------------------- */

/* The steps tried: 2^(k/4). */
enum { SMALLEST = -20, LARGEST = 12, PER_OCTAVE = 4 };

typedef struct bound {
    double energy;
    bool held;
} bound;

static bool watch_bound(void *context, ph_system *s)
{
    bound *b = context;
    b->held = fabs(ph_system_energy(s) - b->energy) < NEAR * fabs(b->energy);
    return b->held;
}

double ph_stable_step(const ph_integrator *i, const ph_problem *p, uint64_t steps)
{
    double found = 0; /* the largest yet */
    int held = SMALLEST - 1, lost = LARGEST + 1;
    for (int k = SMALLEST; lost - held > 1; k = (held + lost) / 2) {
        const double h = ph_pow(2.0, (double)k / PER_OCTAVE);
        ph_state s = ph_problem_start(p);
        bound b = {ph_problem_energy(p, 0.0, &s), true};
        const ph_observer o = {watch_bound, &b, 1, NULL, 0};
        const ph_status status = ph_run_body(i, p, &s, h, steps, PH_SYSTEM_UNCOMPENSATED, &o, NULL);
        if (status == PH_OK && b.held) {
            held = k;
            found = h;
        } else if (k == SMALLEST) {
            return 0;
        } else {
            lost = k;
        }
    }
    return found;
}

/* ---- whether the energy drifts in a field, decided ------------------------------- */

/* A triaxial body turns fast about its axis of least inertia, where its motion is regular,
 * in three fields, from four starts in each. A run is cut in segments, each twice as long
 * as the one before, and a segment in PH_BLOCKS blocks. The mean of the energy in a block is
 * weighted by
 *
 *   w(u) = (u (1 - u))^4,   u from 0 to 1 through the block
 *
 * so that an oscillation leaves the fifth power of its period over the block's length in it.
 * The line through the means has the slope of the segment, their scatter its error.
 *
 *   drifts      in a run the slopes of the last three segments are above 6 standard errors
 *               and above round-off, and differ by a factor of less than 2; or a run
 *               fails, or its energy moves by a tenth
 *   bounded     in every run |slope| + 6 standard errors is below 1e-12 of the kinetic
 *               energy per unit of time, after three segments or more
 *   undecided   else, when the work allowed is done
 *
 * A slow oscillation passes for a drift while its period is the longer; but what stays
 * within bounds has half the slope in twice the time. */
static const double H = 1.0 / 16, MOMENTUM = 12, TILT = 0.3;
static const double ALIKE = 2, BOUND = 1e-12;
static const double ROUND_OFF = 0x1p-51; /* of the kinetic energy, per step */

enum { FIELDS = 3, STARTS = 4, RUNS = FIELDS * STARTS };
enum { SEGMENTS = 9, SUCCESSION = 3, SEED = 5 };
static const uint64_t FIRST_STEPS = 10000;

typedef struct run {
    ph_system *system; /* NULL: it could not be made */
    const char *problem;
    double kinetic, initial;          /* energies at the start */
    regression_line line[SUCCESSION]; /* of the last segments, the latest first */
    int segments;                     /* made */
    bool lost, bounded;               /* lost: a step failed, or the energy moved too far */
} run;

static ph_problem field_of(int which)
{
    static const char *const names[FIELDS] = {"generic", "vertical", "heavy_top"};
    static const double centre[3] = {0.3, 0.5, 0.8}; /* on no axis of the body */
    ph_problem p = *find_problem(names[which]);
    const ph_parameter *place = ph_problem_parameter(&p, "centre");
    for (int k = 0; place != NULL && k < 3; k++)
        p.value[place->first + k] = centre[k];
    p.body = find_problem("generic")->body;
    return p;
}

/* Any attitude, and a momentum near axis 1, along it and against it by turns. */
static ph_state start_of(uint64_t *seed, int which)
{
    double x[4];
    for (int k = 0; k < 4; k++)
        x[k] = between(seed, -PH_PI, PH_PI);
    const ph_vec3 m = {which % 2 == 0 ? ph_cos(TILT) : -ph_cos(TILT), ph_sin(TILT) * ph_cos(x[3]),
                       ph_sin(TILT) * ph_sin(x[3])};
    return (ph_state){ph_rotation_exp(vec3(x[0], x[1], x[2])), scale(MOMENTUM, m)};
}

static void begin_runs(run runs[RUNS], const ph_integrator *i, uint64_t *torques)
{
    uint64_t seed = SEED;
    for (int k = 0; k < RUNS; k++) {
        ph_problem p = field_of(k / STARTS);
        const ph_state s = start_of(&seed, k);
        p.evaluations = torques;
        runs[k] = (run){.problem = p.name,
                        .kinetic = dot(s.m, ph_problem_velocity(&p, 0.0, s.m)) / 2,
                        .initial = ph_problem_energy(&p, 0.0, &s)};
        runs[k].lost =
            ph_system_from_problem(&p, i, &s, H, PH_SYSTEM_UNCOMPENSATED, &runs[k].system) != PH_OK;
    }
}

typedef struct segment {
    run *r;
    uint64_t first, block_steps;
    double error;                                                 /* of the energy, at present */
    double weight[PH_BLOCKS], time[PH_BLOCKS], energy[PH_BLOCKS]; /* weighted sums */
} segment;

static bool watch_segment(void *context, ph_system *s)
{
    segment *g = context;
    const uint64_t step = ph_system_steps(s) - g->first;
    g->error = ph_system_energy(s) - g->r->initial;
    if (step == 0)
        return true; /* the last state of the segment before */
    const uint64_t block = (step - 1) / g->block_steps;
    const double u = ((double)((step - 1) % g->block_steps) + 0.5) / (double)g->block_steps,
                 square = u * (1 - u) * (u * (1 - u)), w = square * square;
    g->weight[block] += w;
    g->time[block] += w * ph_system_clock(s);
    g->energy[block] += w * g->error;
    return fabs(g->error) <= NEAR * g->r->kinetic;
}

/* Makes a segment of so many steps, a multiple of the blocks. */
static void run_segment(run *r, uint64_t steps)
{
    segment g = {.r = r, .first = ph_system_steps(r->system), .block_steps = steps / PH_BLOCKS};
    const ph_observer o = {watch_segment, &g, 1, NULL, 0};
    r->lost = ph_system_run(r->system, steps, &o) != PH_OK ||
              ph_system_steps(r->system) != g.first + steps;
    const int blocks = (int)((ph_system_steps(r->system) - g.first) / g.block_steps);
    for (int k = 0; k < blocks; k++) {
        g.time[k] /= g.weight[k];
        g.energy[k] /= g.weight[k];
    }
    for (int k = SUCCESSION - 1; k > 0; k--)
        r->line[k] = r->line[k - 1];
    if (blocks > 2)
        r->line[0] = ph_regression(g.time, g.energy, blocks);
    else
        r->line[0] = (regression_line){g.error / (ph_system_clock(r->system)), NAN};
    r->segments++;
}

static bool resolved(const run *r, regression_line line)
{
    return fabs(line.slope) > ERRORS * line.standard_error &&
           fabs(line.slope) > ROUND_OFF * r->kinetic / H;
}

static bool drifts(const run *r)
{
    double most = -INFINITY, least = INFINITY; /* slopes, in the direction of the last */
    bool all = r->segments >= SUCCESSION;
    for (int k = 0; k < SUCCESSION && all; k++) {
        const double slope = copysign(1, r->line[0].slope) * r->line[k].slope;
        all = resolved(r, r->line[k]);
        most = larger_or_nan(most, slope);
        least = smaller_or_nan(least, slope);
    }
    return r->lost || (all && least > 0 && most < ALIKE * least);
}

/* What the slope is below, per kinetic energy. */
static double bound_of(const run *r)
{
    return (fabs(r->line[0].slope) + ERRORS * r->line[0].standard_error) / r->kinetic;
}

static ph_energy_test report(const run *r, ph_energy_kind verdict)
{
    ph_energy_test out = {.verdict = verdict,
                          .problem = r->problem,
                          .slope = NAN,
                          .standard_error = NAN,
                          .kinetic = r->kinetic};
    if (r->segments > 0) {
        out.slope = r->line[0].slope;
        out.standard_error = r->line[0].standard_error;
    }
    if (r->system != NULL)
        out.horizon = ph_system_clock(r->system);
    return out;
}

/* Makes the next segment of a run, or the first that a verdict takes, within so many
 * torques, and decides on it. */
static void lengthen(run *r, const uint64_t *torques, uint64_t most)
{
    uint64_t steps = FIRST_STEPS << r->segments;
    do {
        if (*torques + steps > most) /* a torque a step, at least */
            return;
        run_segment(r, steps);
        steps *= 2;
    } while (!r->lost && r->segments < SUCCESSION);
    r->bounded = bound_of(r) < BOUND && !resolved(r, r->line[0]);
}

ph_energy_test ph_energy_verdict(const ph_integrator *i, uint64_t most_torques)
{
    run runs[RUNS];
    uint64_t torques = 0;
    const run *found = NULL;
    begin_runs(runs, i, &torques);
    for (int n = SUCCESSION; n <= SEGMENTS && found == NULL; n++) {
        for (int k = 0; k < RUNS && found == NULL; k++) {
            if (!runs[k].bounded && !runs[k].lost)
                lengthen(&runs[k], &torques, most_torques);
            if (drifts(&runs[k]))
                found = &runs[k];
        }
    }
    bool all = true;
    int widest = 0;
    for (int k = 0; k < RUNS; k++) {
        all = all && runs[k].bounded;
        if (runs[k].segments > 0 && !(bound_of(&runs[k]) <= bound_of(&runs[widest])))
            widest = k;
    }
    ph_energy_test out;
    if (found != NULL)
        out = report(found, PH_ENERGY_DRIFTS);
    else
        out = report(&runs[widest], all ? PH_ENERGY_BOUNDED : PH_ENERGY_UNDECIDED);
    for (int k = 0; k < RUNS; k++)
        ph_system_destroy(runs[k].system);
    return out;
}
