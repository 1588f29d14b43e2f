/* lanes.c - friction and noise, and kinetic energies, of bodies in lanes: the formulas of
 * src/integrators/thermostats/langevin.c. */
#include "lanes.h"

#include "base/counter_random.h"
#include "base/isa.h"
#include "motion/algebra.h"

enum { PAIRS = 3 }; /* of normal numbers of a body, for three components each of v and L */

typedef void measure_kernel(columns *c, size_t n);
typedef void forget_kernel(columns *c, size_t n, const friction *by, const double *xi[2]);
KERNEL_DECLARE(measure_kernel, measure);
KERNEL_DECLARE(forget_kernel, forget);

#ifdef SIMD_VECTORS
PART vdouble3 load3(double of[3][BLOCK], size_t i)
{
    return vec3(vload(of[0] + i), vload(of[1] + i), vload(of[2] + i));
}

PART void store3(double of[3][BLOCK], size_t i, vdouble3 a)
{
    vstore(of[0] + i, a.x);
    vstore(of[1] + i, a.y);
    vstore(of[2] + i, a.z);
}

PART vdouble4 attitude(const columns *c, size_t i)
{
    return (vdouble4){vload(c->q[0] + i), vload(c->q[1] + i), vload(c->q[2] + i),
                      vload(c->q[3] + i)};
}

/* 1/J, and 0 about the axis of a linear body. */
PART vdouble inverse_of(vdouble J)
{
    return vselect(J > 0.0, 1.0 / J, vsplat(0.0));
}

PART vdouble3 inverses(vdouble3 J)
{
    return vec3(inverse_of(J.x), inverse_of(J.y), inverse_of(J.z));
}

void KERNEL(measure)(columns *c, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        const vdouble mass = vload(c->mass + i);
        const vdouble4 q = attitude(c, i);
        const vdouble3 v = load3(c->v, i), p = load3(c->p, i), over_J = inverses(load3(c->J, i)),
                       y = rotate_back(q, load3(c->L, i)), N = rotate_back(q, load3(c->N, i));
        vstore(c->linear + i, mass * dot(v, v));
        vstore(c->cross_linear + i, dot(v, p));
        vstore(c->kick_linear + i, dot(p, p) / mass);
        vstore(c->angular + i, dot(y, times(over_J, y)));
        vstore(c->cross_angular + i, dot(y, times(over_J, N)));
        vstore(c->kick_angular + i, dot(N, times(over_J, N)));
    }
}

void KERNEL(forget)(columns *c, size_t n, const friction *by, const double *xi[2])
{
    for (size_t i = 0; i < n; i += LANES) {
        const double *a = xi[0] + i, *b = xi[1] + i;
        const vdouble mass = vload(c->mass + i);
        const vdouble3 v = load3(c->v, i), J = load3(c->J, i), over_J = inverses(J),
                       roots = vec3(vsqrt(J.x), vsqrt(J.y), vsqrt(J.z)),
                       z = vec3(vload(b + BLOCK), vload(a + 2 * BLOCK), vload(b + 2 * BLOCK));
        const vdouble4 q = attitude(c, i);
        const vdouble3 y = rotate_back(q, load3(c->L, i)),
                       noise = times(roots, by->in_space ? rotate_back(q, z) : z);
        const vdouble keep = vsplat(by->keep), spread = vsplat(by->spread);
        const vdouble3 v1 = add(scale(keep, v), scale(spread / vsqrt(mass),
                                                      vec3(vload(a), vload(b), vload(a + BLOCK)))),
                       y1 = add(scale(keep, y), scale(spread, noise));
        vstore(c->linear + i, mass * (dot(v1, v1) - dot(v, v)));
        vstore(c->angular + i, dot(y1, times(over_J, y1)) - dot(y, times(over_J, y)));
        store3(c->v, i, v1);
        store3(c->L, i, rotate(q, y1));
    }
}
#endif

#ifndef SIMD_VECTORS
void polhode_measure(columns *c, size_t n)
{
    static measure_kernel *const measure[ISA_COUNT] = KERNEL_TABLE(measure);
    measure[ph_isa()](c, n);
}

void polhode_forget(columns *c, size_t n, const friction *by)
{
    static forget_kernel *const forget[ISA_COUNT] = KERNEL_TABLE(forget);
    enum { STREAM = 3 }; /* the others are those of the library */
    const uint64_t key[2] = {by->seed, STREAM};
    double xi[2][PAIRS * BLOCK] = {{0}};
    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        uint64_t which[BLOCK];
        for (size_t i = 0; i < n; i++)
            which[i] = c->number[i] << 2 | pair;
        ph_normals(key, by->step, which, n, xi[0] + pair * BLOCK, xi[1] + pair * BLOCK);
    }
    forget[ph_isa()](c, n, by, (const double *[2]){xi[0], xi[1]});
}
#endif
