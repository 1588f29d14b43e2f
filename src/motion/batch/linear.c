/* linear.c - linear bodies in a batch: one moment is 0, the two others are equal, and the body has no
 * momentum along its axis. It turns about its momentum m, which does not move in the body either, by
 * h |m|/I: exact, with every flow. Many in the lanes of vectors, and one. */
#include "motion/batch/linear.h"

#include "motion/bodies.h"

/* How far the two moments of a linear body may be from each other, relative to them: that they were
 * computed, or rounded. */
static const double EQUAL = 1e-8;

PART vmask is_linear(vdouble3 J)
{
    const vdouble largest = vmax(J.x, vmax(J.y, J.z)), middle = J.x + J.y + J.z - largest;
    return (vmin(J.x, vmin(J.y, J.z)) == 0.0) & (middle >= (1.0 - EQUAL) * largest) &
           (largest > 0.0) & vfinite(largest);
}

PART outcome turn_linear(const bodies *s)
{
    const vdouble3 J = s->J, m = s->m;
    const vdouble zero = vsplat(0.0), both = J.x + J.y + J.z; /* twice the moment */
    const vdouble3 across = {vselect(J.x == 0.0, zero, m.x), vselect(J.y == 0.0, zero, m.y),
                             vselect(J.z == 0.0, zero, m.z)},
                   v = scale(s->h / both, across);
    const vdouble half = norm(v), of = vselect(half > 0.0, half, vsplat(1.0));
    vdouble sine, cosine;
    vsincos(half, &sine, &cosine);
    const vdouble4 turn = quat(cosine, scale(vselect(half > 0.0, sine, of) / of, v));
    return outcome_of(renormalize(mul(s->q, turn)), m, is_linear(J) & sincos_can(half));
}

#ifdef SIMD_VECTORS

void KERNEL(batch_linear)(const ph_flow *flow, const ph_batch *b, const double *h, bool h_each,
                          unsigned char *not_done)
{
    const bool shared = b->J[1] == NULL;
    const vdouble3 J = shared ? shared_moments(b) : (vdouble3){0};
    (void)flow;
    for (size_t i = 0; i < b->n; i += (size_t)VECTORS * LANES) {
        bodies s[VECTORS];
        outcome out[VECTORS];
        BOTH(s[k] = shared ? load_sharing(b, J, i + at, h, h_each)
                           : load_bodies(b, i + at, h, h_each));
        BOTH(out[k] = turn_linear(&s[k]));
        BOTH(store_good(b, i + at, &s[k], &out[k], out[k].good, not_done));
    }
}

#else
#include "motion/vec.h"

ph_status ph_linear_step(ph_state *s, ph_vec3 J, double h)
{
    if (!is_linear(J))
        return PH_BAD_INERTIA;
    if (!finite4(s->q) || !finite3(s->m))
        return PH_BAD_STATE;
    if (!isfinite(h))
        return PH_BAD_STEP;
    const bodies one = one_body(s, J, h);
    const outcome out = turn_linear(&one);
    return ok_if(take(s, &out), PH_NOT_FINITE);
}

#endif
