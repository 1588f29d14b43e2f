/* scan.c - how large a step may be: the error of the energy over a grid of steps.
 *
 * The steps are h_k = h_0 2^(k/16). In PH_SCAN_RUN steps from the start of a problem the largest
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
#include <math.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "measure/common.h"

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
    return status == PH_OK && isfinite(t.max_error) ? t.max_error / fabs(t.initial)
                                                    : INFINITY;
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
        r->power = k < PER_OCTAVE
                       ? NAN
                       : ph_real_log(r->error / r[-PER_OCTAVE].error) / ph_real_log(2.0);
    }
    judge(out, order);
    return PH_OK;
}
