/* compare_reference.c - the state that the methods of a comparison are held against. */
#include <math.h>

#include "compare.h"
#include "core/vec.h"
#include "interrupt.h"

#define FLOOR    1e-13
#define ROUNDING 0x1p-53

void compare_errors(const ph_state *s, const ph_state *right, double *momentum,
                    double *attitude)
{
    const ph_vec3 off = sub(s->m, right->m);
    const ph_quat turned = {s->q.w - right->q.w, s->q.x - right->q.x, s->q.y - right->q.y,
                            s->q.z - right->q.z};
    const double size = norm_max(right->m);
    *momentum = size == 0.0
                    ? norm(off)
                    : norm(scale(1.0 / size, off)) / norm(scale(1.0 / size, right->m));
    *attitude = sqrt(dot4(turned, turned));
}

/* What rounding leaves of a motion that turns this far. */
static double rounding(const compare_request *r)
{
    const double turned =
        norm(ph_velocity(&r->from.body, r->from.start.m)) * fabs(r->time);
    const double per_radian = 8.0; /* roundings of the run and of the reference */
    return fmax(FLOOR, per_radian * ROUNDING * (1.0 + turned));
}

static bool go_on(void *context, long step, double t, const ph_state *s)
{
    (void)context;
    (void)step;
    (void)t;
    (void)s;
    return !interrupted;
}

static ph_status fine_run(const compare_request *r, long steps, ph_state *end)
{
    ph_integrator fine;
    if (!ph_integrator_named(&fine, "s6_10+exact"))
        return PH_NOT_APPLICABLE;
    *end = r->from.start;
    return setup_run(&r->from, &fine, end, r->time / (double)steps, steps, go_on, NULL,
                     NULL);
}

/* Steps are halved as long as that brings two runs closer to each other. */
static ph_status in_field(const compare_request *r, compare_reference *out)
{
    const long fewest = 500, most = 1L << 19;
    long steps = fewest;
    ph_state last;
    double best = INFINITY;
    ph_status status = fine_run(r, steps, &last);
    while (status == PH_OK && steps < most && !interrupted) {
        ph_state next;
        double momentum, attitude;
        steps *= 2;
        status = fine_run(r, steps, &next);
        if (status != PH_OK)
            break;
        compare_errors(&last, &next, &momentum, &attitude);
        const double difference = fmax(momentum, attitude);
        if (difference >= best && best < 1e-6)
            break;
        best = difference;
        out->end = last = next;
        if (best < rounding(r))
            break;
    }
    out->floor = fmax(rounding(r), best);
    return status;
}

ph_status compare_find_reference(const compare_request *r, compare_reference *out)
{
    if (setup_in_field(&r->from))
        return in_field(r, out);
    ph_motion motion;
    const ph_status status = ph_motion_prepare(&motion, &r->from.body, &r->from.start);
    if (status == PH_OK)
        *out = (compare_reference){ph_motion_at(&motion, r->time), rounding(r)};
    return status;
}
