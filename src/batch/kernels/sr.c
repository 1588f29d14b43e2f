/* sr.c - the flow `sr2` for many bodies; the method is stated in src/flows/sr.c. */
#include "batch/renaming.h"
#include "core/simd_sincos.h"

typedef struct splitting {
    bodies s;
    renaming r;
    vdouble3 m; /* in the renamed axes */
    vdouble length, half, jy, a, c;
    vdouble4 turn; /* so far */
    vdouble sine, cosine;
} splitting;

/* The first turn about x. */
static inline void begin(splitting *w)
{
    vdouble3 I = w->s.J, m = w->s.m;
    w->r = ascending(&I, &m);
    m.y = w->r.sign_y * m.y;
    w->m = m;
    w->half = 0.5 * w->s.h;
    w->jy = 1.0 / I.y;
    w->length = vsqrt(dot(m, m));
    w->a = ((I.y - I.x) / I.x) * w->jy;
    w->c = ((I.y - I.z) / I.z) * w->jy;
    simd_sincos(0.5 * w->half * (w->a * m.x), &w->sine, &w->cosine);
}

/* The turn about m, which leaves m alone, and the one about z. */
static inline void turn_about_m_and_z(splitting *w)
{
    const vdouble zero = vsplat(0.0);
    vdouble4 turn = {w->cosine, w->sine, zero, zero};
    const vdouble3 after = rotate_back(turn, w->m);
    simd_sincos(w->half * (w->length * w->jy), &w->sine, &w->cosine);
    const vdouble sine = w->sine / w->length;
    turn =
        mul(turn, (vdouble4){w->cosine, sine * after.x, sine * after.y, sine * after.z});
    simd_sincos(w->half * (w->c * after.z), &w->sine, &w->cosine);
    w->turn = mul(turn, (vdouble4){w->cosine, zero, zero, w->sine});
}

/* The last turn about x, and back to the principal axes. */
static inline void turn_again(splitting *w)
{
    simd_sincos(0.5 * w->half * (w->a * rotate_back(w->turn, w->m).x), &w->sine,
                &w->cosine);
    const vdouble4 t =
        mul(w->turn, (vdouble4){w->cosine, w->sine, vsplat(0.0), vsplat(0.0)});
    const vdouble3 v = renamed_back(&w->r, (vdouble3){t.x, t.y, t.z});
    w->turn = (vdouble4){t.w, v.x, v.y, v.z};
}

batch_kernel KERNEL(batch_sr);

void KERNEL(batch_sr)(const ph_flow *flow, const ph_batch *b, const double *h,
                      bool h_each, unsigned char *not_done)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        splitting w[2];
        BOTH(w[k].s = load_bodies(b, i + at, h, h_each));
        BOTH(begin(&w[k]));
        BOTH(turn_about_m_and_z(&w[k]));
        BOTH(turn_again(&w[k]));
        BOTH(store_turned_by(b, i + at, &w[k].s, w[k].turn, turns_little(&w[k].s),
                             not_done));
    }
}
