/* compare_costs.h - what a splitting spends its time on, in words. */
#pragma once

/* What to tell of one whose free motion takes so many times as long as a torque: a line, or
 * nothing where it takes less. */
const char *compare_cost_line(const char *name, double ratio);
