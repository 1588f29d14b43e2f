/* measure.c - everything that can be measured of an integrator, with verdicts.
 *
 * Structures and symmetries are those of single steps, from random states; a defect that
 * vanishes is at round-off for any step, one that does not is plain at these:
 *
 *   symmetric    |Phi(-h) Phi(h) - 1|          < 1e-11 at h = 0.1, <= 1e-9 at h = 0.4
 *   reversible   |rho Phi(h) rho Phi(h) - 1|   the same
 *   symplectic   |D^T W(m+) D - W(m)|          < 2e-11 at h = 0.4
 *   Poisson      |D22 hat(m) D22^T - hat(m+)|  < 2e-11 at h = 0.4, free body
 *
 * Where D is known to round-off, by the tangent map, the last two are 2e-13. A step that is
 * nearly exact cannot be told from one that keeps the structure: where the defect is below and
 * the error of the step itself is below 1e-8, by the tangent map 1e-10, the answer is open; only
 * a flow without error below 1e-13 is the motion, and keeps what that keeps. precision.c decides
 * some of them. Of a method that
 * chooses its steps all four are open: what it does in h is as near to the motion as its
 * tolerance asks for, whatever its formula keeps.
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "base/parallel.h"
#include "base/random.h"
#include "integrators/adaptive_run.h"
#include "integrators/integrator.h"
#include "lab/measure/common.h"
#include "lab/measure/convergence.h"
#include "lab/measure/precision.h"
#include "motion/composition.h"
#include "motion/vec.h"
#include "system/find.h"
#include "system/run_body.h"

static const double SYMMETRY_STEP = 0.1, SYMMETRIC = 1e-11, PLAINLY_NOT = 1e-9,
                    STRUCTURE_STEP = 0.4, STRUCTURE = 2e-11, INVARIANT = 1e-11,
                    INVARIANT_STEP[2] = {0.1, 0.5}, DRIFT_STEP[2] = {0.125, 0.25},
                    LONGEST_STEP = 2.0, EXACT = 1e-13, NEARLY = 1e-8, NO_ERROR = 1e-12,
                    SHARPER = 0.01; /* by the tangent map */

/* Of the random states; among these some are fast enough to show the error of order 6. */
enum { SEED = 5, PRECISE_STATES = 20 };

static ph_measure_settings with_defaults(const ph_measure_settings *given)
{
    ph_measure_settings s = {0};
    if (given)
        s = *given;
    if (!(s.states > 0))
        s.states = 20;
    if (!(s.steps > 0))
        s.steps = 10000;
    if (!(s.drift_time > 0))
        s.drift_time = 10000;
    if (!(s.drift_torques > 0))
        s.drift_torques = 40000000;
    if (!(s.stable_steps > 0))
        s.stable_steps = 10000;
    return s;
}

static ph_answer yes_if(bool condition)
{
    return condition ? PH_ANSWER_YES : PH_ANSWER_NO;
}

/* ---- single steps ---------------------------------------------------------------- */

/* An attitude, and a momentum of components up to 2. */
static ph_state random_state(uint64_t *seed)
{
    double x[6];
    for (int k = 0; k < 6; k++)
        x[k] = between(seed, -2, 2);
    return (ph_state){ph_rotation_exp(vec3(x[0], x[1], x[2])), {x[3], x[4], x[5]}};
}

static ph_status step_error(double *error, const ph_integrator *i, const ph_problem *p,
                            const ph_state *s, double h)
{
    ph_state step = *s, right = *s;
    ph_status status = ph_integrator_step(i, p, &step, 0.0, h);
    if (status == PH_OK)
        status = ph_reference_solution(p, h, &right);
    if (status == PH_OK)
        *error = ph_state_distance(&step, &right);
    return status;
}

static ph_answer structure_answer(const ph_integrator *i, double defect, double error)
{
    const double by = ph_structure_is_sharp(i) ? SHARPER : 1.0;
    const ph_flow *flow = ph_real_integrator(i)->flow;
    if (error < EXACT && (flow == NULL || flow->order == PH_ORDER_EXACT))
        return PH_ANSWER_YES;
    if (error < by * NEARLY)
        return PH_ANSWER_UNRESOLVED;
    return yes_if(defect < by * STRUCTURE);
}

/* The worst of each defect over the random states that the step can do, those of structures with
 * this step; NaN if there are none,
 * or one of them is. */
