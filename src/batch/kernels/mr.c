/* mr.c - the flow `mr` for many bodies; the method is stated in src/flows/mr.c. */
#include "batch/lanes.h"
#include "core/simd_sincos.h"

/* The turn by twice the half angle about one axis: m's two other components, b and c in
 * right-handed order, and its quaternion. */
static inline void turn_about(lanes sine, lanes cosine, lanes *b, lanes *c)
{
    const lanes C = nmadd(2.0 * sine, sine, splat(1.0)), S = 2.0 * sine * cosine,
                before = *b;
    *b = madd(C, *b, S * *c);
    *c = nmadd(S, before, C * *c);
}

batch_kernel KERNEL(batch_mr);

void KERNEL(batch_mr)(const ph_flow *flow, const ph_batch *b, const double *h,
                      bool h_each, unsigned char *left)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += LANES) {
        const bodies s = load_bodies(b, i, h, h_each);
        const lanes3 j = {1.0 / s.J.x, 1.0 / s.J.y, 1.0 / s.J.z};
        const lanes quarter = 0.25 * s.h;
        lanes3 m = s.m;
        lanes a[5], sine, cosine;
        a[0] = quarter * (m.x * j.x);
        simd_sincos(a[0], &sine, &cosine);
        turn_about(sine, cosine, &m.y, &m.z);
        lanes4 q = {cosine, sine, splat(0.0), splat(0.0)};

        a[1] = quarter * (m.y * j.y);
        simd_sincos(a[1], &sine, &cosine);
        turn_about(sine, cosine, &m.z, &m.x);
        q = (lanes4){q.w * cosine, q.x * cosine, q.w * sine, q.x * sine};

        a[2] = 2.0 * quarter * (m.z * j.z);
        simd_sincos(a[2], &sine, &cosine);
        turn_about(sine, cosine, &m.x, &m.y);
        q = (lanes4){nmadd(q.z, sine, q.w * cosine), madd(q.y, sine, q.x * cosine),
                     nmadd(q.x, sine, q.y * cosine), madd(q.w, sine, q.z * cosine)};

        a[3] = quarter * (m.y * j.y);
        simd_sincos(a[3], &sine, &cosine);
        turn_about(sine, cosine, &m.z, &m.x);
        q = (lanes4){nmadd(q.y, sine, q.w * cosine), nmadd(q.z, sine, q.x * cosine),
                     madd(q.w, sine, q.y * cosine), madd(q.x, sine, q.z * cosine)};

        a[4] = quarter * (m.x * j.x);
        simd_sincos(a[4], &sine, &cosine);
        q = (lanes4){nmadd(q.x, sine, q.w * cosine), madd(q.w, sine, q.x * cosine),
                     madd(q.z, sine, q.y * cosine), nmadd(q.y, sine, q.z * cosine)};

        choice good = magnitude(a[0]) <= SINCOS_LARGEST;
        for (int k = 1; k < 5; k++)
            good &= magnitude(a[k]) <= SINCOS_LARGEST;
        store_bodies(b, i, &s, tidy(mul(s.q, q)), rotate_back(q, s.m), good, left);
    }
}
