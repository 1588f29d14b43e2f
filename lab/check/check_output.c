/* check_output.c - what was measured of integrators, as it is printed. */
#include "check_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers.help.h"
#include "tool/base/grid.h"
#include "tool/files/file_text.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"

/* ---- words ----------------------------------------------------------------------- */

static const char *const headings[CHECK_KINDS] = {
    [CHECK_METHODS] = "methods",
    [CHECK_SCHEMES] = "schemes with the flow exact",
    [CHECK_FLOWS] = "flows",
    [CHECK_PAIRS] = "verlet with every flow",
    [CHECK_COMPOSITIONS] = "compositions of the flow mr",
};

const char *check_answer(ph_answer answer)
{
    static const char *const words[] = {
        [PH_ANSWER_NO] = "no", [PH_ANSWER_YES] = "yes", [PH_ANSWER_UNRESOLVED] = "?"};
    return words[answer];
}

const char *check_momentum(ph_answer answer)
{
    if (answer == PH_ANSWER_YES)
        return "exact";
    return check_answer(answer);
}

const char *check_energy(ph_energy_kind energy)
{
    static const char *const words[] = {[PH_ENERGY_EXACT] = "exact",
                                        [PH_ENERGY_BOUNDED] = "bounded",
                                        [PH_ENERGY_DRIFTS] = "drift",
                                        [PH_ENERGY_UNDECIDED] = "?"};
    return words[energy];
}

static const char *verdict_word(ph_energy_kind verdict)
{
    if (verdict == PH_ENERGY_DRIFTS)
        return "drifts";
    if (verdict == PH_ENERGY_UNDECIDED)
        return "undecided";
    return check_energy(verdict);
}

const char *check_order(const ph_measurement *s)
{
    if (s->exact)
        return "exact";
    if (isnan(s->order))
        return "?";
    return memory_text("%ld", lround(s->order));
}

const char *check_power(double power)
{
    if (isnan(power))
        return "?";
    return memory_text("%.2f", power);
}

json_t *check_order_json(double order)
{
    if (isnan(order))
        return json_null();
    return json_integer(lround(order));
}

static const ph_properties *properties_of(const ph_measurement *s, bool in_field)
{
    return in_field ? &s->field : &s->free;
}

/* ---- claims ---------------------------------------------------------------------- */

