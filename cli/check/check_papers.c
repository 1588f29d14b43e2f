/* check_papers.c - the tables of properties in the papers, measured.
 *
 * V13  Vilmart, Rigid body dynamics, 2013, Table 2.
 * HV   Hairer, Vilmart, 2006, Table 2.
 * O11  Ortolan, thesis, Padova 2011, Table 2.1.
 *
 * A cell holds what was measured, and where the paper has something else, that in
 * brackets: [?] is a question mark of the paper, [-] an empty place.
 */
#include <string.h>

#include "check.h"
#include "grid.h"

static const ph_sheet *sheet_named(const check_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->row[i].name, name) == 0)
            return &list->row[i].sheet;
    }
    return NULL;
}

/* ---- Table 2 of V13, and of HV --------------------------------------------------- */

/* A row of the paper, and who stands for it: order, then Qy, C, H, Poisson, symplectic as
 * y or n. */
typedef struct free_row {
    const char *name, *title, *order, *marks;
} free_row;

static const free_row vilmart[] = {
    {"exact", "Jacobi's analytic solution", "exact", "yyyyy"},
    {"sr2", "Symmetric+Rotation splitting", "2", "yynyy"},
    {"dmv2", "RATTLE/DMV", "2", "yyyyy"},
    {"imr2", "Implicit midpoint rule", "2", "yyynn"},
    {"dmv4", "Preprocessed DMV, p = 2", "4", "yyyyn"},
    {"dmv6", "Preprocessed DMV, p = 3", "6", "yyyyn"},
    {"dmv8", "Preprocessed DMV, p = 4", "8", "yyyyn"},
};

static const free_row hairer_vilmart[] = {
    {"dmv4", "DMV4", "4", "yyyyn"}, {"dmv6", "DMV6", "6", "yyyyn"},
    {"dmv8", "DMV8", "8", "yyyyn"}, {"dmv2", "DMV", "2", "yyyyy"},
    {"imr2", "IMR2", "2", "yyynn"}, {"imr4", "IMR4", "4", "yyynn"},
    {"imr6", "IMR6", "6", "yyynn"}, {"jem2", "JEM2", "2", "nyyyn"},
    {"jem4", "JEM4", "4", "nyyyn"}, {"sr2", "SR2", "2", "yynyy"},
    {"sr4", "SR4", "4", "yynyy"},   {"sr6", "SR6", "6", "yynyy"},
};

static void add_cell(grid *g, const char *measured, const char *paper)
{
    if (strcmp(measured, paper) == 0)
        grid_add(g, "%s", measured);
    else
        grid_add(g, "%s [%s]", measured, paper);
}

static bool print_free(outfile *out, const check_list *list, const free_row *rows,
                       size_t count, bool markdown)
{
    static const char *const heads[] = {"integrator", "name", "order",   "Qy",
                                        "C",          "H",    "Poisson", "symplectic"};
    grid g = {0};
    grid_add_head(&g, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < count; i++) {
        const ph_sheet *s = sheet_named(list, rows[i].name);
        if (s == NULL)
            continue;
        const ph_answer answers[] = {s->free.momentum, s->free.casimir,
                                     s->free.energy == PH_ENERGY_EXACT ? PH_YES : PH_NO,
                                     s->free.poisson, s->free.symplectic};
        char order[CHECK_ORDER];
        grid_add(&g, "%s", rows[i].title);
        grid_add(&g, markdown ? "`%s`" : "%s", rows[i].name);
        add_cell(&g, check_order(s, order), rows[i].order);
        for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
            add_cell(&g, check_answer(answers[k]),
                     rows[i].marks[k] == 'y' ? "yes" : "no");
    }
    return grid_print(&g, out, markdown);
}

/* ---- Table 2.1 of O11 ------------------------------------------------------------ */

enum { PLACES = 6 };

/* Symplectic, energy and momentum of the free body, then in a field: y a mark, n "nearly",
 * q a question mark, - an empty place. Without a name: nobody stands for it here. */
