/* list.h - the parts of `polhode list`. */
#ifndef POLHODE_CLI_LIST_H
#define POLHODE_CLI_LIST_H

#include <stddef.h>

#include "entry.h"
#include "io/outfile.h"

/* ---- what there is: list_kinds.c ------------------------------------------------- */

typedef struct list_kind {
    const char *name, *plural, *heading;
    entry (*at)(size_t i);
} list_kind;

/* All kinds, up to one without a name; adding one is adding a row. */
extern const list_kind list_kinds[];

/* The names of what an integrator can keep, in the order of its bits. */
extern const char *const keeps_names[PH_KEEPS_COUNT];

/* An order in words: a number, or "exact". */
#define ORDER_TEXT 24
const char *order_text(const entry *e, char text[ORDER_TEXT]);

/* Whether it keeps the i-th of them: yes, no, or "free", without torque alone. */
const char *keeps_mark(const entry *e, size_t i, const char *yes, const char *no);

/* ---- how it is shown: list_text.c, list_markdown.c ------------------------------- */

/* What is asked for: one kind, or all of them for NULL; and of methods and problems those
 * of one space, or of all for NULL. */
typedef struct list_choice {
    const list_kind *kind;
    const char *space;
} list_choice;

/* The first entry of a kind, from number *i on, that is asked for; *i is its number. False
 * if there is none. */
bool list_next(const list_choice *choice, const list_kind *kind, size_t *i, entry *e);

/* The first kind, from *kind on, with entries that are asked for, and the first of these,
 * which tells what columns they have. False if there is none. */
bool list_next_kind(const list_choice *choice, const list_kind **kind, entry *first);

void list_text(outfile *out, const list_choice *choice);
void list_markdown(outfile *out, const list_choice *choice);

#endif
