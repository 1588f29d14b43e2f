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

enum { FREE_MARKS = 5, FIELD = 64 /* bytes of a field */ };

static const char *const free_heads[] = {"integrator", "name", "order",   "Qy",
                                         "C",          "H",    "Poisson", "symplectic"};
/* For people in two halves, each as wide as a terminal. */
static const char *const thesis_heads[] = {"algorithm", "name",     "free: symplectic",
                                           "energy",    "momentum", "field: symplectic",
                                           "energy",    "momentum"};
enum { THESIS_NAMES = 2, THESIS_PLACES = 3 };

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
    const ph_properties *c = thesis && place >= THESIS_PLACES ? &s->field : &s->free;
    if (thesis)
        return place % THESIS_PLACES == 0   ? check_answer(c->symplectic)
               : place % THESIS_PLACES == 1 ? check_energy(c->energy)
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
        grid_add(g, "%s [%s]", measured, paper);
}

static void add_marks(grid *g, const ph_measurement *s, const char *marks, size_t from,
                      size_t to, bool thesis)
{
    for (size_t k = from; k < to && marks[k] != '\0'; k++) {
        const char *measured = s == NULL ? "" : measured_at(s, k, thesis);
        if (s == NULL)
            grid_add(g, "[%s]", mark_word(marks[k]));
        else
            add_cell(g, measured, agrees(marks[k], measured), mark_word(marks[k]));
    }
}

static void add_names(grid *g, const ph_measurement *s, char field[4][FIELD],
                      bool markdown)
{
    grid_add(g, "%s", field[1]);
    grid_add(g, markdown && s != NULL ? "`%s`" : "%s", s != NULL ? field[0] : "not here");
}

/* `second` has the second half of a row that is wider than a terminal. */
static void add_row(grid *g, grid *second, const check_list *list, char field[4][FIELD],
                    bool markdown)
{
    const char *name = field[0], *paper = field[2], *marks = field[3];
    const ph_measurement *s = sheet_named(list, name);
    const bool thesis = strlen(marks) > FREE_MARKS, halves = thesis && !markdown;
    const size_t all = sizeof free_heads / sizeof free_heads[0],
                 first = halves ? THESIS_PLACES : strlen(marks);
    char order[CHECK_ORDER];
    if (s == NULL && name[0] != '\0')
        return;
    g->marks = markdown ? 0 : ~0U; /* narrow columns */
    if (g->count == 0)
        grid_add_words(g, thesis ? thesis_heads : free_heads,
                       halves ? THESIS_NAMES + THESIS_PLACES : all);
    add_names(g, s, field, markdown);
    if (!thesis)
        add_cell(g, check_order(s, order), strcmp(check_order(s, order), paper) == 0,
                 paper);
    add_marks(g, s, marks, 0, first, thesis);
    if (!halves)
        return;
    if (second->count == 0) {
        second->columns = THESIS_NAMES + THESIS_PLACES;
        grid_add_words(second, thesis_heads, THESIS_NAMES);
        grid_add_words(second, thesis_heads + THESIS_NAMES + THESIS_PLACES,
                       THESIS_PLACES);
    }
    add_names(second, s, field, markdown);
    add_marks(second, s, marks, first, strlen(marks), thesis);
}

bool check_papers(outfile *out, const check_list *list, bool markdown)
{
    grid g = {0}, second = {0};
    bool good = true;
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
            add_row(&g, &second, list, field, markdown);
        line += length + 1;
        if (*line == '=' || *line == '\0') {
            good = grid_print(&g, out, markdown) && good;
            outfile_print(out, "%s", second.count > 0 ? "\n" : "");
            good = grid_print(&second, out, markdown) && good;
        }
    }
    outfile_print(out, "\nIn brackets what the paper has, where that is something else: "
                       "[?] a question\nmark, [-] an empty place.\n\n");
    return good;
}
