/* rotation_gauss.c - semi-exact: exact momentum, attitude as a product of three rotation
 * matrices with its angle by Gauss quadrature of order 6, 8, 10.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.1.
 *
 * The form of `rotation`, the third-kind integral of its angle by (39) with 3, 4 or 5
 * points on the whole of the step: lab/motion/celledoni_forms.c.
 *
 * Not defined, and handed over to `exact`, as `rotation`. It keeps what `gauss` keeps, for the
 * same reasons.
 */
#include "lab/motion/gauss.h"

FLOW_KERNEL(rotation_gauss, gauss_bodies, gauss_move)

#ifndef SIMD_VECTORS
GAUSS_STEP(ph_celledoni_matrices)

#ifndef __OPENCL_VERSION__
#define MEMBER(p) GAUSS_MEMBER("rotation_gauss" #p, p, "three rotation matrices", "Prop. 2.2")

const ph_flow ph_flow_rotation_gauss[3] = {MEMBER(6), MEMBER(8), MEMBER(10)};
#endif
#endif
