/* nystrom4.c - a Nystroem splitting of order 4 with a force gradient.
 *
 * V13   Vilmart, Reconstructing rigid body motion, 2013, High-order Nystroem splitting
 *       methods. Its force gradient for the heavy top is printed with a wrong sign and
 *       factor; the general one is right.
 *
 *   kick 1/6, drift 1/2, kick 2/3 with -h^3/72 V, drift 1/2, kick 1/6
 *
 * where V = torque . J^-1 torque.
 */
#include "integrators/scheme.h"

static const double HALF[] = {1.0 / 6.0, 0.5, 2.0 / 3.0}, GRADIENT[] = {0, 0, 1.0 / 72.0};

const ph_scheme ph_scheme_nystrom4 = {
    SCHEME("nystrom4", 4, true, "Nystroem with a force gradient, 2 kicks", "V13 Nystroem",
           HALF, GRADIENT),
};
