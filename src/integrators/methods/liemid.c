/* liemid.c - explicit Lie midpoint, LIEMID[EA].
 *
 * O11  Ortolan, thesis, Padova 2011, (4.6); Krysl 2005.
 *
 *   v = J w + h/2 tau(R)
 *   O11 (4.6a)  T  = h/2 J^-1 exp(-T/2) v   solved for T by Newton
 *   O11 (4.6b)  R' = R exp(T)
 *   O11 (4.6c)  J w' = exp(-T) v
 *   O11 (4.6d)  T' = h/2 J^-1 exp(-T'/2) J w'   solved for T' by Newton
 *   O11 (4.6e)  R+ = R' exp(T')
 *   O11 (4.6f)  J w+ = exp(-T') J w' + h/2 tau(R+)
 *
 * That is a kick, two Lie midpoint steps of h/2 of the free body, and a kick; T = h/2 w.
 * (O11 prints exp(+T/2) in the first line of the Jacobian of (a), exp(-T/2) in the last.)
 *
 * The midpoint step is its own adjoint, hence symmetric; m turns as the body does, hence
 * the momentum is kept. Not symplectic.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"

static ph_status two_half_steps(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const ph_status first = lie_midpoint_turn(data, s, J, 0.5 * h);
    return first == PH_OK ? lie_midpoint_turn(data, s, J, 0.5 * h) : first;
}

const ph_method ph_method_liemid = {
    .name = "liemid",
    .title = "Explicit Lie midpoint",
    .cite = "O11 (4.6)",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_MOMENTUM,
    .keeps_free = PH_SYMMETRIC | PH_MOMENTUM | PH_CASIMIR,
    .step = kick_free_kick,
    .data = &(const free_motion){two_half_steps, NULL},
};
