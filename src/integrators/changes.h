/* changes.h - times at which the torque or the wheels of a problem change: rows of tables, and zeros
 * of functions of the time at which an expression has a kink or jumps.
 *
 * Between two of these times the torque is smooth. A step that goes beyond one has an error that its
 * method does not see, so steps end there.
 */
#pragma once

#include "polhode/body.h"

/* Returns true if a problem can have such times. */
bool ph_changes_any(const ph_problem *p);

/* Returns the first such time after t towards `end`, or `end` if none comes before. `end` may be
 * infinite. Before and after a jump of the torque there is a time each, some units in the last place
 * apart: no step sees both sides, but for the short one between them. */
double ph_change_next(const ph_problem *p, double t, double end);
