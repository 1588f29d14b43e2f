/* normals.c - normal numbers of counters, in lanes: counter_random.h. */
#include "base/choice.h"
#include "base/counter_random.h"
#include "base/isa.h"

typedef void normals_kernel(const uint64_t key[2], uint64_t first, const uint64_t *second, size_t n,
                            double *a, double *b);
KERNEL_DECLARE(normals_kernel, normals);

#ifdef SIMD_VECTORS
void KERNEL(normals)(const uint64_t key[2], uint64_t first, const uint64_t *second, size_t n,
                     double *a, double *b)
{
    enum { TWO = 2 * LANES }; /* vectors at a time */
    const vword shared = first + (vword){0};
    vdouble both[2];
    size_t i = 0;
    for (; i + TWO <= n; i += TWO) {
        vdouble more[2];
        normal_lanes(key, shared, vload_words(second + i), &both[0], &both[1]);
        normal_lanes(key, shared, vload_words(second + i + LANES), &more[0], &more[1]);
        vstore(a + i, both[0]);
        vstore(b + i, both[1]);
        vstore(a + i + LANES, more[0]);
        vstore(b + i + LANES, more[1]);
    }
    for (; i < n; i += LANES) { /* one vector, or what is left of it */
        const size_t rest = smaller_size(n - i, LANES);
        uint64_t last[LANES] = {0};
        memcpy(last, second + i, rest * sizeof last[0]);
        normal_lanes(key, shared, vload_words(last), &both[0], &both[1]);
        memcpy(a + i, &both[0], rest * sizeof a[0]);
        memcpy(b + i, &both[1], rest * sizeof b[0]);
    }
}
#endif

#ifndef SIMD_VECTORS
void ph_normals(const uint64_t key[2], uint64_t first, const uint64_t *second, size_t n, double *a,
                double *b)
{
    static normals_kernel *const normals[ISA_COUNT] = KERNEL_TABLE(normals);
    normals[ph_isa()](key, first, second, n, a, b);
}
#endif