static const char *add_bits(const char *text, unsigned bits, const char *where)
{
#define ADD(code, name)                                                                            \
    if ((bits & PH_##code) != 0)                                                                   \
        text = memory_list(text, memory_text("%s%s", name, where));
    PH_KEEPS_LIST(ADD)
#undef ADD
    return text;
}

static bool order_differs(const ph_measurement *s, int claimed)
{
    if (claimed == PH_ORDER_EXACT)
        return !s->exact && !isnan(s->order);
    return s->exact || (!isnan(s->order) && lround(s->order) != claimed);
}

const char *check_mismatches(const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const ph_integrator *i = &row->integrator;
    const char *text = text_if(order_differs(s, ph_integrator_order(i)), "order");
    text =
        add_bits(text, ph_measurement_mismatches(s, false, ph_integrator_keeps_free(i)), " (free)");
    return add_bits(text, ph_measurement_mismatches(s, true, ph_integrator_keeps(i)), " (field)");
}

/* ---- everything about one -------------------------------------------------------- */

void check_title(rendering *r, const check_row *row)
{
    if (r->as != AS_JSON)
        print_broken(r->out, memory_text("%s - %s (%s)", row->name, row->title, row->cite), 0,
                     LINE_WIDTH);
    render_data(r, "name", "%s", row->name);
}

#define TOLERANCE_NOTE                                                                             \
    "  All other rows use steps cut to a tolerance of %g. They do not show (?) the\n"              \
    "  structure of the formula; invariants are conserved to this tolerance.\n"

static void render_properties(rendering *r, const ph_properties *c, const char *momentum)
{
    render_line(r, "?symmetric symmetry_defect",
                "  symmetric          %-8s there and back with -h, h = 0.1: defect %.1e\n",
                check_answer(c->symmetric), c->symmetry_defect);
    render_line(r, "?reversible reversal_defect",
                "  reversible         %-8s there and back with -m, h = 0.1: defect %.1e\n",
                check_answer(c->reversible), c->reversal_defect);
    render_line(r, "?symplectic symplectic_defect",
                "  symplectic         %-8s canonical form, h = 0.4: defect %.1e\n",
                check_answer(c->symplectic), c->symplectic_defect);
    render_line(r, "?energy energy_error energy_error_large_step",
                "  energy             %-8s at h = 0.1: largest error %.1e; at 0.5: %.1e\n",
                check_energy(c->energy), c->energy_error[0], c->energy_error[1]);
    render_line(r, "momentum - momentum_error", "  momentum           %-8s %s %.1e\n",
                check_momentum(c->momentum), momentum, c->momentum_error);
    render_data(r, "?casimir step_error", "%s %g", check_answer(c->casimir), c->step_error);
}

/* States what means something without a field alone; JSON has it with one, too. */
static void render_momenta(rendering *r, const ph_properties *c)
{
    render_line(r, "- casimir_error",
                "  its length         %-8s Casimir, h = 0.1: largest error %.1e\n",
                check_momentum(c->casimir), c->casimir_error);
    render_line(r, "?poisson poisson_defect",
                "  Poisson            %-8s of the momenta, h = 0.4: defect %.1e\n",
                check_answer(c->poisson), c->poisson_defect);
}

static void render_free(rendering *r, const ph_properties *c, bool adaptive)
{
    render_text(r, "\nfree body\n");
    render_object(r, "free");
    render_properties(r, c, "in space, h = 0.1: largest error");
    render_momenta(r, c);
    render_close(r);
    if (!adaptive && (c->poisson == PH_ANSWER_UNRESOLVED || c->symplectic == PH_ANSWER_UNRESOLVED))
        render_text(r,
                    "  ? the step is nearly exact, its error %.0e: its structure is unresolved\n",
                    c->step_error);
}

/* "small": the slope is told from 0, and adds up to less than what counts as a drift. */
static const char *trend_word(const ph_trend *t)
{
    if (t->drifts)
        return "yes";
    return fabs(t->slope) > 6.0 * t->standard_error ? "small" : "none";
}

static void render_trend(rendering *r, const ph_trend *t, const char *label)
{
    render_item(r, "drift_test");
    render_line(r, "- - step", "  %-18s %-8s h = %g: ", label, trend_word(t), t->h);
    if (isnan(t->slope))
        render_text(r, "the run failed after %" PRIu64 " steps\n", t->taken);
    else
        render_text(r, "slope %+.2e +- %.0e, error %.1e\n", t->slope, t->standard_error,
                    t->max_error);
    render_data(r, "slope standard_error max_error steps ?drifts", "%g %g %g %" PRIu64 " %s",
                t->slope, t->standard_error, t->max_error, t->taken, yes_or_no(t->drifts));
    render_close(r);
}

static void render_field(rendering *r, const ph_measurement *s)
{
    const ph_energy_test *t = &s->test;
    render_text(r, "\nin a field\n");
    render_object(r, "field");
    render_properties(r, &s->field, "map about the vertical, h = 0.1: error");
    if (r->as == AS_JSON)
        render_momenta(r, &s->field);
    render_line(r, "verdict slope slope_error horizon problem",
                "  verdict            %-8s slope %+.2e +- %.0e to t = %g, %s\n",
                verdict_word(t->verdict), t->slope, t->standard_error, t->horizon, t->problem);
    render_close(r);
    render_trend(r, &s->drift[0], "drift in the well");
    render_trend(r, &s->drift[1], "");
    render_line(r, "stable_step",
                "  largest step       %-8.3g in the well: energy within 10 %% over 10^4 steps\n",
                s->stable_step);
    render_data(r, "?conjugate_symplectic_candidate", "%s", yes_or_no(s->candidate));
    if (s->candidate)
        render_text(
            r, "  not symplectic, and yet bounded: it may be conjugate to a symplectic method,\n  "
               "or its drift is below 1e-12 of the kinetic energy per unit of time\n");
}

static void render_order(rendering *r, const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const char *problem = s->field.applies ? "the problem generic" : "generic without torque";
    if (row->integrator.adaptive != NULL)
        problem = "generic, of single steps";
    render_text(r, "  order              %-8s ", check_order(s));
    if (!isnan(s->order))
        render_text(r, "slope %.3f on %s\n", s->order, problem);
    else
        render_text(r, s->exact ? "no error above 1e-12\n"
                                : "not resolved between its errors and round-off\n");
    render_value(r, "order", check_order_json(s->order));
    render_data(r, "slope ?exact", "%g %s", s->order, yes_or_no(s->exact));
}

void check_sheet(rendering *r, const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const bool adaptive = row->integrator.adaptive != NULL;
    const ph_properties *c = properties_of(s, s->field.applies);
    const char *mismatches = check_mismatches(row), *claims = "hold";
    if (*mismatches != '\0')
        claims = memory_text("do not hold: %s", mismatches);
    check_title(r, row);
    render_order(r, row);
    if (adaptive)
        render_text(r, TOLERANCE_NOTE, row->integrator.tolerance);
    render_free(r, &s->free, adaptive);
    if (s->field.applies)
        render_field(r, s);
    else
        render_value(r, "field", json_pack("{sn sn sn}", "symplectic", "energy", "momentum"));
    render_line(r, "unit_error", "\n  attitude           %-8.1e largest distance of |q| from 1\n",
                s->unit_error);
    render_line(r, "nanoseconds", "  cost               %.0f ns per step", s->nanoseconds);
    if (s->field.applies)
        render_line(r, "torques", ", torques per step %.3g", s->torques);
    render_text(r, "\n  its claims         ");
    if (r->as != AS_JSON)
        print_broken(r->out, claims, strlen("  its claims         "), LINE_WIDTH);
    render_data(r, "title cite disputed ?symmetric symplectic_defect drift", "%s %s %s %s %g %g",
                row->title, row->cite, mismatches, check_answer(c->symmetric), c->symplectic_defect,
                s->field.applies ? s->drift[0].slope : NAN);
}

/* ---- one line for each ----------------------------------------------------------- */

/* The cells of the free body, behind the name. */
static const char *free_cells(const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    return memory_text("%s\t%s\t%s\t%s\t%s\t%s\t%s", check_order(s),
                       check_answer(properties_of(s, s->field.applies)->symmetric),
                       check_answer(s->free.symplectic), check_answer(s->free.poisson),
                       check_energy(s->free.energy), check_momentum(s->free.momentum),
                       check_momentum(s->free.casimir));
}

/* The titles and sources of what is made of others are those of its parts, which other tables have. */
static const bool has_title[CHECK_KINDS] = {
    [CHECK_METHODS] = true, [CHECK_SCHEMES] = true, [CHECK_FLOWS] = true};

static const char *page_cells(const check_row *row)
{
    const ph_properties *c = &row->sheet.field;
    const char *cells = memory_text("%s\t\t\t", free_cells(row));
    if (c->applies)
        cells = memory_text("%s\t%s\t%s\t%s", free_cells(row), check_answer(c->symplectic),
                            check_energy(c->energy), check_momentum(c->momentum));
    if (has_title[row->kind])
        return memory_text("%s\t%s\t%s", cells, row->title, row->cite);
    return cells;
}

/* Verdicts alone, and what it is: what a page of the documentation shows, the same on
 * every machine. One row for all that agree in every cell. */
static void add_page(grid *g, const check_list *list, size_t i)
{
    const check_row *row = list->row;
    const char *cells = page_cells(&row[i]), *names = "";
    if (g->count == 0)
        grid_add(g,
                 "name\torder\tsymmetric\tfree: symplectic\tPoisson\tenergy\tmomentum\t"
                 "its length\tfield: symplectic\tenergy\tmomentum%s",
                 text_if(has_title[row[i].kind], "\ttitle\tsource"));
    for (size_t k = 0; k < list->count; k++) {
        if (row[k].kind != row[i].kind || strcmp(page_cells(&row[k]), cells) != 0)
            continue;
        if (k < i)
            return;
        names = memory_list(names, memory_text("`%s`", row[k].name));
    }
    grid_add(g, "%s\t%s", names, cells);
}

/* Verdicts and numbers for people, in two tables, each as wide as a terminal. */
static void add_text(grid *g, grid *field, const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const ph_properties *c = &s->field;
    if (g->count == 0)
        grid_add(g, "name\torder\tsymm\tsympl\tPoisson\tenergy\tmomentum\tlength\tns/step");
    grid_add(g, "%s\t%s", row->name, free_cells(row));
    grid_add(g, "%.0f", s->nanoseconds);
    if (!c->applies)
        return;
    if (field->count == 0)
        grid_add(field, "name\tsympl\tdefect\tenergy\tslope\tmomentum\tlargest h");
    grid_add(field, "%s\t%s\t%.1e\t%s", row->name, check_answer(c->symplectic),
             c->symplectic_defect, check_energy(c->energy));
    if (isnan(s->drift[0].slope))
        grid_add(field, "failed");
    else
        grid_add(field, "%+.1e", s->drift[0].slope);
    grid_add(field, "%s\t%.3g", check_momentum(c->momentum), s->stable_step);
}

void check_table(outfile *out, const check_list *list, bool markdown)
{
    for (check_kind kind = 0; kind < CHECK_KINDS; kind++) {
        grid g = {.marks = markdown ? 0 : ~0U}, field = {0}; /* marks: narrow columns */
        for (size_t i = 0; i < list->count; i++) {
            if (list->row[i].kind != kind)
                continue;
            if (markdown)
                add_page(&g, list, i);
            else
                add_text(&g, &field, &list->row[i]);
        }
        if (g.count == 0)
            continue;
        const bool in_field = field.count > 0;
        outfile_print(out, markdown ? "## %s\n\n" : "%s, free body\n\n", headings[kind]);
        grid_print(&g, out, markdown);
        outfile_print(out, "\n");
        if (in_field)
            outfile_print(out, "%s, in a field\n\n", headings[kind]);
        grid_print(&field, out, markdown);
        outfile_print(out, "%s", text_if(in_field, "\n"));
    }
}

/* ---- the tables of properties in the papers --------------------------------------- */

enum { FREE_MARKS = 5, FIELD = 64 /* bytes of a field */, PLACES = 3 };

#define FREE_HEAD   "integrator\tname\torder\tQy\tC\tH\tPoisson\tsymplectic"
#define PLACE_HEADS "symplectic\tenergy\tmomentum"

static const ph_measurement *sheet_named(const check_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->row[i].name, name) == 0)
            return &list->row[i].sheet;
    }
    return NULL;
}

