/* s.c - splittings of Blanes and Moan for any two parts, of orders 4 and 6.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, appendix;
 *       the methods of Blanes and Moan, J. Comput. Appl. Math. 142, 2002. Here with all
 *       digits of a double: the printed ones, polished until the order conditions hold;
 *       the last ones follow from sum a = sum b = 1. In (52) the sign of b2 was lost: as
 *       printed the order is 2.
 */
#include "integrators/scheme.h"

/* drift a1, kick b1, ... drift a4 */
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
