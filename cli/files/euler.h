/* euler.h - Euler angles of any sequence. */
#pragma once

#include <stdbool.h>

#include "polhode/rotation.h"

/* Whether three letters of x, y, z name a sequence: no letter follows itself. */
bool euler_sequence(const char *sequence);

/* The angles a, b, c in radians of intrinsic rotations: the body is turned by a about the
 * first axis of its frame, then by b about the second, then by c about the third, so that
 * R = R_i(a) R_j(b) R_k(c) takes body to space coordinates. zxz are the angles of Euler, zyx
 * yaw, pitch and roll. a and c are in (-pi, pi]; b is in [0, pi] where the first and the third
 * axis are the same, else in [-pi/2, pi/2]. Where only a + c or a - c is determined, c is 0. */
void euler_angles(ph_quat q, const char *sequence, double angle[3]);

/* The attitude of such angles. */
ph_quat euler_attitude(const char *sequence, const double angle[3]);
