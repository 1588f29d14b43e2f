/* check_command.c - measures the properties of integrators, their modified Hamiltonians and Lyapunov
 * exponents. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "check.help.h"
#include "check_output.h"
#include "system/find.h"
#include "tool/base/tool.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"
#include "tool/input/input.h"

#define ADD_PART(row, between, part)                                                               \
    if ((part) != NULL) {                                                                          \
        add_part(&(row)->title, between, (part)->title);                                           \
        add_part(&(row)->cite, between, (part)->cite);                                             \
    }

/* Adds the title, or the source, of a part of an integrator. */
static void add_part(const char **text, const char *between, const char *words)
{
    const char *before = text_or_empty(*text);
    *text = memory_text("%s%s%s", before, text_if(*before && *words, between), words);
}

/* What an integrator is, from what it is made of. */
static void describe_row(check_row *row)
{
    const ph_integrator *i = &row->integrator;
    const bool exact = i->flow != NULL && strcmp(i->flow->name, "exact") == 0;
    row->kind = exact ? CHECK_SCHEMES : CHECK_PAIRS;
    if (i->whole || (i->composition && !i->scheme))
        row->kind = CHECK_COMPOSITIONS;
    else if (i->adaptive || i->method)
        row->kind = CHECK_METHODS;
    else if (!i->scheme)
        row->kind = CHECK_FLOWS;
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
              "%s`" WORDS "` has a thermostat: measure it with --ensemble", m->by.place, m->name);
    describe_row(row);
    list->count++;
    return 0;
}

static int add_integrator(check_list *list, const char *name)
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
        TRY(add_integrator(list, method[i]->name));
    for (size_t i = 0; i < adaptives; i++)
        TRY(add_integrator(list, adaptive[i]->name));
    for (size_t i = 0; i < schemes; i++)
        TRY(add_integrator(list, memory_text("%s+exact", scheme[i]->name)));
    for (size_t i = 0; i < flows; i++)
        TRY(add_integrator(list, flow[i]->name));
    for (size_t i = 0; i < flows; i++) {
        if (strcmp(flow[i]->name, "exact") != 0)
            TRY(add_integrator(list, memory_text("verlet+%s", flow[i]->name)));
    }
    for (size_t i = 0; i < compositions; i++)
        TRY(add_integrator(list, memory_text("mr:%s", composition[i].name)));
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

static int measure_sheets(check_list *list)
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
    if (whole)
        return 0;
    return stopped("interrupted after %zu of %zu sheets: nothing is printed", list->measured,
                   list->count);
}

static int print_sheets(check_job *j)
{
    const bool all = argument(j->given, "--all") != NULL, markdown = j->r.as == AS_MARKDOWN,
               sheets = j->r.as == AS_JSON || (!all && !markdown);
    if (!sheets && all)
        check_papers(j->r.out, &j->list, markdown);
    if (!sheets)
        check_table(j->r.out, &j->list, markdown);
    for (size_t i = 0; sheets && i < j->list.count; i++) {
        render_text(&j->r, "%s", before_item(i, "\n\n"));
        render_item(&j->r, NULL);
        check_sheet(&j->r, &j->list.row[i]);
        render_close(&j->r);
    }
    return render_end(&j->r, false, JSON_INDENT(2));
}

/* ---- of each integrator in turn ---------------------------------------------------- */

/* Begins what is stated of an integrator, unless the measurement failed; *skip is set if it is one
 * of all and the measurement does not apply to it. `which` says to which ones it applies, and what to do. */
static int begin_integrator(check_job *j, const check_row *row, ph_status status, const char *which,
                            bool *skip)
{
    *skip = status == PH_NOT_APPLICABLE && argument(j->given, "--all") != NULL;
    if (*skip) {
        (void)json_array_remove(j->r.all, json_array_size(j->r.all) - 1);
        return 0;
    }
    REFUSE_IF(status == PH_NOT_APPLICABLE, WORDS ": %s", row->name, which);
    if (status != PH_OK)
        return fail_run("%s: %s", row->name, ph_status_text(status));
    render_text(&j->r, "%s", text_if(j->shown++ > 0, "\n"));
    check_title(&j->r, row);
    return 0;
}

/* ---- modified Hamiltonians ------------------------------------------------------- */

/* States the errors of the truncations for each step: a table of them all, or a list of
 * truncations. */
static void render_truncations(rendering *r, const char *key, const ph_modified_measurement *m,
                               const char *const *head, double error[][PH_MODIFIED_STEPS],
                               const double *slope)
{
    render_text(r, "  %10s", "step");
    for (int k = 0; k < PH_TRUNCATIONS; k++) {
        render_text(r, "  %10s", head[k]);
        render_item(r, key);
        render_data(r, "power order", "%d %g", 2 * k, slope[k]);
        render_value(r, "errors", json_numbers(error[k], PH_MODIFIED_STEPS, 1));
        render_close(r);
    }
    for (int n = 0; n < PH_MODIFIED_STEPS; n++) {
        render_text(r, "\n  %10g", m->h[n]);
        for (int k = 0; k < PH_TRUNCATIONS; k++)
            render_text(r, "  %10.2e", error[k][n]);
    }
    render_text(r, "\n  %10s", "order");
    for (int k = 0; k < PH_TRUNCATIONS; k++)
        render_text(r, "  %10s", check_power(slope[k]));
    render_text(r, "\n");
}

