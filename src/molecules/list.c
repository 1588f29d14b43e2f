/* list.c - problems of molecules: the list, written from the folder by the build. */
#include "system/list.h"
#include "polhode/molecules.h"

#include "catalog_molecules_problem.h"

LISTED(molecules_problem, molecules_problem_rows)
