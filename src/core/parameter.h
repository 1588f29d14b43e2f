/* parameter.h - parameters by their names. */
#ifndef POLHODE_CORE_PARAMETER_H
#define POLHODE_CORE_PARAMETER_H

#include <string.h>

#include "polhode/polhode.h"

/* The parameter of that name, or NULL. */
static inline const ph_parameter *find_parameter(const ph_parameter *parameters,
                                                 int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    }
    return NULL;
}

#endif
