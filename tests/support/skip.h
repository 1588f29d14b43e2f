/* skip.h - tests that leave out a part. Such a program prints "SKIPPED: REASON", and ends with status 77 instead of 0,
 * which ctest reports as a skip and scripts/test counts with its reason. */
#ifndef TESTS_SUPPORT_SKIP_H
#define TESTS_SUPPORT_SKIP_H

#include <stdbool.h>

/* Reports that a part is left out, and returns. `reason` is a constant; each is printed once. */
void report_skip(const char *reason);

/* The same for a whole program: the status that its main returns. */
int skip_all(const char *reason);

/* Ends the test of cmocka that calls it, after the report. */
void skip_because(const char *reason);

/* Whether gnuplot can be started. Reports a skip if it cannot. */
bool has_gnuplot(void);

/* Ends the test that calls it if gnuplot cannot be started. */
void need_gnuplot(void);

#endif