/* Returns what was measured at the place of a mark. */
static const char *measured_at(const ph_measurement *s, size_t place, bool thesis)
{
    const ph_properties *c = properties_of(s, thesis && place >= PLACES);
    const ph_answer energy = c->energy == PH_ENERGY_EXACT ? PH_ANSWER_YES : PH_ANSWER_NO,
                    answers[FREE_MARKS] = {c->momentum, c->casimir, energy, c->poisson,
                                           c->symplectic};
    const char *const words[PLACES] = {check_answer(c->symplectic), check_energy(c->energy),
                                       check_momentum(c->momentum)};
    if (thesis)
        return words[place % PLACES];
    return check_answer(answers[place]);
}

static const char *mark_word(char mark)
{
    static const char marks[] = "YNynq";
    static const char *const words[] = {"yes", "no", "kept", "nearly", "?", "-"};
    return words[strcspn(marks, (const char[]){mark, '\0'})];
}

/* Returns whether a mark says what was measured, be it in other words. */
static bool agrees(char mark, const char *measured)
{
    const bool kept = strcmp(measured, "yes") == 0 || strcmp(measured, "exact") == 0;
    if (mark == 'y' || mark == '-')
        return kept == (mark == 'y');
    if (mark == 'n')
        return strcmp(measured, "bounded") == 0;
    return mark != 'q' && strcmp(measured, mark_word(mark)) == 0;
}

