/* langevin.c - Langevin's thermostat: friction and noise on momenta, between drifts and kicks.
 *
 * LM   Leimkuhler, Matthews, Rational construction of stochastic numerical methods for molecular
 *      sampling, Appl. Math. Res. Express 2013: the letters, and BAOAB.
 * BP   Bussi, Parrinello, Accurate sampling using Langevin dynamics, Phys. Rev. E 75, 2007:
 *      OBABO, and the heat.
 * LM16 Leimkuhler, Matthews, Efficient molecular dynamics using geodesic integration and
 *      solvent-solute splitting, Proc. R. Soc. A 472, 2016: g-BAOAB.
 * DOT  Davidchack, Ouldridge, Tretyakov, New Langevin and gradient thermostats for rigid body
 *      dynamics, J. Chem. Phys. 142, 2015: rigid molecules.
 *
 * O is the Ornstein-Uhlenbeck process, exactly: of each momentum y with the weight w
 *
 *   LM   y' = c y + ((1 - c^2) w T)^(1/2) xi,   c = exp(-friction h)
 *
 * with xi normal. It leaves the density exp(-y^2/(2 w T)) alone, whatever h is, and A and B with
 * O keep exp(-H/T) up to the error of their splitting, h^2. In a harmonic well of frequency omega
 * the places of BAOAB have no error at all, and momenta the variance w T (1 - (omega h)^2/4) at
 * the end of steps; of OBABO the momenta have none, and places the variance over 1 - (omega h)^2/4.
 * Angular momenta are those about the principal axes in the body, where w are the moments of
 * inertia, and A is the free motion, which keeps that density exactly where the flow is exact.
 *
 * xi of component k of body i, in part number `stage` of step s, is a function of these numbers
 * and of the seed alone.
 */
#include <math.h>

#include "base/choice.h"
#include "base/counter_random.h"
#include "integrators/thermostat.h"
#include "polhode/catalog.h"

enum { BLOCK = 64, PAIRS = 2 }; /* bodies at a time, pairs of normal numbers of each */

static const double VERLET[] = {0.5, 1.0};

#define THERMOSTAT(key, letters, words, where)                                                     \
    {                                                                                              \
        .name = (key), .title = (words), .cite = (where), .order = 2, .kick_first = true,          \
        .stages = 3, .half = VERLET, .parts = (letters)                                            \
    }

/* Without the thermostat each of them is kick, drift, kick. */
const ph_thermostat ph_thermostat_baoab[3] = {
    THERMOSTAT("baoab", "BAOAB", "Langevin, noise in the middle of the drift", "LM BAOAB"),
    THERMOSTAT("obabo", "OBABO", "Langevin, noise first and last", "BP"),
    THERMOSTAT("gbaoab", "BAAAAAOAAAAAB", "Langevin, ten drifts around the noise", "LM16 g-BAOAB"),
};

/* Friction by the factor c and noise on n bodies from `first` on, of which xi of component k are
 * number k % 2 of pair k / 2. */
static void act_on_block(const thermostat *t, int stage, const momenta *of, size_t first, size_t n,
                         double c, double spread)
{
    enum { STREAM = 1, PAIR_BITS = 1, KIND_BITS = 1, STAGE_BITS = 6 };
    uint64_t which[PAIRS * BLOCK];
    double xi[2][PAIRS * BLOCK];
    for (size_t pair = 0; pair < PAIRS; pair++) {
        for (size_t i = 0; i < n; i++) {
            const uint64_t part = (uint64_t)(first + i) << STAGE_BITS | (unsigned)stage;
            which[pair * n + i] = (part << KIND_BITS | (unsigned)of->kind) << PAIR_BITS | pair;
        }
    }
    ph_normals((const uint64_t[]){(uint64_t)t->seed, STREAM}, *t->steps, which, PAIRS * n, xi[0],
               xi[1]);
    for (size_t k = 0; k < 3; k++) {
        double *y = of->y[k] + first;
        const double *w = of->w[k] + first, *z = xi[k % 2] + k / 2 * n;
        for (size_t i = 0; i < n; i++)
            y[i] = c * y[i] + spread * sqrt(w[i]) * z[i];
    }
}

ph_status ph_langevin_act(thermostat *t, int stage, const momenta *of, double h)
{
    if (!(h >= 0.0))
        return PH_BACKWARD;
    const double c = ph_real_exp(-t->friction * h),
                 spread = sqrt((1.0 - c) * (1.0 + c) * bath_energy(t)),
                 before = momenta_twice_all(of);
    for (size_t i = 0; i < of->n; i += BLOCK)
        act_on_block(t, stage, of, i, of->n - i < BLOCK ? of->n - i : BLOCK, c, spread);
    t->last[of->kind] = momenta_twice_all(of);
    t->heat[of->kind] += 0.5 * (t->last[of->kind] - before);
    return ok_if(isfinite(t->heat[of->kind]), PH_NOT_FINITE);
}
