/* splittings.c - splittings into drifts and kicks.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.3 and
 *       appendix; the methods of Blanes and Moan, J. Comput. Appl. Math. 142, 2002. Here with
 *       all digits of a double: the printed ones, polished until the order conditions hold;
 *       the last ones follow from sum a = sum b = 1.
 * M95   McLachlan, Composition methods in the presence of small parameters, BIT 35,
 *       1995.
 * B13   Blanes, Casas, Farres, Laskar, Makazaga, Murua, New families of symplectic
 *       splitting methods for numerical integration in dynamical astronomy, Appl. Numer.
 *       Math. 68, 2013.
 * ZOS08 van Zon, Omelyan, Schofield, Efficient algorithms for rigid body integration using optimized
 *       splitting methods and exact free rotational motion, J. Chem. Phys. 128, 2008,
 *       arXiv:0710.3390: HOA, a modified Verlet scheme.
 * V13   Vilmart, Reconstructing rigid body motion, 2013, High-order Nystroem splitting
 *       methods. Its force gradient for the heavy top is printed with a wrong sign and
 *       factor; the general one is right.
 */
#include "polhode/catalog.h"

/* The members of a scheme of order p: coefficients of its first half, and in the same places
 * those of h^3 times the force gradient, or NULL. */
#define SCHEME(key, p, begins_with_kick, words, where, table, h3_table)                            \
    .name = (key), .title = (words), .cite = (where), .order = (p),                                \
    .kick_first = (begins_with_kick), .stages = 2 * (int)(sizeof(table) / sizeof(table)[0]) - 1,   \
    .half = (table), .gradient = (h3_table)

/* Order 2: kick 1/2, drift 1, kick 1/2; and drift and kick the other way about. */
static const double VERLET[] = {0.5, 1.0};

const ph_scheme ph_scheme_verlet[2] = {
    {SCHEME("verlet", 2, true, "Kick, drift, kick", "CFSZ section 3.3", VERLET, NULL)},
    {SCHEME("verlet_drift", 2, false, "Drift, kick, drift", "CFSZ (50)", VERLET, NULL)},
};

/* Order 2 with two kicks of 1/2 and a free number e: kick e, drift 1/2, kick 1 - 2 e, drift 1/2, kick e;
 * and drift and kick the other way about. In the error of order h^3 two nested brackets have the factors
 * (1 - 6 e + 6 e^2)/12 and (1 - 6 e)/24. e makes the sum of their squares smallest. */
static const double HOA[] = {0.1931833275037835739629, 0.5, 0.6136333449924328520742};

const ph_scheme ph_scheme_hoa[2] = {
    {SCHEME("hoa", 2, true, "Modified Verlet, 2 kicks", "ZOS08 HOA", HOA, NULL)},
    {SCHEME("hoa_drift", 2, false, "Modified Verlet, drift first, 2 kicks", "ZOS08 HOA", HOA,
            NULL)},
};

/* For any two parts, orders 4 and 6. In (52) the sign of b2 was lost: as printed the order is
 * 2. Drift a1, kick b1, ... drift a4 */
static const double S4_6[] = {
    0.07920369643119565284976,  0.2095151066133619991664, 0.3531729060497739989638,
    -0.1438517731798180059125, /* b2 */
    -0.04206508035771953830046, 0.4343366665664560067461, 0.2193769557534997729738,
};

/* drift a1, kick b1, ... drift a6 */
static const double S6_10[] = {
    0.05026276440039257871044, 0.1488164479010430627236,  0.4135143004283440577066,
    -0.1323858657677842903353, 0.04507988979439760534191, 0.06730760469218517309560,
    -0.1880548538195687214818, 0.4326664025781737568904,  0.5419606784507800282905,
    -0.0164045894036177023743, -0.7255255585086910971353,
};

const ph_scheme ph_scheme_s[2] = {
    {SCHEME("s4_6", 4, false, "Blanes and Moan, 6 kicks", "CFSZ (52)", S4_6, NULL)},
    {SCHEME("s6_10", 6, false, "Blanes and Moan, 10 kicks", "CFSZ (51)", S6_10, NULL)},
};

/* Nystroem splittings, orders 4 and 6: the kinetic energy is quadratic, and some order
 * conditions fall away. Kick b1, drift a1, ... kick b4 */
static const double SRKN4_6B[] = {
    0.08298440641740501883835, 0.2452989571842711626039,   0.3963098014983680770949,
    0.6048726657110799749609,  -0.03905630492234843517087, -0.3501716228953511375648,
    0.1195241940131506784752,
};

/* drift a1, kick b1, ... drift a8 */
static const double SRKN6_14A[] = {
    0.03785931984061363164504,   0.09171915262446266574039,  0.1026356331024336528994,
    0.1839831700050085824743,    -0.02586788826656167883276, -0.05653436583288414134041,
    0.3142414030714704821024,    0.004914688774710470065148, -0.1301444595174205614990,
    0.1437611271683675039173,    0.1064177003695382965053,   0.3285676937468042715156,
    -0.008794243128508576972073, -0.1964114664864693523723,  0.2073050690568695083034,
};

const ph_scheme ph_scheme_srkn[2] = {
    {SCHEME("srkn4_6b", 4, true, "Blanes and Moan, Nystroem, 6 kicks", "CFSZ (53)", SRKN4_6B,
            NULL)},
    {SCHEME("srkn6_14a", 6, false, "Blanes and Moan, Nystroem, 14 kicks", "CFSZ (54)", SRKN6_14A,
            NULL)},
};

/* Order 4 with a force gradient:
 *
 *   kick 1/6, drift 1/2, kick 2/3 with -h^3/72 V, drift 1/2, kick 1/6
 *
 * where V = torque . J^-1 torque. */
static const double NYSTROM4[] = {1.0 / 6.0, 0.5, 2.0 / 3.0}, GRADIENT[] = {0, 0, 1.0 / 72.0};

const ph_scheme ph_scheme_nystrom4 = {
    SCHEME("nystrom4", 4, true, "Nystroem with a force gradient, 2 kicks", "V13 Nystroem", NYSTROM4,
           GRADIENT),
};

/* For a small torque, of size e. The errors of M95 and B13 are
 *
 *   e h^8 + e^2 h^4   and   e h^10 + e^2 h^6 + e^3 h^4
 *
 * The exponent of h beside e says that the kicks b_i at the times c_i = a_1 + ... + a_i
 * are a quadrature formula: sum b_i c_i^k = 1/(k + 1) for k below it. */

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
    {SCHEME("aba8_4", 4, false, "McLachlan, for small torques, 5 kicks", "M95 (8,4)", ABA8_4,
            NULL)},
    {SCHEME("aba10_6_4", 4, false, "Blanes et al., for small torques, 8 kicks", "B13 (10,6,4)",
            ABA10_6_4, NULL)},
};
