/* central.c - the field of a point mass, for a rigid body whose centre of mass moves in it.
 *
 * H86  P. C. Hughes, Spacecraft Attitude Dynamics, 1986, 8.1 and 9.2
 * G02  H. Goldstein, C. Poole, J. Safko, Classical Mechanics, 3rd edition, 2002, 5.8
 *
 * With x = r u the centre of mass in space, u the same direction in the body, M its mass and
 * J its inertia, the potential to second order in its size over r (MacCullagh's formula):
 *
 *   G02 (5.86)   U = -mu M/r + (mu/(2 r^3)) (3 u . J u - tr J)
 *
 * Torque, in the body, and force, in space, are its derivatives by a small rotation, along
 * which u changes at the rate u x xi, and by x:
 *
 *   H86 9.2      -dU/dxi = (3 mu/r^3) u x J u
 *   H86 8.1      -dU/dx = -(mu M/r^2) u - (3 mu/(2 r^4)) (2 J u + (tr J - 5 u . J u) u)
 *
 * U does not change when x and the body turn together: x x force and the torque in space
 * add up to zero, and the angular momentum of orbit and spin is kept.
 */
#include "kinds/orbiter/orbiter.h"
#include "motion/vec.h"

enum { MU, MASS };

static const ph_parameter PARAMETERS[] = {
    {"mu", MU, 1, "length^3/time^2", "gravitational parameter of the centre", PH_RANGE_POSITIVE},
    {"mass", MASS, 1, "mass", "mass of the body", PH_RANGE_POSITIVE},
};

/* The distance from the centre, the direction from there in the body, and J times that. */
typedef struct place {
    double r, trace;
    ph_vec3 u, Ju;
} place;

static place place_of(const ph_problem *p, const ph_instant *now)
{
    const ph_vec3 J = p->body.J;
    const double r = norm(now->x);
    const ph_vec3 u = scale(1.0 / r, rotate(inverse(now->q), now->x));
    return (place){r, J.x + J.y + J.z, u, ph_body_momentum(&p->body, u)};
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    const place at = place_of(p, now);
    const double far = p->value[MU] / at.r, near = 0.5 * far / (at.r * at.r);
    return near * (3.0 * dot(at.u, at.Ju) - at.trace) - far * p->value[MASS];
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const place at = place_of(p, now);
    return scale(3.0 * p->value[MU] / (at.r * at.r * at.r), cross(at.u, at.Ju));
}

static ph_vec3 force(const ph_problem *p, const ph_instant *now)
{
    const place at = place_of(p, now);
    const double far = p->value[MU] / (at.r * at.r), near = 1.5 * far / (at.r * at.r),
                 along = far * p->value[MASS] + near * (at.trace - 5.0 * dot(at.u, at.Ju));
    const ph_vec3 F = add(scale(along, at.u), scale(2.0 * near, at.Ju));
    return rotate(now->q, scale(-1.0, F));
}

const ph_problem ph_orbiter_central = {
    .name = "orbiter",
    .title = "Rigid body in orbit about a centre",
    .cite = "H86 9.2, G02 5.8",
    .equations = "x' = v, mass v' = -dU/dx, m' = m x w - dU/dxi, q' = q w/2, x = r u:\n"
                 "U = -mu mass/r + (mu/(2 r^3)) (3 u.J u - tr J).\n"
                 "Position and velocity in space, the angular momentum m in the body.",
    .body = PH_MOMENTS(0.01, 0.015, 0.02),
    .q = {1, 0, 0, 0},
    .w = {0.3, -0.2, 0.9},
    .parameters = PARAMETERS,
    .parameter_count = sizeof PARAMETERS / sizeof PARAMETERS[0],
    .value = {[MU] = 1, [MASS] = 1},
    .potential = potential,
    .torque = torque,
    .force = force,
};
