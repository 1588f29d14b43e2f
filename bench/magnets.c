/* magnets.c - the field of 64 x 64 magnetic needles at all of them, the cost of a pair: by
 * the library, and by the sum over pairs as one would write it down.
 *
 * Polhode's time has the rest of an acceleration in it, a cross product for each needle.
 */
#include "polhode/spheres.h"

#include <math.h>

#include "bench.h"

enum { SIDE = 64, NEEDLES = SIDE * SIDE, SAMPLE = NEEDLES / BENCH_CALLS };

static ph_vec3 q[NEEDLES], a[NEEDLES];
static ph_sphere_problem problem;
static ph_spheres *spheres;

static void prepare(void)
{
    if (spheres != NULL)
        return;
    problem = *ph_sphere_problem_named("magnets");
    problem.value[0] = problem.value[1] = SIDE;
    for (int i = 0; i < NEEDLES; i++) {
        const double z = bench_random(-1.0, 1.0), angle = bench_random(0.0, 6.28),
                     r = sqrt(1.0 - z * z);
        q[i] = (ph_vec3){r * cos(angle), r * sin(angle), z};
    }
    if (ph_spheres_new(&spheres, &problem, NULL) != PH_OK)
        spheres = NULL;
}

/* -q_i x sum_j (q_j - 3 (q_j.r) r/r^2) mu0 nu^2/(4 pi r^3) / M */
static ph_vec3 summed(int i)
{
    const double nu = problem.value[4], spacing = problem.value[5];
    const double M = problem.value[2] * problem.value[3] * problem.value[3] / 12.0;
    ph_vec3 g = {0.0, 0.0, 0.0};
    for (int j = 0; j < NEEDLES; j++) {
        const double x = (i % SIDE - j % SIDE) * spacing,
                     y = (int)(i / SIDE - j / SIDE) * spacing;
        const double r2 = x * x + y * y;
        if (j == i)
            continue;
        const double c = 1e-7 * nu * nu / (r2 * sqrt(r2)),
                     along = 3.0 * (q[j].x * x + q[j].y * y) / r2;
        g.x += c * (q[j].x - along * x);
        g.y += c * (q[j].y - along * y);
        g.z += c * q[j].z;
    }
    return (ph_vec3){(q[i].z * g.y - q[i].y * g.z) / M, (q[i].x * g.z - q[i].z * g.x) / M,
                     (q[i].y * g.x - q[i].x * g.y) / M};
}

static void look(ph_vec3 v, double *r)
{
    r[0] = v.x;
    r[1] = v.y;
    r[2] = v.z;
}

static void draw(size_t i, bench_row *arguments, bench_row *results)
{
    (void)arguments;
    prepare();
    look(summed((int)i * SAMPLE), results->v);
}

/* All needles turned about: the same accelerations, and forces that are not known yet. */
static void turn_about(void)
{
    for (int i = 0; i < NEEDLES; i++)
        q[i] = (ph_vec3){-q[i].x, -q[i].y, -q[i].z};
}

static void by_library(const bench_row *arguments, bench_row *results)
{
    (void)arguments;
    turn_about();
    if (ph_spheres_accelerations(spheres, q, a, a) != PH_OK)
        return;
    for (size_t i = 0; i < BENCH_CALLS; i++)
        look(a[i * SAMPLE], results[i].v);
}

static void by_pairs(const bench_row *arguments, bench_row *results)
{
    (void)arguments;
    turn_about();
    for (int i = 0; i < NEEDLES; i++)
        a[i] = summed(i);
    for (size_t i = 0; i < BENCH_CALLS; i++)
        look(a[i * SAMPLE], results[i].v);
}

static const bench_race races[] = {
    {"magnets_pair", "a pair of 64 x 64 needles", 1e-10, draw},
    {0},
};

static const bench_contestant contestants[] = {
    {"magnets_pair", "ph", by_library},
    {"magnets_pair", "plain", by_pairs},
    {0},
};

const bench_file bench_magnets = {
    .races = races,
    .contestants = contestants,
    .pairs = (double)NEEDLES * NEEDLES / BENCH_CALLS,
};
