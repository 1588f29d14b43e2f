/* compare_costs.c - what a splitting spends its time on, in words. */
#include "compare_costs.h"

#include <stdio.h>

const char *compare_cost_line(char *text, size_t size, const char *name, double ratio)
{
    text[0] = '\0';
    if (ratio > 1.0)
        (void)snprintf(text, size,
                       "\nthe free motion of %s takes %.1f times as long as a torque:\n"
                       "gbs, to a tolerance, takes more torques and no such motion\n",
                       name, ratio);
    return text;
}
