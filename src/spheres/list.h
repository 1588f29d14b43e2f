/* list.h - integrators on spheres with coefficients of the caller's own. */
#pragma once

#include "polhode/spheres.h"
#include "system/custom.h"

/* As ph_spheres_integrator_named(); own may be NULL. */
ph_status ph_spheres_custom(custom_parts *own, const char *name, ph_integrator *out);

/* Other names of the same. */
#define ph_spheres_integrator_name  ph_integrator_name
#define ph_spheres_integrator_order ph_integrator_order
#define ph_spheres_integrator_keeps ph_integrator_keeps
