/* oracle_derivative.h - derivatives of the free motion by the equations of variation in
 * multiprecision: no formula of the library. */
#ifndef TESTS_SUPPORT_ORACLE_DERIVATIVE_H
#define TESTS_SUPPORT_ORACLE_DERIVATIVE_H

#include "support/oracle.h"

enum { ORACLE_DERIVATIVE_COLUMNS = 9 };

/* By m1, m2, m3, J11, J22, J33, J12, J13, J23 at the start. */
typedef struct oracle_derivative {
    double attitude[3][ORACLE_DERIVATIVE_COLUMNS], momentum[3][ORACLE_DERIVATIVE_COLUMNS];
} oracle_derivative;

/* In units of 2^of_m and 2^of_J of momentum and moments; `angle` bounds that of the motion. */
oracle_derivative oracle_derivative_of(const oracle_case *c, double angle, int of_m, int of_J);

#endif
