/* elliptic_bounds.h - what the elliptic functions promise: one row per function.
 *
 *   ROW(name, arguments, family, condition, angle, bound)
 *
 * name       the function, ph_<name> or ph_elliptic_<name>, or one result of ph_jacobi_at
 *            and ph_jacobi_am; with suffix _c it takes m1
 * arguments  their number
 * family     which arguments the tests draw (support/elliptic_arguments.c)
 * condition  c where it is constant: Carlson's functions are homogeneous, and monotone in
 *            each argument alike; 0 where the tests compute it
 * angle      which argument is an angle or Jacobi's u; -1 if none
 * bound      the error is at most bound eps (1 + c), eps = 2^-52, c the relative
 *            condition number, the sum of |x_i f_i / f| over the arguments
 */
#ifndef POLHODE_ELLIPTIC_BOUNDS_H
#define POLHODE_ELLIPTIC_BOUNDS_H

#define ELLIPTIC_BOUNDS(ROW)                                                                       \
    ROW(rc, 2, CARLSON_RC, 0.5, -1, 4.0)                                                           \
    ROW(rf, 3, CARLSON, 0.5, -1, 4.0)                                                              \
    ROW(rd, 3, CARLSON_RD, 1.5, -1, 4.0)                                                           \
    ROW(rg, 3, CARLSON, 0.5, -1, 4.0)                                                              \
    ROW(rj, 4, CARLSON_RJ, 1.5, -1, 4.0)                                                           \
    ROW(k, 1, PARAMETER, 0.0, -1, 4.0)                                                             \
    ROW(k_c, 1, PARAMETER_C, 0.0, -1, 4.0)                                                         \
    ROW(e, 1, PARAMETER, 0.0, -1, 4.0)                                                             \
    ROW(pi, 2, COMPLETE, 0.0, -1, 4.0)                                                             \
    ROW(f_inc, 2, INCOMPLETE, 0.0, 0, 4.0)                                                         \
    ROW(e_inc, 2, INCOMPLETE, 0.0, 0, 4.0)                                                         \
    ROW(pi_inc, 3, INCOMPLETE_THIRD, 0.0, 1, 4.0)                                                  \
    ROW(sn, 2, JACOBI, 0.0, 0, 4.0)                                                                \
    ROW(cn, 2, JACOBI, 0.0, 0, 4.0)                                                                \
    ROW(dn, 2, JACOBI, 0.0, 0, 4.0)                                                                \
    ROW(am, 2, JACOBI, 0.0, 0, 4.0)                                                                \
    ROW(sn_c, 2, JACOBI_C, 0.0, 0, 4.0)                                                            \
    ROW(cn_c, 2, JACOBI_C, 0.0, 0, 4.0)                                                            \
    ROW(dn_c, 2, JACOBI_C, 0.0, 0, 4.0)                                                            \
    ROW(am_c, 2, JACOBI_C, 0.0, 0, 4.0)
#endif
