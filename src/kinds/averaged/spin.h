/* spin.h - the free motions of a body that have the same angular momentum in space and the same
 * kinetic energy: their curve in the body, the phase on it, and the frequencies of their two angles. */
#pragma once

#include "motion/vec.h"
#include "polhode/body.h"
#include "polhode/elliptic.h"

/* The moments in ascending order, and what follows from them. */
typedef struct spin_body {
    ph_vec3 J;      /* in principal axes */
    int axis[3];    /* the principal axes in the order of their moments */
    double I[3];    /* the moments in that order */
    double range;   /* 1/I1 - 1/I3; 0: a sphere */
    double divides; /* the level of the separatrix */
} spin_body;

/* A set of motions that differ in their two angles. The level is
 *
 *   s = (2T/H^2 - 1/I3)/(1/I1 - 1/I3)
 *
 * from 0, rotation about the axis of the largest moment, to 1, rotation about that of the smallest.
 * m encircles the former below the separatrix and the latter above it, on the side of the axis that
 * `side` (1 or -1) tells. A sphere has the level 0, and m has a fixed direction in the body. */
typedef struct spin {
    ph_vec3 H; /* in space */
    double level;
    double side;
    ph_vec3 direction; /* of m in the body: of a sphere */
} spin;

/* The curve of m/|m| in ascending axes: it encircles axis `about`, the middle one is 1, and
 *
 *   (A cn u, A sn u/sqrt(c), side C dn u)     along the third axis, the middle one and `about` */
typedef struct polhode_curve {
    int about, third; /* 2 and 0, or 0 and 2 */
    double A, C, root_c, side;
    double parameter_c; /* 1 - k^2 of the elliptic functions */
    double period;      /* of u = 4K, in time */
} polhode_curve;

spin_body ph_spin_body(ph_vec3 J);

/* The curve of a spin; its level is brought into the range that `above` names: above or below the
 * separatrix. */
polhode_curve ph_spin_curve(const spin_body *b, const spin *s, bool above);

/* m/|m| in principal axes, by the elliptic functions at a phase. */
ph_vec3 ph_spin_direction(const spin_body *b, const polhode_curve *c, ph_sncndn e);

/* m in principal axes at the phase u/(4K) of the curve, and the phase of a momentum. */
ph_vec3 ph_spin_momentum(const spin_body *b, const spin *s, const polhode_curve *c, double phase);
double ph_spin_phase(const spin_body *b, const polhode_curve *c, ph_vec3 m);

/* A rotation that takes the direction u to the direction h. */
ph_quat ph_turn_to(ph_vec3 u, ph_vec3 h);

/* Frequencies of both angles: of m on the polhode, 0 of a sphere, and of the axis that m encircles
 * about H: forward, since the rate of any motion about H is positive. */
typedef struct frequencies {
    double polhode, precession;
} frequencies;

frequencies ph_spin_frequencies(const spin_body *b, const spin *s, bool above);

/* How far the level can be from that of the separatrix. */
static inline double ph_spin_room(const spin_body *b, bool above)
{
    return above ? 1.0 - b->divides : b->divides;
}

static inline double within_range(double x, double least, double most)
{
    if (x < least)
        return least;
    return x > most ? most : x;
}
