/* bodies.h - one body, or many in the lanes of vectors, before and after a step: what the
 * steps share that are formulas of one source for both (exact.h, mr.h and so on), and
 * therefore have the same bits. */
#pragma once

#include "motion/ordinary_units.h"
#include "polhode/polhode.h"

/* Vectors of bodies are carried along by twos, part after part of a step: while the one
 * waits for a quotient or for the end of a chain of products, the machine works on the
 * other. The statement is for both, k = 0 and 1, whose first body is `at` places on; as k
 * is constant, what an array of two holds can stay in registers. One body is alone. */
#ifndef SIMD_VECTORS
enum { VECTORS = 1 };
#define BOTH(statement)                                                                  \
    do {                                                                                 \
        enum { k = 0, at = 0 };                                                          \
        statement;                                                                       \
    } while (0)
#else
enum { VECTORS = 2 };
#define BOTH(statement)                                                                  \
    do {                                                                                 \
        {                                                                                \
            enum { k = 0, at = 0 };                                                      \
            statement;                                                                   \
        }                                                                                \
        {                                                                                \
            enum { k = 1, at = LANES };                                                  \
            statement;                                                                   \
        }                                                                                \
    } while (0)
#endif

/* LANES bodies: state, moments and step. */
typedef struct bodies {
    vdouble4 q;
    vdouble3 m, J;
    vdouble h;
} bodies;

/* Their states after it, where good; for bodies in ordinary units (ordinary_units.h). */
typedef struct outcome {
    vdouble4 q;
    vdouble3 m;
    vmask good;
} outcome;

/* Below infinity, and not NaN. */
PART vmask vfinite(vdouble x)
{
    return vabs(x) <= 0x1.fffffffffffffp1023;
}

/* States that are good where they are finite. */
PART outcome outcome_of(vdouble4 q, vdouble3 m, vmask good)
{
    const vdouble sum = (q.w + q.x) + (q.y + q.z) + 0.0 * ((m.x + m.y) + m.z);
    return (outcome){q, m, good & vfinite(sum)};
}

/* After a turn in the body frame, which carries the momentum along. */
PART outcome turned_by(const bodies *s, vdouble4 turn, vmask good)
{
    return outcome_of(renormalize(mul(s->q, turn)), rotate_back(turn, s->m), good);
}

#ifndef SIMD_VECTORS
PART bodies one_body(const ph_state *s, ph_vec3 J, double h)
{
    return (bodies){s->q, s->m, J, h};
}

/* Takes the state over if it is good. */
PART bool take(ph_state *s, const outcome *o)
{
    if (o->good)
        *s = (ph_state){o->q, o->m};
    return o->good;
}
#endif
