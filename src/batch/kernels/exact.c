/* exact.c - the flow `exact` for many bodies, by the formulas of src/motion/addition.h;
 * the bodies that these cannot do are left to the step. */
#include "batch/parts.h"

batch_kernel KERNEL(batch_exact);

void KERNEL(batch_exact)(const ph_flow *flow, const ph_batch *b, const double *h,
                         bool h_each, unsigned char *left)
{
    (void)flow;
    for (size_t i = 0; i < b->n; i += LANES) {
        const bodies s = load_bodies(b, i, h, h_each);
        addition_step f;
        lanes jb;
        const renaming r = prepare(&s, &f, &jb);
        const addition_turn t = addition(&f, root(dot(s.m, s.m)), simd_sincos);
        store_turned(b, i, &s, &r, &t, left);
    }
}
