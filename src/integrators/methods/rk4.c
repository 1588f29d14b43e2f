/* rk4.c - the classical method of Runge and Kutta on attitude and momentum.
 *
 * Kutta 1901; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.2.
 *
 *   q' = q (0, w)/2,   m' = m x w + torque,   w = J^-1 (m - H)
 *
 *   y_1 = y,  y_2 = y + h/2 f_1,  y_3 = y + h/2 f_2,  y_4 = y + h f_3
 *   y+ = y + h/6 (f_1 + 2 f_2 + 2 f_3 + f_4)
 *
 * A baseline that everyone knows. The four numbers of the quaternion are treated as any
 * others; torques see the attitude of the same direction and unit length, to which the
 * result is brought after the step. Nothing else is kept: neither energy nor the momentum in
 * space, not even its length.
 */
#include "integrators/field.h"

/* The state, or its derivative, as numbers of a vector space. */
typedef struct unknowns {
    ph_quat q;
    ph_vec3 m;
} unknowns;

/* y + h f */
static unknowns along(unknowns y, double h, unknowns f)
{
    return (unknowns){
        {y.q.w + h * f.q.w, y.q.x + h * f.q.x, y.q.y + h * f.q.y, y.q.z + h * f.q.z},
        add(y.m, scale(h, f.m))};
}

static unknowns derivative(const ph_problem *p, double t, unknowns y)
{
    const ph_vec3 w = velocity_at(p, t, y.m);
    const ph_vec3 torque = torque_moving(p, t, of_unit_length(y.q), y.m, w);
    return (unknowns){mul(y.q, quat(0.0, scale(0.5, w))), add(cross(y.m, w), torque)};
}

static ph_status step(const ph_method *method, const ph_problem *p, ph_state *s, double t,
                      double h)
{
    (void)method;
    const unknowns y = {s->q, s->m};
    const unknowns f1 = derivative(p, t, y),
                   f2 = derivative(p, t + 0.5 * h, along(y, 0.5 * h, f1)),
                   f3 = derivative(p, t + 0.5 * h, along(y, 0.5 * h, f2)),
                   f4 = derivative(p, t + h, along(y, h, f3));
    const unknowns sum = along(along(along(f1, 2.0, f2), 2.0, f3), 1.0, f4),
                   next = along(y, h / 6.0, sum);
    const bool overflows = !isfinite(dot4(next.q, next.q)); /* for a step far too long */
    return commit_step(s, overflows ? ph_quat_unit(next.q) : of_unit_length(next.q),
                       next.m);
}

const ph_method ph_method_rk4 = {
    .name = "rk4",
    .title = "Classical Runge-Kutta on q and m",
    .cite = "Kutta 1901",
    .order = 4,
    .any_torque = true,
    .step = step,
};
