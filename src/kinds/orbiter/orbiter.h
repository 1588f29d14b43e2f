/* orbiter.h - the point mass that an orbiter moves about: central.c. */
#pragma once

#include "polhode/body.h"

extern const ph_problem ph_orbiter_central;
