/* sr.c - splitting into a symmetric body and a rotation, and its compositions.
 *
 * V13  Vilmart, Rigid body dynamics, 2013, Algorithm 2.
 * HV   Hairer, Vilmart, J. Phys. A 39 (2006), section 3: SR4, SR6 of 5 and 9 SR2.
 *
 *   H = R + S,  R = (1/I1 - 1/I2) m1^2/2,  S = (|m|^2/I2 + (1/I3 - 1/I2) m3^2)/2
 *   R over t:  about axis 1 by t alpha,  alpha = (1/I1 - 1/I2) m1
 *              corrected: V13 prints alpha = m1/I1
 *   S over t:  about m by t |m|/I2, then about axis 3 by t beta,  beta = (1/I3 - 1/I2) m3
 *              corrected: V13 prints beta = 1/I3 - 1/I2
 *   step = R(h/2) S(h) R(h/2)
 *
 * With the moments ascending two equal ones are I1 = I2, when R vanishes, or I2 = I3,
 * when S is a sphere and commutes with R: the step is exact for every symmetric body. V13
 * (Remark 3) claims that for I1 = I3 in the given order too, where it is not; hence the
 * axes are ordered.
 *
 * A symmetric composition of flows of Hamiltonians: symmetric, symplectic, Poisson; each
 * turn keeps the momentum in space.
 */
#include "motion/bodies.h"
#include "motion/renaming.h"
#include "motion/units.h"

typedef struct sr_bodies {
    bodies s;
    outcome out;
    renaming r;
    vdouble3 m; /* in the renamed axes */
    vdouble length, half, jy, a, c;
    vdouble4 turn; /* so far */
    vdouble sine, cosine;
} sr_bodies;

/* The first turn about x. */
PART void sr_begin(sr_bodies *w, bool little)
{
    vdouble3 I = w->s.J, m = w->s.m;
    w->r = rename_ascending(&I, &m);
    m.y = w->r.sign_y * m.y;
    w->m = m;
    w->half = 0.5 * w->s.h;
    w->jy = 1.0 / I.y;
    w->length = norm(m);
    w->a = ((I.y - I.x) / I.x) * w->jy;
    w->c = ((I.y - I.z) / I.z) * w->jy;
    vsincos_little(little, 0.5 * w->half * (w->a * m.x), &w->sine, &w->cosine);
}

/* The turn about m, which leaves m alone, and the one about z. */
PART void turn_about_m_and_z(sr_bodies *w, bool little)
{
    const vdouble zero = vsplat(0.0);
    vdouble4 turn = {w->cosine, w->sine, zero, zero};
    const vdouble3 after = rotate_back(turn, w->m);
    vsincos_little(little, w->half * (w->length * w->jy), &w->sine, &w->cosine);
    turn = mul(turn, quat(w->cosine, scale(w->sine / w->length, after)));
    vsincos_little(little, w->half * (w->c * after.z), &w->sine, &w->cosine);
    w->turn = mul(turn, (vdouble4){w->cosine, zero, zero, w->sine});
}

/* The last turn about x, and back to the principal axes. */
PART void turn_again(sr_bodies *w, bool little)
{
    vsincos_little(little, 0.5 * w->half * (w->a * rotate_back(w->turn, w->m).x), &w->sine,
                   &w->cosine);
    const vdouble4 t = mul(w->turn, (vdouble4){w->cosine, w->sine, vsplat(0.0), vsplat(0.0)});
    w->out = turned_by(&w->s, quat(t.w, renamed_back(&w->r, vec(t))), sincos_can_all(&w->s));
}

PART void sr_turns(sr_bodies w[VECTORS], bool little)
{
    BOTH(sr_begin(&w[k], little));
    BOTH(turn_about_m_and_z(&w[k], little));
    BOTH(turn_again(&w[k], little));
}

PART void sr_move(sr_bodies w[VECTORS], const ph_flow *flow)
{
    (void)flow;
    if (both_turn_little(&w[0].s, &w[VECTORS - 1].s))
        sr_turns(w, true);
    else
        sr_turns(w, false);
}

FLOW_KERNEL(sr, sr_bodies, sr_move)

#ifndef SIMD_VECTORS
static ph_status step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return STEP_IN_UNITS(flow, s, J, h);
    return moved(flow, s, J, h) ? PH_OK : PH_NOT_FINITE;
}

#ifndef __OPENCL_VERSION__
#include "motion/composition.h"

static ph_status step_composed(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

#define SR_KEEPS (PH_MOMENTUM | PH_CASIMIR | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

#define ROW(key, words, where, p, function)                                                        \
    .name = (key), .title = (words), .cite = (where), .order = (p), .keeps = SR_KEEPS,             \
    .step = (function)

const ph_flow ph_flow_sr[3] = {
    {ROW("sr2", "Splitting into symmetric body and rotation", "V13 Algorithm 2", 2, step)},
    {ROW("sr4", "Symmetric body and rotation, five steps composed", "HV section 3", 4,
         step_composed),
     .data = &ph_composition_table[COMPOSITION_SUZUKI4]},
    {ROW("sr6", "Symmetric body and rotation, nine steps composed", "HV section 3", 6,
         step_composed),
     .data = &ph_composition_table[COMPOSITION_KAHAN_LI6]},
};

static ph_status step_composed(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J)) /* parts of a tiny h would be rounded */
        return ph_step_in_units(flow, s, J, h);
    return ph_composition_step(flow->data, &ph_flow_sr[0], s, J, h);
}
#endif
#endif
