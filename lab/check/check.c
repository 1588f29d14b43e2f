/* check.c - measures the properties of integrators, their modified Hamiltonians and Lyapunov
 * exponents. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "check.help.h"
#include "check_output.h"
#include "check_thermal.h"
#include "cli/files/json.h"
#include "cli/files/memory.h"
#include "cli/files/posix.h"
#include "cli/files/text.h"
#include "cli/input/custom.h"
#include "cli/input/input.h"
#include "cli/tool/command.h"
#include "cli/tool/tool.h"

#define ADD_PART(row, between, part)                                                               \
    if ((part) != NULL) {                                                                          \
        add_part(&(row)->title, between, (part)->title);                                           \
        add_part(&(row)->cite, between, (part)->cite);                                             \
    }

/* Adds the title, or the source, of a part of an integrator. */
static void add_part(const char **text, const char *between, const char *words)
{
    const char *before = *text ? *text : "";
    *text = memory_text("%s%s%s", before, *before && *words ? between : "", words);
}

/* What an integrator is, from what it is made of. */
static void describe(check_row *row)
{
    const ph_integrator *i = &row->integrator;
    const bool exact = i->flow != NULL && strcmp(i->flow->name, "exact") == 0;
    row->kind = i->whole || (i->composition && !i->scheme) ? CHECK_COMPOSITIONS
                : i->adaptive || i->method                 ? CHECK_METHODS
                : !i->scheme                               ? CHECK_FLOWS
                : exact                                    ? CHECK_SCHEMES
                                                           : CHECK_PAIRS;
    ADD_PART(row, "; ", i->adaptive);
    ADD_PART(row, "; ", i->method);
    ADD_PART(row, "; ", i->scheme);
    if (i->scheme == NULL || !exact)
        ADD_PART(row, "; ", i->flow);
    if (i->scheme == NULL)
        ADD_PART(row, "; ", i->composition);
    ADD_PART(row, ", ", i->whole);
}

/* The next row, which the list has room for. */
static int add_row(check_list *list, const listed_method *m)
{
    check_row *row = &list->row[list->count];
    row->name = m->name;
    TRY(method_find(m->by.place, m->by.name, m->parts, &row->integrator));
    REFUSE_IF(row->integrator.scheme != NULL && row->integrator.scheme->parts != NULL,
              "%s`" WORDS "` has a thermostat: measure it by --ensemble", m->by.place, m->name);
    describe(row);
    list->count++;
    return 0;
}

static int add(check_list *list, const char *name)
{
    return add_row(list, &(listed_method){.name = name, .by = {.place = "", .name = name}});
}

static int add_all(check_list *list)
{
    size_t methods, schemes, flows, compositions, adaptives;
    const ph_adaptive *const *adaptive = ph_adaptives(&adaptives);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_composition *composition = ph_compositions(&compositions);
    list->row =
        memory_new(methods + adaptives + schemes + 2 * flows + compositions, sizeof *list->row);
    for (size_t i = 0; i < methods; i++)
        TRY(add(list, method[i]->name));
    for (size_t i = 0; i < adaptives; i++)
        TRY(add(list, adaptive[i]->name));
    for (size_t i = 0; i < schemes; i++)
        TRY(add(list, memory_text("%s+exact", scheme[i]->name)));
    for (size_t i = 0; i < flows; i++)
        TRY(add(list, flow[i]->name));
    for (size_t i = 0; i < flows; i++) {
        if (strcmp(flow[i]->name, "exact") != 0)
            TRY(add(list, memory_text("verlet+%s", flow[i]->name)));
    }
    for (size_t i = 0; i < compositions; i++)
        TRY(add(list, memory_text("mr:%s", composition[i].name)));
    return 0;
}

static int add_named(check_list *list, const method_list *named)
{
    list->row = memory_new(named->count, sizeof *list->row);
    for (size_t i = 0; i < named->count; i++)
        TRY(add_row(list, named->method[i]));
    return 0;
}

static bool go_on(void *context)
{
    (void)context;
    return !interrupted;
}

static bool show_progress(void *context, size_t done)
{
    check_list *list = context;
    list->measured = done;
    progress_show(done, (double)done / (double)list->count);
    return !interrupted;
}

