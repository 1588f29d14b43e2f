/* vec.h - the algebra of vectors, quaternions and matrices, by value and inline, so that
 * sub(Jw, cross(u, Jw)) reads like the formula. Internal: names carry no prefix.
 */
#pragma once

#include <math.h>

#include "core/elementary.h"
#include "core/extremes.h"
#include "polhode/rotation.h"

/* The double nearest pi. */
#define PH_PI 3.14159265358979323846

/* ---- vectors --------------------------------------------------------------------- */

static inline ph_vec3 vec3(double x, double y, double z)
{
    return (ph_vec3){x, y, z};
}

static inline ph_vec3 add(ph_vec3 a, ph_vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline ph_vec3 sub(ph_vec3 a, ph_vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ph_vec3 scale(double c, ph_vec3 a)
{
    return vec3(c * a.x, c * a.y, c * a.z);
}

/* Componentwise product: J w for principal moments J. */
static inline ph_vec3 times(ph_vec3 a, ph_vec3 b)
{
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* Componentwise quotient: J^-1 m for principal moments J. */
static inline ph_vec3 over(ph_vec3 a, ph_vec3 b)
{
    return vec3(a.x / b.x, a.y / b.y, a.z / b.z);
}

static inline double dot(ph_vec3 a, ph_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ph_vec3 cross(ph_vec3 a, ph_vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* The largest component in modulus; NaN if one is. */
static inline double norm_max(ph_vec3 a)
{
    return larger_or_nan(fabs(a.x), larger_or_nan(fabs(a.y), fabs(a.z)));
}

static inline double norm(ph_vec3 a)
{
    return sqrt(dot(a, a));
}

/* A power of two next to the largest component, 1 for zero: dividing by it rounds
 * nothing. It and its inverse are finite. */
static inline double binary_unit(ph_vec3 a)
{
    const int most = 1022, exponent = norm_max(a) > 0.0 ? ilogb(norm_max(a)) : 0;
    return ldexp(1.0, exponent > most ? most : exponent < -most ? -most : exponent);
}

static inline int finite3(ph_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* ---- quaternions ----------------------------------------------------------------- */

static inline ph_quat quat(double w, ph_vec3 v)
{
    return (ph_quat){w, v.x, v.y, v.z};
}

static inline ph_vec3 vec(ph_quat q)
{
    return vec3(q.x, q.y, q.z);
}

static inline ph_quat inverse(ph_quat q)
{
    return (ph_quat){q.w, -q.x, -q.y, -q.z};
}

static inline ph_quat negate(ph_quat q)
{
    return (ph_quat){-q.w, -q.x, -q.y, -q.z};
}

static inline ph_quat mul(ph_quat a, ph_quat b)
{
    return (ph_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline double dot4(ph_quat a, ph_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline int finite4(ph_quat q)
{
    return isfinite(q.w) && finite3(vec(q));
}

/* For a quaternion of any length; for one next to unit length see renormalize(). */
static inline ph_quat of_unit_length(ph_quat q)
{
    const double u = 1.0 / sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
    return (ph_quat){u * q.w, u * q.x, u * q.y, u * q.z};
}

/* 1 - |q|^2 next to unit length, without the bias of a sum that ends next to 1, where
 * numbers are twice as dense below as above. */
static inline double unit_defect(ph_quat q)
{
    return (1.0 - q.w) * (1.0 + q.w) - (q.x * q.x + q.y * q.y + q.z * q.z);
}

/* A quaternion next to unit length, brought there to first order. Multiplying by
 * 1/sqrt(|q|^2), or by 1 + (1 - |q|^2)/2 rounded, would round up on average and drift
 * over many steps. */
static inline ph_quat renormalize(ph_quat q)
{
    const double c = 0.5 * unit_defect(q);
    return (ph_quat){q.w + c * q.w, q.x + c * q.x, q.y + c * q.y, q.z + c * q.z};
}

/* A vector next to unit length, brought there to first order. */
static inline ph_vec3 renormalize3(ph_vec3 v)
{
    return vec(renormalize(quat(0.0, v)));
}

/* The turn by twice the angle `half` about a unit vector. */
static inline ph_quat turn_about(ph_vec3 axis, double half)
{
    double sine, cosine;
    ph_sincos(half, &sine, &cosine);
    return quat(cosine, scale(sine, axis));
}

/* q v q^-1 as v + 2 w (u x v) + 2 u x (u x v), u the vector part. */
static inline ph_vec3 rotate(ph_quat q, ph_vec3 v)
{
    const ph_vec3 u = vec(q), t = scale(2.0, cross(u, v));
    return add(v, add(scale(q.w, t), cross(u, t)));
}

/* ---- matrices -------------------------------------------------------------------- */

static inline ph_mat3 rows(ph_vec3 a, ph_vec3 b, ph_vec3 c)
{
    return (ph_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

static inline ph_mat3 transpose(ph_mat3 m)
{
    return (ph_mat3){{{m.a[0][0], m.a[1][0], m.a[2][0]},
                      {m.a[0][1], m.a[1][1], m.a[2][1]},
                      {m.a[0][2], m.a[1][2], m.a[2][2]}}};
}

static inline ph_vec3 apply(ph_mat3 m, ph_vec3 v)
{
    return vec3(m.a[0][0] * v.x + m.a[0][1] * v.y + m.a[0][2] * v.z,
                m.a[1][0] * v.x + m.a[1][1] * v.y + m.a[1][2] * v.z,
                m.a[2][0] * v.x + m.a[2][1] * v.y + m.a[2][2] * v.z);
}

static inline ph_mat3 matmul(ph_mat3 a, ph_mat3 b)
{
    ph_mat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.a[i][j] =
                a.a[i][0] * b.a[0][j] + a.a[i][1] * b.a[1][j] + a.a[i][2] * b.a[2][j];
        }
    }
    return c;
}

static inline ph_mat3 columns(ph_vec3 a, ph_vec3 b, ph_vec3 c)
{
    return transpose(rows(a, b, c));
}

/* A + c B. */
static inline ph_mat3 add_to(ph_mat3 A, double c, ph_mat3 B)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            A.a[i][k] += c * B.a[i][k];
    }
    return A;
}

/* 1 + c J^-1 A: what a derivative of an equation for w = J^-1 m looks like. */
static inline ph_mat3 one_plus(double c, ph_vec3 J, ph_mat3 A)
{
    const double by[3] = {c / J.x, c / J.y, c / J.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            A.a[i][k] = (i == k) + by[i] * A.a[i][k];
    }
    return A;
}

/* The derivative of J w x w by w, (J w)^ - w^ J. */
static inline ph_mat3 gyration_slope(ph_vec3 J, ph_vec3 w)
{
    const double a = J.y - J.z, b = J.z - J.x, c = J.x - J.y;
    return rows(vec3(0, a * w.z, a * w.y), vec3(b * w.z, 0, b * w.x),
                vec3(c * w.y, c * w.x, 0));
}
