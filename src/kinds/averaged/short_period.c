/* short_period.c - the short-period part of a motion at its start.
 *
 * The motion differs from its average by a part u of first order that oscillates with all angles. With
 * g the effect of the torque less its average, along the free motion from the start,
 *
 *   u = -int_0^T g W dt,   W = 1 - x + sin(2 pi x)/(2 pi),   x = t/T
 *
 * up to terms of size 1/T^3: -W' = (1 - cos(2 pi x))/T is a weight, by which the average of u over T
 * vanishes. T is 64 periods of the slowest angle. With more than a million nodes, as next to the
 * separatrix, it is shorter, and the part that goes with that angle alone remains.
 */
#include "kinds/averaged/short_period.h"

#include <math.h>

#include "base/elementary.h"
#include "base/extremes.h"
#include "integrators/field.h"

spin ph_spin_mean(const averaging *a, const spin *s, bool above, double t, const ph_state *start,
                  const averages *mean)
{
    enum { PERIODS = 64, NODES = 32, MOST_NODES = 1 << 20 }; /* of the slowest, of the fastest */
    const spin_body *b = &a->body;
    const frequencies f = ph_spin_frequencies(b, s, above);
    const ph_body body = {.J = b->J, .axes = {1, 0, 0, 0}, .principal = true};
    const double length = norm(s->H);
    double slowest = f.precession, fastest = slowest;
    ph_motion motion;
    spin out = *s;
    if (a->p->torque == NULL || ph_motion_prepare(&motion, &body, start) != PH_OK)
        return out;
    if (b->range > 0.0) {
        slowest = smaller_or_nan(slowest, f.polhode);
        fastest = larger_or_nan(fastest, f.polhode);
    }
    if (a->period > 0.0)
        slowest = smaller_or_nan(slowest, 2.0 * PH_PI / a->period);
    const double h = 2.0 * PH_PI / (NODES * fastest),
                 count = smaller_or_nan(ceil(PERIODS * NODES * fastest / slowest), MOST_NODES),
                 per_inertia = 1.0 / b->I[2] + b->range * within_range(s->level, 0.0, 1.0);
    const uint64_t nodes = count > 0.0 ? (uint64_t)count : 0; /* 0 if a frequency is no number */
    ph_vec3 turned = {0, 0, 0};
    for (uint64_t i = 0; i < nodes; i++) {
        const double at_node = (double)i, x = at_node / count,
                     weight = (i == 0 ? 0.5 : 1.0) * h *
                              (1.0 - x + ph_sin(2.0 * PH_PI * x) / (2.0 * PH_PI));
        const ph_state at = ph_motion_at(&motion, h * at_node);
        const ph_vec3 w = over(at.m, b->J),
                      torque = torque_moving(a->p, t + h * at_node, at.q, at.m, w);
        out.H = add(out.H, scale(weight, sub(rotate(at.q, torque), mean->H)));
        turned = add(turned, scale(weight, sub(torque, mean->in_body)));
        if (b->range > 0.0)
            out.level += weight * (2.0 * dot(torque, sub(w, scale(per_inertia, at.m))) /
                                       (length * length * b->range) -
                                   mean->level);
    }
    if (b->range == 0.0) { /* a sphere: m in the body, whose direction is slow */
        const ph_vec3 m = add(scale(length, s->direction), turned);
        out.direction = scale(1.0 / norm(m), m);
    }
    out.level = within_range(out.level, 0.0, 1.0);
    return out;
}
