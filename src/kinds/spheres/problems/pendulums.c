/* pendulums.c - spherical pendulums: one, two, and a chain of equal ones, each hanging on the
 * one before it.
 *
 * O11    Ortolan, thesis, Padova 2011, sections 7.2.1 and 7.2.2.
 * LLM09  Lee, Leok, McClamroch, Int. J. Numer. Meth. Engng 79 (2009) 1147-1174.
 *
 * Link i is a rod of length l_i with a mass m_i at its end; q_i is its direction, k = (0,
 * 0, 1) points down, but up in `pendulum`:
 *
 *   M_ij = (m_max(i,j) + ... + m_n) l_i l_j,   V = -sum_i (m_i + ... + m_n) g l_i k.q_i
 *
 * and the momentum about the vertical is k . sum_i q_i x sum_j M_ij q_j', O11 (7.6).
 */
#include "base/named.h"
#include "kinds/spheres/workspace.h"

enum { CHAIN_COUNT, CHAIN_MASS, CHAIN_LENGTH, CHAIN_GRAVITY, CHAIN_MOST = 512 };
static const ph_parameter chain_parameters[] = {
    {"count", CHAIN_COUNT, 1, "1", "number of links", PH_RANGE_WHOLE},
    {"mass", CHAIN_MASS, 1, "kg", "mass at the end of each link", PH_RANGE_POSITIVE},
    {"length", CHAIN_LENGTH, 1, "m", "length of each link", PH_RANGE_POSITIVE},
    {"gravity", CHAIN_GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_RANGE_ANY},
};

enum { DOUBLE_MASS1, DOUBLE_MASS2, DOUBLE_LENGTH1, DOUBLE_LENGTH2, DOUBLE_GRAVITY };
static const ph_parameter double_parameters[] = {
    {"mass1", DOUBLE_MASS1, 1, "kg", "mass at the end of the upper link", PH_RANGE_POSITIVE},
    {"mass2", DOUBLE_MASS2, 1, "kg", "mass at the end of the lower link", PH_RANGE_POSITIVE},
    {"length1", DOUBLE_LENGTH1, 1, "m", "length of the upper link", PH_RANGE_POSITIVE},
    {"length2", DOUBLE_LENGTH2, 1, "m", "length of the lower link", PH_RANGE_POSITIVE},
    {"gravity", DOUBLE_GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_RANGE_ANY},
};

enum { SINGLE_MASS, SINGLE_LENGTH, SINGLE_GRAVITY };
static const ph_parameter single_parameters[] = {
    {"mass", SINGLE_MASS, 1, "kg", "mass at the end of the rod", PH_RANGE_POSITIVE},
    {"length", SINGLE_LENGTH, 1, "m", "length of the rod", PH_RANGE_POSITIVE},
    {"gravity", SINGLE_GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_RANGE_ANY},
};

/* A link: its mass with those below it, its length, and the gravity along k. */
typedef struct rod {
    double carried, length, gravity;
} rod;

static rod link_of(const ph_spheres_problem *p, int i)
{
    const double *x = p->value;
    if (p->parameters == chain_parameters)
        return (rod){(x[CHAIN_COUNT] - i) * x[CHAIN_MASS], x[CHAIN_LENGTH], x[CHAIN_GRAVITY]};
    if (p->parameters == double_parameters)
        return (rod){i == 0 ? x[DOUBLE_MASS1] + x[DOUBLE_MASS2] : x[DOUBLE_MASS2],
                     x[DOUBLE_LENGTH1 + i], x[DOUBLE_GRAVITY]};
    return (rod){x[SINGLE_MASS], x[SINGLE_LENGTH], -x[SINGLE_GRAVITY]};
}

static int count(const ph_spheres_problem *p)
{
    if (p->parameters == chain_parameters)
        return whole(p->value[CHAIN_COUNT], CHAIN_MOST);
    if (p->parameters == double_parameters)
        return 2;
    return 1;
}

/* The order of the factors does not depend on that of i and j: M is symmetric to the last bit. */
static double mass(const ph_spheres_problem *p, int i, int j)
{
    const rod upper = link_of(p, smaller_int(i, j));
    const rod lower = link_of(p, larger_int(i, j));
    return lower.carried * upper.length * lower.length;
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    (void)memory;
    const int n = count(p);
    double V = 0.0;
    for (int i = 0; i < n; i++) {
        const rod r = link_of(p, i);
        const double weight = r.carried * r.gravity * r.length;
        V -= weight * q[i].z;
        if (gradient != NULL)
            gradient[i] = vec3(0, 0, -weight);
    }
    return V;
}

