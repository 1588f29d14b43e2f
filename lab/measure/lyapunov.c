/* lyapunov.c - the largest Lyapunov exponent of a motion, by the tangent map of its steps.
 *
 * Benettin, Galgani, Giorgilli, Strelcyn, Meccanica 15 (1980). The tangent map is applied to
 * one vector, which is brought back to its size every few steps. It is a column of derivatives
 * where a system has them; else a difference of two states, DELTA apart. Its growth
 *
 *   lambda = ( sum of log |v| before it is brought back ) / time
 *
 * is that of the steps themselves, whatever integrator makes them. The first tenth, in which
 * the vector turns into the direction that grows, is left out. A vector of a regular motion
 * grows linearly: it shows log(T)/T, which is no exponent; the error is never given as less.
 * Else it is the standard error of the mean of PH_BLOCKS parts of the run.
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/random.h"
#include "integrators/tangent.h"
#include "lab/measure/common.h"
#include "motion/vec.h"
#include "system/digits.h"
#include "system/kind.h"
#include "system/run_body.h"

/* Of a component of typical size: linear enough, and far above round-off. */
static const double DELTA = 1e-9;

/* Of steps of h that a method cuts as it chooses: far below DELTA. */
static const double TOLERANCE = 1e-14;
enum { EVERY = 8, SKIPPED = 10, SEED = 3 };

/* The difference of two systems: fields that are shown and not derived, each in units of its
 * own size. */
typedef struct pair {
    ph_system *a, *b;
    const ph_array *of_a, *of_b;
    size_t count;
    bool state; /* these fields are the state itself, which steps may have led off its
                   manifold: nothing mends that here */
    const ph_array *theta, *m; /* derivatives, whose first column is the vector; or NULL */
} pair;

/* |b - a|, and if it is to be brought back, b = a + (b - a) DELTA/|b - a|. */
static double distance(const pair *p, bool bring_back)
{
    double sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        const double factor = DELTA / sqrt(sum);
        for (size_t f = 0; f < p->count; f++) {
            const double unit = ph_array_size(&p->of_a[f]);
            for (size_t n = 0; ph_array_is_state(&p->of_a[f]) && n < field_numbers(&p->of_a[f]);
                 n++) {
                const double a = *field_number(&p->of_a[f], n);
                double *b = field_number(&p->of_b[f], n);
                if (pass == 0)
                    sum += (*b - a) / unit * ((*b - a) / unit);
                else
                    *b = a + (*b - a) * factor;
            }
        }
        if (!bring_back || !(sum > 0.0))
            break;
    }
    return sqrt(sum);
}

/* The fields of the second system were written. */
static ph_status written(const pair *p)
{
    if (!p->state)
        return ph_system_changed(p->b);
    ph_system_restored(p->b);
    return PH_OK;
}

/* The size of the first column of derivatives, that of the momentum over its own; to be 1 from
 * now on. */
static double take_size(const pair *p)
{
    const ph_state now = ph_system_state(p->a);
    const double own = norm_max(now.m) > 0.0 ? norm(now.m) : 1.0;
    double sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        const double size = sqrt(sum);
        for (int k = 0; k < 3; k++) {
            double *theta = p->theta->data[k], *m = p->m->data[k];
            if (pass == 0) {
                sum += *theta * *theta + *m / own * (*m / own);
            } else {
                *theta /= size;
                *m /= size;
            }
        }
    }
    return sqrt(sum);
}

/* A vector at random, of size 1. What changes the size of m makes the attitude wrong linearly in
 * time; so as not to hide growth in short runs, it is left out. */
static void set_vector(const pair *p)
{
    uint64_t seed = SEED;
    const ph_state now = ph_system_state(p->a);
    const double own = norm_max(now.m) > 0.0 ? norm(now.m) : 1.0;
    double x[3];
    draw_each(&seed, -1.0, 1.0, 3, x);
    const ph_vec3 u = scale(1.0 / own, now.m), v = {x[0], x[1], x[2]},
                  m = scale(own, sub(v, scale(dot(u, v), u)));
    const double of_m[3] = {m.x, m.y, m.z};
    for (int k = 0; k < 3; k++) {
        *p->theta->data[k] = between(&seed, -1.0, 1.0);
        *p->m->data[k] = of_m[k];
    }
    (void)take_size(p);
}

