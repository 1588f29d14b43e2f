/* run_tests.h - the tests of runs of a free body; the number of steps is the caller's. */
#ifndef TESTS_SUPPORT_RUN_TESTS_H
#define TESTS_SUPPORT_RUN_TESTS_H

#include <stdint.h>

/* Runs all; the number of failures. */
int free_run_tests(uint64_t steps);

#endif
