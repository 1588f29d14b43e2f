/* mcg.c - modified Crouch-Grossman.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.9); Nukala, Shelton 2007.
 *
 *   v = J w + h/2 tau(R)
 *   O11 (4.9a)  J w' = exp(-h/2 w') v   solved for w' by Newton
 *   O11 (4.9b)  R+ = R exp(h w')
 *   O11 (4.9c)  J w+ = exp(-h w') v + h/2 tau(R+)
 *
 * Corrected: in (c) O11 prints v with J w' for J w, which does not converge. The
 * Jacobian of (a) has h/2 where O11 refers to that of (4.6), which has h/4.
 *
 * A kick, the Lie midpoint step of the free body, and a kick. The midpoint step is its
 * own adjoint, hence symmetric; m turns as the body does, hence the momentum is kept.
 * Not symplectic.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"

const ph_method ph_method_mcg = {
    .name = "mcg",
    .title = "Modified Crouch-Grossman",
    .cite = "O11 (4.9)",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR,
    .step = kick_free_kick,
    .data = &(const free_motion){lie_midpoint_turn, NULL},
};
