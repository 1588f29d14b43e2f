/* elliptic.c - races of the elliptic functions of the libraries in bench/libraries.
 *
 * The right results come from Carlson's defining integrals,
 *
 *  RF = 1/2 int dt / s(t),  RJ = 3/2 int dt / ((t + p) s(t)),  RD(x, y, z) = RJ(x, y, z,
 *   z)
 *   s(t) = sqrt((t + x)(t + y)(t + z)),   t from 0 to infinity
 *
 * by the trapezoidal rule in u, t = exp(pi/2 sinh u), which converges exponentially, in
 * long double.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/extremes.h"
#include "bench.h"
#include "elliptic.h"
#include "libraries.h"

#define HALF_PI 1.57079632679489661923L

typedef long double real;

/* RJ, or RF for p = 0. */
static real carlson(real x, real y, real z, real p)
{
    const int nodes = 160;          /* on either side */
    const real step = 5.0L / nodes; /* up to t = 1e50, where nothing is left */
    real sum = 0.0L;
    for (int i = -nodes; i <= nodes; i++) {
        const real u = step * (real)i, t = expl(HALF_PI * sinhl(u));
        const real f = 0.5L / sqrtl((t + x) * (t + y) * (t + z));
        sum += (p > 0.0L ? 3.0L * f / (t + p) : f) * t * HALF_PI * coshl(u);
    }
    return step * sum;
}

/* F(phi | m) and Pi(n; phi | m), |phi| <= pi/2. */
static real first_kind(real phi, real m)
{
    const real s = sinl(phi), c = cosl(phi);
    return s * carlson(c * c, 1.0L - m * s * s, 1.0L, 0.0L);
}

static real third_kind(real n, real phi, real m)
{
    const real s = sinl(phi), c = cosl(phi);
    const real rj = carlson(c * c, 1.0L - m * s * s, 1.0L, 1.0L - n * s * s);
    return first_kind(phi, m) + n / 3.0L * s * s * s * rj;
}

static void draw_carlson(bench_row *a)
{
    for (int i = 0; i < BENCH_WIDTH; i++)
        a->v[i] = exp2(bench_random(-6.0, 6.0));
}

static void draw_rf(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_carlson(a);
    r->v[0] = (double)carlson(a->v[0], a->v[1], a->v[2], 0.0L);
}

static void draw_rd(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_carlson(a);
    r->v[0] = (double)carlson(a->v[0], a->v[1], a->v[2], a->v[2]);
}

static void draw_rj(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_carlson(a);
    r->v[0] = (double)carlson(a->v[0], a->v[1], a->v[2], a->v[3]);
}

/* Arguments m and k = sqrt(m), for the libraries that take the modulus. */
static void draw_parameter(bench_row *a)
{
    a->v[0] = bench_random(0.01, 0.99);
    a->v[1] = sqrt(a->v[0]);
}

static void draw_k(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_parameter(a);
    r->v[0] = (double)first_kind(HALF_PI, a->v[0]);
}

/* m, k, n, phi. */
static void draw_pi_inc(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_parameter(a);
    a->v[2] = bench_random(-2.0, 0.9);
    a->v[3] = bench_random(0.1, 1.5);
    r->v[0] = (double)third_kind(a->v[2], a->v[3], a->v[0]);
}

/* m, k, u; u = F(phi | m) + 2 K turns for a known phi. */
static void draw_sncndn(size_t i, bench_row *a, bench_row *r)
{
    (void)i;
    draw_parameter(a);
    const real phi = bench_random(-1.5, 1.5), s = sinl(phi), m = a->v[0];
    const double turns = rint(bench_random(-3.0, 3.0));
    const real sign = fmod(turns, 2.0) == 0.0 ? 1.0L : -1.0L;
    a->v[2] = (double)(first_kind(phi, m) + 2.0L * turns * first_kind(HALF_PI, m));
    r->v[0] = (double)(sign * s);
    r->v[1] = (double)(sign * cosl(phi));
    r->v[2] = (double)sqrtl(1.0L - m * s * s);
}

/* ---- the races ------------------------------------------------------------------- */

static const struct race {
    const char *name; /* as in the ratio gsl_over_ph_NAME */
    void (*draw)(size_t i, bench_row *arguments, bench_row *results);
} races[BENCH_FUNCTIONS] = {
    [BENCH_RF] = {"rf", draw_rf},
    [BENCH_RD] = {"rd", draw_rd},
    [BENCH_RJ] = {"rj", draw_rj},
    [BENCH_ELLIPTIC_K] = {"elliptic_k", draw_k},
    [BENCH_ELLIPTIC_PI_INC] = {"elliptic_pi_inc", draw_pi_inc},
    [BENCH_SNCNDN] = {"sncndn", draw_sncndn},
};

static const double TOLERANCE = 1e-13; /* of a result, relative to the largest */

static bench_row arguments[BENCH_CALLS], right[BENCH_CALLS], results[BENCH_CALLS];

static double pass(void *work)
{
    bench_calls *const *calls = work;
    (*calls)(arguments, results);
    return results[0].v[0];
}

/* The worst error of a pass, relative to the largest result of its call. */
static double worst_error(bench_contestant *c)
{
    memset(results, 0, sizeof results);
    (void)c->run(c->work);
    double worst = 0.0;
    for (size_t i = 0; i < BENCH_CALLS; i++) {
        double size = 0.0, error = 0.0;
        for (int j = 0; j < BENCH_WIDTH; j++) {
            size = larger_or_nan(size, fabs(right[i].v[j]));
            error = larger_or_nan(error, fabs(results[i].v[j] - right[i].v[j]));
            if (isnan(results[i].v[j]))
                return INFINITY;
        }
        worst = larger_or_nan(worst, size > 0.0 ? error / size : INFINITY);
    }
    return worst;
}

#define MOST 8 /* libraries */

static void run_race(bench *b, bench_function f)
{
    static char names[MOST][BENCH_NAME];
    static bench_calls *calls[MOST];
    bench_contestant field[MOST];
    int count = 0;
    memset(arguments, 0, sizeof arguments);
    memset(right, 0, sizeof right);
    for (size_t i = 0; i < BENCH_CALLS; i++)
        races[f].draw(i, &arguments[i], &right[i]);
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        for (const bench_library *l = libraries[i]; l->name != NULL && count < MOST; l++) {
            snprintf(names[count], BENCH_NAME, "%s_%s", l->name, races[f].name);
            calls[count] = l->function[f];
            bench_contestant *c = &field[count];
            *c = (bench_contestant){.name = names[count],
                                    .run = pass,
                                    .work = &calls[count],
                                    .units = BENCH_CALLS,
                                    .peer = strcmp(l->name, "ph") != 0};
            bench_check(b, c, "error", worst_error(c), TOLERANCE);
            bench_uses(b, l->uses);
            count++;
        }
    }
    bench_race(b, "call", field, count);
    const bench_contestant *ph = field;
    while (ph->peer)
        ph++;
    for (int i = 0; i < count; i++) {
        char ratio[2 * BENCH_NAME];
        const int library = (int)(strlen(field[i].name) - strlen(races[f].name) - 1);
        snprintf(ratio, sizeof ratio, "%.*s_over_ph_%s", library, field[i].name, races[f].name);
        if (field[i].peer)
            bench_ratio(b, ratio, &field[i], ph);
    }
}

static void run(bench *b)
{
    for (int f = 0; f < BENCH_FUNCTIONS; f++)
        run_race(b, (bench_function)f);
}

const bench_group bench_group_elliptic = {
    .name = "elliptic",
    .title = "elliptic functions of several libraries",
    .run = run,
};