typedef struct thesis_row {
    const char *name, *title, *marks;
} thesis_row;

static const thesis_row ortolan[] = {
    {"eln", "Lie-Newmark, explicit", "q--q--"},
    {"tln", "Lie-Newmark, trapezoidal", "q--q--"},
    {"imid", "Algo_1 (reconstructed)", "-y--q-"},
    {"swc1", "Algo_C1", "-yy-qq"},
    {"akw", "Austin et al.", "-yy-qq"},
    {NULL, "Lewis & Simo", "yyy---"},
    {"rattle", "RATTLE", "yyyyny"},
    {"vlv", "Variational, Cayley", "ynyyny"},
    {"vlv_exp", "Variational, exponential", "ynyyny"},
    {"saccon", "Variational, midpoint", "ynyyny"},
    {"liemid", "LIEMID(EA)", "q--q--"},
    {"prk", "PRK", "qyyqqq"},
    {"mcg", "MCG", "qy-qq-"},
    {"new3", "NEW3", "q-yq--"},
};

/* A place of the thesis agrees with what was measured in other words: an empty place is a
 * no, a mark a yes. */
static bool agrees(char mark, const char *measured)
{
    const bool kept = strcmp(measured, "yes") == 0 || strcmp(measured, "exact") == 0;
    return mark == 'n'   ? strcmp(measured, "bounded") == 0
           : mark == 'y' ? kept
                         : mark == '-' && !kept;
}

static const char *mark_word(char mark)
{
    return mark == 'y' ? "kept" : mark == 'n' ? "nearly" : mark == 'q' ? "?" : "-";
}

static void add_place(grid *g, const ph_properties *c, size_t place, char mark)
{
    const char *measured = place == 0   ? check_answer(c->symplectic)
                           : place == 1 ? check_energy(c->energy)
                                        : check_momentum(c->momentum);
    if (agrees(mark, measured))
        grid_add(g, "%s", measured);
    else
        grid_add(g, "%s [%s]", measured, mark_word(mark));
}

static bool print_thesis(outfile *out, const check_list *list, bool markdown)
{
    static const char *const heads[] = {"algorithm", "name",     "free: symplectic",
                                        "energy",    "momentum", "field: symplectic",
                                        "energy",    "momentum"};
    grid g = {0};
    grid_add_head(&g, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < sizeof ortolan / sizeof ortolan[0]; i++) {
        const thesis_row *row = &ortolan[i];
        const ph_sheet *s = row->name == NULL ? NULL : sheet_named(list, row->name);
        if (s == NULL && row->name != NULL)
            continue;
        grid_add(&g, "%s", row->title);
        grid_add(&g, markdown && s != NULL ? "`%s`" : "%s",
                 s != NULL ? row->name : "not here");
        for (size_t k = 0; k < PLACES; k++) {
            if (s == NULL)
                grid_add(&g, "[%s]", mark_word(row->marks[k]));
            else
                add_place(&g, k < 3 ? &s->free : &s->field, k % 3, row->marks[k]);
        }
    }
    return grid_print(&g, out, markdown);
}

bool check_papers(outfile *out, const check_list *list, bool markdown)
{
    const char *heading = markdown ? "%s## %s\n\n" : "%s%s\n\n";
    outfile_print(out, heading, "", "Vilmart 2013, Table 2");
    bool good =
        print_free(out, list, vilmart, sizeof vilmart / sizeof vilmart[0], markdown);
    outfile_print(out, heading, "\n", "Hairer and Vilmart 2006, Table 2");
    good = good && print_free(out, list, hairer_vilmart,
                              sizeof hairer_vilmart / sizeof hairer_vilmart[0], markdown);
    outfile_print(out, heading, "\n", "Ortolan 2011, Table 2.1");
    good = good && print_thesis(out, list, markdown);
    outfile_print(out, "\nIn brackets what the paper has, where that is something else: "
                       "[?] a question mark,\n[-] an empty place.\n\n");
    return good;
}
