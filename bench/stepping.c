/* stepping.c - many steps of a flow one after the other, and how right they are. */
#include <math.h>

#include "base/extremes.h"
#include "stepping.h"
#include "system/find.h"

stepping stepping_hairer_vilmart(const char *flow, double h, int steps)
{
    return (stepping){.flow = find_flow(flow),
                      .J = {0.6, 0.8, 1.0},
                      .start = {{1.0, 0.0, 0.0, 0.0}, {1.8, 0.4, -0.9}},
                      .h = h,
                      .steps = steps};
}

double stepping_pass(void *work)
{
    const stepping *s = work;
    const ph_flow *flow = s->flow;
    ph_state state = s->start;
    for (int i = 0; i < s->steps; i++)
        (void)flow->step(flow, &state, s->J, s->h);
    return state.m.x + state.q.w;
}

ph_state stepping_end(const stepping *s, int steps)
{
    ph_state state = s->start;
    for (int i = 0; i < steps; i++) {
        if (s->flow->step(s->flow, &state, s->J, s->h) != PH_OK)
            state.q.w = NAN;
    }
    return state;
}

double attitude_error(ph_quat q, ph_quat right)
{
    const ph_quat a = ph_quat_unit(q), b = ph_quat_unit(right);
    const double minus = hypot(hypot(a.w - b.w, a.x - b.x), hypot(a.y - b.y, a.z - b.z));
    const double plus = hypot(hypot(a.w + b.w, a.x + b.x), hypot(a.y + b.y, a.z + b.z));
    if (isnan(minus))
        return minus;
    return smaller_or_nan(minus, plus);
}

double stepping_attitude_error(const stepping *s, int steps)
{
    const ph_body body = {s->J, {1.0, 0.0, 0.0, 0.0}, true};
    ph_motion motion;
    if (ph_motion_prepare(&motion, &body, &s->start) != PH_OK)
        return NAN;
    return attitude_error(stepping_end(s, steps).q, ph_motion_at(&motion, s->h * steps).q);
}

static double square(ph_vec3 m)
{
    return m.x * m.x + m.y * m.y + m.z * m.z;
}

stepping_drift stepping_drift_over(const stepping *s, int steps)
{
    const ph_body body = {s->J, {1.0, 0.0, 0.0, 0.0}, true};
    const double E0 = ph_body_energy(&body, &s->start), m0 = square(s->start.m);
    stepping_drift drift = {0};
    ph_state state = s->start;
    for (int i = 0; i < steps; i++) {
        if (s->flow->step(s->flow, &state, s->J, s->h) != PH_OK)
            return (stepping_drift){NAN, NAN, NAN};
        const ph_quat q = state.q;
        const double unit = hypot(hypot(q.w, q.x), hypot(q.y, q.z));
        drift.energy = larger_or_nan(drift.energy, fabs(ph_body_energy(&body, &state) / E0 - 1.0));
        drift.momentum = larger_or_nan(drift.momentum, fabs(square(state.m) / m0 - 1.0));
        drift.unit = larger_or_nan(drift.unit, fabs(unit - 1.0));
    }
    return drift;
}
