/* node_sums.h - sums over nodes of the free motion, from which averages follow. */
#pragma once

#include "kinds/averaged/averaging.h"

/* Sums of what is averaged: R torque, torque . (w - a m), torque . w, torque, |torque|^2. */
enum { SPACE, LEVEL = 3, POWER, BODY, SQUARE = BODY + 3, SUMS };

typedef struct node_sums {
    double of[SUMS];
} node_sums;

/* What all nodes of an average have in common. */
typedef struct node_frame {
    const averaging *a;
    ph_vec3 h;                  /* direction of H */
    double length, per_inertia; /* |H| and 2T/H^2 */
} node_frame;

node_frame ph_node_frame(const averaging *a, const spin *s);

/* Computes the torque at PH_LANES attitudes, with the same m. */
void ph_node_torques(const node_frame *g, double t, ph_vec3 m, ph_vec3 w,
                     const double q[4][PH_LANES], double torque[3][PH_LANES]);

/* Sums over the angle f about H of torque, cos f torque, sin f torque and |torque|^2. */
typedef struct turn_sums {
    double plain[3], cosine[3], sine[3], square;
} turn_sums;

/* Adds a torque at an angle with this cosine and sine, with a weight. */
static inline void turn_sums_add(turn_sums *to, double weight, double cosine, double sine,
                                 const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        const double part = weight * torque[k];
        to->plain[k] += part;
        to->cosine[k] += cosine * part;
        to->sine[k] += sine * part;
        to->square += part * torque[k];
    }
}

/* Adds sums over the angle about H, at the momentum m, to those of all nodes. The angle counts from the
 * attitude `first`. */
void ph_node_fold(const node_frame *g, ph_vec3 m, ph_quat first, const turn_sums *about,
                  node_sums *sums);

/* Returns the difference of two averages, relative to the mean torque. */
double ph_node_difference(const node_frame *g, const node_sums *x, const node_sums *y,
                          double torque);

/* Returns the rates of slow variables from the mean of all nodes. */
averages ph_node_averages(const node_frame *g, const node_sums *mean);
