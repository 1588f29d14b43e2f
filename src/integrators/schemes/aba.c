/* aba.c - splittings for a small torque, of size e.
 *
 * M95   McLachlan, Composition methods in the presence of small parameters, BIT 35,
 *       1995.
 * B13   Blanes, Casas, Farres, Laskar, Makazaga, Murua, New families of symplectic
 *       splitting methods for numerical integration in dynamical astronomy, Appl. Numer.
 *       Math. 68, 2013.
 *
 * The errors of M95 and B13 are
 *
 *   e h^8 + e^2 h^4   and   e h^10 + e^2 h^6 + e^3 h^4
 *
 * The exponent of h beside e says that the kicks b_i at the times c_i = a_1 + ... + a_i
 * are a quadrature formula: sum b_i c_i^k = 1/(k + 1) for k below it.
 */
#include "integrators/scheme.h"

/* drift a1, kick b1, ... kick b3; solved for here from the five conditions */
static const double ABA8_4[] = {
    0.07534696026989288841653, 0.1902259393736766192452,   0.5179168546882567823008,
    0.8465240704435262570551,  -0.09326381495814967071730, -1.073500019634405752601,
};

/* drift a1, kick b1, ... drift a5 */
static const double ABA10_6_4[] = {
    0.03809449742241219545698, 0.09585888083707521061077,  0.1452987161169137492940,
    0.2044461531429987806805,  0.2076276957255412507162,   0.2170703479789911017143,
    0.4359097036515261592232,  -0.01737538195906509300562, -0.6538612258327867093807,
};

const ph_scheme ph_scheme_aba[2] = {
    {SCHEME("aba8_4", 4, false, "McLachlan, for small torques, 5 kicks", "M95 (8,4)",
            ABA8_4, NULL)},
    {SCHEME("aba10_6_4", 4, false, "Blanes et al., for small torques, 8 kicks",
            "B13 (10,6,4)", ABA10_6_4, NULL)},
};
