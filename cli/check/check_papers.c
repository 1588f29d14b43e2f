/* check_papers.c - the tables of properties in the papers, measured.
 *
 * papers.txt has them: after the name of a table its rows, name|title|order|marks. Without a
 * name there is no such integrator here. Five marks, Y and N, are momentum, its length, energy,
 * Poisson and symplectic of the free body; six are symplectic, energy and momentum of the free
 * body, then in a field: y a mark, n "nearly", q a question mark, - an empty place.
 *
 * A cell holds what was measured, and where the paper has something else, that in brackets.
 */
#include "check_papers.h"

#include <stdio.h>
#include <string.h>

#include "cli/tool/grid.h"
#include "papers.help.h"

enum { FREE_MARKS = 5, FIELD = 64 /* bytes of a field */, PLACES = 3 };

#define FREE_HEAD   "integrator\tname\torder\tQy\tC\tH\tPoisson\tsymplectic"
#define THESIS_HEAD "algorithm\tname\t"
#define PLACE_HEADS "symplectic\tenergy\tmomentum"

static const ph_measurement *sheet_named(const check_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->row[i].name, name) == 0)
            return &list->row[i].sheet;
    }
    return NULL;
}

/* What was measured at the place of a mark. */
static const char *measured_at(const ph_measurement *s, size_t place, bool thesis)
{
    const ph_properties *c = thesis && place >= PLACES ? &s->field : &s->free;
    if (thesis)
        return place % PLACES == 0   ? check_answer(c->symplectic)
               : place % PLACES == 1 ? check_energy(c->energy)
                                     : check_momentum(c->momentum);
    const ph_answer answers[FREE_MARKS] = {c->momentum, c->casimir,
                                           c->energy == PH_ENERGY_EXACT ? PH_ANSWER_YES
                                                                        : PH_ANSWER_NO,
                                           c->poisson, c->symplectic};
    return check_answer(answers[place]);
}

static const char *mark_word(char mark)
{
    return mark == 'Y'   ? "yes"
           : mark == 'N' ? "no"
           : mark == 'y' ? "kept"
           : mark == 'n' ? "nearly"
           : mark == 'q' ? "?"
                         : "-";
}

/* Whether a mark says what was measured, be it in other words. */
static bool agrees(char mark, const char *measured)
{
    const bool kept = strcmp(measured, "yes") == 0 || strcmp(measured, "exact") == 0;
    return mark == 'n'   ? strcmp(measured, "bounded") == 0
           : mark == 'y' ? kept
           : mark == '-' ? !kept
                         : mark != 'q' && strcmp(measured, mark_word(mark)) == 0;
}

static void add_cell(grid *g, const char *measured, bool same, const char *paper)
{
    if (same)
        grid_add(g, "%s", measured);
    else
        grid_add(g, "%s%s[%s]", measured, measured[0] == '\0' ? "" : " ", paper);
}

/* A row of the thesis is wider than a terminal: for people its second half is in the second. */
static void add_row(grid grids[2], const check_list *list, char field[4][FIELD],
                    bool markdown)
{
    const char *name = field[0], *title = field[1], *paper = field[2], *marks = field[3];
    const ph_measurement *s = sheet_named(list, name);
    const bool thesis = strlen(marks) > FREE_MARKS;
    const size_t halves = thesis && !markdown ? 2 : 1, n = strlen(marks) / halves;
    if (s == NULL && name[0] != '\0')
        return;
    for (size_t half = 0; half < halves; half++) {
        grid *g = &grids[half];
        g->marks = markdown || half > 0 ? 0 : ~0U; /* narrow columns */
        if (g->count == 0)
            grid_add(g, "%s",
                     !thesis    ? FREE_HEAD
                     : markdown ? THESIS_HEAD "free: " PLACE_HEADS "\tfield: " PLACE_HEADS
                     : half == 0 ? THESIS_HEAD "free: " PLACE_HEADS
                                 : THESIS_HEAD "field: " PLACE_HEADS);
        grid_add(g, markdown && s != NULL ? "%s\t`%s`" : "%s\t%s", title,
                 s != NULL ? name : "not here");
        if (!thesis)
            add_cell(g, check_order(s), strcmp(check_order(s), paper) == 0, paper);
        for (size_t k = half * n; k < (half + 1) * n; k++) {
            const char *measured = s == NULL ? "" : measured_at(s, k, thesis);
            add_cell(g, measured, s != NULL && agrees(marks[k], measured),
                     mark_word(marks[k]));
        }
    }
}

void check_papers(outfile *out, const check_list *list, bool markdown)
{
    grid grids[2] = {{0}};
    for (const char *line = papers_help; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char field[4][FIELD] = {{0}};
        if (*line == '=')
            outfile_print(out, "%s%s%.*s\n\n", line == papers_help ? "" : "\n",
                          markdown ? "## " : "", (int)length - 2, line + 2);
        const char *at = line;
        for (int k = 0; *line != '=' && k < 4; k++) {
            const size_t end = strcspn(at, "|\n");
            (void)snprintf(field[k], FIELD, "%.*s", (int)end, at);
            at += end + 1;
        }
        if (*line != '=')
            add_row(grids, list, field, markdown);
        line += length + 1;
        if (*line == '=' || *line == '\0') {
            grid_print(&grids[0], out, markdown);
            outfile_print(out, "%s", grids[1].count > 0 ? "\n" : "");
            grid_print(&grids[1], out, markdown);
        }
    }
    outfile_print(out, "\nIn brackets what the paper has, where that is something else: "
                       "[?] a question\nmark, [-] an empty place.\n\n");
}
