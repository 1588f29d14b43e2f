/* gyrostat.c - a free body with rotors that turn inside it at constant momentum.
 *
 * Zhukovskii 1885, Volterra 1899. With H the momentum of the rotors, constant in the body:
 *
 *   w = J^-1 (m - H),   m' = m x w
 *
 * Kept are w.Jw/2 and, as no torque acts, the whole momentum in space. Permanent rotations
 * have m parallel to w: (lambda - J) w = H.
 */
#include "base/named.h"
#include "motion/vec.h"
#include "polhode/body.h"

static const ph_parameter PARAMETERS[] = {
    {"wheels", 0, 3, "momentum", "momentum of the rotors, in the body", PH_RANGE_ANY},
};

static ph_vec3 internal(const ph_problem *p, double t)
{
    (void)t;
    return vec3(p->value[0], p->value[1], p->value[2]);
}

const ph_problem ph_problem_gyrostat = {
    .name = "gyrostat",
    .title = "Free gyrostat",
    .cite = "Volterra 1899",
    .equations = "w = J^-1 (m - wheels), m' = m x w.",
    .body = PH_MOMENTS(1, 1.6, 2.2),
    .q = {1, 0, 0, 0},
    .w = {0.5, -0.5, 0.5},
    TABLE(parameter, PARAMETERS),
    .value = {0.3, -0.2, 0.5},
    .internal = internal,
};
