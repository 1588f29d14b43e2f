/* list.h - the kinds of things that `polhode list` shows. */
#ifndef POLHODE_CLI_LIST_LIST_H
#define POLHODE_CLI_LIST_LIST_H

#include "entry.h"

typedef struct list_kind {
    const char *name, *plural, *heading;
    entry (*at)(size_t i);
} list_kind;

/* All kinds, up to one without a name; adding one is adding a row. */
extern const list_kind list_kinds[];

#endif
