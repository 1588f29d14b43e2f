/* elliptic.c - races of the elliptic functions, and Polhode in them.
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

#include "polhode/elliptic.h"

#include "bench.h"

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

static const bench_race races[] = {
    {"rf", "RF(x, y, z)", 1e-13, draw_rf},
    {"rd", "RD(x, y, z)", 1e-13, draw_rd},
    {"rj", "RJ(x, y, z, p)", 1e-13, draw_rj},
    {"elliptic_k", "K(m)", 1e-13, draw_k},
    {"elliptic_pi_inc", "Pi(n; phi | m)", 1e-13, draw_pi_inc},
    {"sncndn", "sn, cn, dn(u | m)", 1e-13, draw_sncndn},
    {0},
};

BENCH_RUN(rf, r[0] = ph_rf(a[0], a[1], a[2]))
BENCH_RUN(rd, r[0] = ph_rd(a[0], a[1], a[2]))
BENCH_RUN(rj, r[0] = ph_rj(a[0], a[1], a[2], a[3]))
BENCH_RUN(elliptic_k, r[0] = ph_elliptic_k(a[0]))
BENCH_RUN(elliptic_pi_inc, r[0] = ph_elliptic_pi_inc(a[2], a[3], a[0]))
BENCH_RUN(sncndn, const ph_sncndn e = ph_jacobi_sncndn(a[2], a[0]); r[0] = e.sn;
          r[1] = e.cn; r[2] = e.dn)

static const bench_contestant contestants[] = {
    {"rf", "ph", rf},
    {"rd", "ph", rd},
    {"rj", "ph", rj},
    {"elliptic_k", "ph", elliptic_k},
    {"elliptic_pi_inc", "ph", elliptic_pi_inc},
    {"sncndn", "ph", sncndn},
    {0},
};

const bench_file bench_elliptic = {.races = races, .contestants = contestants};