static void measure_steps(ph_properties *c, const ph_integrator *i, const ph_problem *p, int states,
                          double step)
{
    enum { SMALL, LARGE, REVERSED, REVERSED_LARGE, ERROR, SYMPLECTIC, POISSON, DEFECTS };
    uint64_t seed = SEED;
    double worst[DEFECTS] = {0};
    bool seen[DEFECTS] = {false};
    for (int n = 0; n < states; n++) {
        const ph_state s = random_state(&seed);
        ph_structure_defects d = {0};
        double x[DEFECTS];
        ph_status status[DEFECTS] = {
            ph_symmetry_defect(i, p, &s, SYMMETRY_STEP, &x[SMALL]),
            ph_symmetry_defect(i, p, &s, STRUCTURE_STEP, &x[LARGE]),
            ph_reversal_defect(i, p, &s, SYMMETRY_STEP, &x[REVERSED]),
            ph_reversal_defect(i, p, &s, STRUCTURE_STEP, &x[REVERSED_LARGE]),
            step_error(&x[ERROR], i, p, &s, step),
            ph_measure_structure(i, p, &s, step, &d)};
        status[POISSON] = status[SYMPLECTIC];
        x[SYMPLECTIC] = d.symplectic;
        x[POISSON] = d.poisson;
        for (int k = 0; k < DEFECTS; k++) {
            if (status[k] == PH_OK)
                worst[k] = larger_or_nan(worst[k], x[k]);
            seen[k] = seen[k] || status[k] == PH_OK;
        }
    }
    for (int k = 0; k < DEFECTS; k++) {
        if (!seen[k])
            worst[k] = NAN;
    }
    c->symmetry_defect = worst[SMALL];
    c->symmetric = yes_if(worst[SMALL] < SYMMETRIC && worst[LARGE] <= PLAINLY_NOT);
    c->reversal_defect = worst[REVERSED];
    c->reversible = yes_if(worst[REVERSED] < SYMMETRIC && worst[REVERSED_LARGE] <= PLAINLY_NOT);
    c->step_error = worst[ERROR];
    c->symplectic_defect = worst[SYMPLECTIC];
    c->symplectic = structure_answer(i, worst[SYMPLECTIC], worst[ERROR]);
    c->poisson_defect = worst[POISSON];
    c->poisson = structure_answer(i, worst[POISSON], worst[ERROR]);
}

/* ---- in quadruple precision ------------------------------------------------------ */

/* Of another flow: in doubles, with the step doubled until its error is plain. */
static ph_status measure_longer(const ph_integrator *i, ph_precision *out)
{
    ph_problem free = *find_problem("generic");
    ph_properties c = {0};
    free.potential = NULL;
    free.torque = NULL;
    for (int k = 0; k < 4 && !(c.step_error >= NEARLY); k++) {
        out->step = ldexp(STRUCTURE_STEP, k);
        measure_steps(&c, i, &free, PRECISE_STATES, out->step);
    }
    if (!(c.step_error >= NEARLY))
        return PH_NO_CONVERGENCE;
    out->states = PRECISE_STATES;
    out->symplectic = c.symplectic;
    out->poisson = c.poisson;
    out->symplectic_defect = c.symplectic_defect;
    out->poisson_defect = c.poisson_defect;
    ph_invariant_errors run;
    const ph_status status = ph_measure_invariants(i, &free, out->step, PRECISE_STATES, &run);
    out->energy_error = run.energy;
    out->energy = yes_if(status == PH_OK && run.energy < INVARIANT);
    return PH_OK;
}

