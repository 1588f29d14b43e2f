/* lanes.h - a block of bodies in columns, and what thermostats do with it in lanes (lanes.c). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BLOCK = 64 }; /* bodies; what they need stays in the first-level cache */

typedef struct columns {
    uint64_t number[BLOCK]; /* that makes the noise of a body its own */
    double mass[BLOCK], v[3][BLOCK];
    double q[4][BLOCK], J[3][BLOCK], L[3][BLOCK]; /* L in space */
    double p[3][BLOCK], N[3][BLOCK];              /* what the next kick adds to momentum and to L */
    /* twice the kinetic energies, or what they gain */
    double linear[BLOCK], angular[BLOCK];
    /* of the kick: its product with v and L, and twice the kinetic energy of itself */
    double cross_linear[BLOCK], cross_angular[BLOCK];
    double kick_linear[BLOCK], kick_angular[BLOCK];
} columns;

/* Friction and noise: of a step, the factor of momenta and the deviation per root of mass. */
typedef struct friction {
    uint64_t seed, step;
    double keep, spread;
    int in_space; /* the components of the noise are along axes of space */
} friction;

/* Twice the kinetic energies of the first n bodies, and what the kick will add. */
void polhode_measure(columns *c, size_t n);

/* The exact Ornstein-Uhlenbeck process of a step for v and for L about the axes of the body. */
void polhode_forget(columns *c, size_t n, const friction *by);

#ifdef __cplusplus
}
#endif
