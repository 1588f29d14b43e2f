/* rotation.c - the exact attitude as a product of three rotation matrices.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 2.2.
 *
 * Q = P(0)^T Y P(t) in the frame of m and m', Prop. 2.1 and 2.2: src/motion/celledoni.c.
 *
 * Not defined, and handed over to `exact`: next to every principal axis, where m'
 * vanishes; next to the separatrix, where n tends to 1; for symmetric bodies; without
 * momentum.
 *
 * A solution of Hamilton's equations, hence it keeps everything, to round-off.
 */
#include "motion/celledoni.h"

CELLEDONI_STEP(step, ph_celledoni_matrices)

const ph_flow ph_flow_rotation = {
    .name = "rotation",
    .title = "Exact free motion, three rotation matrices",
    .cite = "CFSZ Prop. 2.2, (14)",
    .order = PH_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
