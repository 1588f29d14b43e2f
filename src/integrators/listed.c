/* listed.c - the problems of the catalog, found by their names. */
#include "integrators/listed.h"

#include <string.h>

#include "catalog_problem.h"

const ph_problem *ph_problem_listed(const char *name)
{
    for (size_t i = 0; i < sizeof problem_rows / sizeof problem_rows[0]; i++) {
        if (strcmp(problem_rows[i]->name, name) == 0)
            return problem_rows[i];
    }
    return NULL;
}
