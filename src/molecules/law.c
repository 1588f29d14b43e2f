/* law.c - the numbers of the law between two bodies: pairs.c says what they are for. */
#include <math.h>

#include "molecules/pairs.h"
#include "molecules/system.h"

/* The dipoles fade over the last tenth of the cut-off. */
static const double TAPER = 0.9;

/* Field in a sphere per dipole in it, times its radius cubed: 2 (e - 1)/(2 e + 1), and 1
 * in a conductor. */
static double reaction(double dielectric)
{
    return dielectric == 0.0 ? 1.0 : 2.0 * (dielectric - 1.0) / (2.0 * dielectric + 1.0);
}

pair_law ph_pair_law_of(const ph_molecules *s)
{
    const double sigma3 = s->sigma * s->sigma * s->sigma, sigma6 = sigma3 * sigma3;
    pair_law law = {.kind = PAIRS_OPEN, .soft = 4.0 * s->epsilon * (sigma6 * sigma6)};
    if (!in_a_box(s))
        return law;
    const double box[3] = {s->box.x, s->box.y, s->box.z}, rc = s->cutoff;
    const double rc3 = rc * rc * rc, rc6 = rc3 * rc3;
    law.kind = PAIRS_CUT;
    for (int k = 0; k < 3; k++) {
        law.box[k] = box[k];
        law.per_box[k] = 1.0 / box[k];
        if (floor(box[k] / rc) < 3.0) /* too few cells to tell neighbours apart */
            law.kind = PAIRS_IMAGES;
    }
    law.cutoff = rc;
    law.cutoff2 = rc * rc;
    law.soft_end = law.soft / (rc6 * rc6);
    law.soft_slope = -12.0 * law.soft_end / rc;
    law.reaction = reaction(s->dielectric) / rc3;
    law.taper2 = TAPER * TAPER * law.cutoff2;
    law.per_taper = 1.0 / (law.cutoff2 - law.taper2);
    return law;
}
