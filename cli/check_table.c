/* check_table.c - one line for each integrator that was measured. */
#include <math.h>

#include "check.h"
#include "grid.h"

/* Verdicts alone, and what it is: what a page of the documentation shows, the same on
 * every machine. For people also numbers. */
static const char *const page_heads[] = {
    "name",     "order",    "symmetric",  "free: symplectic",  "Poisson",
    "energy",   "momentum", "its length", "field: symplectic", "energy",
    "momentum", "title",    "source"};
static const char *const text_heads[] = {
    "name",   "order",    "symm",     "free: sympl",  "Poisson",
    "energy", "momentum", "length",   "field: sympl", "defect",
    "energy", "slope",    "momentum", "largest h",    "ns/step"};

static void add_free(grid *g, const check_row *row, bool markdown)
{
    const ph_sheet *s = &row->sheet;
    char order[CHECK_ORDER];
    grid_add(g, markdown ? "`%s`" : "%s", row->name);
    grid_add(g, "%s", check_order(s, order));
    grid_add(g, "%s",
             check_answer(s->field.applies ? s->field.symmetric : s->free.symmetric));
    grid_add(g, "%s", check_answer(s->free.symplectic));
    grid_add(g, "%s", check_answer(s->free.poisson));
    grid_add(g, "%s", check_energy(s->free.energy));
    grid_add(g, "%s", check_momentum(s->free.momentum));
    grid_add(g, "%s", check_momentum(s->free.casimir));
}

static void add_page_row(grid *g, const check_row *row)
{
    const ph_properties *c = &row->sheet.field;
    add_free(g, row, true);
    grid_add(g, "%s", c->applies ? check_answer(c->symplectic) : "");
    grid_add(g, "%s", c->applies ? check_energy(c->energy) : "");
    grid_add(g, "%s", c->applies ? check_momentum(c->momentum) : "");
    grid_add(g, "%s", row->title);
    grid_add(g, "%s", row->cite);
}

static void add_text_row(grid *g, const check_row *row)
{
    const ph_sheet *s = &row->sheet;
    const ph_properties *c = &s->field;
    add_free(g, row, false);
    if (c->applies) {
        grid_add(g, "%s", check_answer(c->symplectic));
        grid_add(g, "%.1e", c->symplectic_defect);
        grid_add(g, "%s", check_energy(c->energy));
        if (isnan(s->drift[0].slope))
            grid_add(g, "%s", "failed");
        else
            grid_add(g, "%+.1e", s->drift[0].slope);
        grid_add(g, "%s", check_momentum(c->momentum));
        grid_add(g, "%.3g", s->stable_step);
    }
    for (size_t k = g->count % g->columns; k + 1 < g->columns; k++)
        grid_add(g, "%s", "");
    grid_add(g, "%.0f", s->nanoseconds);
}

static void add_head(grid *g, bool markdown)
{
    const char *const *heads = markdown ? page_heads : text_heads;
    g->columns = markdown ? sizeof page_heads / sizeof page_heads[0]
                          : sizeof text_heads / sizeof text_heads[0];
    for (size_t k = 0; k < g->columns; k++)
        grid_add(g, "%s", heads[k]);
}

bool check_table(outfile *out, const check_list *list, bool markdown)
{
    bool good = true;
    for (check_kind kind = 0; kind < CHECK_KINDS && good; kind++) {
        grid g = {0};
        size_t rows = 0;
        for (size_t i = 0; i < list->count; i++) {
            if (list->row[i].kind != kind)
                continue;
            if (rows++ == 0)
                add_head(&g, markdown);
            (markdown ? add_page_row : add_text_row)(&g, &list->row[i]);
        }
        if (rows == 0)
            continue;
        outfile_print(out, markdown ? "## %s\n\n" : "%s\n\n", check_headings[kind]);
        good = grid_print(&g, out, markdown);
        outfile_print(out, "\n");
    }
    return good;
}
