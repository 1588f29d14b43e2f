/* list.h - the things that `polhode list` shows.
 *
 * A list of entries is a function of their number, from 0 on; past the last it returns an
 * entry without a name.
 */
#pragma once

#include "cli/files/outfile.h"
#include "polhode/polhode.h"

typedef struct entry {
    const char *name, *title, *cite;
    const char *space; /* of a method or problem: the kind of system it belongs to */
    bool ordered;      /* order means something */
    bool integrator;   /* keeps means something */
    bool adaptive;     /* it chooses its steps */
    int order;
    unsigned keeps;
    unsigned keeps_free;            /* without torque */
    const ph_parameter *parameters; /* of a problem, with the defaults in value */
    int parameter_count;
    const double *value;
    const ph_parameter *tables; /* vectors over time, from files */
    int table_count;
    const char *equations; /* of a problem, lines */
    const char *method;    /* recommended for it */
} entry;

/* The facts of descriptors, as the members of an entry. */
#define ENTRY_NAMES(d) .name = (d)->name, .title = (d)->title, .cite = (d)->cite
#define ENTRY_INTEGRATOR(d, kept, kept_free)                                             \
    ENTRY_NAMES(d), .ordered = true, .integrator = true, .order = (d)->order,            \
                    .keeps = (kept), .keeps_free = (kept_free)

/* Defines the list `function` of what a list of the library has, `all(&count)`; members are
 * those of an entry, of the descriptor d. */
#define ENTRY_LIST(function, type, all, ...)                                             \
    static entry function(size_t i)                                                      \
    {                                                                                    \
        size_t count;                                                                    \
        const type *const *list = all(&count);                                           \
        if (i >= count)                                                                  \
            return (entry){0};                                                           \
        const type *d = list[i];                                                         \
        return (entry){__VA_ARGS__};                                                     \
    }

typedef struct list_kind {
    const char *name, *plural, *heading;
    entry (*at)(size_t i);
} list_kind;

/* All kinds of things, up to one without a name; adding one is adding a row. */
extern const list_kind list_kinds[];

/* Prints the devices of this machine, which are no things of the library: devices.c. Returns
 * the exit status. */
int list_devices(outfile *out, bool json, bool markdown);
