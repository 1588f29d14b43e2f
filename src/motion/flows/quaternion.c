/* quaternion.c - the exact attitude as a product of three quaternions, in the frame of m
 * and m'.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU: 2.4 (b).
 *
 * q = p(0)^-1 y p(t), the frame and the angle of `rotation` in quaternions:
 * src/motion/celledoni.c.
 *
 * Not defined, and handed over to `exact`: next to every principal axis, where m'
 * vanishes; next to m = -e3; next to the separatrix; for symmetric bodies; without
 * momentum.
 *
 * A solution of Hamilton's equations, hence it keeps everything, to round-off.
 */
#include "motion/celledoni.h"

CELLEDONI_STEP(step, ph_celledoni_quaternions)

const ph_flow ph_flow_quaternion = {
    .name = "quaternion",
    .title = "Exact free motion, three quaternions",
    .cite = "CFSZ section 2.4, case (b)",
    .order = PH_EXACT,
    .keeps = PH_KEEPS_ALL,
    .step = step,
};
