/* thermal.c - what a thermostat samples: kinetic temperatures, the mean of the potential, and
 * their bias over the step.
 *
 * FP  Flyvbjerg, Petersen, Error estimates on averages of correlated data, J. Chem. Phys. 91,
 *     1989.
 *
 *   FP (26)   the variance of the mean of n numbers is that of their scatter over n - 1, and
 *             grows as neighbours are averaged in pairs, until these are independent
 *
 * The error is the largest of all levels with at least 32 blocks; its square over that of the
 * first level, times half a step, is the autocorrelation time. The bias at the steps h_k, with
 * errors e_k, is fitted by a + b h^2 + c h^4 with the weights 1/e_k^2. For one body in a potential U,
 * with attitudes by Euler angles about z, y and z,
 *
 *   <U> = int U exp(-U/T) dR / int exp(-U/T) dR,   dR = d alpha d cos(beta) d gamma
 *
 * by the trapezoidal rule in alpha and gamma and Simpson's in cos(beta).
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/parallel.h"
#include "integrators/field.h"
#include "lab/measure/common.h"
#include "motion/newton.h"

enum { WITHIN = PH_THERMAL_AXES, POTENTIAL = WITHIN + MOMENTA_KINDS, SERIES };

/* ---- means --------------------------------------------------------------------------- */

/* Sums over the blocks of one length, less the first number; and a block that waits for the next. */
typedef struct block_sums {
    double sum, squares, waiting;
    uint64_t count;
} block_sums;

/* Numbers in blocks of 1, 2, 4, ... */
enum { LEVELS = 48 };
typedef struct series {
    double first;
    block_sums level[LEVELS];
} series;

static void add_number(series *s, double x)
{
    if (s->level[0].count == 0)
        s->first = x;
    x -= s->first;
    for (block_sums *b = s->level; b < s->level + LEVELS; b++) {
        b->sum += x;
        b->squares += x * x;
        if (++b->count % 2 == 1) {
            b->waiting = x;
            return;
        }
        x = 0.5 * (b->waiting + x);
    }
}

static ph_mean mean_of(const series *s, double *inefficiency)
{
    enum { FEWEST = 32 };
    const block_sums *b = s->level;
    ph_mean m = {s->first + b->sum / (double)b->count, 0.0};
    double first = 0.0;
    for (; b < s->level + LEVELS && b->count >= FEWEST; b++) {
        const double n = (double)b->count, mean = b->sum / n,
                     error = sqrt((b->squares / n - mean * mean) / (n - 1.0));
        if (b == s->level)
            first = error;
        m.error = larger_or_nan(m.error, error);
    }
    *inefficiency = m.error * m.error / (first * first);
    return m;
}

/* ---- a run --------------------------------------------------------------------------- */

/* One run, and what is recorded of it. */
typedef struct recorder {
    const ph_system_settings *with;
    parallel_progress *progress; /* in steps of all runs */
    uint64_t taken;              /* steps */
    series series[SERIES];
    uint64_t samples, skip; /* the first ones are left out */
    ph_status status;
    ph_thermal_row row;
} recorder;

static bool record(void *context, ph_system *s)
{
    enum { ASKING = 64 }; /* steps between two questions */
    recorder *r = context;
    if (++r->taken % ASKING == 0 && !ph_parallel_go_on(r->progress, ASKING, 0.0))
        return false;
    if (r->skip > 0 || r->series[POTENTIAL].level[0].count == r->samples) {
        r->skip -= r->skip > 0;
        return true;
    }
    double kinetic = 0.0;
    for (int kind = 0; kind < MOMENTA_KINDS; kind++) {
        momenta of;
        double T[3] = {NAN, NAN, NAN}, within = NAN;
        if (s->kind->momenta(s->self, kind, &of)) {
            const double unit = (double)of.n * s->bath.boltzmann;
            for (int k = 0; k < 3; k++) {
                const double twice = momenta_twice(&of, k);
                kinetic += 0.5 * twice;
                T[k] = twice / unit;
            }
            within = s->bath.last[kind] / (3.0 * (double)of.n * s->bath.boltzmann);
        }
        for (int k = 0; k < 3; k++)
            add_number(&r->series[3 * kind + k], T[k]);
        add_number(&r->series[WITHIN + kind], within);
    }
    add_number(&r->series[POTENTIAL], ph_system_energy(s) - kinetic);
    return true;
}

