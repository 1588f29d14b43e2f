/* moser_veselov.h - discrete Moser-Veselov steps, and how many a time step takes.
 *
 * HV  Hairer, Vilmart, J. Phys. A 39 (2006), (16)-(18), in e = (h/2) I^-1 Y:
 *
 *   I e + e x I e = (1 + |e|^2) (h/2) y,    turn = (1, e)/sqrt(1 + |e|^2)
 *
 * the equation (18), and (17) as a turn: y+ is y turned back. The solution that tends to
 * zero with h ends in a fold where the turn approaches a quarter of a circle; beyond it
 * the step is divided (HV Remark 3.1), by a rule that depends on the invariants alone, so
 * that it is the same forward and back.
 */
#pragma once

#include "motion/scaled.h"

/* What the Moser-Veselov steps of one method are made with: the moments in the equation,
 * the length of the step in it, and a share of I e that is added to e before the body is
 * turned (parallel to y + y+, so that it leaves y+ where it is). */
typedef struct ph_dmv_plan {
    ph_vec3 I;
    double h, share;
} ph_dmv_plan;

/* The plan for steps of h and a momentum of z's invariants; false where there is none at
 * such an h. What makes one DMV method another. */
typedef bool ph_dmv_planner(const ph_flow *flow, const scaled *z, double h,
                            ph_dmv_plan *plan);

/* The data of a flow that makes such steps, each to turn by at most `largest_angle`. */
typedef struct ph_dmv_rule {
    ph_dmv_planner *planner;
    double largest_angle;
} ph_dmv_rule;

/* The step of a flow with such data: as many Moser-Veselov steps as needed.
 * PH_NO_CONVERGENCE where no number of them up to 2^16 will do; s is untouched unless
 * PH_OK. */
ph_status ph_dmv_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h);

/* e of one step of length h with moments I; false where it was not found, or is beyond
 * the fold. */
bool ph_dmv_solve(ph_vec3 I, ph_vec3 y, double h, ph_vec3 *e);
