/* own_coefficients.h - integrators, by names and of the user's own coefficients. */
#pragma once

#include "model.h"
#include "system/custom.h"

/* What stands for the user's own part in a name: custom+exact, rattle@custom, mkrk_custom. */
#define CUSTOM_WORD "custom"

/* Its parts, which a system takes instead of names. */
static inline ph_integrator custom_integrator(const custom_parts *own)
{
    ph_integrator i = {0};
    if (own->has[CUSTOM_SCHEME])
        i.scheme = &own->scheme;
    if (own->has[CUSTOM_WHOLE])
        i.whole = &own->whole;
    if (own->has[CUSTOM_TABLEAU])
        i.method = &own->method;
    return i;
}

/* A method: of the catalog, or of the user's own coefficients. */
typedef struct listed_method {
    const char *name;    /* as tables have it; the second of a name ends in #2 */
    custom_parts *parts; /* NULL: of the catalog */
    double slope;        /* of its own coefficients, as it was measured */
    ph_integrator own;
    model_integrator by; /* what systems are made by */
    int order;           /* these two are for the caller */
    bool chooses;        /* its steps, to a tolerance */
} listed_method;

typedef struct method_list {
    size_t count;
    listed_method **method;
} method_list;

/* Reads the coefficients of a method from a mapping in the line of a scenario, checks them and
 * measures their order. A folder beside the core adds `const method_reader method_reader_NAME = {`. */
typedef struct method_reader {
    int (*read)(scenario *input, int line, struct fy_node *mapping, listed_method *out);
} method_reader;

/* Reads the `method` of a scenario; the methods of a text, "a,b,c", or (NULL) of a scenario,
 * its `methods` or its `method`. Those of coefficients are checked and measured. 0 or the exit
 * status. */
int method_read(scenario *input, method_list *out);
int methods_read(scenario *input, const char *text, method_list *out);
