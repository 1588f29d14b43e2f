/* check_output.c - what was measured of integrators, as it is printed. */
#include "check_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "cli/files/text.h"
#include "cli/tool/grid.h"
#include "papers.help.h"

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
    return answer == PH_ANSWER_YES ? "exact" : check_answer(answer);
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
    return verdict == PH_ENERGY_DRIFTS      ? "drifts"
           : verdict == PH_ENERGY_UNDECIDED ? "undecided"
                                            : check_energy(verdict);
}

const char *check_order(const ph_measurement *s)
{
    return s->exact ? "exact" : isnan(s->order) ? "?" : memory_text("%ld", lround(s->order));
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

const char *check_mismatches(const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const ph_integrator *i = &row->integrator;
    const int claimed = ph_integrator_order(i);
    const char *text = "";
    if (claimed == PH_ORDER_EXACT ? !s->exact && !isnan(s->order)
                                  : s->exact || (!isnan(s->order) && lround(s->order) != claimed))
        text = "order";
    text =
        add_bits(text, ph_measurement_mismatches(s, false, ph_integrator_keeps_free(i)), " (free)");
    return add_bits(text, ph_measurement_mismatches(s, true, ph_integrator_keeps(i)), " (field)");
}

/* ---- everything about one, for people -------------------------------------------- */

enum { LABEL = 18 }; /* width of the first column */

void check_title(outfile *out, const check_row *row)
{
    print_broken(out, memory_text("%s - %s (%s)", row->name, row->title, row->cite), 0, LINE_WIDTH);
}

#define TOLERANCE_NOTE                                                                             \
    "  All else is of steps cut to a tolerance of %g, which leave open (?) what\n"                 \
    "  structure its formula has; its invariants are kept as well as that asks for.\n"

static void print_line(outfile *out, const char *label, const char *word, double number,
                       const char *what)
{
    outfile_print(out, "  %-18s %-8s %s %.1e\n", label, word, what, number);
}

static void print_properties(outfile *out, const ph_properties *c, const char *momentum)
{
    print_line(out, "symmetric", check_answer(c->symmetric), c->symmetry_defect,
               "there and back with -h, h = 0.1: defect");
    print_line(out, "reversible", check_answer(c->reversible), c->reversal_defect,
               "there and back with -m, h = 0.1: defect");
    print_line(out, "symplectic", check_answer(c->symplectic), c->symplectic_defect,
               "canonical form, h = 0.4: defect");
    outfile_print(out, "  %-18s %-8s at h = 0.1: largest error %.1e; at 0.5: %.1e\n", "energy",
                  check_energy(c->energy), c->energy_error[0], c->energy_error[1]);
    print_line(out, "momentum", check_momentum(c->momentum), c->momentum_error, momentum);
}

static void print_free(outfile *out, const ph_properties *c, bool adaptive)
{
    outfile_print(out, "\nfree body\n");
    print_properties(out, c, "in space, h = 0.1: largest error");
    print_line(out, "its length", check_momentum(c->casimir), c->casimir_error,
               "Casimir, h = 0.1: largest error");
    print_line(out, "Poisson", check_answer(c->poisson), c->poisson_defect,
               "of the momenta, h = 0.4: defect");
    if (!adaptive && (c->poisson == PH_ANSWER_UNRESOLVED || c->symplectic == PH_ANSWER_UNRESOLVED))
        outfile_print(out,
                      "  ? the step is nearly exact, its error %.0e: no structure can be "
                      "told\n",
                      c->step_error);
}

static void print_field(outfile *out, const ph_measurement *s)
{
    outfile_print(out, "\nin a field\n");
    print_properties(out, &s->field, "map about the vertical, h = 0.1: error");
    outfile_print(out, "  %-18s %-8s slope %+.2e +- %.0e to t = %g, %s\n", "verdict",
                  verdict_word(s->test.verdict), s->test.slope, s->test.standard_error,
                  s->test.horizon, s->test.problem);
    for (int k = 0; k < 2; k++) {
        const ph_trend *t = &s->drift[k];
        outfile_print(out, "  %-18s %-8s h = %g: ", k == 0 ? "drift in the well" : "",
                      t->drifts ? "yes" : "none", t->h);
        if (isnan(t->slope))
            outfile_print(out, "the run failed after %" PRIu64 " steps\n", t->taken);
        else
            outfile_print(out, "slope %+.2e +- %.0e, error %.1e\n", t->slope, t->standard_error,
                          t->max_error);
    }
    outfile_print(out, "  %-18s %-8.3g %s\n", "largest step", s->stable_step,
                  "in the well: energy within 10 % over 10^4 steps");
    if (s->candidate)
        outfile_print(out, "  not symplectic, and yet bounded: it may be conjugate to a "
                           "symplectic one,\n"
                           "  or its drift is below 1e-12 of the kinetic energy per time\n");
}

void check_sheet(outfile *out, const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const char *mismatches = check_mismatches(row);
    check_title(out, row);
    outfile_print(out, "  %-18s %-8s ", "order", check_order(s));
    if (isnan(s->order))
        outfile_print(out, "%s\n",
                      s->exact ? "no error above 1e-12"
                               : "not resolved between its errors and round-off");
    else
        outfile_print(out, "slope %.3f on %s\n", s->order,
                      row->integrator.adaptive != NULL ? "generic, of single steps"
                      : s->field.applies               ? "the problem generic"
                                                       : "generic without torque");
    if (row->integrator.adaptive != NULL)
        outfile_print(out, TOLERANCE_NOTE, row->integrator.tolerance);
    print_free(out, &s->free, row->integrator.adaptive != NULL);
    if (s->field.applies)
        print_field(out, s);
    outfile_print(out, "\n  %-18s %-8.1e %s\n", "attitude", s->unit_error,
                  "largest distance of |q| from 1");
    outfile_print(out, "  %-18s %.0f ns per step", "cost", s->nanoseconds);
    if (s->field.applies)
        outfile_print(out, ", torques per step %.3g", s->torques);
    outfile_print(out, "\n  %-18s ", "its claims");
    const char *claims =
        mismatches[0] == '\0' ? "hold" : memory_text("do not hold: %s", mismatches);
    print_broken(out, claims, strlen("  ") + LABEL + strlen(" "), LINE_WIDTH);
}

/* ---- one line for each ----------------------------------------------------------- */

/* Verdicts alone, and what it is: what a page of the documentation shows, the same on
 * every machine. For people also numbers, and two tables, each as wide as a terminal. */
static void add_free(grid *g, const check_row *row, bool markdown)
{
    const ph_measurement *s = &row->sheet;
    grid_add(g, markdown ? "`%s`" : "%s", row->name);
    grid_add(g, "%s\t%s\t%s\t%s\t%s\t%s\t%s", check_order(s),
             check_answer(s->field.applies ? s->field.symmetric : s->free.symmetric),
             check_answer(s->free.symplectic), check_answer(s->free.poisson),
             check_energy(s->free.energy), check_momentum(s->free.momentum),
             check_momentum(s->free.casimir));
}

static void add_page(grid *g, const check_row *row)
{
    const ph_properties *c = &row->sheet.field;
    if (g->count == 0)
        grid_add(g, "name\torder\tsymmetric\tfree: symplectic\tPoisson\tenergy\tmomentum\t"
                    "its length\tfield: symplectic\tenergy\tmomentum\ttitle\tsource");
    add_free(g, row, true);
    grid_add(g, "%s\t%s\t%s\t%s\t%s", c->applies ? check_answer(c->symplectic) : "",
             c->applies ? check_energy(c->energy) : "",
             c->applies ? check_momentum(c->momentum) : "", row->title, row->cite);
}

static void add_text(grid *g, grid *field, const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const ph_properties *c = &s->field;
    if (g->count == 0)
        grid_add(g, "name\torder\tsymm\tsympl\tPoisson\tenergy\tmomentum\tlength\tns/step");
    add_free(g, row, false);
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
                add_page(&g, &list->row[i]);
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
        outfile_print(out, "%s", in_field ? "\n" : "");
    }
}