/* Fills the row of a run with the step in it. */
static void run_with(void *context, size_t pass)
{
    recorder *r = (recorder *)context + pass;
    ph_system_settings by = *r->with;
    ph_system *s;
    const double h = by.step = r->row.step;
    by.message = NULL; /* which there is but one of */
    r->status = ph_system_create(&by, &s);
    if (r->status != PH_OK)
        return;
    memset(r->series, 0, sizeof r->series);
    r->status = ph_system_run(s, r->skip + r->samples, &(ph_observer){record, r, .every = 1});
    ph_system_destroy(s);
    ph_mean mean[SERIES];
    double g = 0.0;
    for (int k = 0; k < SERIES && r->status == PH_OK; k++)
        mean[k] = mean_of(&r->series[k], &g);
    if (r->status != PH_OK)
        return;
    r->row = (ph_thermal_row){.step = h, .potential = mean[POTENTIAL], .time = 0.5 * g * h};
    for (int k = 0; k < PH_THERMAL_AXES; k++)
        r->row.kinetic[k] = mean[k];
    for (int k = 0; k < MOMENTA_KINDS; k++)
        r->row.within[k] = mean[WITHIN + k];
}

/* Runs with the steps h, 3h/4, h/2 and h/4, or the first of them alone. */
static ph_status run_steps(recorder r[PH_THERMAL_STEPS], double h, size_t count)
{
    ph_status status = PH_OK;
    for (size_t k = 0; k < PH_THERMAL_STEPS; k++) {
        const double part = 1.0 - 0.25 * (double)k;
        r[k].row.step = part * h;
        r[k].skip = (uint64_t)(0.125 * (double)r[k].samples / part);
        r[k].taken = 0;
        if (k < count)
            r[0].progress->whole += (double)(r[k].skip + r[k].samples);
    }
    ph_parallel_for(count, true, run_with, r);
    for (size_t k = 0; k < count && status == PH_OK; k++)
        status = r[k].status;
    return status;
}

/* ---- what it should be --------------------------------------------------------------- */

/* The mean of a potential at a temperature, by so many angles of a turn; *points is how many
 * attitudes share its weight. It is 0 if all of these are at the bottom of a well, where the mean is
 * T/2 above the bottom for each angle in which the well is narrow. */
static double mean_potential(const ph_problem *p, double T, int turns, double *points)
{
    const int heights = 2 * turns;
    const double turn = 2.0 * PH_PI / turns;
    double U = 0.0, weights = 0.0, squares = 0.0, lowest = INFINITY, highest = -INFINITY;
    for (int n = 0, all = turns * turns * (heights + 1); n < 2 * all; n++) {
        const int height = n % all / (turns * turns);
        const double a = turn * (n % turns), c = turn * (n / turns % turns),
                     b = ph_acos(1.0 - 2.0 * height / heights);
        const ph_quat q = mul(mul(ph_rotation_exp(vec3(0, 0, a)), ph_rotation_exp(vec3(0, b, 0))),
                              ph_rotation_exp(vec3(0, 0, c)));
        const ph_instant now = instant_at(0.0, q);
        const double u = p->potential(p, &now);
        double simpson = height % 2 == 1 ? 4.0 : 2.0;
        if (height % heights == 0)
            simpson = 1.0;
        if (n < all) { /* first the lowest, so that no power overflows */
            lowest = smaller_or_nan(lowest, u);
            highest = larger_or_nan(highest, u);
            continue;
        }
        const double w = simpson * ph_real_exp((lowest - u) / T);
        weights += w;
        squares += w * w;
        U += w * (u - lowest);
    }
    const bool at_bottom = highest - lowest > T && U / weights < T / 16.0;
    if (at_bottom)
        *points = 0.0;
    else
        *points = weights * weights / squares;
    return lowest + U / weights;
}

/* That of one body, by more and more attitudes until it changes by less than 1e-3 T; NaN of
 * others, and in wells so narrow that the attitudes in them are too few. */
static double exact_potential(const ph_system_settings *with)
{
    enum { FIRST = 24, LAST = 96, ENOUGH = 500 };
    ph_system *s = NULL;
    const ph_problem *p = NULL;
    ph_system_settings by = *with;
    by.step = 1.0;
    if (ph_system_create(&by, &s) == PH_OK && s->kind->state != NULL)
        (void)s->kind->state(s->self, &p);
    double exact = NAN;
    if (p != NULL && p->potential != NULL && !p->velocity_dependent) {
        const double T = bath_energy(&s->bath);
        double points, coarse = mean_potential(p, T, FIRST, &points);
        for (int turns = 2 * FIRST; turns <= LAST && isnan(exact); turns *= 2) {
            const double fine = mean_potential(p, T, turns, &points);
            if (points >= ENOUGH && fabs(fine - coarse) <= 1e-3 * T)
                exact = fine;
            coarse = fine;
        }
    }
    ph_system_destroy(s);
    return exact;
}

/* Fits the bias a + b h^2 + c h^4 to the means over a value; returns `a`, and b times the square
 * of the largest step. */
