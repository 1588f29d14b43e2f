/* mr.c - splitting into three rotations about the principal axes.
 *
 * McLachlan 1993, Reich 1994, Touma and Wisdom 1994; "McL2" of
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.3.
 *
 *   H = R1 + R2 + R3,  Rj = mj^2/(2 Ij);  the flow of Rj over h turns the body about
 *   its axis j by the angle h mj/Ij and leaves mj alone
 *   step = R1(h/2) R2(h/2) R3(h) R2(h/2) R1(h/2)
 *
 * Vilmart 2013 prints R3 R2 R1 R2 R1, which is not consistent; with the last factor R3 it
 * is this method with the axes in another order, and another method.
 *
 * A symmetric composition of flows of Hamiltonians: symmetric, symplectic, Poisson; each
 * turn keeps the momentum in space.
 */
#include "motion/mr.h"
#include "motion/batch/kernels.h"
#include "motion/units.h"
#include "rotation/vec.h"

static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return ph_step_in_units(flow, s, J, h);
    mr_bodies w[VECTORS];
    w[0].s = one_body(s, J, h);
    mr_move(w, flow);
    return take(s, &w[0].out) ? PH_OK : PH_NOT_FINITE;
}

BATCH_KERNEL(mr)

const ph_flow ph_flow_mr = {
    .name = "mr",
    .title = "Splitting into three rotations",
    .cite = "CFSZ section 3.3",
    .order = 2,
    .keeps = PH_MOMENTUM | PH_CASIMIR | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC,
    .step = step,
    .batch = batch,
};
