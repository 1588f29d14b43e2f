/* vec.h - the algebra of vectors, quaternions and matrices of one body; the part that there
 * is for many too is motion/algebra.h. Internal: names carry no prefix.
 */
#pragma once

#include <math.h>

#include "base/choice.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "motion/algebra.h"
#include "polhode/rotation.h"
#ifndef __OPENCL_VERSION__
#include "polhode/catalog.h" /* a descriptor that it declares is exported */
#endif

/* ---- vectors --------------------------------------------------------------------- */

/* The largest component in modulus; NaN if one is. */
static inline double norm_max(ph_vec3 a)
{
    return larger_or_nan(fabs(a.x), larger_or_nan(fabs(a.y), fabs(a.z)));
}

/* A power of two next to the largest component, 1 for zero: dividing by it rounds
 * nothing. It and its inverse are finite. */
static inline double binary_unit(ph_vec3 a)
{
    const int most = 1022;
    if (!(norm_max(a) > 0.0))
        return 1.0;
    return ldexp(1.0, larger_int(smaller_int(ilogb(norm_max(a)), most), -most));
}

/* Zero times a number is zero, unless that is infinite or NaN. */
static inline bool finite3(ph_vec3 a)
{
    return 0.0 * a.x + 0.0 * a.y + 0.0 * a.z == 0.0;
}

/* One of the axes, far from a unit vector. */
static inline ph_vec3 axis_apart(ph_vec3 unit)
{
    if (fabs(unit.x) < 0.5)
        return vec3(1, 0, 0);
    return vec3(0, 1, 0);
}

/* The axis along which v has least. */
static inline ph_vec3 axis_of_least(ph_vec3 v)
{
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    if (x <= y && x <= z)
        return vec3(1, 0, 0);
    if (y <= z)
        return vec3(0, 1, 0);
    return vec3(0, 0, 1);
}

/* ---- quaternions ----------------------------------------------------------------- */

static inline ph_quat negate(ph_quat q)
{
    return (ph_quat){-q.w, -q.x, -q.y, -q.z};
}

static inline double dot4(ph_quat a, ph_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline bool finite4(ph_quat q)
{
    return finite3(vec(q)) && 0.0 * q.w == 0.0;
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

/* ---- matrices -------------------------------------------------------------------- */

static inline ph_mat3 rows(ph_vec3 a, ph_vec3 b, ph_vec3 c)
{
    return (ph_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

/* Returns the symmetric matrix of xx, yy, zz, xy, xz, yz. */
static inline ph_mat3 symmetric(const double x[6])
{
    return (ph_mat3){{{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}}};
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
            c.a[i][j] = a.a[i][0] * b.a[0][j] + a.a[i][1] * b.a[1][j] + a.a[i][2] * b.a[2][j];
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
    return rows(vec3(0, a * w.z, a * w.y), vec3(b * w.z, 0, b * w.x), vec3(c * w.y, c * w.x, 0));
}

/* The largest element of the difference of two matrices. */
static inline double mat3_distance(ph_mat3 a, ph_mat3 b)
{
    double worst = 0.0;
    for (int i = 0; i < 9; i++)
        worst = larger_or_nan(worst, fabs(a.a[i / 3][i % 3] - b.a[i / 3][i % 3]));
    return worst;
}
