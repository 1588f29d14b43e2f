/* exact.c - the exact motion of a free body at any time. */
#include <stdlib.h>
#include <string.h>

#include "catalog/find.h"
#include "cli/command.h"
#include "cli/input/body_input.h"
#include "cli/input/cases.h"
#include "cli/report.h"
#include "exact.h"
#include "exact.help.h"
#include "io/sample.h"

enum {
    TIME = KEY_START_COUNT,
    CASES,
    OUT,
    PLOT,
    JSON,
};

static const option options[] = {
    BODY_OPTIONS,
    [TIME] =
        {"--time", "t[,t...]",
         "The times asked for, in any order, also negative; or start:end:count, evenly\n"
         "spaced with both ends."},
    [CASES] = {"--cases", "FILE",
               "Many cases, one per line, from CSV with the columns I1,I2,I3,m1,m2,m3,\n"
               "q0,q1,q2,q3,t named in its first line; - is standard input. Prints CSV\n"
               "m1,m2,m3,q0,q1,q2,q3, a line per case."},
    [OUT] = {"--out", "FILE", "Write rows there instead: " SAMPLE_COLUMNS ".",
             .formats = true},
    [PLOT] =
        {"--plot", "FILE.svg",
         "Draw the paths of the three axes in space, and the polhode. Or FILE.png; may\n"
         "be given several times. Needs gnuplot."},
    [JSON] = {JSON_OPTION},
    {0},
};

/* One of the two keys of a pair. */
static int need_one(const scenario *input, scenario_key one)
{
    const scenario_key other = scenario_keys[one].other;
    if (input->value[one].is_set || input->value[other].is_set)
        return 0;
    return fail_usage("neither %s nor %s is given: add %s %s", options[one].name,
                      options[other].name, options[one].name, options[one].value);
}

static int prepare(const arguments *given, states_request *r)
{
    scenario input = {0};
    ph_state start = {.q = {1.0, 0.0, 0.0, 0.0}};
    TRY(input_take_body(&input, given));
    TRY(need_one(&input, KEY_INERTIA));
    TRY(need_one(&input, KEY_MOMENTUM));
    TRY(body_read(&input, &r->body));
    TRY(body_read_state(&input, &(const ph_problem){.body = r->body}, &start));
    const ph_status prepared = ph_motion_prepare(&r->motion, &r->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    if (argument(given, TIME) == NULL)
        return fail_usage("no time is given: add --time t[,t...] or start:end:count");
    return times_read(&r->times, given, TIME);
}

static int run_states(const arguments *given)
{
    const char **plot = calloc(given->count + 1, sizeof *plot);
    if (plot == NULL)
        return fail_memory();
    states_request r = {
        .json = argument(given, JSON) != NULL, .out = argument(given, OUT), .plot = plot};
    for (size_t i = 0; i < given->count; i++) {
        if (given->given[i].option == PLOT)
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
    TRY(refuse_operands(given, "exact"));
    const char *out = argument(given, OUT), *cases = argument(given, CASES);
    const bool json = argument(given, JSON) != NULL;
    if (json && out != NULL && (cases != NULL || strcmp(out, "-") == 0))
        return fail_usage(
            "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL)
        return run_states(given);
    for (size_t i = 0; i <= PLOT; i++) { /* the options of the other form */
        if (i != CASES && i != OUT)
            TRY(refuse_both(given, CASES, i));
    }
    const cases_job job = {
        .timed = true, .json = json, .advance = advance, .context = find_flow("exact")};
    return cases_answer(&job, cases, out);
}

const command command_exact = {
    .rank = 1,
    .name = "exact",
    .summary = "the exact motion of a free rigid body at any time",
    .usage = "exact --inertia a,b,c --momentum x,y,z --time t[,t...] [OPTION...]\n"
             "exact --cases FILE [--out FILE | --json]",
    .notes = exact_help,
    .options = options,
    .run = run,
};