/* ---- JSON ------------------------------------------------------------------------ */

json_t *energy_json(ph_energy_kind energy)
{
    return energy == PH_ENERGY_UNDECIDED ? json_null() : json_string(check_energy(energy));
}

json_t *answer_json(ph_answer answer)
{
    return answer == PH_ANSWER_UNRESOLVED ? json_null() : json_boolean(answer == PH_ANSWER_YES);
}

/* On the free body, or in a field; without meaning, nothing but nulls. */
static json_t *properties_json(const ph_properties *c)
{
    if (!c->applies)
        return json_pack("{sn sn sn}", "symplectic", "energy", "momentum");
    return json_pack(
        "{so so ss so so so so so so so so so so so so so}", "symplectic",
        answer_json(c->symplectic), "energy", energy_json(c->energy), "momentum",
        check_momentum(c->momentum), "poisson", answer_json(c->poisson), "casimir",
        answer_json(c->casimir), "symmetric", answer_json(c->symmetric), "reversible",
        answer_json(c->reversible), "symplectic_defect", json_finite(c->symplectic_defect),
        "poisson_defect", json_finite(c->poisson_defect), "symmetry_defect",
        json_finite(c->symmetry_defect), "reversal_defect", json_finite(c->reversal_defect),
        "step_error", json_finite(c->step_error), "energy_error", json_finite(c->energy_error[0]),
        "energy_error_large_step", json_finite(c->energy_error[1]), "momentum_error",
        json_finite(c->momentum_error), "casimir_error", json_finite(c->casimir_error));
}

