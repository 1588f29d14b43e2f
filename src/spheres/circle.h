/* circle.h - the step of a scheme on spheres. */
#pragma once

#include "polhode/spheres.h"

/* One step of the scheme of s; q and w are untouched unless PH_OK. */
ph_status ph_spheres_scheme_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h);
