/* on_problem.c - what an integrator does on one problem, of any kind of system, from its
 * start: order, symmetry, and whether what the exact motion keeps is kept. */
#include <math.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "lab/measure/common.h"

/* ---- measurements --------------------------------------------------------------------- */

/* The system of these settings, or with another integrator, after n steps over a time T; NULL
 * if one of them fails. */
static ph_system *run(const ph_system_settings *with, const char *integrator, double T, uint64_t n)
{
    ph_system_settings s = *with;
    ph_system *out;
    s.step = T / (double)n;
    if (integrator != NULL) {
        s.integrator = integrator;
        s.own_integrator = NULL;
    }
    if (ph_system_create(&s, &out) != PH_OK)
        return NULL;
    if (ph_system_run(out, n, NULL) == PH_OK)
        return out;
    ph_system_destroy(out);
    return NULL;
}

/* NaN if there is no such system. */
static double apart(const ph_system *s, const ph_system *right)
{
    double errors[ERROR_COUNT];
    return s == NULL || right == NULL ? NAN : ph_system_errors(s, right, errors);
}

/* How far n steps and twice as many over a time are apart; the latter stay in *fine. */
static double between_runs(const ph_system_settings *with, const char *integrator, double T,
                           uint64_t n, ph_system **fine)
{
    ph_system *coarse = run(with, integrator, T, n);
    *fine = coarse == NULL ? NULL : run(with, integrator, T, 2 * n);
    const double distance = apart(coarse, *fine);
    ph_system_destroy(coarse);
    return distance;
}

double ph_large_step(const ph_system_settings *with, const char *reference)
{
    enum { FIRST = -40, LAST = 14 };
    double found = 0.0;
    ph_system *start;
    if (ph_system_create(with, &start) != PH_OK)
        return 0.0;
    bool right = true;
    for (int k = FIRST; k <= LAST && right; k++) {
        const double h = ldexp(1.0, k);
        ph_system *fine;
        right = between_runs(with, reference, h, 1, &fine) <= 1e-6 && apart(fine, start) <= 0.5;
        ph_system_destroy(fine);
        found = right ? h : found;
    }
    ph_system_destroy(start);
    return found;
}

/* The slope between the finest two numbers of steps, out of 4, 8 ... 256 over a time, whose
 * errors are above what the reference is known to; NaN: there are no two. */
static double order_of(const ph_system_settings *with, const char *reference, double T)
{
    double order = NAN, before = NAN;
    ph_system *right;
    const double floor =
        larger_or_nan(1e-12, 10.0 * between_runs(with, reference, T, 1024, &right));
    for (uint64_t n = 4; n <= 256 && right != NULL; n *= 2) {
        ph_system *s = run(with, NULL, T, n);
        const double error = apart(s, right);
        ph_system_destroy(s);
        if (s == NULL)
            continue;
        if (!(error > floor))
            break;
        if (isfinite(before))
            order = ph_real_log(before / error) / ph_real_log(2.0);
        before = error;
    }
    ph_system_destroy(right);
    return order;
}

/* The distance of a step of h and one of -h from the start. */
static double symmetry_of(const ph_system_settings *with, double h)
{
    double defect = NAN;
    ph_system *s = run(with, NULL, h, 1), *start = NULL;
    if (s != NULL && ph_system_create(with, &start) == PH_OK &&
        ph_system_set_step(s, -h) == PH_OK && ph_system_run(s, 1, NULL) == PH_OK)
        defect = apart(s, start);
    ph_system_destroy(s);
    ph_system_destroy(start);
    return defect;
}

/* Energy and momenta over many steps of h; a run that fails drifts. */
static ph_status keep(ph_problem_measurement *out, const ph_system_settings *with, double h,
                      uint64_t steps)
{
    ph_system *s;
    size_t count;
    ph_system_settings by = *with;
    by.step = h;
    ph_status status = ph_system_create(&by, &s);
    if (status != PH_OK)
        return status;
    ph_system_watch(s, true);
    status = ph_system_energy_trend(s, steps, &out->drift);
    const ph_observable *all = ph_system_observables(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (!(all[i].conserved && all[i].watched && all[i].width == 3))
            continue;
        out->momentum_error = larger_or_nan(out->momentum_error, all[i].error);
        out->momentum = out->momentum_error < PH_KEPT ? PH_ANSWER_YES : PH_ANSWER_NO;
    }
    out->energy_error = all[0].error;
    if (all[0].conserved)
        out->energy = status != PH_OK               ? PH_ENERGY_DRIFTS
                      : out->energy_error < PH_KEPT ? PH_ENERGY_EXACT
                      : out->drift.drifts           ? PH_ENERGY_DRIFTS
                                                    : PH_ENERGY_BOUNDED;
    ph_system_destroy(s);
    return PH_OK;
}

