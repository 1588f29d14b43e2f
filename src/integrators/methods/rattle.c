/* rattle.c - RATTLE for the rigid body: kick, discrete Moser-Veselov step, kick.
 *
 * V13  Vilmart, Rigid body dynamics, 2013, (11); McLachlan, Scovel 1995, Reich 1994.
 *
 *   v = m + h/2 tau(R)
 *   J e + e x J e = (1 + |e|^2) (h/2) v              src/motion/moser_veselov.h
 *   R+ = R cay(2 e),   m+ = cay(-2 e) v + h/2 tau(R+)
 *
 * RATTLE is symplectic with the orthogonality of the matrices as constraint, symmetric,
 * and keeps the momentum; without torque it is dmv2, which also keeps the energy.
 *
 * The step is one, not divided as dmv2 divides it: beyond about 1 rad the equation has no
 * solution, PH_NO_CONVERGENCE.
 */
#include "integrators/field.h"
#include "motion/moser_veselov.h"
#include "motion/scaled.h"

static ph_status moser_veselov(const void *data, ph_state *s, ph_vec3 J, double h)
{
    (void)data;
    const scaled z = to_scaled(s, J, h);
    ph_vec3 e;
    if (z.length == 0.0)
        return PH_OK;
    if (!ph_dmv_solve(z.I, z.m, z.h, &e))
        return PH_NO_CONVERGENCE;
    return apply_scaled_turn(s, &z, turn_of_tangent(e));
}

#define KEEPS (PH_SYMMETRIC | PH_MOMENTUM | PH_POISSON | PH_SYMPLECTIC)

const ph_method ph_method_rattle = {
    .name = "rattle",
    .title = "RATTLE",
    .cite = "V13 (11)",
    .order = 2,
    .keeps = KEEPS,
    .keeps_free = KEEPS | PH_CASIMIR | PH_ENERGY,
    .step = kick_free_kick,
    .data = &(const free_motion){moser_veselov, NULL},
};
