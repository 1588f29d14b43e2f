/* exact.c - the exact motion of a free body at any time. */
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "cli/tool.h"
#include "exact.h"
#include "exact.help.h"
#include "io/sample.h"

/* One of two options. */
static int need_one(const arguments *given, const char *one, const char *other)
{
    if (argument(given, one) != NULL || argument(given, other) != NULL)
        return 0;
    return fail_usage("neither %s nor %s is given: add %s %s", one, other, one,
                      option_named(given, one)->value);
}

static int prepare(const arguments *given, states_request *r)
{
    scenario input = {0};
    ph_state start = {.q = {1.0, 0.0, 0.0, 0.0}};
    TRY(input_take_body(&input, given));
    TRY(need_one(given, "--inertia", "--tensor"));
    TRY(need_one(given, "--momentum", "--velocity"));
    TRY(body_read(&input, &r->body));
    TRY(body_read_state(&input, &(const ph_problem){.body = r->body}, &start));
    const ph_status prepared = ph_motion_prepare(&r->motion, &r->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    if (argument(given, "--time") == NULL)
        return fail_usage("no time is given: add --time t[,t...] or start:end:count");
    return times_read(&r->times, given, "--time");
}

static int run_states(const arguments *given)
{
    const char **plot = calloc(given->count + 1, sizeof *plot);
    if (plot == NULL)
        return fail_memory();
    states_request r = {.json = argument(given, "--json") != NULL,
                        .out = argument(given, "--out"),
                        .plot = plot};
    for (size_t i = 0; i < given->count; i++) {
        if (strcmp(given->given[i].option->name, "--plot") == 0)
            plot[r.plots++] = given->given[i].value;
    }
    int status = prepare(given, &r);
    if (status == 0)
        status = exact_states(&r);
    times_free(&r.times);
    free(plot);
    return status;
}

/* Brings many bodies to their times; the only way to fail is a state that is not finite. */
static size_t advance(const void *flow, cases_block *b, char why[CASES_WHY])
{
    (void)why;
    const ph_batch all = cases_batch(b);
    size_t failed = b->n;
    (void)ph_batch_step_each(flow, &all, b->t, &failed);
    return failed;
}

static int run(const arguments *given)
{
    TRY(refuse_operands(given));
    const char *out = argument(given, "--out"), *cases = argument(given, "--cases");
    const bool json = argument(given, "--json") != NULL;
    REFUSE_IF(json && out != NULL && (cases != NULL || strcmp(out, "-") == 0),
              "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL)
        return run_states(given);
    for (size_t i = 0; i < given->options; i++) { /* the options of the other form */
        const char *name = given->option[i].name;
        if (strcmp(name, "--cases") != 0 && strcmp(name, "--out") != 0 &&
            strcmp(name, "--json") != 0)
            TRY(refuse_both(given, "--cases", name));
    }
    const cases_job job = {
        .timed = true, .json = json, .advance = advance, .context = find_flow("exact")};
    return cases_run(&job, cases, out);
}

const command command_exact = {
    .rank = 1,
    .name = "exact",
    .help = exact_help,
    .run = run,
};
