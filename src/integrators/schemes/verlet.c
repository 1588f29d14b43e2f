/* verlet.c - the second-order splittings: kick 1/2, drift 1, kick 1/2; and drift and kick
 * the other way about.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section
 *       3.3 and (50).
 */
#include "integrators/scheme.h"

static const double HALF[] = {0.5, 1.0};

const ph_scheme ph_scheme_verlet[2] = {
    {SCHEME("verlet", 2, true, "Kick, drift, kick", "CFSZ section 3.3", HALF, NULL)},
    {SCHEME("verlet_drift", 2, false, "Drift, kick, drift", "CFSZ (50)", HALF, NULL)},
};
