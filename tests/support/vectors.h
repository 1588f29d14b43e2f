/* vectors.h - reference motions from tests/vectors/NAME.json: exact inputs, the solution
 * to 25 digits, and a tolerance from its conditioning. */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include "support/oracle.h"

typedef struct vector_case {
    const char *name;
    oracle_case c;
    arb_ptr solution; /* m1 m2 m3 q0 q1 q2 q3 */
    double tol_m, tol_q;
} vector_case;

/* Calls visit for every case of the file; fails the test where the file cannot be
 * read. */
void vectors_each(const char *file, void (*visit)(const vector_case *v, void *context),
                  void *context);

#endif
