/* trend.c - whether the energy drifts, as a statistical statement.
 *
 * With t counted from the middle of the run and e = E - E0, over all steps and the start:
 *
 *   slope = sum t e / sum t^2
 *
 * Oscillations are not independent from step to step, and the residuals of single steps
 * say nothing of the error of the slope. The means of K = PH_BLOCKS parts of the run
 * nearly are: their scatter about the line through them gives the standard error.
 */
#include "base/extremes.h"
#include "measure/line.h"
#include "polhode/measure.h"
#include "rotation/vec.h"

/* What a drift is above: standard errors, a share of the largest error, and of the energy
 * per step. */
static const double ERRORS = 6, SHARE = 0.02, ROUND_OFF = 1e-15;
static const double NEAR = 0.1; /* share of the energy that an error is to stay within */

static bool drifts(const ph_trend *d, double T)
{
    const double total = fabs(d->slope * T),
                 round_off = ROUND_OFF * (double)d->taken * fabs(d->initial);
    return !(fabs(d->slope) <= ERRORS * d->standard_error ||
             total <= SHARE * d->max_error || total <= round_off);
}

typedef struct sums {
    double middle; /* of the run, time */
    long samples;
    double te, tt;
    double block_t[PH_BLOCKS], block_e[PH_BLOCKS]; /* sums over the parts */
    long block_count[PH_BLOCKS];
    ph_trend *trend;
} sums;

static bool watch(void *context, ph_system *s)
{
    sums *w = context;
    const uint64_t step = ph_system_steps(s);
    const double energy = ph_system_energy(s),
                 from_middle = ph_system_time(s) - w->middle;
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
    return ph_line_through(t, e, PH_BLOCKS).standard_error;
}

ph_status ph_energy_trend_of(ph_trend *out, ph_system *s, long steps)
{
    const double h = ph_system_step(s), T = (double)steps * h;
    *out = (ph_trend){.h = h, .slope = NAN, .standard_error = NAN, .drifts = true};
    sums w = {.middle = T / 2, .samples = steps + 1, .trend = out};
    const ph_observer o = {watch, &w, 1, NULL, 0};
    const ph_status status = ph_system_run(s, (uint64_t)steps, &o);
    out->taken = (long)ph_system_steps(s);
    out->exceeds_tenth = !(out->max_error <= NEAR * fabs(out->initial));
    if (status != PH_OK || steps < PH_BLOCKS)
        return status;
    out->slope = w.te / w.tt;
    out->standard_error = standard_error(&w);
    out->drifts = drifts(out, T);
    return PH_OK;
}

ph_status ph_energy_trend(ph_trend *out, const ph_integrator *i, const ph_problem *p,
                          double h, long steps)
{
    ph_system *s;
    *out = (ph_trend){.h = h, .slope = NAN, .standard_error = NAN, .drifts = true};
    ph_status status = ph_system_of_body(&s, p, i, NULL, h, PH_PLAIN);
    if (status != PH_OK)
        return status;
    status = ph_energy_trend_of(out, s, steps);
    ph_system_free(s);
    return status;
}
