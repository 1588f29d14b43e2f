/* oracle.h - the free motion by Taylor series in multiprecision: no elliptic function, no
 * formula of the library.
 *
 *   m' = m x w,   q' = q (0, w)/2,   w = J^-1 m
 */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

#include <arb.h>

#include "support/oracle_case.h"

/* Moments, momentum, attitude, time: what a motion is made of, in this order. */
enum { ORACLE_J = 0, ORACLE_M = 3, ORACLE_T = 6, ORACLE_INPUTS = 7, ORACLE_OUTPUTS = 7 };

/* The response of the solution to its inputs: relative error of m (to |m|) and absolute
 * error of q for a relative change of 2^-52 in each moment, momentum component and the
 * time, summed and divided by 2^-52. */
typedef struct oracle_condition {
    double m, q;
} oracle_condition;

/* The solution at t, m1 m2 m3 q0 q1 q2 q3, right to some 22 digits; init the arbs
 * first. */
void oracle_solve(arb_ptr out, const oracle_case *c);

/* The same for very many periods of m, forward in time, of a motion that has a period. */
void oracle_solve_periodic(arb_ptr out, const oracle_case *c);

oracle_condition oracle_condition_of(const oracle_case *c);

/* Distance of a state from the solution: of m relative to |m|, of q absolute. */
oracle_condition oracle_distance(arb_srcptr solution, const ph_state *s);

/* Frees what the multiprecision library caches. */
void oracle_close(void);

#endif