static int measure(check_list *list)
{
    const ph_measure_settings settings = {.clock = clock_thread, .go_on = go_on};
    ph_integrator *i = memory_new(list->count, sizeof *i);
    ph_measurement *sheets = memory_new(list->count, sizeof *sheets);
    for (size_t k = 0; k < list->count; k++)
        i[k] = list->row[k].integrator;
    progress_begin(false);
    const bool whole = ph_measure_all(i, list->count, &settings, show_progress, list, sheets);
    progress_end();
    for (size_t k = 0; k < list->count; k++)
        list->row[k].sheet = sheets[k];
    return whole ? 0
                 : stopped("interrupted after %zu of %zu sheets: nothing is printed",
                           list->measured, list->count);
}

static int print(const arguments *given, const check_list *list, outfile *out)
{
    const bool all = argument(given, "--all") != NULL,
               markdown = argument(given, "--markdown") != NULL;
    if (argument(given, "--json") != NULL)
        return put_json(out, check_json(list), JSON_INDENT(2));
    if (all)
        check_papers(out, list, markdown);
    if (all || markdown)
        check_table(out, list, markdown);
    for (size_t i = 0; !all && !markdown && i < list->count; i++) {
        outfile_print(out, "%s", i == 0 ? "" : "\n\n");
        check_sheet(out, &list->row[i]);
    }
    return 0;
}

/* ---- modified Hamiltonians ------------------------------------------------------- */

static const char *const terms[][PH_TRUNCATIONS] = {
    {"H", "+ h^2 H3", "+ h^4 H5"},
    {"unmodified", "to h^2", "to h^4"},
};

static const char *problem_of(const check_row *row)
{
    return row->integrator.scheme ? "generic" : "free";
}

static void print_errors(outfile *out, const ph_modified_measurement *m, const char *const *head,
                         const double error[][PH_MODIFIED_STEPS], const double *slope)
{
    outfile_print(out, "  %10s", "step");
    for (int k = 0; k < PH_TRUNCATIONS; k++)
        outfile_print(out, "  %10s", head[k]);
    for (int n = 0; n < PH_MODIFIED_STEPS; n++) {
        outfile_print(out, "\n  %10g", m->h[n]);
        for (int k = 0; k < PH_TRUNCATIONS; k++)
            outfile_print(out, "  %10.2e", error[k][n]);
    }
    outfile_print(out, "\n  %10s", "order");
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        if (isnan(slope[k]))
            outfile_print(out, "  %10s", "?");
        else
            outfile_print(out, "  %10.2f", slope[k]);
    }
    outfile_print(out, "\n");
}

static void print_modified(outfile *out, const check_row *row, const ph_modified_measurement *m)
{
    check_title(out, row);
    if (m->motion)
        outfile_print(out,
                      "  distance from the motion of the modified equation (HV 4), free "
                      "body, t = %g\n",
                      m->time);
    else
        outfile_print(out,
                      "  modified Hamiltonian, problem %s, to t = %g: its largest "
                      "change\n",
                      problem_of(row), m->time);
    print_errors(out, m, terms[m->motion], m->error, m->slope);
    if (!m->bracket)
        return;
    outfile_print(out, "  the bracket that it keeps, (1 + h^2 g3 + h^4 g5) hat(y): defect "
                       "of a step\n");
    print_errors(out, m, terms[1], m->bracket_defect, m->bracket_slope);
}

static json_t *truncations_json(const double error[][PH_MODIFIED_STEPS], const double *slope)
{
    json_t *array = json_array();
    for (int k = 0; k < PH_TRUNCATIONS; k++)
        json_add(array, json_pack("{si so so}", "power", 2 * k, "errors",
                                  json_numbers(error[k], PH_MODIFIED_STEPS, 1), "order",
                                  json_finite(slope[k])));
    return array;
}

static json_t *modified_json(const check_row *row, const ph_modified_measurement *m)
{
    return json_pack("{ss s{ss ss sf so so so*}}", "name", row->name, "modified", "kind",
                     m->motion ? "motion" : "energy", "problem", problem_of(row), "time", m->time,
                     "steps", json_numbers(m->h, PH_MODIFIED_STEPS, 1), "truncations",
                     truncations_json(m->error, m->slope), "bracket",
                     m->bracket ? truncations_json(m->bracket_defect, m->bracket_slope) : NULL);
}

