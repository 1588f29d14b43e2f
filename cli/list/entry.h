/* entry.h - a thing that `polhode list` shows.
 *
 * A list of entries is a function of their number, from 0 on; past the last it returns an
 * entry without a name.
 */
#ifndef POLHODE_CLI_ENTRY_H
#define POLHODE_CLI_ENTRY_H

#include <stdbool.h>

#include "polhode/polhode.h"

typedef struct entry {
    const char *name, *title, *cite;
    const char *space; /* of a method or problem: what it moves */
    bool ordered;      /* order means something */
    bool integrator;   /* so does keeps */
    int order;
    unsigned keeps;
    unsigned keeps_free;            /* without torque */
    const ph_parameter *parameters; /* of a problem, with the defaults in value */
    int parameter_count;
    const double *value;
} entry;

/* What descriptors tell of themselves, as the members of an entry. */
#define ENTRY_NAMES(d) .name = (d)->name, .title = (d)->title, .cite = (d)->cite
#define ENTRY_PROBLEM(d)                                                                 \
    ENTRY_NAMES(d), .parameters = (d)->parameters,                                       \
                    .parameter_count = (d)->parameter_count, .value = (d)->value
#define ENTRY_INTEGRATOR(d, kept, kept_free)                                             \
    ENTRY_NAMES(d), .ordered = true, .integrator = true, .order = (d)->order,            \
                    .keeps = (kept), .keeps_free = (kept_free)

#endif
