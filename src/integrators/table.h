/* table.h - vectors over time, which a problem has beside its parameters.
 *
 * The data of a problem with tables are, table after table, the number of its rows and then
 * these, each t, x, y, z with t increasing. If the first number is -n, the n numbers after it are
 * something else, and the tables follow.
 */
#pragma once

#include "polhode/body.h"

/* How many numbers stand before the tables. */
size_t ph_table_offset(const ph_problem *p);

/* The rows of a table. */
size_t ph_table_rows(const ph_problem *p, int table);

/* The vector at a time: linear between two rows, constant outside; 0 without rows. */
ph_vec3 ph_table_at(const ph_problem *p, int table, double t);

/* The sum of this vector of one table, and of that of another one which is cubic between two rows. The
 * cubic has in each row the slope of the parabola through this row and its neighbours. */
ph_vec3 ph_tables_at(const ph_problem *p, int linear, int cubic, double t);

/* The first row after t, towards `end`, in which the vector or its slope changes; `end` if there is
 * none before. `end` may be infinite. */
double ph_table_change(const ph_problem *p, int table, double t, double end);

/* Checks the data, and prepares the problem: PH_BAD_PARAMETER where they are no tables of it. As
 * the function `load` of a problem. */
ph_status ph_table_check(ph_problem *p);

/* Gives a problem a table over time, such as wheels_table of `spacecraft`. `rows` has `count`
 * rows t, x, y, z with increasing t; the function copies them. A count of 0 removes the table, and
 * `rows` may be NULL in this case. Call ph_problem_release() when the problem is no longer used.
 *
 * Returns PH_OK, or PH_UNKNOWN_NAME if the problem has no table called `name`. Returns
 * PH_BAD_PARAMETER if a number is not finite or t does not increase. Returns PH_NO_MEMORY if
 * memory runs out. On failure the problem is unchanged. */
ph_status ph_problem_set_table(ph_problem *p, const char *name, const double *rows, size_t count);

#ifdef __OPENCL_VERSION__ /* devices do not take problems with tables */
#define ph_table_at(p, table, t)          vec3(0, 0, 0)
#define ph_tables_at(p, linear, cubic, t) vec3(0, 0, 0)
#endif
