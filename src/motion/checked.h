/* checked.h - what holds after every success of an integrator of the library, looked at in
 * builds for tests alone: those with POLHODE_CHECKED, which the sanitizers bring along. A
 * program in which it does not hold is ended. */
#pragma once

#include "motion/vec.h"
#include "polhode/body.h"

#ifdef POLHODE_CHECKED
#include <stdio.h>
#include <stdlib.h>
/* Whether the library has an integrator of that name: what others do is their own. */
bool ph_is_listed(const char *integrator);

#define CHECKED(integrator, holds)                                                                 \
    do {                                                                                           \
        if (!(holds) && ph_is_listed(integrator)) {                                                \
            (void)fprintf(stderr, "%s:%d: after success: not %s\n", __FILE__, __LINE__, #holds);   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#else
#define CHECKED(integrator, holds) ((void)(false && (holds)))
#endif

/* A state is finite, and its attitude of unit length where that was before. */
static inline bool state_holds(const ph_state *s, ph_quat before)
{
    const double round_off = 1e-9;
    return finite4(s->q) && finite3(s->m) &&
           (fabs(dot4(before, before) - 1.0) > 0.1 * round_off ||
            fabs(dot4(s->q, s->q) - 1.0) <= round_off);
}
