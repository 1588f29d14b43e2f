/* list_command.h - the things that `polhode list` shows.
 *
 * A list of entries is a function of their number, from 0 on; past the last it returns an
 * entry without a name.
 */
#pragma once

#include "polhode/polhode.h"
#include "tool/base/rendering.h"

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

/* `print` is NULL for a list of entries. Another list has no entries, and `print` prints it if the user names it. */
typedef struct list_kind {
    const char *name, *plural, *heading;
    entry (*at)(size_t i);
    int (*print)(rendering *r);
} list_kind;

/* Returns the i-th list, or NULL past the last. Those of the core come first. A folder beside the core adds
 * `const list_kind list_kind_NAME = {`. */
const list_kind *list_kind_at(size_t i);

/* The facts of a descriptor, as members of an entry. */
#define ENTRY_NAMES(d) .name = (d)->name, .title = (d)->title, .cite = (d)->cite
