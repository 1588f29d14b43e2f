/* list_text.c - what there is, for people: one line each. */
#include <string.h>

#include "list.h"

#define HEAD  4 /* letters of a property's name above its column */
#define ORDER 5 /* letters of an order */

/* What the columns of marks are, before the rows and in words after them. */
static void print_marks_head(outfile *out)
{
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++)
        outfile_print(out, " %-*.*s", HEAD, HEAD, keeps_names[k]);
}

static void print_marks_foot(outfile *out)
{
    outfile_print(out, "  x: keeps (free: without torque)");
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++)
        outfile_print(out, "%s %s", k == 0 ? "" : ",", keeps_names[k]);
    outfile_print(out, "\n");
}

static void print_marks(outfile *out, const entry *e)
{
    for (size_t k = 0; k < PH_KEEPS_COUNT; k++)
        outfile_print(out, " %-*s", HEAD, keeps_mark(e, k, "x", "."));
}

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

/* One line an entry, the columns as wide as they need to be. */
static void print_kind(outfile *out, const list_choice *choice, const list_kind *kind,
                       const entry *first)
{
    int name = widest(0, "name"), title = widest(0, "title"), place = widest(0, "space");
    entry e;
    for (size_t i = 0; list_next(choice, kind, &i, &e); i++) {
        name = widest(name, e.name);
        title = widest(title, e.title);
        place = widest(place, e.space == NULL ? "" : e.space);
    }
    const bool spaces = first->space != NULL && choice->space == NULL;
    outfile_print(out, "%s - %s\n  %-*s", kind->plural, kind->heading, name, "name");
    if (spaces)
        outfile_print(out, "  %-*s", place, "space");
    if (first->ordered)
        outfile_print(out, "  %*s", ORDER, "order");
    if (first->integrator)
        print_marks_head(out);
    outfile_print(out, "  %-*s  cite\n", title, "title");
    for (size_t i = 0; list_next(choice, kind, &i, &e); i++) {
        char order[ORDER_TEXT];
        outfile_print(out, "  %-*s", name, e.name);
        if (spaces)
            outfile_print(out, "  %-*s", place, e.space);
        if (e.ordered)
            outfile_print(out, "  %*s", ORDER, order_text(&e, order));
        if (e.integrator)
            print_marks(out, &e);
        outfile_print(out, "  %-*s  %s\n", title, e.title, e.cite);
    }
    if (first->integrator)
        print_marks_foot(out);
}

void list_text(outfile *out, const list_choice *choice)
{
    bool any = false;
    entry first;
    for (const list_kind *kind = list_kinds; list_next_kind(choice, &kind, &first);
         kind++) {
        if (any)
            outfile_print(out, "\n");
        print_kind(out, choice, kind, &first);
        any = true;
    }
    if (!any)
        outfile_print(out, "There are no %s in this version.\n",
                      choice->kind == NULL ? "such things" : choice->kind->plural);
}
