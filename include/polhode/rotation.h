/* rotation.h - vectors, quaternions, matrices and the maps of SO(3), all by value.
 *
 * Conventions, here and in every other header of Polhode:
 *   - a quaternion is scalar first and of unit length; q and R(q) take body to space
 *     coordinates: v_space = q v_body q^-1 = R v_body;
 *   - products read from the left as rotations do: R(a b) = R(a) R(b);
 *   - a rotation vector is axis times angle, in radians;
 *   - hat(v) u = v x u;
 *   - tangents are right-trivialised: d/ds exp(x + s v) = hat(dexp_x v) exp(x) at s = 0.
 *
 * Every function here is pure: no allocation, no state, safe to call from any thread.
 * Arguments and results are values, nothing is owned. Non-finite input gives NaN.
 */
#ifndef POLHODE_ROTATION_H
#define POLHODE_ROTATION_H

#include "polhode/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ph_vec3 {
    double x, y, z;
} ph_vec3;

typedef struct ph_quat {
    double w, x, y, z;
} ph_quat;

/* Row-major: a[i][j] is row i, column j. */
typedef struct ph_mat3 {
    double a[3][3];
} ph_mat3;

/* a b, the rotation b followed by the rotation a. */
PH_API ph_quat ph_quat_product(ph_quat a, ph_quat b);

/* q scaled to unit length at any scale of its components; NaN for the zero quaternion. */
PH_API ph_quat ph_quat_unit(ph_quat q);

/* v turned by q: body coordinates in, space coordinates out. Units of v. */
PH_API ph_vec3 ph_quat_rotate(ph_quat q, ph_vec3 v);

/* v turned by q^-1: space coordinates in, body coordinates out. Units of v. */
PH_API ph_vec3 ph_quat_unrotate(ph_quat q, ph_vec3 v);

/* The rotation matrix of a unit quaternion, body to space. */
PH_API ph_mat3 ph_quat_matrix(ph_quat q);

/* A unit quaternion, scalar part >= 0, of a rotation matrix (orthogonal to round-off). */
PH_API ph_quat ph_quat_from_matrix(ph_mat3 r);

/* The skew matrix with hat(v) u = v x u. */
PH_API ph_mat3 ph_hat(ph_vec3 v);

/* The rotation about x by the angle |x| (rad). */
PH_API ph_quat ph_exp(ph_vec3 x);

/* The rotation vector (rad) of q, |log q| <= pi: q and -q have the same. */
PH_API ph_vec3 ph_log(ph_quat q);

/* The rotation vector of a rotation matrix; near the angle pi as accurate as the matrix
 * determines it. */
PH_API ph_vec3 ph_log_matrix(ph_mat3 r);

/* The Cayley map (1 + hat(x)/2) (1 - hat(x)/2)^-1: about x by 2 atan(|x|/2). */
PH_API ph_quat ph_cay(ph_vec3 x);

/* The x with cay(x) = q, for angles below pi; q and -q have the same. */
PH_API ph_vec3 ph_cay_inverse(ph_quat q);

/* dexp_x v and its inverse, |x| <= pi. */
PH_API ph_vec3 ph_dexp(ph_vec3 x, ph_vec3 v);
PH_API ph_vec3 ph_dexp_inverse(ph_vec3 x, ph_vec3 v);

/* dcay_x v and its inverse, any x. */
PH_API ph_vec3 ph_dcay(ph_vec3 x, ph_vec3 v);
PH_API ph_vec3 ph_dcay_inverse(ph_vec3 x, ph_vec3 v);

#ifdef __cplusplus
}
#endif

#endif
