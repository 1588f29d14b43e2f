/* entry.h - a thing that `polhode list` shows. */
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
    unsigned keeps_free; /* without torque */
} entry;

#endif
