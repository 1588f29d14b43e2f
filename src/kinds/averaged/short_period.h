/* short_period.h - the short-period part of a motion at its start. */
#pragma once

#include "kinds/averaged/averaging.h"

/* Returns the spin without the short-period part of its motion from the state `start`, in principal
 * axes, at the time t. `mean` are the averages of s. */
spin ph_spin_mean(const averaging *a, const spin *s, bool above, double t, const ph_state *start,
                  const averages *mean);