/* Steps of both, and by how much the logarithm of the vector grew; both are brought back. */
static ph_status grow(const pair *p, uint64_t steps, double *sum)
{
    ph_status status = ph_system_run(p->a, steps, NULL);
    if (status == PH_OK && p->theta == NULL)
        status = ph_system_run(p->b, steps, NULL);
    if (status != PH_OK)
        return status;
    const double grown = p->theta ? take_size(p) : distance(p, true) / DELTA;
    if (!(grown > 0.0 && isfinite(grown)))
        return PH_NOT_FINITE;
    *sum += ph_real_log(grown);
    if (p->theta)
        return PH_OK;
    return written(p);
}

/* Sets the fields of both systems, which must have the same ones. */
static bool same_fields(pair *p)
{
    size_t of_twin;
    p->of_a = ph_system_arrays(p->a, &p->count);
    p->of_b = ph_system_arrays(p->b, &of_twin);
    bool same = p->count == of_twin;
    for (size_t n = 0; n < p->count && same; n++)
        same = p->of_a[n].count == p->of_b[n].count && p->of_a[n].width == p->of_b[n].width &&
               strcmp(p->of_a[n].name, p->of_b[n].name) == 0;
    return same;
}

ph_status ph_system_lyapunov(ph_system *s, ph_system *twin, uint64_t steps, ph_lyapunov *out)
{
    if (ANY_NULL(out, s, twin))
        return PH_NULL_ARGUMENT;
    pair p = {.a = s, .b = twin};
    if (ph_system_is_adaptive(s))
        return PH_NOT_APPLICABLE;
    if (!same_fields(&p))
        return PH_NOT_APPLICABLE;
    if (ph_system_array_named(s, "attitude_derivative", &p.theta) == PH_OK &&
        ph_system_array_named(s, "momentum_derivative", &p.m) == PH_OK)
        set_vector(&p);
    p.state = true;
    for (size_t n = 0; n < p.count; n++)
        p.state =
            p.state && (!ph_array_is_state(&p.of_a[n]) || (p.of_a[n].use & PH_ARRAY_STATE) != 0);
    const uint64_t block = steps / (PH_BLOCKS + PH_BLOCKS / SKIPPED) / EVERY;
    const double tau = fabs(ph_system_step(s)) * EVERY * (double)block, time = tau * PH_BLOCKS;
    if (block == 0)
        return PH_TOO_FEW_STEPS;
    ph_status status = ph_displace(s, twin, DELTA, false);
    if (status != PH_OK)
        status = ph_displace(s, twin, DELTA, true);
    double ignored = 0.0, mean = 0.0, square = 0.0;
    if (status == PH_OK) { /* to the size that all begin with */
        (void)distance(&p, true);
        status = written(&p);
    }
    for (uint64_t n = 0; n < block * PH_BLOCKS / SKIPPED && status == PH_OK; n++)
        status = grow(&p, EVERY, &ignored);
    for (int k = 0; k < PH_BLOCKS && status == PH_OK; k++) {
        double sum = 0.0;
        for (uint64_t n = 0; n < block && status == PH_OK; n++)
            status = grow(&p, EVERY, &sum);
        const double one = sum / tau, away = one - mean;
        mean += away / (k + 1);
        square += away * (one - mean);
    }
    if (status != PH_OK)
        return status;
    const double scatter = sqrt(square / (PH_BLOCKS - 1) / PH_BLOCKS),
                 linear = ph_real_log(1.0 + time) / time;
    *out = (ph_lyapunov){.exponent = mean, .error = larger_or_nan(scatter, linear), .time = time};
    return PH_OK;
}

ph_status ph_measure_lyapunov(const ph_integrator *i, const ph_problem *p, double h, uint64_t steps,
                              ph_lyapunov *out)
{
    if (ANY_NULL(out, i, p))
        return PH_NULL_ARGUMENT;
    ph_system *s = NULL, *twin = NULL;
    const unsigned options =
        PH_SYSTEM_UNCOMPENSATED | (i->adaptive == NULL && ph_tangent_known(i) ? OPTION_VECTOR : 0U);
    ph_integrator fixed = *i;
    cancellation cancel = {NULL, NULL, false};
    cancellable place;
    if (i->adaptive != NULL) {
        fixed.tolerance = TOLERANCE;
        fixed = ph_cancellable(&place, &fixed, &cancel);
    }
    ph_status status = ph_system_from_problem(p, &fixed, NULL, h, options, &s);
    if (status == PH_OK)
        status = ph_system_from_problem(p, &fixed, NULL, h, options, &twin);
    if (status == PH_OK)
        status = ph_system_lyapunov(s, twin, steps, out);
    ph_system_destroy(s);
    ph_system_destroy(twin);
    return status;
}