/* The momentum about the vertical. */
static double links_momentum(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w)
{
    const int n = count(p);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        ph_vec3 momentum = {0, 0, 0};
        for (int j = 0; j < n; j++)
            momentum = add(momentum, scale(mass(p, i, j), cross(w[j], q[j])));
        sum += cross(q[i], momentum).z;
    }
    return sum;
}

static const ph_spheres_invariant links_invariants[] = {{"momentum_z", links_momentum}};

/* ---- a chain --------------------------------------------------------------------- */

/* O11 section 7.2.2 for more than two links. The mass matrix couples all links. The start
 * turns as a whole about the vertical, at rate 1, with all links 60 degrees from it. */
static void chain_start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    const ph_vec3 direction = {0.8660254037844386467637, 0, 0.5}, axis = {0, 0, 1};
    for (int i = 0; i < count(p); i++) {
        q[i] = direction;
        w[i] = sub(axis, scale(dot(direction, axis), direction));
    }
}

const ph_spheres_problem ph_spheres_problem_chain = {
    .name = "chain",
    .title = "Chain of spherical pendulums, k down",
    .cite = "LLM09; O11 section 7.2.2",
    .equations = "V = -g l sum_i m_i k.q_i, m_i the masses from link i down, k = (0, 0, 1)\n"
                 "down; mass matrix M_ij = m_max(i,j) l^2; q_i' = w_i x q_i.",
    TABLE(parameter, chain_parameters),
    .value = {5, 1, 1, 9.81},
    .count = count,
    .counts = "write a whole number from 1 to 512",
    .start = chain_start,
    .potential = potential,
    .mass = mass,
    .coupled = true,
    TABLE(invariant, links_invariants),
};

/* ---- two ------------------------------------------------------------------------- */

/* O11 (7.7); k points down here, as in O11, other than in `pendulum`.
 *
 *   M11 = (m1 + m2) l1^2,   M12 = m2 l1 l2,   M22 = m2 l2^2 */
static void double_start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    (void)p;
    const ph_vec3 printed = {0.866019052628739, 0, 0.500011000363013};
    q[0] = scale(1.0 / norm(printed), printed);
    q[1] = vec3(0, 0, -1);
    w[0] = cross(q[0], vec3(0, 0.865980947790423, 0));
    w[1] = vec3(0, 1, 0);
}

const ph_spheres_problem ph_spheres_problem_double_pendulum = {
    .name = "double_pendulum",
    .title = "Double spherical pendulum, k down",
    .cite = "O11 (7.7)",
    .equations = "V = -(m1 + m2) g l1 k.q1 - m2 g l2 k.q2, k = (0, 0, 1) down; mass matrix\n"
                 "M11 = (m1 + m2) l1^2, M12 = m2 l1 l2, M22 = m2 l2^2; q_i' = w_i x q_i.",
    TABLE(parameter, double_parameters),
    .value = {2, 1, 1, 1, 9.81},
    .count = count,
    .start = double_start,
    .potential = potential,
    .mass = mass,
    .coupled = true,
    TABLE(invariant, links_invariants),
};

/* ---- one ------------------------------------------------------------------------- */

/*   M = m l^2,   V = m g l k.q           corrected: O11 also prints M g k.q
 *   O11 (7.5)  w' = (g/l) k x q          corrected: printed with a dot for the cross
 *
 * k = (0, 0, 1) points up, although O11 calls it the direction of gravity. The start is
 * the reading in which the printed velocity is that of the mass, l q': w = (1, 1, 2);
 * the other one is w = (2, 2, 4). */
static void single_hessian(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                           const ph_vec3 *x, ph_vec3 *change)
{
    (void)p;
    (void)memory;
    (void)q;
    (void)x;
    change[0] = vec3(0, 0, 0);
}

static void single_start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    (void)p;
    const double c = 0.5773502691896257645091; /* 1/sqrt 3 */
    q[0] = vec3(c, c, -c);
    w[0] = vec3(1, 1, 2);
}

/* M k.(q x q') */
static double vertical_momentum(const ph_spheres_problem *p, const ph_vec3 *q, const ph_vec3 *w)
{
    return mass(p, 0, 0) * cross(q[0], cross(w[0], q[0])).z;
}

static const ph_spheres_invariant single_invariants[] = {{"momentum_z", vertical_momentum}};

const ph_spheres_problem ph_spheres_problem_pendulum = {
    .name = "pendulum",
    .title = "Spherical pendulum, k up",
    .cite = "O11 section 7.2.1",
    .equations = "l w' = gravity k x q, q' = w x q; V = m g l k.q, k = (0, 0, 1) up.",
    TABLE(parameter, single_parameters),
    .value = {2, 2, 9.81},
    .count = count,
    .start = single_start,
    .potential = potential,
    .mass = mass,
    .hessian = single_hessian,
    TABLE(invariant, single_invariants),
};
