/* compare_costs.c - what a splitting spends its time on, in words. */
#include "compare_costs.h"

#include "cli/files/memory.h"

const char *compare_cost_line(const char *name, double ratio)
{
    return ratio > 1.0
               ? memory_text(
                     "\nthe free motion of %s takes %.1f times as long as a "
                     "torque:\ngbs, to a tolerance, takes more torques and no such "
                     "motion\n",
                     name, ratio)
               : "";
}
