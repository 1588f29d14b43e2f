/* parameters.h - what holds of the parameters of every problem. */
#ifndef TESTS_SUPPORT_PARAMETERS_H
#define TESTS_SUPPORT_PARAMETERS_H

#include "polhode/polhode.h"

/* Names and values are their own, and each has a unit and a line of text. */
void check_parameters(const char *problem, const ph_parameter *parameters, int count);

#endif
