/* chain.c - a chain of equal spherical pendulums, each hanging on the one before it.
 *
 * O11 section 7.2.2 for more than two links; the formulas are in src/spheres/links.h,
 * with k down. The mass matrix couples all links. The start turns as a whole about the
 * vertical, at rate 1, with all links 60 degrees from it.
 */
#include "base/named.h"
#include "spheres/links.h"
#include "spheres/whole.h"

enum { COUNT, MASS, LENGTH, GRAVITY, MOST = 512 };

static const ph_parameter parameters[] = {
    {"count", COUNT, 1, "1", "number of links", PH_WHOLE},
    {"mass", MASS, 1, "kg", "mass at the end of each link", PH_POSITIVE},
    {"length", LENGTH, 1, "m", "length of each link", PH_POSITIVE},
    {"gravity", GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_ANY},
};

static int count(const ph_spheres_problem *p)
{
    return whole(p->value[COUNT], MOST);
}

/* The masses from link i down. */
static double carried(const ph_spheres_problem *p, int i)
{
    return (p->value[COUNT] - i) * p->value[MASS];
}

static double mass(const ph_spheres_problem *p, int i, int j)
{
    return carried(p, i > j ? i : j) * p->value[LENGTH] * p->value[LENGTH];
}

static double weight(const ph_spheres_problem *p, int i)
{
    return carried(p, i) * p->value[GRAVITY] * p->value[LENGTH];
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    (void)memory;
    return links_potential(p, q, weight, gradient);
}

static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    const ph_vec3 direction = {0.8660254037844386467637, 0, 0.5}, axis = {0, 0, 1};
    for (int i = 0; i < count(p); i++) {
        q[i] = direction;
        w[i] = sub(axis, scale(dot(direction, axis), direction));
    }
}

static const ph_spheres_invariant invariants[] = {{"momentum_z", links_momentum}};

const ph_spheres_problem ph_spheres_problem_chain = {
    .name = "chain",
    .title = "Chain of spherical pendulums, k down",
    .cite = "LLM09; O11 section 7.2.2",
    .equations =
        "V = -g l sum_i m_i k.q_i, m_i the masses from link i down, k = (0, 0, 1)\n"
        "down; mass matrix M_ij = m_max(i,j) l^2; q_i' = w_i x q_i.",
    TABLE(parameter, parameters),
    .value = {5, 1, 1, 9.81},
    .count = count,
    .counts = "count is a whole number from 1 to 512",
    .start = start,
    .potential = potential,
    .mass = mass,
    .coupled = true,
    TABLE(invariant, invariants),
};
