/* prk.c - partitioned Runge-Kutta-Munthe-Kaas, with the Cayley map or the exponential.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.8); Nukala, Shelton 2007.
 *
 *   O11 (4.8a)  w' = w + h/2 J^-1 ( tau(R) - w' x J w' )          solved for w' by Newton
 *   O11 (4.8b)  R+ = R cay(h w')
 *   O11 (4.8c)  w+ = w' + h/2 J^-1 ( tau(R+) - w' x J w' )
 *
 * With v = J w + h/2 tau(R), (a) says (1 + h/2 w'^) J w' = v, and (c)
 * J w+ = cay(-h w') v + h/2 tau(R+): a kick, the midpoint rule of the free body, a kick.
 *
 * The midpoint rule is its own adjoint, hence symmetric; cay turns m as the body, hence
 * the momentum is kept; without torque (w+ - w) . J w' = 0, hence the energy is. With
 * exp the body turns a little differently: without torque |m| and the energy stay, the
 * momentum in space does not. Not symplectic.
 */
#include "integrators/field.h"
#include "integrators/half_steps.h"
#include "rotation/retraction.h"

static ph_status midpoint(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const retraction *r = data;
    ph_vec3 w;
    const ph_status status = backward_euler(J, s->m, h, &w);
    if (status != PH_OK)
        return status;
    const ph_vec3 x = scale(h, w);
    return commit_step(s, mul(s->q, r->map(x)), rotate(inverse(ph_cay(x)), s->m));
}

#define ROW(key, words, more, map)                                                       \
    {                                                                                    \
        .name = (key), .title = "Partitioned Runge-Kutta-Munthe-Kaas" words,             \
        .cite = "O11 (4.8)", .order = 2, .keeps = PH_SYMMETRIC | (more),                 \
        .keeps_free = PH_SYMMETRIC | PH_CASIMIR | PH_ENERGY | (more),                    \
        .step = kick_free_kick, .data = &(const free_motion)                             \
        {                                                                                \
            midpoint, (map)                                                              \
        }                                                                                \
    }

const ph_method ph_method_prk[2] = {
    ROW("prk", "", PH_MOMENTUM, &CAYLEY),
    ROW("prk_exp", " with the exponential", 0, &EXPONENTIAL),
};