static json_t *trend_json(const ph_trend *t)
{
    return json_pack("{so so so so sI sb}", "step", json_finite(t->h), "slope",
                     json_finite(t->slope), "standard_error", json_finite(t->standard_error),
                     "max_error", json_finite(t->max_error), "steps", (json_int_t)t->taken,
                     "drifts", t->drifts);
}

/* What only a field shows. */
static void add_field(json_t *object, const ph_measurement *s)
{
    const ph_energy_test *t = &s->test;
    json_join(json_object_get(object, "field"),
              json_pack("{ss ss so so so}", "verdict", verdict_word(t->verdict), "problem",
                        t->problem, "slope", json_finite(t->slope), "slope_error",
                        json_finite(t->standard_error), "horizon", json_finite(t->horizon)));
    json_t *trends = json_array();
    for (int k = 0; k < 2; k++)
        json_add(trends, trend_json(&s->drift[k]));
    json_put(object, "drift_test", trends);
    json_put(object, "conjugate_symplectic_candidate", json_boolean(s->candidate));
    json_put(object, "stable_step", json_finite(s->stable_step));
    json_put(object, "torques", json_finite(s->torques));
}

static json_t *sheet_json(const check_row *row)
{
    const ph_measurement *s = &row->sheet;
    const ph_properties *c = s->field.applies ? &s->field : &s->free;
    json_t *object = json_pack(
        "{ss so so so so so so sb so so so ss ss ss}", "name", row->name, "order",
        isnan(s->order) ? json_null() : json_integer(lround(s->order)), "symmetric",
        answer_json(c->symmetric), "free", properties_json(&s->free), "field",
        properties_json(&s->field), "symplectic_defect", json_finite(c->symplectic_defect), "drift",
        s->field.applies ? json_finite(s->drift[0].slope) : json_null(), "exact", s->exact, "slope",
        json_finite(s->order), "unit_error", json_finite(s->unit_error), "nanoseconds",
        json_finite(s->nanoseconds), "title", row->title, "cite", row->cite, "disputed",
        check_mismatches(row));
    if (s->field.applies)
        add_field(object, s);
    return object;
}

json_t *check_json(const check_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_add(array, sheet_json(&list->row[i]));
    return array;
}

/* ---- the tables of properties in the papers --------------------------------------- */

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
    const ph_answer answers[FREE_MARKS] = {
        c->momentum, c->casimir, c->energy == PH_ENERGY_EXACT ? PH_ANSWER_YES : PH_ANSWER_NO,
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
static void add_row(grid grids[2], const check_list *list, char field[4][FIELD], bool markdown)
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
                     !thesis     ? FREE_HEAD
                     : markdown  ? THESIS_HEAD "free: " PLACE_HEADS "\tfield: " PLACE_HEADS
                     : half == 0 ? THESIS_HEAD "free: " PLACE_HEADS
                                 : THESIS_HEAD "field: " PLACE_HEADS);
        grid_add(g, markdown && s != NULL ? "%s\t`%s`" : "%s\t%s", title,
                 s != NULL ? name : "not here");
        if (!thesis)
            add_cell(g, check_order(s), strcmp(check_order(s), paper) == 0, paper);
        for (size_t k = half * n; k < (half + 1) * n; k++) {
            const char *measured = s == NULL ? "" : measured_at(s, k, thesis);
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
