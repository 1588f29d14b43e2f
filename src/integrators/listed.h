/* listed.h - the problems of the catalog, for the folders below the catalog. */
#pragma once

#include "polhode/body.h"

/* Returns the problem of one body with a name, or NULL. */
const ph_problem *ph_problem_listed(const char *name);
