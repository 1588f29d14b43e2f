/* free.c - the free body: no torque.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, 2006, section 5.1: moments and angular velocity of its first
 *      example.
 */
#include "polhode/polhode.h"

const ph_problem ph_problem_free = {
    .name = "free",
    .title = "Free rigid body",
    .cite = "K06 section 5.1",
    .J = {0.9144, 1.098, 1.66},
    .q = {1, 0, 0, 0},
    .w = {0.45549, 0.82623, 0.03476},
};
