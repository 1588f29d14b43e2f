/* roles.h - the principal axes renamed, so that formulas may count on an order of the
 * moments.
 *
 * A renaming that is an odd permutation would turn a right-handed frame into a
 * left-handed one; the second axis is then flipped, so that the roles are a rotation of
 * the principal axes.
 */
#pragma once

#include "polhode/polhode.h"
#include "rotation/vec.h"

typedef struct axis_roles {
    int axis[3]; /* which principal axis plays role 1, 2, 3 */
    double flip; /* sign of role axis 2 that keeps the roles right-handed */
} axis_roles;

static inline axis_roles roles_of(int first, int second, int third)
{
    const double flip = (second - first + 3) % 3 == 1 ? 1.0 : -1.0;
    return (axis_roles){{first, second, third}, flip};
}

static inline void exchange_if(bool condition, int *a, int *b)
{
    const int first = *a;
    if (condition) {
        *a = *b;
        *b = first;
    }
}

/* The first axis has the smallest moment, the third the largest. */
static inline axis_roles ascending(ph_vec3 J)
{
    const double I[3] = {J.x, J.y, J.z};
    int a = 0, b = 1, c = 2;
    exchange_if(I[a] > I[b], &a, &b);
    exchange_if(I[b] > I[c], &b, &c);
    exchange_if(I[a] > I[b], &a, &b);
    return roles_of(a, b, c);
}

/* Roles with the first and the third axis exchanged. */
static inline axis_roles exchanged(axis_roles r)
{
    return roles_of(r.axis[2], r.axis[1], r.axis[0]);
}

/* The component of v along a principal axis. Chosen, not looked up: the way through memory
 * is longer. */
static inline double along(ph_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Three numbers, one for each principal axis, in the order of the roles. */
static inline ph_vec3 ordered(axis_roles r, ph_vec3 J)
{
    return vec3(along(J, r.axis[0]), along(J, r.axis[1]), along(J, r.axis[2]));
}

/* A vector in role axes, and back. */
static inline ph_vec3 to_roles(axis_roles r, ph_vec3 v)
{
    const ph_vec3 o = ordered(r, v);
    return vec3(o.x, r.flip * o.y, o.z);
}

static inline ph_vec3 from_roles(axis_roles r, ph_vec3 v)
{
    double c[3] = {0, 0, 0};
    c[r.axis[0]] = v.x;
    c[r.axis[1]] = r.flip * v.y;
    c[r.axis[2]] = v.z;
    return vec3(c[0], c[1], c[2]);
}
