/* free.c - the free body: no torque.
 *
 * K06  Krysl, Dynamically equivalent implicit algorithms for the integration of rigid
 *      body rotations, 2006, section 5.1: moments and angular velocity of its first
 *      example.
 *
 * The default of the library and the example of the paper: one motion, two names.
 */
#include "polhode/catalog.h"

#define ROW(key, words)                                                                            \
    {                                                                                              \
        .name = (key), .title = (words), .cite = "K06 section 5.1",                                \
        .equations = "R' = R hat(w), m' = m x w, w = J^-1 m: no torque.",                          \
        .body = PH_MOMENTS(0.9144, 1.098, 1.66), .q = {1, 0, 0, 0}, .w = {                         \
            0.45549,                                                                               \
            0.82623,                                                                               \
            0.03476                                                                                \
        }                                                                                          \
    }

const ph_problem ph_problem_free[2] = {
    ROW("free", "Free rigid body"),
    ROW("krysl_free", "Free rigid body of Krysl"),
};
