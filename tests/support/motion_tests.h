/* motion_tests.h - the tests of the exact free motion; the number of bodies is the
 * caller's. */
#ifndef TESTS_SUPPORT_MOTION_TESTS_H
#define TESTS_SUPPORT_MOTION_TESTS_H

/* Runs all; the number of failures. */
int motion_tests(int bodies_of_each_kind);

#endif
