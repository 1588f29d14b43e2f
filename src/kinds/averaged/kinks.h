/* kinks.h - averages of a torque with kinks. */
#pragma once

#include "kinds/averaged/averaging.h"

/* Computes the averages of a torque with kinks. Returns false, with *out unchanged, if the
 * torque has none, or if they are not where a function linear in the attitude changes its sign. */
bool ph_averages_between_kinks(const averaging *a, const spin *s, bool above, double t, bool check,
                               node_counts *n, averages *out);
