/* srkn.c - Nystroem splittings of Blanes and Moan, of orders 4 and 6: the kinetic energy is
 * quadratic, and some order conditions fall away.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, appendix;
 *       the methods of Blanes and Moan, J. Comput. Appl. Math. 142, 2002. Here with all
 *       digits of a double: the printed ones, polished until the order conditions hold;
 *       the last ones follow from sum a = sum b = 1.
 */
#include "integrators/scheme.h"

/* kick b1, drift a1, ... kick b4 */
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
    {SCHEME("srkn4_6b", 4, true, "Blanes and Moan, Nystroem, 6 kicks", "CFSZ (53)",
            SRKN4_6B, NULL)},
    {SCHEME("srkn6_14a", 6, false, "Blanes and Moan, Nystroem, 14 kicks", "CFSZ (54)",
            SRKN6_14A, NULL)},
};
