/* pendulum.c - the spherical pendulum.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2.1.
 *
 *   M = m l^2,   V = m g l k.q           corrected: O11 also prints M g k.q
 *   O11 (7.5)  w' = (g/l) k x q          corrected: printed with a dot for the cross
 *
 * k = (0, 0, 1) points up, although O11 calls it the direction of gravity. The start is
 * the reading in which the printed velocity is that of the mass, l q': w = (1, 1, 2);
 * the other one is w = (2, 2, 4).
 */
#include "base/named.h"
#include "polhode/spheres.h"
#include "rotation/vec.h"

enum { MASS, LENGTH, GRAVITY };

static const ph_parameter parameters[] = {
    {"mass", MASS, 1, "kg", "mass at the end of the rod", PH_POSITIVE},
    {"length", LENGTH, 1, "m", "length of the rod", PH_POSITIVE},
    {"gravity", GRAVITY, 1, "m/s^2", "acceleration of gravity", PH_ANY},
};

static int count(const ph_spheres_problem *p)
{
    (void)p;
    return 1;
}

static double mass(const ph_spheres_problem *p, int i, int j)
{
    (void)i;
    (void)j;
    return p->value[MASS] * p->value[LENGTH] * p->value[LENGTH];
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    (void)memory;
    const double weight = p->value[MASS] * p->value[GRAVITY] * p->value[LENGTH];
    if (gradient != NULL)
        gradient[0] = vec3(0, 0, weight);
    return weight * q[0].z;
}

static void hessian(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                    const ph_vec3 *x, ph_vec3 *change)
{
    (void)p;
    (void)memory;
    (void)q;
    (void)x;
    change[0] = vec3(0, 0, 0);
}

static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    (void)p;
    const double c = 0.5773502691896257645091; /* 1/sqrt 3 */
    q[0] = vec3(c, c, -c);
    w[0] = vec3(1, 1, 2);
}

/* M k.(q x q') */
static double vertical_momentum(const ph_spheres_problem *p, const ph_vec3 *q,
                                const ph_vec3 *w)
{
    return mass(p, 0, 0) * cross(q[0], cross(w[0], q[0])).z;
}

static const ph_spheres_invariant invariants[] = {{"momentum_z", vertical_momentum}};

const ph_spheres_problem ph_spheres_problem_pendulum = {
    .name = "pendulum",
    .title = "Spherical pendulum, k up",
    .cite = "O11 section 7.2.1",
    .equations = "l w' = gravity k x q, q' = w x q; V = m g l k.q, k = (0, 0, 1) up.",
    TABLE(parameter, parameters),
    .value = {2, 2, 9.81},
    .count = count,
    .start = start,
    .potential = potential,
    .mass = mass,
    .hessian = hessian,
    TABLE(invariant, invariants),
};
