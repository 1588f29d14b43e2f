/* averages.h - rates of slow variables: a weak torque averaged over the free motion.
 *
 * The free motion of a body keeps the angular momentum H in space and the kinetic energy T. It runs
 * through two angles: the phase of m on its closed curve, the polhode, and the angle about H. A
 * weak torque changes H and T slowly, at rates that are averages over both angles, and over a period
 * of time if the torque has one. docs/averaged.md derives them.
 */
#pragma once

#include "polhode/body.h"
#include "rotation/vec.h"

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

/* m in principal axes at the phase u/(4K) of the curve, and the phase of a momentum. */
ph_vec3 ph_spin_momentum(const spin_body *b, const spin *s, const polhode_curve *c, double phase);
double ph_spin_phase(const spin_body *b, const polhode_curve *c, ph_vec3 m);

/* A rotation that takes the direction u to the direction h. */
ph_quat ph_turn_to(ph_vec3 u, ph_vec3 h);

/* Nodes along the phase, about H and over a period of time, each a power of 2; 1: at one time. */
enum { ALONG, ABOUT, OVER_TIME, NODE_ANGLES };

typedef struct node_counts {
    double along, about, over_time;
} node_counts;

/* The fewest nodes, and the most, along and about. */
enum { NODES_LEAST = 8, NODES_MOST = 256 };

/* What the average is taken of and how. */
typedef struct averaging {
    const ph_problem *p; /* in principal axes */
    spin_body body;
    double period;    /* of the torque in time; 0: it does not depend on time */
    double tolerance; /* of the averages, relative to the mean torque */
} averaging;

/* Averages at a time. */
typedef struct averages {
    ph_vec3 H;          /* rate of H */
    double level;       /* rate of the level */
    ph_vec3 in_body;    /* mean torque in principal axes */
    double torque;      /* root of the mean square of the torque */
    double error;       /* of the averages, relative to that */
    double evaluations; /* how often the torque was computed */
} averages;

/* Frequencies of both angles: of m on the polhode, 0 of a sphere, and of the axis that m encircles
 * about H. The latter is negative if the axis turns backward. */
typedef struct frequencies {
    double polhode, precession;
} frequencies;

frequencies ph_spin_frequencies(const spin_body *b, const spin *s, bool above);

/* Returns the part of the torque, in space, that goes with the angle p u - q f of the phase u and the
 * angle f about H, both in radians: the root of the mean square. It stays where p times the frequency
 * of the polhode is q times that of the precession. */
double ph_resonant_torque(const averaging *a, const spin *s, bool above, double t, int p, int q,
                          const node_counts *n);

/* Computes the averages of a spin at the time t with the nodes *n. With `check` it doubles them until
 * the averages are as good as the tolerance asks or NODES_MOST is reached, and stores in *n how many
 * are enough. Without it the error is not known, and given as 0. */
averages ph_averages(const averaging *a, const spin *s, bool above, double t, bool check,
                     node_counts *n);