ph_status ph_measure_precisely(const ph_integrator *i, ph_precision *out)
{
    static const double ROUND_OFF = 1e-20;
    if (ANY_NULL(i, out))
        return PH_NULL_ARGUMENT;
    const ph_composition *g = flow_composition(i);
    const bool dmv = i->flow != NULL && strncmp(i->flow->name, "dmv", 3) == 0 &&
                     strpbrk(i->flow->name, "_") == NULL,
               mr = i->flow != NULL && strcmp(i->flow->name, "mr") == 0;
    const ph_vec3 J = find_problem("generic")->body.J;
    uint64_t seed = SEED;
    *out = (ph_precision){.step = STRUCTURE_STEP, .quadruple = dmv || mr};
    if (i->flow == NULL || i->scheme != NULL || i->flow->order == PH_ORDER_EXACT)
        return PH_NOT_APPLICABLE;
    if (!out->quadruple)
        return measure_longer(i, out);
    for (int n = 0; n < PRECISE_STATES; n++) {
        const ph_state s = random_state(&seed);
        precise_step p = {.J = {J.x, J.y, J.z},
                          .q = {s.q.w, s.q.x, s.q.y, s.q.z},
                          .m = {s.m.x, s.m.y, s.m.z},
                          .h = STRUCTURE_STEP,
                          .stages = 1,
                          .part = {1.0}};
        if (dmv)
            p.dmv = i->flow->order;
        if (g != NULL)
            p.stages = g->stages;
        for (int k = 0; g != NULL && k < g->stages; k++)
            p.part[k] = composition_part(g, k);
        precise_defects d;
        if (!ph_precise_defects(&p, &d))
            continue;
        out->states++;
        out->symplectic_defect = larger_or_nan(out->symplectic_defect, d.symplectic);
        out->poisson_defect = larger_or_nan(out->poisson_defect, d.poisson);
        out->energy_error = larger_or_nan(out->energy_error, d.energy);
    }
    if (out->states == 0)
        return PH_NO_CONVERGENCE;
    out->symplectic = yes_if(out->symplectic_defect < ROUND_OFF);
    out->poisson = yes_if(out->poisson_defect < ROUND_OFF);
    out->energy = yes_if(out->energy_error < ROUND_OFF);
    return PH_OK;
}

/* ---- runs ------------------------------------------------------------------------ */

/* What a run did with its invariants; all of them lost if it did not come to its end. */
static ph_invariant_errors run_of(ph_measurement *out, const ph_integrator *i, const ph_problem *p,
                                  double h, uint64_t steps)
{
    ph_invariant_errors e;
    const bool done = ph_measure_invariants(i, p, h, steps, &e) == PH_OK;
    out->unit_error = larger_or_nan(out->unit_error, e.unit);
    e.taken = done ? steps : 0;
    return e;
}

static ph_answer kept(const ph_invariant_errors *run, double error)
{
    return yes_if(run->taken > 0 && error < INVARIANT);
}

/* The energy is exact if it is at both steps; else the word is `otherwise`. */
static void set_energy(ph_properties *c, const ph_invariant_errors *small,
                       const ph_invariant_errors *large, ph_energy_kind otherwise)
{
    c->energy_error[0] = small->energy;
    c->energy_error[1] = large->energy;
    const bool exact =
        kept(small, small->energy) == PH_ANSWER_YES && kept(large, large->energy) == PH_ANSWER_YES;
    c->energy = exact ? PH_ENERGY_EXACT : otherwise;
}

static void measure_free(ph_measurement *out, const ph_integrator *i, const ph_problem *p,
                         const ph_measure_settings *by)
{
    ph_properties *c = &out->free;
    measure_steps(c, i, p, by->states, STRUCTURE_STEP);
    const ph_invariant_errors small = run_of(out, i, p, INVARIANT_STEP[0], by->steps),
                              large = run_of(out, i, p, INVARIANT_STEP[1], by->steps);
    ph_trend trend;
    (void)ph_energy_trend(i, p, INVARIANT_STEP[0], by->steps, &trend);
    c->momentum_error = small.momentum;
    c->casimir_error = small.casimir;
    c->momentum = kept(&small, small.momentum);
    c->casimir = kept(&small, small.casimir);
    set_energy(c, &small, &large,
               trend.drifts || trend.exceeds_tenth ? PH_ENERGY_DRIFTS : PH_ENERGY_BOUNDED);
    ph_invariant_errors longest; /* what order 10 hides with shorter steps */
    if (c->energy == PH_ENERGY_EXACT && i->flow != NULL &&
        ph_measure_invariants(i, p, LONGEST_STEP, by->steps, &longest) == PH_OK &&
        longest.energy >= INVARIANT)
        c->energy = PH_ENERGY_BOUNDED;
}

/* The largest stable step, the drift and the cost, on the well. */
static void measure_well(ph_measurement *out, const ph_integrator *i, const ph_measure_settings *by)
{
    uint64_t count = 0;
    ph_problem well = *find_problem("well");
    well.evaluations = &count;
    for (int k = 0; k < 2; k++) {
        const uint64_t steps = (uint64_t)round(by->drift_time / DRIFT_STEP[k]);
        (void)ph_energy_trend(i, &well, DRIFT_STEP[k], steps, &out->drift[k]);
        if (k == 0 && out->drift[k].taken > 0)
            out->torques = (double)count / (double)out->drift[k].taken;
    }
    out->stable_step = ph_stable_step(i, &well, by->stable_steps);
}

