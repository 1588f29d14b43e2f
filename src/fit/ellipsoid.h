/* ellipsoid.h - the brightness of an ellipsoid. */
#pragma once

#include "polhode/fit.h"

/* Returns the brightness of a homogeneous ellipsoid with the principal moments J. `observer` and
 * `sun` are unit vectors in principal axes. The unit of brightness is arbitrary; a common
 * factor of the moments multiplies the brightness. Returns NaN if no ellipsoid has these moments.
 *
 * `by` may be NULL. If it is not, it receives the derivatives with respect to a small rotation of
 * the body (3 numbers) and to the tensor (J11, J22, J33, J12, J13, J23), in principal axes. */
double ph_ellipsoid_brightness(ph_scattering law, ph_vec3 J, ph_vec3 observer, ph_vec3 sun,
                               double by[9]);
