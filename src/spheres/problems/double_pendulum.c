/* double_pendulum.c - the double spherical pendulum.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2.2, (7.7); the formulas for links are in
 *      src/spheres/links.h. k points down here, as in O11, other than in `pendulum`.
 *
 *   M11 = (m1 + m2) l1^2,   M12 = m2 l1 l2,   M22 = m2 l2^2
 */
#include "base/named.h"
#include "spheres/links.h"

enum { MASS1, MASS2, LENGTH1, LENGTH2, GRAVITY };

static const ph_parameter parameters[] = {
    {"mass1", MASS1, 1, "kg", "mass at the end of the upper link", PH_POSITIVE},
    {"mass2", MASS2, 1, "kg", "mass at the end of the lower link", PH_POSITIVE},
    {"length1", LENGTH1, 1, "m", "length of the upper link", PH_POSITIVE},
    {"length2", LENGTH2, 1, "m", "length of the lower link", PH_POSITIVE},
    {"gravity", GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_ANY},
};

static int count(const ph_spheres_problem *p)
{
    (void)p;
    return 2;
}

static double carried(const ph_spheres_problem *p, int i)
{
    return i == 0 ? p->value[MASS1] + p->value[MASS2] : p->value[MASS2];
}

static double mass(const ph_spheres_problem *p, int i, int j)
{
    return carried(p, i > j ? i : j) * p->value[LENGTH1 + i] * p->value[LENGTH1 + j];
}

static double weight(const ph_spheres_problem *p, int i)
{
    return carried(p, i) * p->value[GRAVITY] * p->value[LENGTH1 + i];
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    (void)memory;
    return links_potential(p, q, weight, gradient);
}

static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    (void)p;
    const ph_vec3 printed = {0.866019052628739, 0, 0.500011000363013};
    q[0] = scale(1.0 / norm(printed), printed);
    q[1] = vec3(0, 0, -1);
    w[0] = cross(q[0], vec3(0, 0.865980947790423, 0));
    w[1] = vec3(0, 1, 0);
}

static const ph_spheres_invariant invariants[] = {{"momentum_z", links_momentum}};

const ph_spheres_problem ph_spheres_problem_double_pendulum = {
    .name = "double_pendulum",
    .title = "Double spherical pendulum, k down",
    .cite = "O11 (7.7)",
    .equations =
        "V = -(m1 + m2) g l1 k.q1 - m2 g l2 k.q2, k = (0, 0, 1) down; mass matrix\n"
        "M11 = (m1 + m2) l1^2, M12 = m2 l1 l2, M22 = m2 l2^2; q_i' = w_i x q_i.",
    TABLE(parameter, parameters),
    .value = {2, 1, 1, 1, 9.81},
    .count = count,
    .start = start,
    .potential = potential,
    .mass = mass,
    .coupled = true,
    TABLE(invariant, invariants),
};
