/* rotation.h - vectors, quaternions, matrices and the maps of SO(3), all by value.
 *
 * Conventions of this header and of all others:
 *
 * - A quaternion has its scalar part first and unit length.
 * - A quaternion q and its matrix R(q) rotate body to space coordinates:
 *   v_space = q v_body q^-1 = R v_body.
 * - A product of rotations applies the right factor first: R(a b) = R(a) R(b).
 * - A rotation vector is the axis times the angle in radians.
 * - hat(v) is the matrix with hat(v) u = v x u.
 * - Tangents are right-trivialised: d/ds exp(x + s v) = hat(dexp_x v) exp(x) at s = 0.
 *
 * The functions are pure: they allocate nothing, keep no state and may be called from any
 * thread. Arguments and results are values that nobody has to release. If an argument is not
 * finite, the result is NaN.
 */
#ifndef POLHODE_ROTATION_H
#define POLHODE_ROTATION_H

#include "polhode/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A vector. */
typedef struct ph_vec3 {
    double x, y, z;
} ph_vec3;

/* A quaternion w + x i + y j + z k. */
typedef struct ph_quat {
    double w, x, y, z;
} ph_quat;

/* A matrix: a[i][j] is the element in row i and column j. */
typedef struct ph_mat3 {
    double a[3][3];
} ph_mat3;

/* Returns the product a b: the rotation b followed by the rotation a. */
PH_API ph_quat ph_quat_product(ph_quat a, ph_quat b);

/* Returns q scaled to unit length. No intermediate result overflows or underflows. For the zero
 * quaternion all components are NaN. */
PH_API ph_quat ph_quat_unit(ph_quat q);

/* Returns v rotated by q. This converts body to space coordinates. */
PH_API ph_vec3 ph_quat_rotate(ph_quat q, ph_vec3 v);

/* Returns v rotated by q^-1. This converts space to body coordinates. */
PH_API ph_vec3 ph_quat_unrotate(ph_quat q, ph_vec3 v);

/* Returns the rotation matrix of a unit quaternion. */
PH_API ph_mat3 ph_quat_matrix(ph_quat q);

/* Returns the unit quaternion with scalar part >= 0 of a rotation matrix. The matrix must be
 * orthogonal up to round-off. */
PH_API ph_quat ph_quat_from_matrix(ph_mat3 r);

/* Returns the skew-symmetric matrix hat(v), for which hat(v) u = v x u. */
PH_API ph_mat3 ph_hat(ph_vec3 v);

/* Returns the rotation about the axis x by the angle |x| in radians. */
PH_API ph_quat ph_rotation_exp(ph_vec3 x);

/* Returns the rotation vector of q in radians. Its length is at most pi. q and -q give the same
 * vector. */
PH_API ph_vec3 ph_rotation_log(ph_quat q);

/* Returns the rotation vector of a rotation matrix in radians. Near the angle pi it is as
 * accurate as the matrix permits. */
PH_API ph_vec3 ph_rotation_log_matrix(ph_mat3 r);

/* Returns the Cayley map (1 + hat(x)/2) (1 - hat(x)/2)^-1 of x: the rotation about x by the
 * angle 2 atan(|x|/2). */
PH_API ph_quat ph_cay(ph_vec3 x);

/* Returns the vector x with cay(x) = q. The angle of q must be below pi. q and -q give the same
 * vector. */
PH_API ph_vec3 ph_cay_inverse(ph_quat q);

/* Returns dexp_x v, the tangent map of exp at x applied to v. |x| must not exceed pi. */
PH_API ph_vec3 ph_dexp(ph_vec3 x, ph_vec3 v);

/* Returns the inverse of dexp_x applied to v. |x| must not exceed pi. */
PH_API ph_vec3 ph_dexp_inverse(ph_vec3 x, ph_vec3 v);

/* Returns dcay_x v, the tangent map of the Cayley map at any x applied to v. */
PH_API ph_vec3 ph_dcay(ph_vec3 x, ph_vec3 v);

/* Returns the inverse of dcay_x, for any x, applied to v. */
PH_API ph_vec3 ph_dcay_inverse(ph_vec3 x, ph_vec3 v);

#ifdef __cplusplus
}
#endif

#endif
