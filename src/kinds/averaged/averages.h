/* averages.h - rates of slow variables: a weak torque averaged over the free motion.
 *
 * The free motion of a body keeps the angular momentum H in space and the kinetic energy T. It runs
 * through two angles: the phase of m on its closed curve, the polhode, and the angle about H. A
 * weak torque changes H and T slowly, at rates that are averages over both angles, and over a period
 * of time if the torque has one. docs/averaged.md derives them.
 */
#pragma once

#include "kinds/averaged/spin.h"

/* Nodes along the phase, about H and over a period of time, each a power of 2; 1: at one time. */
enum { ALONG, ABOUT, OVER_TIME, NODE_ANGLES };

typedef struct node_counts {
    double along, about, over_time;
} node_counts;

/* The fewest nodes, and the most, along and about. */
enum { NODES_LEAST = 8, NODES_MOST = 256 };

/* Returns how many nodes to begin with along an angle if `count` are wanted. */
static inline int nodes_from(double count)
{
    int n = NODES_LEAST;
    while (n < count && n < NODES_MOST)
        n *= 2;
    return n;
}

/* What the average is taken of and how. */
typedef struct averaging {
    const ph_problem *p; /* in principal axes */
    spin_body body;
    double period;    /* of the torque in time; 0: it does not depend on time */
    double tolerance; /* of the averages, relative to the mean torque */
} averaging;

/* Averages at a time. */
typedef struct averages {
    ph_vec3 H;       /* rate of H */
    double level;    /* rate of the level */
    ph_vec3 in_body; /* mean torque in principal axes */
    double torque;   /* root of the mean square of the torque */
    double slow;     /* the same of R torque, averaged over both angles, less its mean over time */
    double error;    /* of the averages, relative to that */
    double evaluations; /* how often the torque was computed */
} averages;

/* Computes the averages of a spin at the time t with the nodes *n. With `check` it doubles them until
 * the averages are as good as the tolerance asks or NODES_MOST is reached, and stores in *n how many
 * are enough. Without it the error is not known, and given as 0. */
averages ph_averages(const averaging *a, const spin *s, bool above, double t, bool check,
                     node_counts *n);
