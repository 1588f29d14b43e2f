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
#include "motion/sr.h"
#include "motion/batch/kernels.h"
#include "motion/composition.h"
#include "motion/units.h"
#include "rotation/vec.h"

static ph_status step2(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    if (!ordinary_units(s->m, J))
        return ph_step_in_units(flow, s, J, h);
    sr_bodies w[VECTORS];
    w[0].s = one_body(s, J, h);
    sr_move(w, flow);
    return take(s, &w[0].out) ? PH_OK : PH_NOT_FINITE;
}

static ph_status step_composed(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

BATCH_KERNEL(sr)

#define SR_KEEPS (PH_MOMENTUM | PH_CASIMIR | PH_SYMMETRIC | PH_POISSON | PH_SYMPLECTIC)

#define ROW(key, words, where, p, function)                                              \
    .name = (key), .title = (words), .cite = (where), .order = (p), .keeps = SR_KEEPS,   \
    .step = (function)

const ph_flow ph_flow_sr[3] = {
    {ROW("sr2", "Splitting into symmetric body and rotation", "V13 Algorithm 2", 2,
         step2),
     .batch = batch},
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
