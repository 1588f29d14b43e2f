/* ensemble.cl - bodies to a tolerance by dop853, one a work-item, with the steps of
 * integrators/adaptive.c.
 *
 * Before it stand, with WITH_FIELD defined, torque() and load_values(). A body stops in the step
 * that comes to its next row, with the polynomial of that step; or at the end; or where it fails.
 */
#include "device/moving.h"
#include "integrators/adaptive.h"

/* The problem is in the body's own axes, and its context the momentum inside. */
void ph_motion_rate(ph_adaptive_run *r, double t, const double *y, double *rate)
{
    const ph_problem *p = r->problem;
    const ph_quat q = {y[0], y[1], y[2], y[3]};
    const ph_vec3 m = {y[4], y[5], y[6]}, none = {NAN, NAN, NAN},
                  w = over(sub(m, *(const ph_vec3 *)p->context), p->body.J);
    ph_vec3 moved = cross(m, w);
#ifdef WITH_FIELD
    const ph_quat unit = of_unit_length(q);
    ph_instant now = {t, unit, ph_quat_matrix(unit), none, none};
    if (p->velocity_dependent) {
        now.m = m;
        now.w = w;
    }
    moved = add(moved, principal_torque(p, &now));
    r->now.evaluations += 1.0;
#else
    moved = add(moved, vec3(0, 0, 0));
#endif
    const ph_quat turned = mul(q, quat(0.0, scale(0.5, w)));
    rate[0] = turned.w, rate[1] = turned.x, rate[2] = turned.y, rate[3] = turned.z;
    rate[4] = moved.x, rate[5] = moved.y, rate[6] = moved.z;
}

#include "integrators/adaptive/dop853.c"

/* Whether the row at a time is within the last step, as look() of system/run.c has it. */
PART bool has_come(double t, double row, double end, bool forward)
{
    return t == end || (forward ? row - t : t - row) <= 0x1p-50 * fabs(t);
}

kernel void move(global ph_adaptive_numbers *all, global const moving_body *bodies,
                 global const double *values, global const double *rows, double tolerance,
                 double end, uint attempts, ulong n, global int *status, global uint *moving)
{
    const size_t i = get_global_id(0);
    if (i >= n || status[i] != MOVING)
        return;
    const moving_body b = bodies[i];
    ph_vec3 inside = {b.inside[0], b.inside[1], b.inside[2]};
    ph_problem p;
    p.body.J = vec3(b.J[0], b.J[1], b.J[2]);
    p.body.axes = (ph_quat){b.axes[0], b.axes[1], b.axes[2], b.axes[3]};
    p.body.principal = b.axes[1] == 0.0 && b.axes[2] == 0.0 && b.axes[3] == 0.0;
    p.velocity_dependent = b.damped != 0.0;
    p.context = &inside;
#ifdef WITH_FIELD
    load_values(&p, values, i, n);
#endif
    ph_adaptive_run r;
    r.problem = &p;
    r.tolerance = tolerance;
    r.now = all[i];
    ph_trial_step a;
    for (int k = 0; k < PH_UNKNOWNS; k++)
        a.rest[k] = 0.0;
    const double row = rows[i];
    const bool forward = end > r.now.t;
    int state = MOVING;
    for (uint k = 0; k < attempts && state == MOVING; k++) {
        double then;
        const ph_status chosen = ph_step_choose(&r, end, b.longest, &then);
        if (chosen != PH_OK) {
            state = chosen;
            break;
        }
        attempt(&r, then - r.now.t, &a);
        if (!ph_step_judge(&r, then, a.error, a.factor, a.whole))
            continue;
        r.now.memory[0] = 0.0;
        ph_step_commit(&r, then, a.change, a.rest);
        if (has_come(r.now.t, row, end, forward))
            state = PH_OK;
    }
    if (state == PH_OK && row != r.now.t) {
        r.now.memory[0] = r.now.t - r.now.from;
        set_polynomial(&r);
    }
    all[i] = r.now;
    status[i] = state;
    if (state == MOVING)
        atomic_inc(moving);
}
