/* start.h - a body and its start, as options and scenarios give them.
 *
 * The functions return 0, or the exit status of the error they reported. What is not said
 * they leave as it was.
 */
#ifndef POLHODE_CLI_START_H
#define POLHODE_CLI_START_H

#include "polhode/polhode.h"

#include "told.h"

/* The rows of the options, first in a command's table and in the order of the keys. */
#define START_OPTIONS                                                                    \
    [SAY_INERTIA] = {"--inertia", "a,b,c", "The three principal moments of inertia."},   \
    [SAY_TENSOR] = {"--tensor", "xx,yy,zz,xy,xz,yz",                                     \
                    "Instead: the inertia tensor in the body's frame, J_xy = -integral " \
                    "of x y dm."},                                                       \
    [SAY_MOMENTUM] = {"--momentum", "x,y,z",                                             \
                      "Angular momentum at time 0, in the body frame."},                 \
    [SAY_VELOCITY] = {"--velocity", "x,y,z",                                             \
                      "Instead: angular velocity at time 0, in the body frame, rad per " \
                      "time."},                                                          \
    [SAY_ATTITUDE] = {"--attitude", "w,x,y,z",                                           \
                      "Attitude at time 0 as a quaternion; it is normalised."},          \
    [SAY_ROTVEC] = {"--rotvec", "x,y,z",                                                 \
                    "Instead: attitude as axis times angle, in radians."}

/* Takes all of these options; both of a pair are an error. */
int start_take(scenario *told, const arguments *given);

/* The body, and a warning if no matter has its moments. */
int start_body(const scenario *told, ph_body *body);

/* The state at the time 0: the attitude, of unit length, and the momentum. Fails if anything
 * overflows. */
int start_state(const scenario *told, const ph_problem *p, ph_state *start);

#endif
