/* extreme_motions.h - random motions over the whole range of double: moments and momenta of
 * any size and ratio, next to every degeneracy by a few units in the last place, steps from
 * tiny ones to very many turns. */
#ifndef TESTS_SUPPORT_EXTREME_MOTIONS_H
#define TESTS_SUPPORT_EXTREME_MOTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/oracle_case.h"

/* The motion of that number in the sequence of `seed`, the same on every machine. One for
 * a run has steps of at most some 16 radians. */
oracle_case extreme_motion(uint64_t seed, uint64_t number, bool for_run);

/* |h| Omega, an upper bound of every angle of the motion over its time; it may be beyond
 * double. Omega^2 is the largest of 2 T/J_i and of m_i^2 |1/J_j - 1/J_i| |1/J_k - 1/J_i|:
 * no angular velocity exceeds the first, and the second is the frequency of m about a
 * principal axis, which for bodies that no matter has may be larger. */
long double extreme_angle(const oracle_case *c);

#endif
