/* thermal.h - systems at a temperature, and their densities. */
#pragma once

#include "polhode/system.h"

/* A system at a temperature; fails the test where there is none. */
ph_system *warm(const char *problem, const char *method, double temperature, double friction,
                double seed, double step);

/* The height of the centre of heavy_top over so many samples, by chi-square in 20 classes against
 * exp(-s u/T), and its momenta about each axis, in mean square and fourth power, against Maxwell's
 * density; steps are a hundredth of the period of small librations, a sample is taken every
 * half period, and the friction is the rate of these. */
void check_density(const char *method, size_t samples);
