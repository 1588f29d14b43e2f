/* compiled.h - expressions of named parameters, without a system. */
#pragma once

#include "polhode/expression.h"

/* Compiles a text and stores the expression in *out. Free it with ph_expression_destroy(). The
 * text may use the names of the `count` parameters; each evaluation takes their values.
 * `parameters` may be NULL if `count` is 0. The expression keeps no pointer to them.
 *
 * Returns PH_OK. Returns PH_BAD_EXPRESSION if the text cannot be compiled; *why then has the
 * reason, and `why` may be NULL. Returns PH_BAD_PARAMETER if `count` is negative or a parameter
 * has no numbers. Returns PH_NO_MEMORY if memory runs out. On failure *out is unchanged. */
ph_status ph_expression_create(const char *text, ph_expression_use use,
                               const ph_parameter *parameters, int count, ph_expression **out,
                               ph_expression_error *why);

/* Returns the value of an expression at an instant. m and w of the instant must be set if the
 * text contains them. `values` has the values of the parameters.
 *
 * The value of a condition is a - b for a > b, and b - a for a < b. It is positive if the
 * condition holds. */
double ph_expression_value(const ph_expression *e, const ph_instant *now, const double *values);

/* Returns the value of an expression at the state s and the time t of the problem `p`. The
 * expression must be compiled with the parameters of `p`. */
double ph_expression_at(const ph_expression *e, const ph_problem *p, double t, const ph_state *s);

/* The most functions whose zeros are kinks of a torque. */
enum { MOST_KINKS = 32 };

/* Stores values that change their sign where max, min or abs in the torque of a problem of expressions
 * have a kink, and returns how many. Returns 0 if there are none or more than MOST_KINKS, or if the
 * problem is another. */
int ph_expression_kinks(const ph_problem *p, const ph_instant *now, double *value);
