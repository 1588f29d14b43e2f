/* algebra.h - vectors and quaternions by value and inline, so that sub(Jw, cross(u, Jw))
 * reads like the formula; of one body, or of many in the lanes of vectors (simd.h), with
 * the same operations in the same order. Internal: names carry no prefix.
 */
#pragma once

#include "base/simd.h"

/* ---- vectors --------------------------------------------------------------------- */

static inline vdouble3 vec3(vdouble x, vdouble y, vdouble z)
{
    return (vdouble3){x, y, z};
}

static inline vdouble3 add(vdouble3 a, vdouble3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vdouble3 sub(vdouble3 a, vdouble3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vdouble3 scale(vdouble c, vdouble3 a)
{
    return vec3(c * a.x, c * a.y, c * a.z);
}

/* Componentwise product: J w for principal moments J. */
static inline vdouble3 times(vdouble3 a, vdouble3 b)
{
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* Componentwise quotient: J^-1 m for principal moments J. */
static inline vdouble3 over(vdouble3 a, vdouble3 b)
{
    return vec3(a.x / b.x, a.y / b.y, a.z / b.z);
}

static inline vdouble3 inverses_of(vdouble3 a)
{
    return vec3(1.0 / a.x, 1.0 / a.y, 1.0 / a.z);
}

static inline vdouble dot(vdouble3 a, vdouble3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vdouble3 cross(vdouble3 a, vdouble3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vdouble norm(vdouble3 a)
{
    return vsqrt(dot(a, a));
}

/* ---- quaternions ----------------------------------------------------------------- */

static inline vdouble4 quat(vdouble w, vdouble3 v)
{
    return (vdouble4){w, v.x, v.y, v.z};
}

static inline vdouble3 vec(vdouble4 q)
{
    return vec3(q.x, q.y, q.z);
}

static inline vdouble4 inverse(vdouble4 q)
{
    return (vdouble4){q.w, -q.x, -q.y, -q.z};
}

static inline vdouble4 mul(vdouble4 a, vdouble4 b)
{
    return (vdouble4){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* For a quaternion of any length; for one next to unit length see renormalize(). */
static inline vdouble4 of_unit_length(vdouble4 q)
{
    const vdouble u = 1.0 / vsqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
    return (vdouble4){u * q.w, u * q.x, u * q.y, u * q.z};
}

/* 1 - |q|^2 next to unit length, without the bias of a sum that ends next to 1, where
 * numbers are twice as dense below as above. */
static inline vdouble unit_defect(vdouble4 q)
{
    return (1.0 - q.w) * (1.0 + q.w) - (q.x * q.x + q.y * q.y + q.z * q.z);
}

/* A quaternion next to unit length, brought there to first order. Multiplying by
 * 1/sqrt(|q|^2), or by 1 + (1 - |q|^2)/2 rounded, would round up on average and drift
 * over many steps. */
static inline vdouble4 renormalize(vdouble4 q)
{
    const vdouble c = 0.5 * unit_defect(q);
    return (vdouble4){q.w + c * q.w, q.x + c * q.x, q.y + c * q.y, q.z + c * q.z};
}

/* q v q^-1 as v + 2 w (u x v) + 2 u x (u x v), u the vector part; and q^-1 v q. */
static inline vdouble3 rotate(vdouble4 q, vdouble3 v)
{
    const vdouble3 u = vec(q), t = cross(u, v), t2 = add(t, t);
    return add(v, add(scale(q.w, t2), cross(u, t2)));
}

static inline vdouble3 rotate_back(vdouble4 q, vdouble3 v)
{
    const vdouble3 u = vec(q), t = cross(u, v), t2 = add(t, t);
    return add(v, sub(cross(u, t2), scale(q.w, t2)));
}

/* The columns of the matrix of q. */
static inline void matrix_columns(vdouble4 q, vdouble3 *of)
{
    const vdouble xx = 2 * q.x * q.x, yy = 2 * q.y * q.y, zz = 2 * q.z * q.z;
    const vdouble xy = 2 * q.x * q.y, xz = 2 * q.x * q.z, yz = 2 * q.y * q.z;
    const vdouble wx = 2 * q.w * q.x, wy = 2 * q.w * q.y, wz = 2 * q.w * q.z;
    of[0] = vec3(1 - (yy + zz), xy + wz, xz - wy);
    of[1] = vec3(xy - wz, 1 - (xx + zz), yz + wx);
    of[2] = vec3(xz + wy, yz - wx, 1 - (xx + yy));
}
