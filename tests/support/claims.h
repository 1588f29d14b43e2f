/* claims.h - what descriptors claim to keep, against what is measured. */
#ifndef TESTS_SUPPORT_CLAIMS_H
#define TESTS_SUPPORT_CLAIMS_H

#include "polhode/polhode.h"

/* The properties that the tests of one kind of integrator measure, as bits of ph_keeps. */
typedef struct measured_properties {
    unsigned bits;
} measured_properties;

/* One property of an integrator: where it is claimed, the defect must be below `kept`; and
 * where it is not, the defect of a step that is long enough to tell must be above `plain`:
 * INFINITY if none is. */
typedef struct property_defects {
    unsigned bit;
    double defect, kept;
    double of_long_step, plain;
} property_defects;

/* Fails the test, with the names of integrator and property, unless the claims agree with
 * that; and enters the property. */
void check_property(measured_properties *measured, const char *integrator, const char *problem,
                    unsigned claimed, property_defects p);

/* Fails the test if an integrator claims what was measured of none. */
void check_only_measured(const measured_properties *measured, const char *integrator,
                         unsigned claimed);

#endif