static int check_one_modified(outfile *out, const check_row *row, bool all, json_t *into,
                              size_t *done)
{
    ph_modified_measurement m;
    const ph_status status = ph_measure_modified(&row->integrator, &m);
    if (status == PH_NOT_APPLICABLE && all)
        return 0;
    REFUSE_IF(status == PH_NOT_APPLICABLE,
              "no modified Hamiltonian is known of " WORDS
              ": take dmv2, imr2, or a splitting: mr, sr2, or a scheme over these or exact",
              row->name);
    if (status != PH_OK)
        return fail_run("%s: %s", row->name, ph_status_text(status));
    if (into != NULL) {
        json_add(into, modified_json(row, &m));
    } else {
        outfile_print(out, "%s", *done == 0 ? "" : "\n");
        print_modified(out, row, &m);
    }
    ++*done;
    return 0;
}

/* ---- in quadruple precision ------------------------------------------------------ */

static int check_one_precisely(outfile *out, const check_row *row, bool all, json_t *into,
                               size_t *done)
{
    ph_precision p;
    const ph_status status = ph_measure_precisely(&row->integrator, &p);
    if (status == PH_NOT_APPLICABLE && all)
        return 0;
    REFUSE_IF(status == PH_NOT_APPLICABLE,
              WORDS " is no flow with an error of its own: take dmv2 to dmv16, gauss6, mr "
                    "or another (polhode list flows)",
              row->name);
    if (status != PH_OK)
        return fail_run("%s: %s", row->name, ph_status_text(status));
    if (into != NULL) {
        json_add(into, json_pack("{ss s{sf sb si so so so so so so}}", "name", row->name,
                                 "precision", "step", p.step, "quadruple", (int)p.quadruple,
                                 "states", p.states, "symplectic", answer_json(p.symplectic),
                                 "poisson", answer_json(p.poisson), "energy", answer_json(p.energy),
                                 "symplectic_defect", json_finite(p.symplectic_defect),
                                 "poisson_defect", json_finite(p.poisson_defect), "energy_error",
                                 json_finite(p.energy_error)));
    } else {
        outfile_print(out, "%s", *done == 0 ? "" : "\n");
        check_title(out, row);
        outfile_print(out, "  free body, a step of %g from %d states, %s precision\n", p.step,
                      p.states, p.quadruple ? "quadruple" : "double");
        outfile_print(out, "  %-12s %-4s defect %.1e\n", "symplectic", check_answer(p.symplectic),
                      p.symplectic_defect);
        outfile_print(out, "  %-12s %-4s defect %.1e\n", "Poisson", check_answer(p.poisson),
                      p.poisson_defect);
        outfile_print(out, "  %-12s %-4s error %.1e\n", "energy", check_answer(p.energy),
                      p.energy_error);
    }
    ++*done;
    return 0;
}

/* ---- Lyapunov exponents ---------------------------------------------------------- */

static const double LYAPUNOV_STEP = 0.05;
enum { LYAPUNOV_STEPS = 110000 };

static int check_one_lyapunov(outfile *out, const check_row *row, bool all, json_t *into,
                              size_t *done)
{
    static const char *const fields[] = {"well", "heavy_top", "generic"}, *const none[] = {"free"};
    const ph_integrator *i = &row->integrator;
    const bool in_field = i->method != NULL || i->scheme != NULL || i->adaptive != NULL;
    const size_t count = in_field ? sizeof fields / sizeof fields[0] : 1;
    json_t *array = json_array();
    (void)all;
    if (into == NULL) {
        outfile_print(out, "%s", *done == 0 ? "" : "\n");
        check_title(out, row);
    }
    for (size_t k = 0; k < count && !interrupted; k++) {
        const char *name = in_field ? fields[k] : none[k];
        const ph_problem *p = NULL;
        ph_lyapunov found;
        (void)ph_problem_named(name, &p);
        const ph_status status = ph_measure_lyapunov(i, p, LYAPUNOV_STEP, LYAPUNOV_STEPS, &found);
        if (status != PH_OK)
            found = (ph_lyapunov){NAN, NAN, NAN};
        const bool chaotic = found.exponent > 3.0 * found.error;
        json_add(array, json_pack("{ss so so so sf so}", "problem", name, "exponent",
                                  json_finite(found.exponent), "error", json_finite(found.error),
                                  "time", json_finite(found.time), "step", LYAPUNOV_STEP, "chaotic",
                                  isnan(found.exponent) ? json_null() : json_boolean(chaotic)));
        if (into == NULL && status == PH_OK)
            outfile_print(out, "  %-12s %8.4f +- %.4f per time, t = %.0f, h = %g%s\n", name,
                          found.exponent, found.error, found.time, LYAPUNOV_STEP,
                          chaotic ? ": chaotic" : "");
        else if (into == NULL)
            outfile_print(out, "  %-12s %s\n", name, ph_status_text(status));
    }
    if (into != NULL)
        json_add(into, json_pack("{ss so}", "name", row->name, "lyapunov", json_incref(array)));
    json_decref(array);
    ++*done;
    return 0;
}

