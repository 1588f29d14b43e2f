/* names.c - the names of what a system is made of. */
#include "system/system.h"

const char *ph_system_problem_name(const ph_system *s)
{
    return s->problem;
}

const char *ph_system_integrator_name(const ph_system *s)
{
    return s->integrator;
}
