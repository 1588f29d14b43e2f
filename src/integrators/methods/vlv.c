/* vlv.c - variational Lie-Verlet, with the Cayley map or the exponential.
 *
 * O11  Ortolan, thesis, Padova 2011, (4.11); Bou-Rabee, Marsden 2009.
 *
 *   O11 (4.11a)  w' = w + h/2 J^-1 ( J w' x w' - h/2 (w'.J w') w' + tau(R) )
 *   O11 (4.11b)  R+ = R cay(h w')
 *   O11 (4.11c)  w+ = w' + h/2 J^-1 ( J w' x w' + h/2 (w'.J w') w' + tau(R+) )
 *
 * With v = J w + h/2 tau(R), (a) says dcay^-1_{-h w'} J w' = v, and (c)
 * J w+ = cay(-h w') v + h/2 tau(R+). Solved by Newton as
 *
 *   f = w' - J^-1 dcay_{-h w'} v,   df = 1 + h J^-1 d(dcay_x v)/dx at x = -h w'
 *
 * and so with exp for cay. (Corrected: O11 prints the Newton equation of (a) with w' for
 * w and without the outer J^-1.)
 *
 * Discrete Euler-Poincare equations with the retraction, between two kicks, hence
 * symplectic and the momentum kept; (c) is the adjoint of (a), hence symmetric.
 */
#include "integrators/field.h"
#include "motion/scaled.h"
#include "rotation/newton.h"
#include "rotation/retraction.h"

typedef struct equation {
    const retraction *r;
    ph_vec3 J, v;
    double h;
} equation;

static void system_of(const void *context, ph_vec3 w, ph_vec3 *F, ph_mat3 *dF)
{
    const equation *e = context;
    const ph_vec3 x = scale(-e->h, w);
    const tangent c = e->r->at(dot(x, x));
    *F = sub(w, over(tangent_of(&c, x, e->v), e->J));
    *dF = one_plus(e->h, e->J, tangent_slope(&c, x, e->v));
}

static ph_status turn(const void *data, ph_state *s, ph_vec3 J, double h)
{
    const retraction *r = data;
    const equation e = {r, J, s->m, h};
    ph_vec3 w = over(s->m, J);
    const ph_status status = newton(system_of, &e, &w);
    return status == PH_OK ? apply_turn(s, r->map(scale(h, w))) : status;
}

#define KEEPS (PH_SYMMETRIC | PH_MOMENTUM | PH_POISSON | PH_SYMPLECTIC)

#define ROW(key, words, map)                                                             \
    {                                                                                    \
        .name = (key), .title = "Variational Lie-Verlet" words, .cite = "O11 (4.11)",    \
        .order = 2, .keeps = KEEPS, .keeps_free = KEEPS | PH_CASIMIR,                    \
        .step = kick_free_kick, .data = &(const free_motion)                             \
        {                                                                                \
            turn, (map)                                                                  \
        }                                                                                \
    }

const ph_method ph_method_vlv[2] = {
    ROW("vlv", "", &CAYLEY),
    ROW("vlv_exp", " with the exponential", &EXPONENTIAL),
};
