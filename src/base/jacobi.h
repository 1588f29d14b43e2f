/* jacobi.h - Jacobi's functions for a complementary modulus whose square would vanish. */
#pragma once

#include <math.h>

#include "polhode/elliptic.h"

/* The functions of the complementary modulus kc = sqrt(1 - m), 0 <= kc < 0.35. */
ph_jacobi ph_jacobi_of_kc(double kc);

/* An argument less whole half periods, whose number is stored in *count. */
static inline double less_half_periods(const ph_jacobi *j, double w, double *count)
{
    *count = 0.0;
    if (!(fabs(w) > j->quarter))
        return w;
    *count = rint(w / (2.0 * j->quarter));
    return w - 2.0 * j->quarter * *count;
}

/* 1 if a whole number is even, -1 if it is odd. */
static inline double parity_of(double whole)
{
    return fmod(whole, 2.0) == 0.0 ? 1.0 : -1.0;
}
