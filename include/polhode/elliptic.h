/* elliptic.h - elliptic integrals and Jacobi's elliptic functions in double precision.
 *
 * The argument is the parameter m = k^2, never the modulus k. The complementary parameter is
 * m1 = 1 - m. Functions with the suffix _c take m1 and lose no accuracy for m near 1. The
 * characteristic n has the sign that it has in 1/(1 - n sin^2). Angles are in radians.
 *
 * The functions are pure and may be called from any thread. Outside its domain a function
 * returns NaN. No intermediate result overflows unless the result itself does.
 *
 * The relative error of each result is at most 4 eps (1 + c), where eps = 2^-52 and c is the
 * condition number with respect to the arguments. docs/elliptic.md explains the algorithms;
 * tests/elliptic_bounds.h has the bounds that the tests check.
 */
#ifndef POLHODE_ELLIPTIC_H
#define POLHODE_ELLIPTIC_H

#include "polhode/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Carlson's symmetric integrals ----------------------------------------------------
 *
 * The arguments x, y and z must not be negative, and at most one of them may be zero. For RG
 * any of them may be zero. An infinite argument gives the limit: zero, and infinity for RG. */

/* Returns RC(x, y) = RF(x, y, y). y must be positive. */
PH_API double ph_rc(double x, double y);

/* Returns RF(x, y, z), the integral of the first kind. */
PH_API double ph_rf(double x, double y, double z);

/* Returns RD(x, y, z), the integral of the second kind. z must be positive. */
PH_API double ph_rd(double x, double y, double z);

/* Returns RG(x, y, z), the symmetric integral of the second kind. */
PH_API double ph_rg(double x, double y, double z);

/* Returns RJ(x, y, z, p), the integral of the third kind. p must be positive. */
PH_API double ph_rj(double x, double y, double z, double p);

/* ---- Legendre's integrals -------------------------------------------------------------
 *
 * m must lie between 0 and 1; phi may be any real number. For m = 1 the integrals of the first
 * and third kind are infinite for |phi| >= pi/2. The integrals of the third kind need
 * n sin^2 < 1 between 0 and phi. For the complete integral and for |phi| > pi/2 this means
 * n < 1. */

/* Returns K(m), the complete integral of the first kind. */
PH_API double ph_elliptic_k(double m);

/* Returns K as a function of the complementary parameter m1. */
PH_API double ph_elliptic_k_c(double m1);

/* Returns E(m), the complete integral of the second kind. */
PH_API double ph_elliptic_e(double m);

/* Returns Pi(n | m), the complete integral of the third kind. */
PH_API double ph_elliptic_pi(double n, double m);

/* Returns F(phi | m), the incomplete integral of the first kind. */
PH_API double ph_elliptic_f_inc(double phi, double m);

/* Returns E(phi | m), the incomplete integral of the second kind. */
PH_API double ph_elliptic_e_inc(double phi, double m);

/* Returns Pi(n; phi | m), the incomplete integral of the third kind. */
PH_API double ph_elliptic_pi_inc(double n, double phi, double m);

/* ---- Jacobi's functions ---------------------------------------------------------------
 *
 * m must lie between 0 and 1; u may be any real number. For |u| above 2^50, sn, cn and dn are
 * values at an argument that differs from u by a relative error of at most 4 eps. This
 * difference is then above 1. */

/* The values of sn, cn and dn at one argument. */
typedef struct ph_sncndn {
    double sn, cn, dn;
} ph_sncndn;

#define PH_JACOBI_LEVELS 6

/* Jacobi's functions of one parameter, prepared once and evaluated often. It is plain data and
 * may be copied. All members except `quarter` are private to the library. */
typedef struct ph_jacobi {
    int levels;                 /* number of levels of the transformation */
    double m, m1;               /* parameter and complementary parameter */
    double mean;                /* ratio of the transformed argument to the argument */
    double quarter;             /* K, infinite for m = 1 */
    double q[PH_JACOBI_LEVELS]; /* coefficients of each level */
    double r[PH_JACOBI_LEVELS];
} ph_jacobi;

/* Prepares the functions of the parameter m and returns them. */
PH_API ph_jacobi ph_jacobi_prepare(double m);

/* Prepares the functions of the complementary parameter m1 and returns them. */
PH_API ph_jacobi ph_jacobi_prepare_c(double m1);

/* Returns sn, cn and dn at the argument u for prepared functions. */
PH_API ph_sncndn ph_jacobi_at(const ph_jacobi *j, double u);

/* Returns the amplitude am(u) in radians for prepared functions. The amplitude is odd and
 * continuous: am(u + 2K) = am(u) + pi. */
PH_API double ph_jacobi_am(const ph_jacobi *j, double u);

/* Returns sn, cn and dn at the argument u for the parameter m. */
PH_API ph_sncndn ph_jacobi_sncndn(double u, double m);

/* Returns sn, cn and dn at the argument u for the complementary parameter m1. */
PH_API ph_sncndn ph_jacobi_sncndn_c(double u, double m1);

#ifdef __cplusplus
}
#endif

#endif