static void measure_field(ph_measurement *out, const ph_integrator *i, const ph_problem *p,
                          const ph_measure_settings *by)
{
    ph_properties *c = &out->field;
    measure_steps(c, i, p, by->states, STRUCTURE_STEP);
    if (c->symplectic == PH_ANSWER_YES && out->free.symplectic == PH_ANSWER_UNRESOLVED)
        c->symplectic = PH_ANSWER_UNRESOLVED; /* its free motion cannot be told */
    c->poisson = c->symplectic;
    c->casimir = PH_ANSWER_NO;
    c->poisson_defect = c->casimir_error = NAN;
    const ph_invariant_errors vertical = run_of(out, i, find_problem("vertical"), INVARIANT_STEP[0],
                                                by->steps),
                              small = run_of(out, i, p, INVARIANT_STEP[0], by->steps),
                              large = run_of(out, i, p, INVARIANT_STEP[1], by->steps);
    c->momentum_error = vertical.vertical;
    c->momentum = kept(&vertical, vertical.vertical);
    measure_well(out, i, by);
    out->test = ph_energy_verdict(i, by->drift_torques);
    set_energy(c, &small, &large, out->test.verdict);
    out->candidate = c->symplectic == PH_ANSWER_NO && out->test.verdict == PH_ENERGY_BOUNDED;
}

/* ---- order and cost -------------------------------------------------------------- */

/* Of a method that chooses its steps: of single steps, as long as they are told to be, the
 * slope from errors below COARSE to those next to FINE, its mean over the random states. */
static double order_of_steps(const ph_integrator *i, const ph_problem *p, int states)
{
    static const double COARSE = 1e-7, FINE = 1e-12, LONGEST = 2.0, SHORTEST = 1e-3, RATIO = 0.93;
    const ph_integrator steps = {.adaptive = i->adaptive, .tolerance = INFINITY};
    uint64_t seed = SEED;
    double sum = 0.0;
    for (int n = 0; n < states; n++) {
        const ph_state s = random_state(&seed);
        double first = NAN, first_h = NAN, last = NAN, last_h = NAN, error = INFINITY;
        double next_h = LONGEST;
        while (next_h > SHORTEST && !(error < FINE)) {
            const double h = next_h;
            next_h *= RATIO;
            if (step_error(&error, &steps, p, &s, h) != PH_OK || !(error < COARSE))
                continue;
            if (isnan(first)) {
                first = error;
                first_h = h;
            }
            last = error;
            last_h = h;
        }
        sum += ph_power_of(first / last, first_h / last_h) - 1.0;
    }
    return sum / states;
}

/* The free body turns by about a radian in a unit of time: there flows of high order need
 * large steps. */
static void measure_order(ph_measurement *out, const ph_integrator *i, const ph_problem *p,
                          const ph_measure_settings *by)
{
    if (i->adaptive != NULL) {
        out->order = order_of_steps(i, p, by->states);
        return;
    }
    static const double FIELD_TIME = 1, FREE_TIME = 4;
    const double T = p->torque != NULL ? FIELD_TIME : FREE_TIME;
    double slope = NAN, error = NAN;
    if (ph_order_slope(i, p, T, &slope, &error) == PH_OK) {
        out->order = slope;
        out->exact = isnan(slope) && error < NO_ERROR;
    }
}

/* The best of several runs, which may be cancelled between them only: asking in every step
 * takes time itself. */
static double time_of_step(const ph_integrator *i, const ph_problem *p,
                           const ph_measure_settings *by, cancellation *cancel)
{
    enum { TIMES = 5, SHARE = 10 };
    static const double NANO = 1e-9;
    const uint64_t steps = by->steps > SHARE ? by->steps / SHARE : 1;
    double best = INFINITY;
    for (int n = 0; n < TIMES; n++) {
        ph_state s = ph_problem_start(p);
        if (ph_cancelled(cancel))
            return NAN;
        const double begun = by->clock();
        if (ph_run_body(i, p, &s, DRIFT_STEP[0], steps, PH_SYSTEM_UNCOMPENSATED, NULL, NULL) !=
            PH_OK)
            return NAN;
        best = smaller_or_nan(best, by->clock() - begun);
    }
    return best / (double)steps / NANO;
}

/* ---- all of it ------------------------------------------------------------------- */

