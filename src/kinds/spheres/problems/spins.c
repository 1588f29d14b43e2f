/* spins.c - Landau-Lifshitz spins in a row, a first-order problem.
 *
 * Landau, Lifshitz 1935.
 *
 *   q_i' = B_i x q_i - damping q_i x (q_i x B_i)       in g: g_i = B_i + damping q_i x B_i
 *   B_i = field + exchange (q_(i-1) + q_(i+1))         the row has two ends
 *   energy  -field . sum q_i - exchange sum q_i.q_(i+1)
 *
 * Time in units of the gyromagnetic ratio: one spin turns about the field at the rate
 * |field|. Without damping the total spin turns as one spin does: its part along the field
 * is kept, and all of it without a field. The damping lowers the energy.
 */
#include "base/named.h"
#include "kinds/spheres/workspace.h"

enum { COUNT, EXCHANGE, DAMPING, FIELD, MOST = 1000000 };

static const ph_parameter parameters[] = {
    {"count", COUNT, 1, "1", "number of spins in the row", PH_RANGE_WHOLE},
    {"exchange", EXCHANGE, 1, "1/time", "exchange field of a neighbour", PH_RANGE_ANY},
    {"damping", DAMPING, 1, "1", "damping divided by the rate of precession", PH_RANGE_ANY},
    {"field", FIELD, 3, "1/time", "external field, as a rate of precession", PH_RANGE_ANY},
};

static int count(const ph_spheres_problem *p)
{
    return whole(p->value[COUNT], MOST);
}

static ph_vec3 applied(const ph_spheres_problem *p)
{
    return vec3(p->value[FIELD], p->value[FIELD + 1], p->value[FIELD + 2]);
}

static void angular_velocity(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                             ph_vec3 *g)
{
    const int n = count(p);
    const ph_vec3 outside = applied(p);
    (void)memory;
    for (int i = 0; i < n; i++) {
        ph_vec3 before = {0, 0, 0}, after = {0, 0, 0};
        if (i > 0)
            before = q[i - 1];
        if (i + 1 < n)
            after = q[i + 1];
        const ph_vec3 B = add(outside, scale(p->value[EXCHANGE], add(before, after)));
        g[i] = add(B, scale(p->value[DAMPING], cross(q[i], B)));
    }
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    const int n = count(p);
    double energy = 0.0;
    (void)memory;
    (void)gradient;
    for (int i = 0; i < n; i++) {
        energy -= dot(applied(p), q[i]);
        if (i > 0)
            energy -= p->value[EXCHANGE] * dot(q[i - 1], q[i]);
    }
    return energy;
}

/* A wave along the row, each spin inclined by 60 degrees to the z axis and a radian
 * further than the one before. */
static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    const double inclination = PH_PI / 3;
    (void)w;
    for (int i = 0; i < count(p); i++)
        q[i] = vec3(ph_sin(inclination) * ph_cos(i), ph_sin(inclination) * ph_sin(i),
                    ph_cos(inclination));
}

/* Along the field; along z where there is none. */
static double total_spin(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w)
{
    const ph_vec3 B = applied(p);
    const double strength = norm(B);
    const ph_vec3 axis = strength > 0.0 ? scale(1.0 / strength, B) : vec3(0, 0, 1);
    double sum = 0.0;
    (void)w;
    for (int i = 0; i < count(p); i++)
        sum += dot(axis, q[i]);
    return sum;
}

static const ph_spheres_invariant invariants[] = {{"total_spin", total_spin}};

const ph_spheres_problem ph_spheres_problem_spins = {
    .name = "spins",
    .title = "Landau-Lifshitz spins in a row",
    .cite = "Landau, Lifshitz 1935; O11 (6.9)",
    .equations = "q_i' = B_i x q_i - damping q_i x (q_i x B_i),\n"
                 "B_i = field + exchange (q_(i-1) + q_(i+1)).",
    TABLE(parameter, parameters),
    .value = {8, 1, 0, 0, 0, 1},
    .count = count,
    .counts = "write a whole number from 1 to 1000000",
    .start = start,
    .potential = potential,
    .angular_velocity = angular_velocity,
    TABLE(invariant, invariants),
};
