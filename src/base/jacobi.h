/* jacobi.h - Jacobi's functions for a complementary modulus whose square would vanish. */
#pragma once

#include "polhode/elliptic.h"

/* The functions of the complementary modulus kc = sqrt(1 - m), 0 <= kc < 0.35. */
ph_jacobi ph_jacobi_of_kc(double kc);
