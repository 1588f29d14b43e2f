/* lagrange.h - the exact motion of Lagrange's symmetric top. */
#pragma once

#include "polhode/body.h"

/* A body of moments A, A, C with one point fixed, and the energy c cos(theta) of its third
 * axis, which is theta from the vertical e3 in space; c > 0. The state a time t after
 * *start. PH_NOT_APPLICABLE unless A, C and c are positive, and where the axis is within
 * 1e-6 of the vertical: upright or upside down. */
ph_status ph_lagrange_top(double A, double C, double c, const ph_state *start, double t,
                          ph_state *out);
