/* lanes.h - the kernels of a problem. */
#pragma once

#include "integrators/lane_kernels.h"

struct tangent_points;

/* Those of a problem of the library, or of a copy with its torque, for the instruction set of
 * this machine; NULL: it has none. The columns have the torque inside the loop, in principal
 * axes, as the torque then is. */
extrapolation_kernel *ph_columns_of(const ph_problem *p);
/* The same of the torque in lanes; or the problem's own torque_lanes. */
torque_lanes_kernel *ph_lanes_of(const ph_problem *p);
/* The same of problems each of which has a lane; NULL: there is none. */
torque_each_kernel *ph_each_of(const ph_problem *p);
/* The same of the derivatives of the torque at points; NULL: there is none. */
void (*ph_slopes_of(const ph_problem *p))(struct tangent_points *x);