static int check_modified(check_job *j, size_t i)
{
    static const char *const terms[][PH_TRUNCATIONS] = {{"H", "+ h^2 H3", "+ h^4 H5"},
                                                        {"unmodified", "to h^2", "to h^4"}};
    const check_row *row = &j->list.row[i];
    rendering *r = &j->r;
    ph_modified_measurement m;
    bool skip;
    TRY(begin_integrator(j, row, ph_measure_modified(&row->integrator, &m),
                         "no modified Hamiltonian is known: use dmv2, imr2, or a splitting: mr, "
                         "sr2, or a scheme over these or exact",
                         &skip));
    if (skip)
        return 0;
    const char *problem = row->integrator.scheme ? "generic" : "free";
    render_object(r, "modified");
    render_data(r, "kind problem time", "%s %s %g", m.motion ? "motion" : "energy", problem,
                m.time);
    render_value(r, "steps", json_numbers(m.h, PH_MODIFIED_STEPS, 1));
    if (m.motion)
        render_text(
            r, "  distance from the solution of the modified equation (HV 4), free body, t = %g\n",
            m.time);
    else
        render_text(r, "  modified Hamiltonian, problem %s, to t = %g: its largest change\n",
                    problem, m.time);
    render_truncations(r, "truncations", &m, terms[m.motion], m.error, m.slope);
    if (m.bracket) {
        render_text(
            r, "  the bracket that it conserves, (1 + h^2 g3 + h^4 g5) hat(y): defect of a step\n");
        render_truncations(r, "bracket", &m, terms[1], m.bracket_defect, m.bracket_slope);
    }
    render_close(r);
    return 0;
}

/* ---- in quadruple precision ------------------------------------------------------ */

static int check_precision(check_job *j, size_t i)
{
    const check_row *row = &j->list.row[i];
    rendering *r = &j->r;
    ph_precision p;
    bool skip;
    TRY(begin_integrator(j, row, ph_measure_precisely(&row->integrator, &p),
                         "it is not a flow with an error of its own: use dmv2 to dmv16, gauss6, mr "
                         "or another (polhode list flows)",
                         &skip));
    if (skip)
        return 0;
    render_object(r, "precision");
    render_line(r, "step states", "  free body, a step of %g from %d states, %s precision\n",
                p.step, p.states, p.quadruple ? "quadruple" : "double");
    render_data(r, "?quadruple", "%s", yes_or_no(p.quadruple));
    render_line(r, "?symplectic symplectic_defect", "  symplectic   %-4s defect %.1e\n",
                check_answer(p.symplectic), p.symplectic_defect);
    render_line(r, "?poisson poisson_defect", "  Poisson      %-4s defect %.1e\n",
                check_answer(p.poisson), p.poisson_defect);
    render_line(r, "?energy energy_error", "  energy       %-4s error %.1e\n",
                check_answer(p.energy), p.energy_error);
    render_close(r);
    return 0;
}

/* ---- Lyapunov exponents ---------------------------------------------------------- */

static const double LYAPUNOV_STEP = 0.05;
enum { LYAPUNOV_STEPS = 110000 };

static int check_lyapunov(check_job *j, size_t n)
{
    static const char *const fields[] = {"well", "heavy_top", "generic"}, *const none[] = {"free"};
    const check_row *row = &j->list.row[n];
    const ph_integrator *i = &row->integrator;
    const bool in_field = i->method != NULL || i->scheme != NULL || i->adaptive != NULL;
    const char *const *problems = none;
    size_t count = COUNT(none);
    if (in_field) {
        problems = fields;
        count = COUNT(fields);
    }
    bool skip;
    TRY(begin_integrator(j, row, PH_OK, "", &skip));
    for (size_t k = 0; k < count && !interrupted; k++) {
        rendering *r = &j->r;
        const ph_problem *p = NULL;
        ph_lyapunov found;
        (void)ph_problem_named(problems[k], &p);
        const ph_status status = ph_measure_lyapunov(i, p, LYAPUNOV_STEP, LYAPUNOV_STEPS, &found);
        if (status != PH_OK)
            found = (ph_lyapunov){NAN, NAN, NAN};
        const bool chaotic = found.exponent > 3.0 * found.error;
        render_item(r, "lyapunov");
        render_line(r, "problem", "  %-12s ", p->name);
        if (status == PH_OK)
            render_text(r, "%8.4f +- %.4f per time, t = %.0f, h = %g%s\n", found.exponent,
                        found.error, found.time, LYAPUNOV_STEP, text_if(chaotic, ": chaotic"));
        else
            render_text(r, "%s\n", ph_status_text(status));
        render_data(r, "exponent error time step ?chaotic", "%g %g %g %g %s", found.exponent,
                    found.error, found.time, LYAPUNOV_STEP,
                    status == PH_OK ? yes_or_no(chaotic) : "?");
        render_close(r);
    }
    return 0;
}

