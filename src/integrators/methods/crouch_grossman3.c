/* crouch_grossman3.c - the method of Crouch and Grossman of order 3.
 *
 * Crouch, Grossman 1993; Hairer, Lubich, Wanner, Geometric Numerical Integration, section
 * IV.8.
 *
 *   E_k = exp(h a_k1 w_1) ... exp(h a_k,k-1 w_(k-1))
 *   R_k = R E_k,   T_k = T(t + c_k h, R_k, m_k)
 *   m_k = E_k^T ( m + h sum_j a_kj E_j T_j ),   w_k = J^-1 (m_k - H_k)
 *   R+ and m+ in the same way with b_k for a_kj
 *
 *     0   |
 *     3/4 |   3/4
 *   17/24 | 119/216  17/108
 *   ------+------------------------
 *         |  13/51    -2/3    24/17
 *
 * In space  pi+ = pi + h sum_k b_k R_k T_k: the momentum changes by torques only, hence
 * is kept about an axis the torque has no component along.
 */
#include "integrators/lie.h"

enum { STAGES = 3 };

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    /* the last row is that of the step */
    static const double a[STAGES + 1][STAGES] = {{0, 0, 0},
                                                 {3.0 / 4, 0, 0},
                                                 {119.0 / 216, 17.0 / 108, 0},
                                                 {13.0 / 51, -2.0 / 3, 24.0 / 17}};
    static const double c[STAGES] = {0, 3.0 / 4, 17.0 / 24};
    (void)method;
    ph_vec3 w[STAGES], torque[STAGES]; /* the latter in the frame of the start */
    ph_quat E = {1, 0, 0, 0};
    ph_vec3 m = s->m;
    for (int k = 0; k <= STAGES; k++) {
        E = (ph_quat){1, 0, 0, 0};
        m = s->m;
        for (int j = 0; j < k; j++) {
            E = mul(E, ph_exp(scale(h * a[k][j], w[j])));
            m = add(m, scale(h * a[k][j], torque[j]));
        }
        m = rotate(inverse(E), m);
        if (k < STAGES) {
            const double t_k = t + c[k] * h;
            w[k] = velocity_at(p, t_k, m);
            torque[k] = rotate(E, torque_moving(p, t_k, mul(s->q, E), m, w[k]));
        }
    }
    return commit_step(s, mul(s->q, E), m);
}

const ph_method ph_method_crouch_grossman3 = {
    .name = "crouch_grossman3",
    .title = "Crouch-Grossman, order 3",
    .cite = "Crouch, Grossman 1993",
    .order = 3,
    .any_torque = true,
    .keeps = PH_MOMENTUM,
    .keeps_free = PH_MOMENTUM | PH_CASIMIR,
    .step = step,
};
