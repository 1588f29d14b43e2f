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
#include "motion/units.h"

/* What the Moser-Veselov steps of one method are made with: the moments in the equation,
 * the length of the step in it, and a share of I e that is added to e before the body is
 * turned (parallel to y + y+, so that it leaves y+ where it is). */
typedef struct ph_dmv_plan {
    ph_vec3 I;
    double h, share;
} ph_dmv_plan;

/* Into how many equal steps a step of z is divided, each to turn by at most `angle`; more
 * than DMV_MOST_DIVISIONS, the most that are not refused, if there is no end to it. */
enum { DMV_MOST_DIVISIONS = 65536 };
long ph_dmv_divisions(const scaled *z, double angle);

/* n Moser-Veselov steps from the momentum m that share their plan; false if one of them has no
 * solution. */
bool ph_dmv_steps(const ph_dmv_plan *plan, ph_vec3 m, long n, ph_quat *turn);

/* The body of the step of a flow, a function that returns a ph_status. It takes as many
 * Moser-Veselov steps as needed, each of which turns by at most `largest_angle`. Returns
 * PH_NO_CONVERGENCE if no number of them up to 2^16 will do. The flow gives its own
 *
 *     bool planner(const ph_flow *flow, const scaled *z, double h, ph_dmv_plan *plan)
 *
 * which makes the plan for steps of h and a momentum of z's invariants, and returns false if there is
 * none for such an h. It is a macro because OpenCL C has no pointers to functions. */
#define TAKE_DMV_STEPS(flow, s, J, h, planner, largest_angle)                                      \
    do {                                                                                           \
        if (!ordinary_units((s)->m, J))                                                            \
            return STEP_IN_UNITS(flow, s, J, h);                                                   \
        if ((h) == 0.0)                                                                            \
            return PH_OK;                                                                          \
        const scaled z = to_scaled(s, J, h);                                                       \
        for (long n = ph_dmv_divisions(&z, largest_angle); n <= DMV_MOST_DIVISIONS; n *= 2) {      \
            ph_dmv_plan plan = {.share = 0.0};                                                     \
            ph_quat turn;                                                                          \
            if (planner(flow, &z, z.h / (double)n, &plan) && ph_dmv_steps(&plan, z.m, n, &turn))   \
                return apply_scaled_turn(s, &z, turn);                                             \
        }                                                                                          \
        return PH_NO_CONVERGENCE;                                                                  \
    } while (0)

/* e of one step of length h with moments I; false where it was not found, or is beyond
 * the fold. */
bool ph_dmv_solve(ph_vec3 I, ph_vec3 y, double h, ph_vec3 *e);
