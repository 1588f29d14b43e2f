/* gauss.c - semi-exact: exact momentum, attitude as a product of three quaternions with
 * its angle by Gauss quadrature of order 6, 8, 10.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.1.
 *
 * The form of `quaternion`, the third-kind integral of its angle by (39) with 3, 4 or 5
 * points on the whole of the step: lab/motion/celledoni_forms.c.
 *
 * Not defined, and handed over to `exact`: next to every principal axis, where m'
 * vanishes; next to m = -e3; next to the separatrix; for symmetric bodies; without
 * momentum.
 *
 * The momentum is exact, hence its length, the energy and the Poisson structure are kept.
 * The frames take m to e3 whatever the angle between them, hence the momentum in space is
 * kept. The nodes are symmetric in the step, hence the step is. The error of the angle
 * depends on the phase, hence the attitude is symplectic only to the order of the
 * quadrature.
 */
#include "lab/motion/gauss.h"

FLOW_KERNEL(gauss, gauss_bodies, gauss_move)

#ifndef SIMD_VECTORS
GAUSS_STEP(ph_celledoni_quaternions)

#ifndef __OPENCL_VERSION__
#define MEMBER(p) GAUSS_MEMBER("gauss" #p, p, "three quaternions", "section 2.4, case (b)")

const ph_flow ph_flow_gauss[3] = {MEMBER(6), MEMBER(8), MEMBER(10)};
#endif
#endif
