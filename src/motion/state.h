/* state.h - the caller's frame and the principal one, and the checks at the door. */
#pragma once

#include "motion/vec.h"
#include "polhode/body.h"

/* PH_BAD_INERTIA or PH_BAD_STATE for what no step can work with. */
ph_status ph_check(const ph_body *b, const ph_state *s);

static inline ph_state to_principal(const ph_body *b, ph_state s)
{
    if (b->principal)
        return s;
    return (ph_state){mul(s.q, b->axes), rotate(inverse(b->axes), s.m)};
}

static inline ph_state from_principal(const ph_body *b, ph_state s)
{
    if (b->principal)
        return s;
    return (ph_state){mul(s.q, inverse(b->axes)), rotate(b->axes, s.m)};
}
