/* resume_tests.h - the tests of stopped runs that go on; how often one is killed is the
 * caller's. */
#ifndef TESTS_SUPPORT_RESUME_TESTS_H
#define TESTS_SUPPORT_RESUME_TESTS_H

/* Runs all; the number of failures. */
int resume_tests(int kills);

#endif
