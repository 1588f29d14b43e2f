/* run_tests.h - the tests of the run loop; the number of steps is the caller's. */
#ifndef TESTS_SUPPORT_RUN_TESTS_H
#define TESTS_SUPPORT_RUN_TESTS_H

/* Runs all; the number of failures. */
int run_loop_tests(long steps);

#endif
