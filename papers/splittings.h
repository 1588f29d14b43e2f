/* splittings.h - schemes with the exact free motion and with one of second order ("RB" and
 * "McL2"), as Celledoni et al. compare them. */
#pragma once

#include "system/find.h"

enum { SPLIT_EXACT, SPLIT_ROTATIONS, SPLIT_FLOWS };

typedef struct splitting {
    const char *scheme, *name[SPLIT_FLOWS]; /* and the integrators with these flows */
} splitting;
#define SPLITTING(scheme)                                                                \
    {                                                                                    \
        scheme,                                                                          \
        {                                                                                \
            scheme "+exact", scheme "+mr"                                                \
        }                                                                                \
    }

/* The kicks of a step in a long run, where the last and the first of two steps are one. */
static inline int split_kicks(const splitting *s)
{
    return (find_scheme(s->scheme)->stages - 1) / 2;
}
