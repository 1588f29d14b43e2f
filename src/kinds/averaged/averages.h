/* averages.h - rates of slow variables: a weak torque averaged over the free motion. */
#pragma once

#include "kinds/averaged/averaging.h"

/* Computes the averages of a spin at the time t with the nodes *n. With `check` it doubles them until
 * the averages are as good as the tolerance asks or NODES_MOST is reached, and stores in *n how many
 * are enough. Without it the error is not known, and given as 0. */
averages ph_averages(const averaging *a, const spin *s, bool above, double t, bool check,
                     node_counts *n);
