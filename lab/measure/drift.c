/* drift.c - the drift of the energy, predicted from single steps and measured in runs.
 *
 * HLW  Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed. 2006, IX.1 and IX.8.
 *
 * A step of order p is, as a formal series, the motion of f + h^p f_(p+1) + ... Along it the
 * energy changes at the rate h^p grad H . f_(p+1), to leading order. What of this is a derivative
 * along the motion, as all of it is for a method that keeps a modified energy, oscillates; the
 * rest has a mean over the exact motion, and is the drift:
 *
 *   slope = h^p < g >,   g(x) = lim ( H(Phi_d x) - H(x) )/d^(p+1)
 *
 * The next term, h^(p+1) < k > with k that of d^(p+2), is added: it is the drift where < g > is 0,
 * and squares of the first come with h^2p only. Both are taken from steps of d and -d, whose half sum and half
 * difference have every other power, and from those of d/2, by extrapolation. The mean over a block of the
 * motion is weighted by (u (1 - u))^4, as in runs.c; the scatter of the blocks gives its error.
 * Blocks of a chaotic motion are nearly independent, so that it holds there too.
 *
 * Measured is the mean slope of runs from neighbouring starts: of a regular motion they agree, and a
 * few will do. */
#include <math.h>

#include "base/arguments.h"
#include "base/choice.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "lab/measure/common.h"
#include "lab/measure/convergence.h"

enum { TERMS = 2, STEPS = 40000, FEW = 8, BLOCKS = 5, BLOCK_SAMPLES = 16000 };

/* What the weights may leave of an oscillation, and the extrapolation of higher powers. */
static const double WINDOW = 1e-6;

/* Whether a field is written to change the state; of momenta and velocities alone. */
static bool is_written(const ph_array *a, bool moving)
{
    const unsigned no = PH_ARRAY_CONSTANT | PH_ARRAY_DERIVED;
    return (a->use & PH_ARRAY_SHOWN) != 0 && (a->use & no) == 0 &&
           !(moving && (a->use & PH_ARRAY_PLACE) != 0);
}

/* Copies what moves from one system to another of the same problem, times a factor for momenta
 * and velocities. */
static ph_status copy_state(const ph_system *from, ph_system *to, double factor)
{
    size_t count;
    const ph_array *a = ph_system_arrays(from, &count), *b = ph_system_arrays(to, &count);
    for (size_t k = 0; k < count; k++) {
        const double by = is_written(&a[k], true) ? factor : 1.0;
        for (int c = 0; c < a[k].width && is_written(&a[k], false); c++) {
            for (size_t i = 0; i < a[k].count; i++)
                b[k].data[c][i * b[k].stride] = by * a[k].data[c][i * a[k].stride];
        }
    }
    return ph_system_changed(to);
}

ph_status ph_neighbouring_start(ph_system *s, int k)
{
    return copy_state(s, s, 1.0 + 1e-8 * k);
}

/* What a step of d from a state changes the energy by. */
static ph_status energy_change(ph_system *s, const ph_system *at, double d, double *out)
{
    ph_status status = copy_state(at, s, 1.0);
    const double before = ph_system_energy(s);
    if (status == PH_OK)
        status = ph_system_set_step(s, d);
    if (status == PH_OK)
        status = ph_system_run(s, 1, NULL);
    *out = ph_system_energy(s) - before;
    return status;
}

/* The change of the energy in a step of d: the terms of d^(p+1) and d^(p+2), each times that. */
static ph_status leading_terms(ph_system *s, const ph_system *at, double d, int order,
                               double term[TERMS])
{
    const double step[4] = {d, -d, 0.5 * d, -0.5 * d};
    double x[4];
    for (int k = 0; k < 4; k++) {
        const ph_status status = energy_change(s, at, step[k], &x[k]);
        if (status != PH_OK)
            return status;
    }
    for (int n = 0; n < TERMS; n++) {
        const int power = order + 1 + n;
        const double sign = alternating(power), coarse = 0.5 * (x[0] + sign * x[1]),
                     fine = 0.5 * (x[2] + sign * x[3]);
        term[n] = (ldexp(fine, power + 2) - coarse) / 3.0;
    }
    return PH_OK;
}

/* The means of both and of their sizes in a block of the motion; *orbit ends where the next begins. */
static ph_status block_mean(ph_system *s, ph_system *orbit, double d, int order,
                            double mean[2 * TERMS])
{
    double weight = 0.0, sum[2 * TERMS] = {0.0};
    ph_status status = PH_OK;
    for (int n = 0; n < BLOCK_SAMPLES && status == PH_OK; n++) {
        const double u = (n + 0.5) / BLOCK_SAMPLES, square = u * (1 - u) * (u * (1 - u)),
                     w = square * square;
        double term[TERMS] = {0.0};
        status = leading_terms(s, orbit, d, order, term);
        if (status == PH_OK)
            status = ph_system_run(orbit, 1, NULL);
        weight += w;
        for (int k = 0; k < TERMS; k++) {
            sum[k] += w * term[k];
            sum[TERMS + k] += w * fabs(term[k]);
        }
    }
    for (int k = 0; k < 2 * TERMS; k++)
        mean[k] = sum[k] / weight;
    return status;
}

