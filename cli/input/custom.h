/* custom.h - an integrator of the user's own coefficients. */
#pragma once

#include "cli/files/scenario.h"
#include "system/custom.h"

/* What stands for the user's own part in a name: custom+exact, rattle@custom, mkrk_custom. */
#define CUSTOM_WORD "custom"

typedef struct custom_method {
    custom_parts own;
    char name[PH_INTEGRATOR_NAME];
    int order;    /* measured */
    double slope; /* as it was measured */
} custom_method;

/* Its parts, which a system takes instead of names. */
static inline ph_integrator custom_integrator(const custom_parts *own)
{
    return (ph_integrator){.scheme = own->has[CUSTOM_SCHEME] ? &own->scheme : NULL,
                           .whole = own->has[CUSTOM_WHOLE] ? &own->whole : NULL,
                           .method = own->has[CUSTOM_TABLEAU] ? &own->method : NULL};
}

/* Reads the method of a scenario that is a mapping, checks and measures it. Not to be moved.
 * 0 or the exit status. */
int custom_read(scenario *input, custom_method *out);
