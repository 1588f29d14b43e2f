/* on_problem.c - what an integrator does on one problem, of any kind of system, from its
 * start: order, symmetry, and whether what the exact motion keeps is kept. */
#include <math.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "lab/measure/common.h"
#include "lab/measure/convergence.h"
#include "lab/measure/reference.h"

/* ---- measurements --------------------------------------------------------------------- */

/* Returns the distance between two systems, NaN if one of them does not exist. */
static double apart(const ph_system *s, const ph_system *right)
{
    double errors[ERROR_COUNT];
    if (s == NULL || right == NULL)
        return NAN;
    return ph_system_errors(s, right, errors);
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
        const reference_search by = {reference, .fewest = 1, .most = 2};
        reference_solution fine;
        right = ph_find_reference(with, &by, h, &fine) == PH_OK && fine.apart <= 1e-6 &&
                apart(fine.end, start) <= 0.5;
        ph_system_destroy(fine.end);
        if (right)
            found = h;
    }
    ph_system_destroy(start);
    return found;
}

/* Returns the order that 4, 8 ... 256 steps over a time show, whose errors are above what the
 * reference is known to; NaN: none. */
static double order_of(const ph_system_settings *with, const char *reference, double T)
{
    const reference_search by = {reference, .fewest = 1024, .most = 2048};
    reference_solution right;
    if (ph_find_reference(with, &by, T, &right) != PH_OK)
        return NAN;
    order_shown shown = {larger_or_nan(1e-12, 10.0 * right.apart), NAN, NAN};
    bool above = true;
    for (uint64_t n = 4; n <= 256 && above; n *= 2) {
        ph_system *s;
        if (ph_run_over(with, NULL, T, n, NULL, &s) == PH_OK)
            above = ph_order_add(&shown, 2.0, apart(s, right.end));
        ph_system_destroy(s);
    }
    ph_system_destroy(right.end);
    return shown.order;
}

/* Returns the distance of a step of h and one of -h from the start. */
static double symmetry_of(const ph_system_settings *with, double h)
{
    double defect = NAN;
    ph_system *s, *start = NULL;
    if (ph_run_over(with, NULL, h, 1, NULL, &s) == PH_OK &&
        ph_system_create(with, &start) == PH_OK && ph_system_set_step(s, -h) == PH_OK &&
        ph_system_run(s, 1, NULL) == PH_OK)
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
    const bool exact = status == PH_OK && out->energy_error < PH_KEPT,
               drifts = status != PH_OK || out->drift.drifts;
    if (all[0].conserved && exact)
        out->energy = PH_ENERGY_EXACT;
    else if (all[0].conserved)
        out->energy = drifts ? PH_ENERGY_DRIFTS : PH_ENERGY_BOUNDED;
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
    const bool chooses = ph_system_is_adaptive(s);
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
    if (status == PH_OK && isfinite(t.max_error))
        return t.max_error / fabs(t.initial);
    return INFINITY;
}

static void judge(ph_step_scan *out, int order)
{
    const ph_scan_row *r = out->row;
    bool all = true;
    bool before = false; /* in a tongue at the step before */
    int reduced = 0;
    for (int k = 0; k < PH_SCAN_STEPS; k++) {
        all = all && r[k].error < TENTH;
        if (all)
            out->bounded = r[k].step;
        const bool low = r[k].power < order - 1.0 && r[k].error > ROUND_OFF;
        if (low)
            reduced = reduced + 1;
        else
            reduced = 0;
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
    const bool chooses = ph_system_is_adaptive(s);
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
        if (k < PER_OCTAVE)
            r->power = NAN;
        else
            r->power = ph_power_of(r->error / r[-PER_OCTAVE].error, 2.0);
    }
    judge(out, order);
    return PH_OK;
}