/* ---- on one problem, of any kind --------------------------------------------------- */

static int check_problem(check_job *j, size_t i)
{
    ph_problem_measurement found;
    const ph_problem_measurement *c = &found;
    ph_message why;
    rendering *r = &j->r;
    const ph_system_settings with = check_settings(j, i, &why);
    TRY(check_refused(j, i, ph_measure_problem(&with, &found), &why));
    render_line(r, "name problem", "%s on %s\n", j->named->method[i]->name, with.problem);
    render_text(r, "  order        %s\n", check_power(c->order));
    render_value(r, "order", check_order_json(c->order));
    render_data(r, "slope", "%g", c->order);
    render_line(r, "?symmetric",
                "  symmetric    %-8s there and back with -h, h = %g: defect %.1e\n",
                check_answer(c->symmetric), c->large_step, c->symmetry_defect);
    render_object(r, "field");
    render_line(r, "?energy - step",
                "  energy       %-8s %" PRIu64 " steps of %g: ", check_energy(c->energy),
                c->drift.taken, c->step);
    if (isfinite(c->energy_error) && isfinite(c->drift.slope))
        render_text(r, "error %.1e, slope %.1e\n", c->energy_error, c->drift.slope);
    else
        render_text(r, "too large to compare\n");
    const bool momentum = c->momentum != PH_ANSWER_UNRESOLVED;
    json_t *momentum_word = json_null();
    if (momentum)
        momentum_word = json_string(check_momentum(c->momentum));
    if (momentum && isfinite(c->momentum_error))
        render_text(r, "  momentum     %-8s the same steps: error %.1e\n",
                    check_momentum(c->momentum), c->momentum_error);
    render_data(r, "problem energy_error drift momentum_error", "%s %g %g %g", with.problem,
                c->energy_error, c->drift.slope, momentum ? c->momentum_error : NAN);
    render_value(r, "momentum", momentum_word);
    render_close(r);
    return 0;
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
        names = memory_text("%s%s%s", names, before_item(i, ","), given->operand[i]);
    return methods_read(input, names, out);
}

static int check_as_asked(check_job *j)
{
    static const struct {
        const char *option;
        check_one *one;
    } of_integrators[] = {{"--modified", check_modified},
                          {"--precision", check_precision},
                          {"--lyapunov", check_lyapunov}};
    j->count = j->named->count;
    if (argument(j->given, "--drift") != NULL)
        return check_drift(j);
    if (argument(j->given, "--steps") != NULL)
        return check_steps(j);
    if (argument(j->given, "--ensemble") != NULL)
        return check_thermal(j);
    if (j->on.problem != NULL)
        return check_each(j, check_problem, false);
    if (argument(j->given, "--all") != NULL)
        TRY(add_all(&j->list));
    else
        TRY(add_named(&j->list, j->named));
    j->count = j->list.count;
    for (size_t i = 0; i < COUNT(of_integrators); i++) {
        if (argument(j->given, of_integrators[i].option) != NULL)
            return check_each(j, of_integrators[i].one, false);
    }
    TRY(measure_sheets(&j->list));
    return print_sheets(j);
}

static int check_run(const arguments *given, outfile *out)
{
    static const char *const modes[] = {"--modified", "--lyapunov", "--precision",
                                        "--drift",    "--steps",    "--ensemble"};
    enum { OF_INTEGRATORS = 3 }; /* the first of them; the others are on a problem */
    const bool all = argument(given, "--all") != NULL;
    scenario input = {0};
    method_list named = {0};
    TRY(refuse_both(given, "--json", "--markdown"));
    TRY(refuse_both(given, "--problem", "--markdown"));
    TRY(refuse_both(given, "--problem", "--all"));
    for (size_t i = 0; i < COUNT(modes); i++) {
        for (size_t k = 0; k < i; k++)
            TRY(refuse_both(given, modes[k], modes[i]));
        TRY(refuse_both(given, modes[i], "--markdown"));
        TRY(refuse_both(given, modes[i], i < OF_INTEGRATORS ? "--problem" : "--all"));
    }
    REFUSE_IF(all && given->operands > 0, "`" WORDS "` cannot be used with --all: remove one",
              given->operand[0]);
    REFUSE_IF(!all && given->operands == 0,
              "no method is named: name one, as in polhode check vlv, or write --all");
    if (!all)
        TRY(read_named(given, &input, &named));
    TRY(input_take(&input, given, false));
    return check_as_asked(&(check_job){.given = given,
                                       .named = &named,
                                       .input = &input,
                                       .r = render_begin(given, out),
                                       .on = {.problem = argument(given, "--problem")}});
}

const command command_check = {"check", check_help, check_run};