ph_status ph_measure_problem(const ph_system_settings *with, ph_problem_measurement *out)
{
    enum { LENGTHS = 4, PARTS = 8 }; /* of the time for orders; of the step for runs */
    enum { STEPS = 10000, LARGE_STEPS = 1000 };
    ph_system *s;
    if (ANY_NULL(with, out))
        return PH_NULL_ARGUMENT;
    *out = (ph_problem_measurement){.order = NAN,
                                    .momentum = PH_ANSWER_UNRESOLVED,
                                    .energy = PH_ENERGY_UNDECIDED,
                                    .symmetric = PH_ANSWER_UNRESOLVED};
    const ph_status status = ph_system_create(with, &s);
    if (status != PH_OK)
        return status;
    const char *reference = ph_kind_of(s)->reference(s);
    const bool chooses = ph_system_adaptive(s) != NULL;
    ph_system_destroy(s);
    if (chooses)
        return PH_NOT_APPLICABLE;
    const double h = ph_large_step(with, reference);
    out->large_step = h;
    out->step = h / PARTS;
    if (h == 0.0)
        return PH_NO_CONVERGENCE;
    out->order = order_of(with, reference, LENGTHS * h);
    out->symmetry_defect = symmetry_of(with, h);
    if (!isnan(out->symmetry_defect))
        out->symmetric = out->symmetry_defect < PH_KEPT ? PH_ANSWER_YES : PH_ANSWER_NO;
    ph_problem_measurement large = *out;
    ph_status kept = keep(out, with, out->step, STEPS);
    if (kept == PH_OK && out->energy == PH_ENERGY_EXACT) { /* or the step was too small */
        kept = keep(&large, with, h, LARGE_STEPS);
        if (large.energy != PH_ENERGY_EXACT)
            out->energy = PH_ENERGY_BOUNDED;
    }
    return kept;
}

/* ---- how large a step may be: the error of the energy over a grid of steps -------- */

/* The steps are h_k = h_0 2^(k/16). In PH_SCAN_RUN steps from the start of a problem the largest
 * relative error e_k of the energy is found. While the method has its order p, e is as h^p, but
 * for oscillations of the start; let P_k be the slope of log e over log h in the octave below h_k.
 *
 *   reduced   the smallest step from which on P_k < p - 1 up to twice that step, in errors
 *             below a tenth: the order is lost
 *   bounded   the largest step up to which all e_k are below a tenth
 *   tongues   steps with an error of at least 8 times those a quarter of an octave below and
 *             above: resonances of the step with the motion; and those above a tenth with one
 *             below it at a larger step
 */
enum { PER_OCTAVE = 16, NEIGHBOUR = PER_OCTAVE / 4, RUN = 2000 };
static const double TENTH = 0.1, PEAK = 8.0, ROUND_OFF = 1e-12;

static double error_at(const ph_system_settings *with, double h)
{
    ph_system *s;
    ph_trend t;
    ph_system_settings by = *with;
    by.step = h;
    if (ph_system_create(&by, &s) != PH_OK)
        return INFINITY;
    const ph_status status = ph_system_energy_trend(s, RUN, &t);
    ph_system_destroy(s);
    return status == PH_OK && isfinite(t.max_error) ? t.max_error / fabs(t.initial) : INFINITY;
}

static void judge(ph_step_scan *out, int order)
{
    const ph_scan_row *r = out->row;
    bool all = true;
    bool before = false; /* in a tongue at the step before */
    int reduced = 0;
    for (int k = 0; k < PH_SCAN_STEPS; k++) {
        all = all && r[k].error < TENTH;
        out->bounded = all ? r[k].step : out->bounded;
        const bool low = r[k].power < order - 1.0 && r[k].error > ROUND_OFF;
        reduced = low ? reduced + 1 : 0;
        if (reduced == PER_OCTAVE && out->reduced == 0.0)
            out->reduced = r[k + 1 - PER_OCTAVE].step;
        bool returns = false;
        for (int n = k + 1; n < PH_SCAN_STEPS && r[k].error >= TENTH; n++)
            returns = returns || r[n].error < TENTH;
        const int below = k - NEIGHBOUR, above = k + NEIGHBOUR;
        const bool peak = below >= 0 && above < PH_SCAN_STEPS &&
                          r[k].error >= PEAK * r[below].error &&
                          r[k].error >= PEAK * r[above].error;
        const bool tongue = (returns || peak) && r[k].error > ROUND_OFF;
        out->row[k].tongue = tongue;
        out->tongues += tongue && !before;
        before = tongue;
    }
}

ph_status ph_scan_steps(const ph_system_settings *with, ph_step_scan *out)
{
    if (ANY_NULL(out, with))
        return PH_NULL_ARGUMENT;
    ph_system *s;
    ph_system_settings by = *with;
    by.step = 1e-3;
    const ph_status status = ph_system_create(&by, &s);
    if (status != PH_OK)
        return status;
    const int order = ph_system_order(s);
    const bool chooses = ph_system_adaptive(s) != NULL;
    const double large = ph_large_step(with, ph_kind_of(s)->reference(s));
    double rate = 1.0 / large;
    const ph_array *w;
    if (ph_system_array_named(s, "velocity", &w) == PH_OK && w->width == 3)
        rate = sqrt(w->data[0][0] * w->data[0][0] + w->data[1][0] * w->data[1][0] +
                    w->data[2][0] * w->data[2][0]);
    ph_system_destroy(s);
    if (chooses)
        return PH_NOT_APPLICABLE;
    if (large == 0.0)
        return PH_NO_CONVERGENCE;
    *out = (ph_step_scan){.rate = rate, .order = order};
    const double first = with->step > 0.0 ? with->step : 0.125 * large;
    for (int k = 0; k < PH_SCAN_STEPS; k++) {
        ph_scan_row *r = &out->row[k];
        r->step = first * ph_pow(2.0, (double)k / PER_OCTAVE);
        r->turn = r->step * rate;
        r->error = error_at(with, r->step);
        r->power =
            k < PER_OCTAVE ? NAN : ph_real_log(r->error / r[-PER_OCTAVE].error) / ph_real_log(2.0);
    }
    judge(out, order);
    return PH_OK;
}