static ph_mean bias(const ph_mean mean[PH_THERMAL_STEPS], const ph_thermal_row *row, double right,
                    ph_mean *quadratic)
{
    ph_mat3 A = {{{0}}};
    ph_vec3 b = {0, 0, 0};
    for (int k = 0; k < PH_THERMAL_STEPS; k++) {
        const double part = row[k].step / row[0].step, x = part * part, power[] = {1.0, x, x * x},
                     w = 1.0 / (mean[k].error * mean[k].error);
        for (int n = 0; n < 9; n++)
            A.a[n / 3][n % 3] += w * power[n / 3] * power[n % 3];
        b = add(b, scale(w * (mean[k].value - right), vec3(1.0, x, x * x)));
    }
    const ph_vec3 fit = solve3(A, b);
    *quadratic = (ph_mean){fit.y, sqrt(solve3(A, vec3(0, 1, 0)).y)};
    return (ph_mean){fit.x, sqrt(solve3(A, vec3(1, 0, 0)).x)};
}

/* The power of h in the bias, from two means with h and h/2. */
static ph_mean power(const ph_mean *whole, const ph_mean *half, double right)
{
    const double ln2 = 0.6931471805599453094172, b = whole->value - right, c = half->value - right,
                 e = whole->error / b, f = half->error / c;
    return (ph_mean){ph_real_log(b / c) / ln2, sqrt(e * e + f * f) / ln2};
}

static void judge(ph_thermal *out)
{
    const double most = 4.0, known = 0.03 * out->temperature;
    bool sharp = true;
    for (int axis = 0; axis <= PH_THERMAL_AXES; axis++) {
        const bool potential = axis == PH_THERMAL_AXES;
        ph_mean of[PH_THERMAL_STEPS], quadratic;
        for (int k = 0; k < PH_THERMAL_STEPS; k++)
            of[k] = potential ? out->row[k].potential : out->row[k].kinetic[axis];
        if (isnan(of[0].value))
            continue;
        double right = out->temperature, limit_at = 0.0;
        if (potential) {
            right = 0.0;
            limit_at = out->exact;
        }
        const ph_mean a = bias(of, out->row, right, &quadratic);
        const double limit = fabs(a.value - limit_at) / a.error;
        sharp = sharp && (potential || a.error <= known);
        if (potential) {
            out->potential = a;
            out->potential_limit = limit;
            out->potential_bias = quadratic;
        } else {
            out->kinetic_limit = larger_or_nan(out->kinetic_limit, limit);
            if (!(fabs(quadratic.value) <= fabs(out->kinetic_bias.value)))
                out->kinetic_bias = quadratic;
        }
    }
    out->potential_power = power(&out->row[0].potential, &out->row[2].potential, out->exact);
    const bool right = out->kinetic_limit <= most && !(out->potential_limit > most);
    if (!right)
        out->verdict = PH_ANSWER_NO;
    else
        out->verdict = sharp ? PH_ANSWER_YES : PH_ANSWER_UNRESOLVED;
}

ph_status ph_measure_thermal(const ph_system_settings *with, uint64_t samples,
                             bool (*go_on)(void *context, double done), void *context,
                             ph_thermal *out)
{
    if (ANY_NULL(out, with))
        return PH_NULL_ARGUMENT;
    enum { OF_ONE = 1 << 18, OF_MANY = 1 << 13, HALVINGS = 8 };
    ph_system *s;
    ph_system_settings by = *with;
    by.step = 1e-3;
    ph_status status = ph_system_create(&by, &s);
    if (status != PH_OK)
        return status;
    const bool warm = bath_of(s) != NULL, many = s->kind->rows_of_each;
    const char *reference = NULL;
    if (warm)
        reference = s->kind->reference(s);
    *out = (ph_thermal){.temperature = s->bath.temperature};
    ph_system_destroy(s);
    if (!warm)
        return PH_NOT_APPLICABLE;
    by.setting_count = 0;
    by.integrator = reference;
    double h = with->step;
    if (!(h > 0.0))
        h = 2.0 * ph_large_step(&by, reference);
    if (h == 0.0)
        return PH_NO_CONVERGENCE;
    if (samples)
        out->samples = samples;
    else
        out->samples = many ? OF_MANY : OF_ONE;
    recorder r[PH_THERMAL_STEPS];
    parallel_progress w = {.go_on = go_on, .context = context};
    if (with->step == 0.0) /* those after the first run that looks for the step */
        w.whole = 5.0 * (double)out->samples;
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        r[k] = (recorder){.with = with, .progress = &w, .samples = out->samples};
    out->exact = exact_potential(with);
    out->potential_limit = NAN;
    if (with->step == 0.0) {
        for (int k = 0; k < HALVINGS && run_steps(r, h, 1) != PH_OK && !w.stopped; k++)
            h *= 0.5;
    }
    w.whole = w.done;
    if (!w.stopped)
        status = run_steps(r, h, PH_THERMAL_STEPS);
    for (int k = 0; k < PH_THERMAL_STEPS; k++)
        out->row[k] = r[k].row;
    if (w.stopped)
        out->samples = 0;
    else if (status == PH_OK)
        judge(out);
    return status;
}
