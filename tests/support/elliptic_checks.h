/* elliptic_checks.h - the tests of the elliptic functions, quick and slow. */
#ifndef TESTS_SUPPORT_ELLIPTIC_CHECKS_H
#define TESTS_SUPPORT_ELLIPTIC_CHECKS_H

/* Runs them all, with so many arguments per function. The number that failed. */
int elliptic_checks(int count);

#endif