static void add_cell(grid *g, const char *measured, bool same, const char *paper)
{
    if (same)
        grid_add(g, "%s", measured);
    else
        grid_add(g, "%s%s[%s]", measured, text_if(measured[0] != '\0', " "), paper);
}

/* A row of the thesis is wider than a terminal: for people its second half is in the second. */
static void add_row(grid grids[2], const check_list *list, char field[4][FIELD], bool markdown)
{
    const char *name = field[0], *title = field[1], *paper = field[2], *marks = field[3];
    const ph_measurement *s = sheet_named(list, name);
    const bool thesis = strlen(marks) > FREE_MARKS;
    const size_t halves = thesis && !markdown ? 2 : 1, n = strlen(marks) / halves;
    if (s == NULL && name[0] != '\0')
        return;
    if (s == NULL)
        name = "not here";
    else if (markdown)
        name = memory_text("`%s`", name);
    for (size_t half = 0; half < halves; half++) {
        grid *g = &grids[half];
        if (markdown || half > 0)
            g->marks = 0;
        else
            g->marks = ~0U; /* narrow columns */
        if (g->count == 0)
            grid_add(g, "%s%s%s", thesis ? "algorithm\tname" : FREE_HEAD,
                     text_if(thesis && half == 0, "\tfree: " PLACE_HEADS),
                     text_if(thesis && (markdown || half > 0), "\tfield: " PLACE_HEADS));
        grid_add(g, "%s\t%s", title, name);
        if (!thesis)
            add_cell(g, check_order(s), strcmp(check_order(s), paper) == 0, paper);
        for (size_t k = half * n; k < (half + 1) * n; k++) {
            const char *measured = "";
            if (s != NULL)
                measured = measured_at(s, k, thesis);
            add_cell(g, measured, s != NULL && agrees(marks[k], measured), mark_word(marks[k]));
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
            outfile_print(out, "%s%s%.*s\n\n", text_if(line != papers_help, "\n"),
                          text_if(markdown, "## "), (int)length - 2, line + 2);
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
            outfile_print(out, "%s", text_if(grids[1].count > 0, "\n"));
            grid_print(&grids[1], out, markdown);
        }
    }
    outfile_print(out, "\nBrackets show the entry of the paper where it differs: [?] a question "
                       "mark,\n[-] an empty entry.\n\n");
}
