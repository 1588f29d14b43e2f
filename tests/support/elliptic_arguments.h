/* elliptic_arguments.h - arguments for the tests of the elliptic functions: random, tiny,
 * huge, next to singularities, and spread over all doubles. */
#ifndef TESTS_SUPPORT_ELLIPTIC_ARGUMENTS_H
#define TESTS_SUPPORT_ELLIPTIC_ARGUMENTS_H

#include <stdint.h>

typedef enum elliptic_family {
    CARLSON,          /* x, y, z */
    CARLSON_RC,       /* x, y > 0 */
    CARLSON_RD,       /* x, y, z > 0 */
    CARLSON_RJ,       /* x, y, z, p > 0 */
    PARAMETER,        /* m < 1 */
    PARAMETER_C,      /* m1 > 0 */
    COMPLETE,         /* n, m */
    INCOMPLETE,       /* phi, m */
    INCOMPLETE_THIRD, /* n, phi, m */
    JACOBI,           /* u, m */
    JACOBI_C          /* u, m1 */
} elliptic_family;

/* Draws one set of arguments, where the functions are finite. */
void elliptic_draw(elliptic_family family, uint64_t *seed, double *x);

#endif
