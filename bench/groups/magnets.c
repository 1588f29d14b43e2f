/* magnets.c - the field of 64 x 64 magnetic needles at all of them, the cost of a pair: by
 * the library, and by the sum over pairs as one would write it down.
 *
 * Polhode's time has the rest of an acceleration in it, a cross product for each needle.
 */
#include <math.h>
#include <stdlib.h>

#include "kinds/spheres/stepping.h"
#include "polhode/batch.h"

#include "base/extremes.h"
#include "bench.h"
#include "kinds/spheres/spheres_list.h"
#include "system/find.h"

enum { SIDE = 64, NEEDLES = SIDE * SIDE };
enum { MASS = 2, LENGTH, MOMENT, SPACING }; /* values of the problem */

static const double ERROR = 1e-10; /* relative to the largest acceleration */

typedef struct needles {
    ph_spheres_problem problem;
    ph_spheres *spheres;
    ph_vec3 q[NEEDLES], a[NEEDLES];
} needles;

static bool scatter(needles *n)
{
    n->problem = *find_spheres_problem("magnets");
    n->problem.value[0] = n->problem.value[1] = SIDE;
    for (int i = 0; i < NEEDLES; i++) {
        const double z = bench_random(-1.0, 1.0), angle = bench_random(0.0, 6.28),
                     r = sqrt(1.0 - z * z);
        n->q[i] = (ph_vec3){r * cos(angle), r * sin(angle), z};
    }
    return ph_spheres_create(&n->problem, NULL, &n->spheres) == PH_OK;
}

/* -q_i x sum_j (q_j - 3 (q_j.r) r/r^2) mu0 nu^2/(4 pi r^3) / M */
static ph_vec3 summed(const needles *n, int i)
{
    const double *value = n->problem.value, nu = value[MOMENT], spacing = value[SPACING];
    const double M = value[MASS] * value[LENGTH] * value[LENGTH] / 12.0;
    const double strength = 1e-7 * nu * nu; /* mu0/(4 pi) = 1e-7 */
    const ph_vec3 *q = n->q;
    ph_vec3 g = {0.0, 0.0, 0.0};
    for (int j = 0; j < NEEDLES; j++) {
        const div_t here = div(i, SIDE), there = div(j, SIDE);
        const double x = (here.rem - there.rem) * spacing, y = (here.quot - there.quot) * spacing,
                     r2 = x * x + y * y;
        if (j == i)
            continue;
        const double c = strength / (r2 * sqrt(r2)), along = 3.0 * (q[j].x * x + q[j].y * y) / r2;
        g.x += c * (q[j].x - along * x);
        g.y += c * (q[j].y - along * y);
        g.z += c * q[j].z;
    }
    return (ph_vec3){(q[i].z * g.y - q[i].y * g.z) / M, (q[i].x * g.z - q[i].z * g.x) / M,
                     (q[i].y * g.x - q[i].x * g.y) / M};
}

/* All needles turned about: the same accelerations, and forces that are not known yet. */
static void turn_about(needles *n)
{
    for (int i = 0; i < NEEDLES; i++)
        n->q[i] = (ph_vec3){-n->q[i].x, -n->q[i].y, -n->q[i].z};
}

static double by_library(void *work)
{
    needles *n = work;
    turn_about(n);
    (void)ph_spheres_accelerations(n->spheres, n->q, n->a, n->a);
    return n->a[0].x;
}

static double by_pairs(void *work)
{
    needles *n = work;
    turn_about(n);
    for (int i = 0; i < NEEDLES; i++)
        n->a[i] = summed(n, i);
    return n->a[0].x;
}

static double worst_error(needles *n)
{
    double worst = 0.0, size = 0.0;
    (void)by_library(n);
    for (int i = 0; i < NEEDLES; i++) {
        const ph_vec3 right = summed(n, i), a = n->a[i];
        const double error = hypot(hypot(a.x - right.x, a.y - right.y), a.z - right.z);
        size = larger_or_nan(size, hypot(hypot(right.x, right.y), right.z));
        if (isnan(error))
            worst = INFINITY;
        else
            worst = larger_or_nan(worst, error);
    }
    return worst / size;
}

static void run(bench *b)
{
    static needles n;
    const double pairs = (double)NEEDLES * NEEDLES;
    bench_contestant field[] = {
        {.name = "magnets_pair", .run = by_library, .work = &n, .units = pairs},
        {.name = "plain_magnets_pair", .run = by_pairs, .work = &n, .units = pairs, .peer = true},
    };
    if (!scatter(&n)) {
        bench_note(b, "no memory for the needles");
        return;
    }
    ph_set_threads(1);
    bench_check(b, &field[0], "error", worst_error(&n), ERROR);
    bench_race(b, "pair", field, 2);
    bench_ratio(b, "plain_over_magnets_pair", &field[1], &field[0]);
    ph_spheres_destroy(n.spheres);
}

const bench_group bench_group_magnets = {
    .name = "magnets",
    .title = "a pair of 64 x 64 magnetic needles",
    .run = run,
};
