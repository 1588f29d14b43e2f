/* list.h - integrators on spheres with coefficients of the caller's own. */
#pragma once

#include "polhode/spheres.h"
#include "system/custom.h"

/* As ph_spheres_integrator_named(); own may be NULL. */
ph_status ph_spheres_custom(custom_parts *own, const char *name,
                            ph_spheres_integrator *out);
