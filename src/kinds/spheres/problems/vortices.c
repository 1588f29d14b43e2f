/* vortices.c - point vortices on the unit sphere, a first-order problem.
 *
 * Bogomolov 1977; Kimura, Okamoto 1987.
 *
 *   q_i' = (1/4 pi) sum_{j != i} G_j q_j x q_i/(1 - q_i.q_j)
 *   energy  -(1/4 pi) sum_{i < j} G_i G_j log(2 (1 - q_i.q_j))
 *
 * The moment of vorticity sum G_i q_i is kept. Two vortices turn about it, at the rate
 * |G_1 q_1 + G_2 q_2|/(4 pi (1 - q_1.q_2)). The first strength is given, each further one
 * is `ratio` times the one before: all alike for 1, of alternating sign for -1.
 *
 * 1 - q_i.q_j is half the squared distance, which does not cancel for close vortices.
 */
#include <math.h>

#include "base/named.h"
#include "kinds/spheres/workspace.h"

enum { COUNT, STRENGTH, RATIO, MOST = 65536 };

static const ph_parameter parameters[] = {
    {"count", COUNT, 1, "1", "number of vortices", PH_RANGE_WHOLE},
    {"strength", STRENGTH, 1, "1/time", "circulation of the first vortex, on the unit sphere",
     PH_RANGE_ANY},
    {"ratio", RATIO, 1, "1", "strength of each vortex divided by the previous strength",
     PH_RANGE_ANY},
};

static int count(const ph_spheres_problem *p)
{
    return whole(p->value[COUNT], MOST);
}

static size_t memory_size(const ph_spheres_problem *p)
{
    return (size_t)count(p);
}

/* The strengths. */
static void fill(const ph_spheres_problem *p, double *memory)
{
    double strength = p->value[STRENGTH];
    for (int i = 0; i < count(p); i++) {
        memory[i] = strength;
        strength *= p->value[RATIO];
    }
}

/* 1 - a.b of unit vectors. */
static double separation(ph_vec3 a, ph_vec3 b)
{
    const ph_vec3 d = sub(a, b);
    return 0.5 * dot(d, d);
}

static void angular_velocity(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                             ph_vec3 *g)
{
    const int n = count(p);
    for (int i = 0; i < n; i++) {
        ph_vec3 sum = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            if (j != i)
                sum = add(sum, scale(memory[j] / separation(q[i], q[j]), q[j]));
        }
        g[i] = scale(0.25 / PH_PI, sum);
    }
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    const int n = count(p);
    double sum = 0.0;
    (void)gradient;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            sum += memory[i] * memory[j] * ph_real_log(2.0 * separation(q[i], q[j]));
    }
    return -0.25 / PH_PI * sum;
}

/* Evenly over the sphere, along a spiral with the golden angle. */
static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    static const double GOLDEN_ANGLE = 2.399963229728653322232;
    const int n = count(p);
    (void)w;
    for (int i = 0; i < n; i++) {
        const double z = 1.0 - (2.0 * i + 1.0) / n, r = sqrt(1.0 - z * z);
        q[i] = vec3(r * ph_cos(i * GOLDEN_ANGLE), r * ph_sin(i * GOLDEN_ANGLE), z);
    }
}

static ph_vec3 moment(const ph_spheres_problem *p, const ph_vec3 *q)
{
    ph_vec3 sum = {0, 0, 0};
    double strength = p->value[STRENGTH];
    for (int i = 0; i < count(p); i++) {
        sum = add(sum, scale(strength, q[i]));
        strength *= p->value[RATIO];
    }
    return sum;
}

#define MOMENT(axis)                                                                               \
    static double moment_##axis(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w)   \
    {                                                                                              \
        (void)w;                                                                                   \
        return moment(p, q).axis;                                                                  \
    }
MOMENT(x)
MOMENT(y)
MOMENT(z)

static const ph_spheres_invariant invariants[] = {
    {"vorticity_x", moment_x},
    {"vorticity_y", moment_y},
    {"vorticity_z", moment_z},
};

const ph_spheres_problem ph_spheres_problem_vortices = {
    .name = "vortices",
    .title = "Point vortices on the sphere",
    .cite = "Kimura, Okamoto 1987; O11 (6.9)",
    .equations = "q_i' = (1/4 pi) sum_{j != i} G_j q_j x q_i/(1 - q_i.q_j), G_1 = strength,\n"
                 "G_(i+1) = ratio G_i.",
    TABLE(parameter, parameters),
    .value = {6, 1, 1},
    .count = count,
    .counts = "write a whole number from 1 to 65536",
    .start = start,
    .memory_size = memory_size,
    .fill = fill,
    .potential = potential,
    .angular_velocity = angular_velocity,
    TABLE(invariant, invariants),
};
