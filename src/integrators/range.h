/* range.h - the ranges of parameters. */
#pragma once

#include "polhode/body.h"

/* Returns true if the number x is finite and lies in the range. */
bool ph_range_has(ph_range range, double x);
