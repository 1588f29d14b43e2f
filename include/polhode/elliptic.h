/* elliptic.h - elliptic integrals and Jacobi's elliptic functions in double precision.
 *
 * The argument is the parameter m = k^2, never the modulus k; m1 = 1 - m is the
 * complementary parameter, and the functions that take it (suffix _c) lose nothing where
 * m is next to 1. The characteristic n has the sign of 1/(1 - n sin^2). Angles are in
 * radians.
 *
 * Every function is pure and safe to call from any thread. Outside its domain it returns
 * NaN; nothing overflows on the way to a result that does not. The error of each is at
 * most 4 eps (1 + c), eps = 2^-52, c the relative condition number with respect to the
 * arguments (tests/elliptic_bounds.h has the table of bounds that the tests read).
 * docs/elliptic.md says how.
 */
#ifndef POLHODE_ELLIPTIC_H
#define POLHODE_ELLIPTIC_H

#include "polhode/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Carlson's symmetric integrals ----------------------------------------------------
 *
 * x, y, z >= 0, at most one of them zero (RG: any). An infinite argument gives the limit:
 * zero, and infinity for RG. */

PH_API double ph_rc(double x, double y);                     /* RF(x, y, y), y > 0 */
PH_API double ph_rf(double x, double y, double z);           /* first kind */
PH_API double ph_rd(double x, double y, double z);           /* second kind, z > 0 */
PH_API double ph_rg(double x, double y, double z);           /* second kind, symmetric */
PH_API double ph_rj(double x, double y, double z, double p); /* third kind, p > 0 */

/* ---- Legendre's integrals -------------------------------------------------------------
 *
 * 0 <= m <= 1, any real phi. At m = 1 those of the first and third kind are infinite from
 * |phi| = pi/2 on. The third kind needs n sin^2 < 1 from 0 to phi: n < 1 for the complete
 * one and for |phi| > pi/2. */

PH_API double ph_elliptic_k(double m);                            /* K(m) */
PH_API double ph_elliptic_k_c(double m1);                         /* K from m1 */
PH_API double ph_elliptic_e(double m);                            /* E(m) */
PH_API double ph_elliptic_pi(double n, double m);                 /* Pi(n | m) */
PH_API double ph_elliptic_f_inc(double phi, double m);            /* F(phi | m) */
PH_API double ph_elliptic_e_inc(double phi, double m);            /* E(phi | m) */
PH_API double ph_elliptic_pi_inc(double n, double phi, double m); /* Pi(n; phi | m) */

/* ---- Jacobi's functions ---------------------------------------------------------------
 *
 * 0 <= m <= 1, any real u. Beyond |u| = 2^50, where 4 eps |u| is above one, sn, cn and dn
 * are values at an argument with that relative error. */

typedef struct ph_sncndn {
    double sn, cn, dn;
} ph_sncndn;

/* Functions of one parameter, prepared once and evaluated often. Plain data; the members,
 * except quarter, belong to the library (src/base/jacobi.c). */
#define PH_JACOBI_LEVELS 6
typedef struct ph_jacobi {
    int levels;                 /* of the transformation */
    double m, m1;               /* parameter and complementary parameter */
    double mean;                /* argument at its end / argument */
    double quarter;             /* K, infinite for m = 1 */
    double q[PH_JACOBI_LEVELS]; /* coefficients of each level */
    double r[PH_JACOBI_LEVELS];
} ph_jacobi;

PH_API ph_jacobi ph_jacobi_prepare(double m);
PH_API ph_jacobi ph_jacobi_prepare_c(double m1);
PH_API ph_sncndn ph_jacobi_at(const ph_jacobi *j, double u);

/* The amplitude, odd and continuous: am(u + 2K) = am(u) + pi. */
PH_API double ph_jacobi_am(const ph_jacobi *j, double u);

PH_API ph_sncndn ph_jacobi_sncndn(double u, double m);
PH_API ph_sncndn ph_jacobi_sncndn_c(double u, double m1);

#ifdef __cplusplus
}
#endif

#endif