/* The sum of both terms. Steps are d = h/2: h^(q-1)/d^q is 2^q/h. */
static void sum_terms(ph_drift_measurement *out, double mean[][2 * TERMS])
{
    double largest = 0.0, variance = 0.0;
    for (int n = 0; n < TERMS; n++) {
        const double scale = ldexp(1.0, out->order + 1 + n) / out->step;
        double all = 0.0;
        for (int b = 0; b < BLOCKS; b++)
            all += scale * mean[b][n] / BLOCKS;
        for (int b = 0; b < BLOCKS; b++)
            variance +=
                (scale * mean[b][n] - all) * (scale * mean[b][n] - all) / (BLOCKS - 1) / BLOCKS;
        const double left = WINDOW * scale * mean[0][TERMS + n];
        variance += left * left;
        out->predicted += all;
        if (fabs(all) > largest)
            out->predicted_power = out->order + n;
        largest = larger_or_nan(largest, fabs(all));
    }
    out->predicted_error = sqrt(variance);
}

static ph_status predict_slope(const ph_system_settings *with, const char *reference,
                               ph_drift_measurement *out)
{
    ph_system *s, *orbit = NULL;
    ph_system_settings along = *with;
    along.integrator = reference;
    along.own_integrator = NULL;
    along.step = 0.5 * out->step;
    ph_status status = ph_system_create(with, &s);
    if (status != PH_OK)
        return status;
    status = ph_system_create(&along, &orbit);
    double mean[BLOCKS][2 * TERMS];
    for (int b = 0; b < BLOCKS && status == PH_OK; b++)
        status = block_mean(s, orbit, 0.5 * out->step, out->order, mean[b]);
    if (status == PH_OK)
        sum_terms(out, mean);
    ph_system_destroy(s);
    ph_system_destroy(orbit);
    return status;
}

static ph_status measure_slope(const ph_system_settings *with, ph_drift_slope *out)
{
    double slope[PH_DRIFT_STARTS], sum = 0.0, own = 0.0, error = NAN;
    ph_system_settings by = *with;
    by.step = out->step;
    for (int n = 0; n < PH_DRIFT_STARTS; n++) {
        ph_trend trend;
        ph_system *s;
        ph_status status = ph_system_create(&by, &s);
        if (status != PH_OK)
            return status;
        status = ph_neighbouring_start(s, n);
        if (status == PH_OK)
            status = ph_system_energy_trend(s, out->steps, &trend);
        ph_system_destroy(s);
        if (status != PH_OK)
            return status;
        slope[n] = trend.slope;
        sum += trend.slope;
        own += trend.standard_error;
        double squares = 0.0;
        const double mean = sum / (n + 1);
        for (int k = 0; k <= n; k++)
            squares += (slope[k] - mean) * (slope[k] - mean);
        if (n == 0)
            error = INFINITY;
        else
            error = sqrt(squares / n / (n + 1));
        out->starts = n + 1;
        out->slope = mean;
        out->error = larger_or_nan(error, own / (n + 1));
        if (n + 1 == FEW && error < 0.01 * fabs(mean))
            break;
    }
    return PH_OK;
}

ph_status ph_measure_drift(const ph_system_settings *with, double step, ph_drift_measurement *out)
{
    if (ANY_NULL(out, with))
        return PH_NULL_ARGUMENT;
    ph_system *s;
    ph_system_settings by = *with;
    if (step > 0.0)
        by.step = step;
    else
        by.step = 1e-3;
    ph_status status = ph_system_create(&by, &s);
    if (status != PH_OK)
        return status;
    const char *reference = ph_kind_of(s)->reference(s);
    *out = (ph_drift_measurement){.step = step, .order = ph_system_order(s)};
    const bool chooses = ph_system_is_adaptive(s);
    ph_system_destroy(s);
    if (chooses || out->order < 1)
        return PH_NOT_APPLICABLE;
    if (!(step > 0.0))
        out->step = 0.25 * ph_large_step(with, reference);
    if (!(out->step > 0.0))
        return PH_NO_CONVERGENCE;
    by.step = out->step;
    status = predict_slope(&by, reference, out);
    for (int k = 0; k < 2 && status == PH_OK; k++) {
        out->measured[k].step = ldexp(out->step, -k);
        out->measured[k].steps = (uint64_t)STEPS << k;
        status = measure_slope(&by, &out->measured[k]);
    }
    out->power = ph_power_of(out->measured[0].slope / out->measured[1].slope, 2.0);
    return status;
}