typedef int check_one(outfile *out, const check_row *row, bool all, json_t *into, size_t *done);

/* One of these, of all rows; of all those that have one if --all is given. */
static int check_more(const arguments *given, const check_list *list, check_one *one, outfile *out)
{
    const bool all = argument(given, "--all") != NULL, json = argument(given, "--json") != NULL;
    json_t *into = json ? json_array() : NULL;
    size_t done = 0;
    int status = 0;
    progress_begin(false);
    for (size_t k = 0; k < list->count && status == 0 && !interrupted; k++) {
        status = one(out, &list->row[k], all, into, &done);
        progress_show(k + 1, (double)(k + 1) / (double)list->count);
    }
    progress_end();
    if (status == 0 && interrupted)
        status =
            stopped("interrupted after %zu of %zu: the output covers these", done, list->count);
    if (status == 0 && json)
        return put_json(out, into, JSON_INDENT(2));
    json_decref(into);
    return status;
}

/* ---- on one problem, of any kind --------------------------------------------------- */

static json_t *problem_json(const char *name, const char *problem, const ph_problem_measurement *c)
{
    const bool momentum = c->momentum != PH_ANSWER_UNRESOLVED;
    return json_pack("{ss ss so so so s{ss so ss? so so so so}}", "name", name, "problem", problem,
                     "order", isnan(c->order) ? json_null() : json_integer(lround(c->order)),
                     "symmetric", answer_json(c->symmetric), "slope", json_finite(c->order),
                     "field", "problem", problem, "energy", energy_json(c->energy), "momentum",
                     momentum ? check_momentum(c->momentum) : NULL, "energy_error",
                     json_finite(c->energy_error), "momentum_error",
                     momentum ? json_finite(c->momentum_error) : json_null(), "drift",
                     json_finite(c->drift.slope), "step", json_finite(c->step));
}

static void print_problem(outfile *out, const char *name, const char *problem,
                          const ph_problem_measurement *c)
{
    outfile_print(out, "%s on %s\n", name, problem);
    if (isnan(c->order))
        outfile_print(out, "  %-12s ?\n", "order");
    else
        outfile_print(out, "  %-12s %.2f\n", "order", c->order);
    outfile_print(out, "  %-12s %-8s there and back with -h, h = %g: defect %.1e\n", "symmetric",
                  check_answer(c->symmetric), c->large_step, c->symmetry_defect);
    outfile_print(out, "  %-12s %-8s %" PRIu64 " steps of %g: ", "energy", check_energy(c->energy),
                  c->drift.taken, c->step);
    if (isfinite(c->energy_error) && isfinite(c->drift.slope))
        outfile_print(out, "error %.1e, slope %.1e\n", c->energy_error, c->drift.slope);
    else
        outfile_print(out, "too large to compare\n");
    if (c->momentum != PH_ANSWER_UNRESOLVED && isfinite(c->momentum_error))
        outfile_print(out, "  %-12s %-8s the same steps: error %.1e\n", "momentum",
                      check_momentum(c->momentum), c->momentum_error);
}

static int measure_on(const listed_method *m, const char *problem, ph_problem_measurement *out)
{
    ph_message why = {0};
    const char *name = m->name;
    const ph_system_settings with = {problem, .integrator = m->by.name, .own_integrator = m->by.own,
                                     .message = &why};
    const ph_status status = ph_measure_problem(&with, out);
    REFUSE_IF(status == PH_NOT_APPLICABLE && why.text[0] == '\0',
              "`" WORDS "` chooses its steps, and --problem measures with fixed ones: "
              "leave --problem out",
              name);
    REFUSE_IF(status != PH_OK && why.text[0] != '\0', "%s%s", m->by.place, why.text);
    return status == PH_OK ? 0
                           : fail_run("%s on %s: %s: take another method", name, problem,
                                      ph_status_text(status));
}

