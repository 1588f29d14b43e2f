/* dmv.h - the equation of a Moser-Veselov step (moser_veselov.h), for one body or for many.
 *
 * The equation I e + e x I e = (1 + |e|^2) b, b = (h/2) y, HV (18), by quaternions. For
 * p = (1, e) times any number, and with left multiplication L(b) by the quaternion (0, b),
 *
 *   ( diag(n, n - I1, n - I2, n - I3) + L(b) ) p = 0,    n = e . b
 *
 * so that n is a root of the determinant, the smallest, and p is explicit then: with
 * u = 1/I, U = u1 + u2 + u3, V = u1 u2 + u2 u3 + u3 u1, W = u1 u2 u3, k = 1 - n u
 *
 *   W n^4 - V n^3 + (U + 2 W b^2) n^2 - (1 + V b^2) n + (sum u b^2 + W b^4) = 0
 *   p = ( k1 k2 k3 + V' . b^2,  u k' b + W (b^2 b + I b x b) ),  k' = (k2 k3, k3 k1, k1 k2)
 *
 * and V' = W I k. Newton begins at the first terms of the series of n in h^2, and a body
 * stands still when it has converged, so that its bits do not depend on its neighbours.
 * Where k may be large p would be a small difference, and is left to Newton in three
 * unknowns (moser_veselov.c), as are bodies that could turn by more than the flow allows,
 * whose steps are divided.
 */
#pragma once

#include "motion/algebra.h"

/* Done once an iteration i; a build that counts them says how. */
#ifndef NEWTON_OBSERVE
#define NEWTON_OBSERVE ((void)0)
#endif

/* For z = n/t, t = n to first order: 1 - z + A z^2 - B z^3 + C z^4 = 0. */
typedef struct dmv_equation {
    vdouble3 u, b;
    vdouble b2, U; /* |b|^2, u1 + u2 + u3 */
    vdouble t, A, B, C, z;
    vmask active, done;
} dmv_equation;

/* What is left of the root when an update was the last one; relative, and five of it. */
#ifndef DMV_CLOSE /* lab/measure/precision.c needs less */
#define DMV_CLOSE 0x1p-57
#endif

/* With the first guess, to be solved where `wanted`. */
PART dmv_equation dmv_equation_of(vdouble3 u, vdouble3 b, vmask wanted)
{
    const double few = 0.25; /* A up to which the terms of the series help */
    const vdouble U = u.x + u.y + u.z, V = u.x * (u.y + u.z) + u.y * u.z, W = u.x * (u.y * u.z);
    const vdouble b2 = dot(b, b), Wb2 = W * b2, r = 1.0 / (1.0 + V * b2);
    const vdouble t = (dot(times(u, b), b) + Wb2 * b2) * r, tr = t * r;
    const vdouble A = (U + 2.0 * Wb2) * tr, B = (V * t) * tr, C = (W * t) * (t * tr);
    const vdouble series = (1.0 + A) + ((2.0 * A) * A - B) + (A * (5.0 * (A * A - B)) + C);
    return (dmv_equation){
        .u = u,
        .b = b,
        .b2 = b2,
        .U = U,
        .t = t,
        .A = A,
        .B = B,
        .C = C,
        .z = vselect(A < few, series, vsplat(1.0)),
        .active = wanted & (t >= 0.0),
        .done = wanted & vnot(wanted),
    };
}

/* One update: the root of the Taylor polynomial of degree 3, to third order in Newton's
 * update d, which leaves an error of some 5 (A/slope)^3 d^4. */
PART void dmv_iterate(dmv_equation *q)
{
    const vdouble z = q->z, z2 = z * z, A = q->A, Bz = q->B * z, Cz2 = q->C * z2;
    const vdouble value = (1.0 - z) + z2 * ((A - Bz) + Cz2),
                  over_slope = 1.0 / (1.0 - z * (2.0 * A - 3.0 * Bz + 4.0 * Cz2)),
                  curve = over_slope * (A - 3.0 * Bz + 6.0 * Cz2),
                  third = over_slope * (4.0 * (q->C * z) - q->B);
    const vdouble d = value * over_slope, cd = curve * d,
                  update = d + d * (cd + (2.0 * cd * cd + third * (d * d)));
    q->z = vselect(q->active, z + update, z);
    const vdouble size = vabs(d), left = size * vmax(A, A * vabs(over_slope));
    const vmask now = q->active & ((left * left) * (left * size) <= DMV_CLOSE * q->z);
    q->done |= now;
    q->active &= vnot(now);
}

/* p: a turn, not yet of unit length. And whether it is the solution that tends to zero with
 * h, and no small difference. */
typedef struct dmv_turn {
    vdouble w;
    vdouble3 v;
    vmask good;
} dmv_turn;

PART dmv_turn dmv_turn_of(const dmv_equation *q)
{
    const double largest = 4.0; /* n (u1 + u2 + u3) */
    const vdouble3 u = q->u, b = q->b;
    const vdouble n = q->z * q->t;
    const vdouble3 k = vec3(1.0 - n * u.x, 1.0 - n * u.y, 1.0 - n * u.z),
                   g = vec3(u.y * u.z, u.z * u.x, u.x * u.y),
                   uk = times(u, vec3(k.y * k.z, k.z * k.x, k.x * k.y)), gb = times(g, b);
    const vdouble W = u.x * g.x, w = k.x * (k.y * k.z) + dot(times(gb, b), k);
    const vdouble3 v = add(times(add(uk, vec3(W * q->b2, W * q->b2, W * q->b2)), b), cross(gb, b));
    return (dmv_turn){w, v, q->done & (n * q->U <= largest) & (w > 0.0) & (dot(v, v) < w * w)};
}

enum { DMV_ITERATIONS = 8 };
