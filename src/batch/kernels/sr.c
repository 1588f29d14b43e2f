/* sr.c - the flow `sr2` for many bodies; the method is stated in src/flows/sr.c. */
#include "batch/renaming.h"
#include "core/simd_sincos.h"

typedef struct splitting {
    bodies s;
    renaming r;
    lanes3 m; /* in the renamed axes */
    lanes length, half, jy, a, c;
    lanes4 turn; /* so far */
    lanes sine, cosine;
} splitting;

/* The first turn about x. */
static inline void begin(splitting *w)
{
    lanes3 I = w->s.J, m = w->s.m;
    w->r = ascending(&I, &m);
    m.y = w->r.sign_y * m.y;
    w->m = m;
    w->half = 0.5 * w->s.h;
    w->jy = 1.0 / I.y;
    w->length = root(dot(m, m));
    w->a = ((I.y - I.x) / I.x) * w->jy;
    w->c = ((I.y - I.z) / I.z) * w->jy;
    simd_sincos(0.5 * w->half * (w->a * m.x), &w->sine, &w->cosine);
}

/* The turn about m, which leaves m alone, and the one about z. */
static inline void turn_about_m_and_z(splitting *w)
{
    const lanes zero = splat(0.0);
    lanes4 turn = {w->cosine, w->sine, zero, zero};
    const lanes3 after = rotate_back(turn, w->m);
    simd_sincos(w->half * (w->length * w->jy), &w->sine, &w->cosine);
    const lanes sine = w->sine / w->length;
    turn = mul(turn, (lanes4){w->cosine, sine * after.x, sine * after.y, sine * after.z});
    simd_sincos(w->half * (w->c * after.z), &w->sine, &w->cosine);
    w->turn = mul(turn, (lanes4){w->cosine, zero, zero, w->sine});
}

/* The last turn about x, and back to the principal axes. */
static inline void turn_again(splitting *w)
{
    simd_sincos(0.5 * w->half * (w->a * rotate_back(w->turn, w->m).x), &w->sine,
                &w->cosine);
    const lanes4 t = mul(w->turn, (lanes4){w->cosine, w->sine, splat(0.0), splat(0.0)});
    const lanes3 v = renamed_back(&w->r, (lanes3){t.x, t.y, t.z});
    w->turn = (lanes4){t.w, v.x, v.y, v.z};
}

batch_kernel KERNEL(batch_sr);

void KERNEL(batch_sr)(const ph_flow *flow, const ph_batch *b, const double *h,
                      bool h_each, unsigned char *left)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        splitting w[2];
        BOTH(w[k].s = load_bodies(b, i + at, h, h_each));
        BOTH(begin(&w[k]));
        BOTH(turn_about_m_and_z(&w[k]));
        BOTH(turn_again(&w[k]));
        BOTH(store_turned_by(b, i + at, &w[k].s, w[k].turn, turns_little(&w[k].s), left));
    }
}