static int check_problem(outfile *out, const method_list *named, const char *problem, bool json)
{
    json_t *array = json_array();
    int status = 0;
    for (size_t i = 0; i < named->count && status == 0 && !interrupted; i++) {
        ph_problem_measurement sheet;
        const listed_method *m = named->method[i];
        status = measure_on(m, problem, &sheet);
        if (status == 0 && json)
            json_add(array, problem_json(m->name, problem, &sheet));
        else if (status == 0)
            print_problem(out, m->name, problem, &sheet);
    }
    if (status == 0 && interrupted)
        status = stopped("interrupted: nothing is printed");
    if (status == 0 && json)
        return put_json(out, array, JSON_INDENT(2));
    json_decref(array);
    return status;
}

/* ---- the command ----------------------------------------------------------------- */

/* The names that are given; or the methods of a scenario, FILE.yaml. */
static int read_named(const arguments *given, scenario *input, method_list *out)
{
    const char *first = given->operands == 1 ? given->operand[0] : "", *end = strrchr(first, '.');
    if (end != NULL && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0)) {
        TRY(input_read_scenario(input, given));
        REFUSE_IF(!input->value[KEY_METHOD].is_set && !input->value[KEY_METHODS].is_set,
                  WORDS " has no method: write method: NAME, or methods: [...]", first);
        return methods_read(input, NULL, out);
    }
    const char *names = "";
    for (size_t i = 0; i < given->operands; i++)
        names = memory_text("%s%s%s", names, i == 0 ? "" : ",", given->operand[i]);
    return methods_read(input, names, out);
}

static int check(const arguments *given, const method_list *named, const scenario *input,
                 outfile *out)
{
    const bool all = argument(given, "--all") != NULL,
               precisely = argument(given, "--precision") != NULL,
               modified = argument(given, "--modified") != NULL,
               more = modified || precisely || argument(given, "--lyapunov") != NULL;
    check_list list = {0};
    if (argument(given, "--drift") != NULL)
        return check_drift(given, named, out);
    if (argument(given, "--steps") != NULL)
        return check_steps(given, named, out);
    if (argument(given, "--ensemble") != NULL)
        return check_thermal(given, named, input, out);
    if (argument(given, "--problem") != NULL)
        return check_problem(out, named, argument(given, "--problem"),
                             argument(given, "--json") != NULL);
    TRY(all ? add_all(&list) : add_named(&list, named));
    if (more)
        return check_more(given, &list,
                          modified    ? check_one_modified
                          : precisely ? check_one_precisely
                                      : check_one_lyapunov,
                          out);
    TRY(measure(&list));
    return print(given, &list, out);
}

static int run(const arguments *given, outfile *out)
{
    static const char *const excluded[][2] = {
        {"--json", "--markdown"},      {"--modified", "--lyapunov"},  {"--modified", "--markdown"},
        {"--lyapunov", "--markdown"},  {"--problem", "--all"},        {"--problem", "--modified"},
        {"--problem", "--lyapunov"},   {"--problem", "--markdown"},   {"--precision", "--modified"},
        {"--precision", "--lyapunov"}, {"--precision", "--markdown"}, {"--precision", "--problem"},
        {"--drift", "--all"},          {"--drift", "--steps"},        {"--steps", "--all"},
        {"--drift", "--modified"},     {"--drift", "--lyapunov"},     {"--steps", "--modified"},
        {"--steps", "--lyapunov"},     {"--drift", "--markdown"},     {"--steps", "--markdown"},
        {"--ensemble", "--all"},       {"--ensemble", "--drift"},     {"--ensemble", "--steps"},
        {"--ensemble", "--modified"},  {"--ensemble", "--lyapunov"},  {"--ensemble", "--precision"},
        {"--ensemble", "--markdown"}};
    const bool all = argument(given, "--all") != NULL;
    scenario input = {0};
    method_list named = {0};
    for (size_t i = 0; i < COUNT(excluded); i++)
        TRY(refuse_both(given, excluded[i][0], excluded[i][1]));
    REFUSE_IF(all && given->operands > 0, "`" WORDS "` beside --all: name methods, or write --all",
              given->operand[0]);
    REFUSE_IF(!all && given->operands == 0,
              "nothing to check: name a method, as in polhode check vlv, or "
              "write --all");
    TRY(all ? 0 : read_named(given, &input, &named));
    TRY(input_take(&input, given, false));
    return check(given, &named, &input, out);
}

const command command_check = {"check", check_help, run};
