/* extrapolation.c - the result of columns that were computed one by one. */
#include "integrators/extrapolation.h"

int ph_substeps(columns_sequence s, int column)
{
    return SUBSTEPS[s][column];
}

void ph_extrapolate(extrapolation *x, double (*u)[PH_LANES])
{
    extrapolate(x, u);
}
