/* batch_tests.h - the tests of many bodies at once; the number of bodies is the caller's.
 * A program that uses them is linked with --wrap=ph_isa. */
#ifndef TESTS_SUPPORT_BATCH_TESTS_H
#define TESTS_SUPPORT_BATCH_TESTS_H

#include <stddef.h>

#include "polhode/polhode.h"

/* Runs all; the number of failures. */
int batch_tests(size_t bodies);

/* The share of ordinary bodies, turned by at most `angle`, that a flow's kernel does not do. */
double batch_share_left(const ph_flow *flow, double angle);

#endif
