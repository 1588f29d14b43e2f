/* tangent.h - the derivative of a step, and what it leaves of the structure of mechanics.
 *
 * Left-trivialised: a tangent vector (xi, eta) moves (q, m) to (q exp(s xi), m + s eta).
 * In these the canonical form is  W(m) = [[-hat(m), 1], [-1, 0]].
 */
#ifndef TESTS_SUPPORT_TANGENT_H
#define TESTS_SUPPORT_TANGENT_H

#include "polhode/polhode.h"

/* One step, whatever it is made with. */
typedef ph_state tangent_map(const void *context, ph_state s);

typedef struct tangent_defects {
    double symplectic; /* max |D^T W(m+) D - W(m)| */
    double poisson;    /* of the momenta alone, max |D22 hat(m) D22^T - hat(m+)| */
} tangent_defects;

/* D by four-point central differences. */
tangent_defects tangent_defects_of(tangent_map *map, const void *context, ph_state s);

#endif
