/* sr.c - the flow `sr2` for many bodies; the method is stated in src/flows/sr.c. */
#include "batch/renaming.h"
#include "core/simd_sincos.h"

batch_kernel KERNEL(batch_sr);

void KERNEL(batch_sr)(const ph_flow *flow, const ph_batch *b, const double *h,
                      bool h_each, unsigned char *left)
{
    (void)flow;
    const lanes zero = splat(0.0);
    for (size_t i = 0; i < b->n; i += LANES) {
        const bodies s = load_bodies(b, i, h, h_each);
        lanes3 I = s.J, m = s.m;
        const renaming r = ascending(&I, &m);
        m.y = r.sign_y * m.y;
        const lanes half = 0.5 * s.h, jy = 1.0 / I.y, length = root(dot(m, m));
        const lanes a = ((I.y - I.x) / I.x) * jy, c = ((I.y - I.z) / I.z) * jy;

        const lanes first = 0.5 * half * (a * m.x);
        lanes sine, cosine;
        simd_sincos(first, &sine, &cosine);
        lanes4 turn = {cosine, sine, zero, zero};
        lanes3 after = rotate_back(turn, m);

        const lanes about_m = half * (length * jy), about_z = half * (c * after.z);
        simd_sincos(about_m, &sine, &cosine);
        sine = sine / length;
        turn =
            mul(turn, (lanes4){cosine, sine * after.x, sine * after.y, sine * after.z});
        simd_sincos(about_z, &sine, &cosine);
        turn = mul(turn, (lanes4){cosine, zero, zero, sine});

        after = rotate_back(turn, m);
        const lanes last = 0.5 * half * (a * after.x);
        simd_sincos(last, &sine, &cosine);
        turn = mul(turn, (lanes4){cosine, sine, zero, zero});

        const lanes3 v = renamed_back(&r, (lanes3){turn.x, turn.y, turn.z});
        const lanes4 q = {turn.w, v.x, v.y, v.z};
        const choice good = (magnitude(first) <= SINCOS_LARGEST) &
                            (magnitude(about_m) <= SINCOS_LARGEST) &
                            (magnitude(about_z) <= SINCOS_LARGEST) &
                            (magnitude(last) <= SINCOS_LARGEST) & (length >= 0x1p-400);
        store_bodies(b, i, &s, tidy(mul(s.q, q)), rotate_back(q, s.m), good, left);
    }
}
