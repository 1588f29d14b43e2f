/* problem.h - the problem that expressions are loaded into. */
#pragma once

#include "polhode/expression.h"

/* Without data; `load` makes it one of the source in its data. */
extern const ph_problem ph_expression_problem;
