/* turn.c - the free turn of one body whose momentum is known in space, where it stays. */
#include "base/arguments.h"
#include "motion/state.h"
#include "polhode/batch.h"

static double velocity_along(double m, double moment)
{
    return moment == 0.0 ? 0.0 : m / moment;
}

/* The velocity of a momentum, both in space; 0 about an axis without inertia. */
static ph_vec3 velocity_of(ph_vec3 J, ph_quat q, ph_vec3 m)
{
    const ph_vec3 b = rotate(inverse(q), m);
    return rotate(
        q, vec3(velocity_along(b.x, J.x), velocity_along(b.y, J.y), velocity_along(b.z, J.z)));
}

static ph_status attitude_after(const ph_flow *flow, ph_vec3 J, ph_quat *q, ph_vec3 m, double h)
{
    const ph_body body = {.J = J, .axes = {1, 0, 0, 0}, .principal = true};
    ph_state s = {*q, rotate(inverse(*q), m)};
    const ph_status status = ph_flow_step(flow, &body, &s, h);
    if (status == PH_OK)
        *q = s.q;
    return status;
}

/* A linear body turns about an axis across its own, and evenly. */
static ph_status linear_after(ph_vec3 J, ph_quat *q, ph_vec3 m, double h, ph_vec3 *w)
{
    const ph_vec3 velocity = velocity_of(J, *q, m);
    const ph_quat end = ph_quat_unit(mul(ph_rotation_exp(scale(h, velocity)), *q));
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (!finite4(*q) || !finite3(m))
        return PH_BAD_STATE;
    if (!finite4(end) || !finite3(velocity))
        return PH_NOT_FINITE;
    *q = end;
    if (w != NULL)
        *w = velocity;
    return PH_OK;
}

ph_status ph_flow_turn(const ph_flow *flow, ph_vec3 J, ph_quat *q, ph_vec3 m, double h, ph_vec3 *w)
{
    if (ANY_NULL(flow, q))
        return PH_NULL_ARGUMENT;
    if ((flow->keeps & PH_MOMENTUM) == 0)
        return PH_NOT_APPLICABLE;
    if (!(J.x >= 0.0 && J.y >= 0.0 && J.z >= 0.0) || !finite3(J))
        return PH_BAD_INERTIA;
    if (J.x == 0.0 || J.y == 0.0 || J.z == 0.0)
        return linear_after(J, q, m, h, w);
    ph_quat end = *q, middle = *q;
    ph_status status = attitude_after(flow, J, &end, m, h);
    if (status != PH_OK)
        return status;
    if (w != NULL) {
        if (dot4(*q, end) > 0.0)
            middle =
                ph_quat_unit((ph_quat){q->w + end.w, q->x + end.x, q->y + end.y, q->z + end.z});
        else
            status = attitude_after(flow, J, &middle, m, 0.5 * h);
        if (status != PH_OK)
            return status;
        *w = velocity_of(J, middle, m);
    }
    *q = end;
    return PH_OK;
}
