/* check.c - measures the properties of integrators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check.help.h"
#include "cli/command.h"
#include "cli/files/clock.h"
#include "cli/files/json.h"
#include "cli/files/text.h"
#include "cli/input/input.h"
#include "cli/input/model.h"
#include "cli/tool.h"

/* What an integrator is, from what it is made of. */
static void describe(check_row *row)
{
    const ph_integrator *i = &row->integrator;
    const bool exact = i->flow != NULL && strcmp(i->flow->name, "exact") == 0;
    const char *title = "", *cite = "", *more_title = "", *more_cite = "";
    if (i->adaptive != NULL) {
        row->kind = CHECK_METHODS;
        title = i->adaptive->title, cite = i->adaptive->cite;
    } else if (i->method != NULL) {
        row->kind = CHECK_METHODS;
        title = i->method->title, cite = i->method->cite;
    } else if (i->flow != NULL) {
        row->kind = i->scheme == NULL ? CHECK_FLOWS : exact ? CHECK_SCHEMES : CHECK_PAIRS;
        title = i->flow->title, cite = i->flow->cite;
    }
    if (i->scheme != NULL) {
        more_title = exact ? "" : title, more_cite = exact ? "" : cite;
        title = i->scheme->title, cite = i->scheme->cite;
    } else if (i->composition != NULL) {
        row->kind = CHECK_COMPOSITIONS;
        more_title = i->composition->title, more_cite = i->composition->cite;
    }
    (void)snprintf(row->title, CHECK_TITLE, "%s%s%s", title, *more_title ? "; " : "",
                   more_title);
    (void)snprintf(row->cite, CHECK_TITLE, "%s%s%s", cite, *more_cite ? "; " : "",
                   more_cite);
    if (i->whole != NULL) {
        row->kind = CHECK_COMPOSITIONS;
        text_add(row->title, CHECK_TITLE, i->whole->title);
        text_add(row->cite, CHECK_TITLE, i->whole->cite);
    }
}

/* The next row, which the list has room for. */
static int add(check_list *list, const char *before, const char *middle,
               const char *after)
{
    check_row *row = &list->row[list->count];
    (void)snprintf(row->name, sizeof row->name, "%s%s%s", before, middle, after);
    const int status = method_find("", row->name, &row->integrator);
    if (status == 0) {
        describe(row);
        list->count++;
    }
    return status;
}

static int add_all(check_list *list)
{
    size_t methods, schemes, flows, compositions, adaptives;
    const ph_adaptive *const *adaptive = ph_adaptives(&adaptives);
    const ph_method *const *method = ph_methods(&methods);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_composition *composition = ph_compositions(&compositions);
    list->row = calloc(methods + adaptives + schemes + 2 * flows + compositions + 1,
                       sizeof *list->row);
    if (list->row == NULL)
        return fail_memory();
    int status = 0;
    for (size_t i = 0; i < methods && status == 0; i++)
        status = add(list, method[i]->name, "", "");
    for (size_t i = 0; i < adaptives && status == 0; i++)
        status = add(list, adaptive[i]->name, "", "");
    for (size_t i = 0; i < schemes && status == 0; i++)
        status = add(list, scheme[i]->name, "+", "exact");
    for (size_t i = 0; i < flows && status == 0; i++)
        status = add(list, flow[i]->name, "", "");
    for (size_t i = 0; i < flows && status == 0; i++) {
        if (strcmp(flow[i]->name, "exact") != 0)
            status = add(list, "verlet", "+", flow[i]->name);
    }
    for (size_t i = 0; i < compositions && status == 0; i++)
        status = add(list, "mr", ":", composition[i].name);
    return status;
}

static int add_named(check_list *list, const arguments *given)
{
    list->row = calloc(given->operands + 1, sizeof *list->row);
    if (list->row == NULL)
        return fail_memory();
    int status = 0;
    for (size_t i = 0; i < given->operands && status == 0; i++)
        status = add(list, given->operand[i], "", "");
    return status;
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
    ph_integrator *i = calloc(list->count + 1, sizeof *i);
    ph_sheet *sheets = calloc(list->count + 1, sizeof *sheets);
    const bool memory = i != NULL && sheets != NULL;
    for (size_t k = 0; memory && k < list->count; k++)
        i[k] = list->row[k].integrator;
    progress_begin(false);
    const bool whole =
        memory && ph_measure_all(sheets, i, list->count, &settings, show_progress, list);
    progress_end();
    for (size_t k = 0; memory && k < list->count; k++)
        list->row[k].sheet = sheets[k];
    free(i);
    free(sheets);
    return !memory ? fail_memory()
           : whole ? 0
                   : stopped("interrupted after %zu of %zu sheets: nothing is printed",
                             list->measured, list->count);
}

static int print(const arguments *given, const check_list *list)
{
    const bool all = argument(given, "--all") != NULL,
               markdown = argument(given, "--markdown") != NULL;
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    bool good = true;
    if (argument(given, "--json") != NULL) {
        good = json_write(out, check_json(list), JSON_INDENT(2));
        outfile_print(out, "\n");
    } else if (all || markdown) {
        good = (!all || check_papers(out, list, markdown)) &&
               check_table(out, list, markdown);
    } else {
        for (size_t i = 0; i < list->count; i++) {
            outfile_print(out, "%s", i == 0 ? "" : "\n\n");
            check_sheet(out, &list->row[i]);
        }
    }
    return standard_close(out, good ? EXIT_DONE : fail_memory());
}

/* Modified Hamiltonians or Lyapunov exponents. */
static int print_more(const arguments *given, const check_list *list, bool modified)
{
    outfile *out = outfile_standard();
    if (out == NULL)
        return fail_memory();
    return standard_close(out, check_more(out, list, modified,
                                          argument(given, "--all") != NULL,
                                          argument(given, "--json") != NULL));
}

static int run(const arguments *given)
{
    const bool all = argument(given, "--all") != NULL;
    check_list list = {0};
    TRY(refuse_both(given, "--json", "--markdown"));
    if (all && given->operands > 0)
        return fail_usage("`" WORDS "` beside --all: name methods, or write --all",
                          given->operand[0]);
    if (!all && given->operands == 0)
        return fail_usage("nothing to check: name a method, as in polhode check vlv, or "
                          "write --all");
    TRY(refuse_both(given, "--modified", "--lyapunov"));
    TRY(refuse_both(given, "--modified", "--markdown"));
    TRY(refuse_both(given, "--lyapunov", "--markdown"));
    if (argument(given, "--problem") != NULL) {
        const char *const others[] = {"--all", "--modified", "--lyapunov", "--markdown"};
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            TRY(refuse_both(given, "--problem", others[i]));
        outfile *out = outfile_standard();
        return out == NULL ? fail_memory()
                           : standard_close(
                                 out, check_problem(out, given->operand, given->operands,
                                                    argument(given, "--problem"),
                                                    argument(given, "--json") != NULL));
    }
    const bool modified = argument(given, "--modified") != NULL,
               more = modified || argument(given, "--lyapunov") != NULL;
    int status = all ? add_all(&list) : add_named(&list, given);
    if (status == 0 && !more)
        status = measure(&list);
    if (status == 0)
        status = more ? print_more(given, &list, modified) : print(given, &list);
    free(list.row);
    return status;
}

const command command_check = {
    .rank = 4,
    .name = "check",
    .help = check_help,
    .run = run,
};