bool ph_measure(const ph_integrator *i, const ph_measure_settings *settings, ph_measurement *out)
{
    const ph_measure_settings by = with_defaults(settings);
    cancellation cancel = {by.go_on, by.context, false};
    cancellable place;
    const ph_integrator asking = ph_cancellable(&place, i, &cancel);
    const ph_problem *generic = find_problem("generic");
    ph_problem without = *generic;
    without.potential = NULL;
    without.torque = NULL;
    without.derivative = NULL;
    *out = (ph_measurement){.order = NAN, .torques = NAN, .stable_step = NAN, .nanoseconds = NAN};
    out->free.applies = true;
    out->field.applies = i->method != NULL || i->scheme != NULL || i->adaptive != NULL;
    measure_free(out, &asking, &without, &by);
    const ph_problem *of_order = &without, *of_time = &without;
    if (out->field.applies) {
        measure_field(out, &asking, generic, &by);
        of_order = generic;
        of_time = find_problem("well");
    }
    ph_properties *const both[] = {&out->free, &out->field};
    for (int k = 0; k < 2 && i->adaptive != NULL; k++) {
        ph_properties *c = both[k];
        c->symmetric = c->reversible = c->symplectic = c->poisson = PH_ANSWER_UNRESOLVED;
        out->candidate = false;
    }
    measure_order(out, i->adaptive ? i : &asking, of_order, &by);
    if (by.clock != NULL)
        out->nanoseconds = time_of_step(i, of_time, &by, &cancel);
    return !cancel.cancelled;
}

typedef struct measured_list {
    ph_measurement *out;
    const ph_integrator *i;
    const ph_measure_settings *settings;
    bool (*done)(void *context, size_t how_many);
    void *context;
    parallel_progress progress; /* in integrators */
} measured_list;

static bool tell_measured(void *context, double done)
{
    const measured_list *all = context;
    return all->done(all->context, (size_t)rint(done * all->progress.whole));
}

static void measure_one(void *context, size_t k)
{
    measured_list *all = context;
    ph_parallel_lock();
    const bool stopped = all->progress.stopped;
    ph_parallel_unlock();
    if (stopped)
        return;
    if (ph_measure(&all->i[k], all->settings, &all->out[k])) {
        (void)ph_parallel_go_on(&all->progress, 1.0, 0.0);
        return;
    }
    ph_parallel_lock();
    all->progress.stopped = true;
    ph_parallel_unlock();
}

bool ph_measure_all(const ph_integrator *i, size_t count, const ph_measure_settings *settings,
                    bool (*done)(void *context, size_t how_many), void *context,
                    ph_measurement *out)
{
    measured_list all = {
        .out = out, .i = i, .settings = settings, .done = done, .context = context};
    all.progress = (parallel_progress){
        .go_on = done != NULL ? tell_measured : NULL, .context = &all, .whole = (double)count};
    ph_parallel_for(count, true, measure_one, &all);
    return all.progress.done == (double)count;
}

static unsigned bits_if(bool has, unsigned bits)
{
    return has ? bits : 0;
}

unsigned ph_properties_keep(const ph_properties *c)
{
    if (!c->applies)
        return 0;
    return bits_if(c->momentum == PH_ANSWER_YES, PH_MOMENTUM) |
           bits_if(c->casimir == PH_ANSWER_YES, PH_CASIMIR) |
           bits_if(c->energy == PH_ENERGY_EXACT, PH_ENERGY) |
           bits_if(c->symmetric == PH_ANSWER_YES, PH_SYMMETRIC) |
           bits_if(c->poisson == PH_ANSWER_YES, PH_POISSON) |
           bits_if(c->symplectic == PH_ANSWER_YES, PH_SYMPLECTIC);
}

/* An integrator that seems to keep something need not do so where its step, or the drift of
 * its scheme, is nearly exact. */
unsigned ph_measurement_mismatches(const ph_measurement *s, bool field, unsigned claimed)
{
    const ph_properties *c = field ? &s->field : &s->free;
    const unsigned kept = ph_properties_keep(c);
    const bool nearly_exact = c->step_error < NEARLY || s->free.step_error < NEARLY;
    unsigned mismatches = kept ^ claimed;
    if (nearly_exact)
        mismatches &= ~kept;
    if (c->symplectic == PH_ANSWER_UNRESOLVED)
        mismatches &= ~(unsigned)PH_SYMPLECTIC;
    if (c->poisson == PH_ANSWER_UNRESOLVED)
        mismatches &= ~(unsigned)PH_POISSON;
    return bits_if(c->applies, mismatches);
}
