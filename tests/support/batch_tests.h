/* batch_tests.h - the tests of many bodies at once; the number of bodies is the caller's.
 * A program that uses them is linked with --wrap=ph_isa. */
#ifndef TESTS_SUPPORT_BATCH_TESTS_H
#define TESTS_SUPPORT_BATCH_TESTS_H

#include <stddef.h>

/* Runs all; the number of failures. */
int batch_tests(size_t bodies);

#endif
