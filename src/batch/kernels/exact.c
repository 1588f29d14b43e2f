/* exact.c - the flow `exact` for many bodies, by the formulas of src/motion/addition.h;
 * the bodies that these cannot do are left to the step. */
#include "batch/parts.h"

batch_kernel KERNEL(batch_exact);

void KERNEL(batch_exact)(const ph_flow *flow, const ph_batch *b, const double *h,
                         bool h_each, unsigned char *not_done)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += TOGETHER) {
        bodies s[2];
        renaming r[2];
        addition a[2];
        addition_turn t[2];
        vdouble jb;
        BOTH(s[k] = load_bodies(b, i + at, h, h_each));
        BOTH(r[k] = prepare(&s[k], &a[k].f, &jb));
        BOTH(addition_begin(&a[k], vsqrt(dot(s[k].m, s[k].m))));
        for (int j = 0; vany((a[0].n > j) | (a[1].n > j)); j++)
            BOTH(addition_double(&a[k], j));
        BOTH(addition_carry(&a[k], simd_sincos));
        BOTH(t[k] = addition_finish(&a[k]));
        BOTH(store_turned(b, i + at, &s[k], &r[k], &t[k], not_done));
    }
}
