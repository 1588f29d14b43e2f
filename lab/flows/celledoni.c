/* celledoni.c - the exact attitude in the four forms of Celledoni et al.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU.
 *
 * lab/motion/celledoni_forms.c states the forms. Where one is not defined `exact` takes over: next to the
 * separatrix, where n tends to 1; for symmetric bodies; without momentum; and
 *
 *   rotation, quaternion   next to every principal axis, where m' vanishes
 *   quaternion, kosenko    next to m = -e3, where p vanishes
 *   kosenko                next to an axis
 *   zon                    next to m = +-e3, where v is not defined
 *
 * A solution of Hamilton's equations, hence they keep everything, to round-off.
 */
#include "lab/motion/celledoni_forms.h"

CELLEDONI_STEP(by_matrices, ph_celledoni_matrices)
CELLEDONI_STEP(by_quaternions, ph_celledoni_quaternions)
CELLEDONI_STEP(by_kosenko, ph_celledoni_kosenko)
CELLEDONI_STEP(by_zon, ph_celledoni_zon)

#define FORM(key, words, where, function)                                                          \
    .name = (key), .title = "Exact free motion, " words, .cite = "CFSZ " where,                    \
    .order = PH_ORDER_EXACT, .keeps = PH_KEEPS_ALL, .step = (function)

const ph_flow ph_flow_rotation = {
    FORM("rotation", "three rotation matrices", "Prop. 2.2, (14)", by_matrices),
};

const ph_flow ph_flow_quaternion = {
    FORM("quaternion", "three quaternions", "section 2.4, case (b)", by_quaternions),
};

const ph_flow ph_flow_kosenko = {
    FORM("kosenko", "Kosenko's quaternion", "(38)", by_kosenko),
};

const ph_flow ph_flow_zon = {
    FORM("zon", "quaternion of van Zon and Schofield", "section 2.4, case (c)", by_zon),
};
