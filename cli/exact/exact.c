/* exact.c - the exact motion of a free body at any time. */
#include <stdlib.h>
#include <string.h>

#include "cli/device.h"
#include "cli/files/sample.h"
#include "cli/input/model.h"
#include "cli/tool.h"
#include "exact.h"
#include "exact.help.h"
#include "system/find.h"

/* One of two options. */
static int need_one(const arguments *given, const char *one, const char *other)
{
    if (argument(given, one) != NULL || argument(given, other) != NULL)
        return 0;
    return fail_usage("neither %s nor %s is given: add %s %s", one, other, one,
                      option_named(given, one)->value);
}

/* Whether the scenario is of a free body: its problem, if it has one, is free, and all the rest
 * belongs to that. */
static int read_free(scenario *input, model *m)
{
    setting *problem = &input->value[KEY_PROBLEM];
    if (!problem->is_set)
        *problem = (setting){.is_set = true, .text = "free"};
    TRY(model_read(input, m));
    REFUSE_IF(strcmp(problem->text, "free") != 0,
              "%sthe exact motion is that of a free body, and the problem is %s: write "
              "free, or polhode run",
              input_line(input, problem), problem->text);
    return 0;
}

static int prepare(scenario *input, const arguments *given, states_request *r)
{
    ph_problem p;
    ph_state start;
    model m;
    const setting *v = input->value;
    TRY(input_read_scenario(input, given));
    TRY(input_take_body(input, given));
    input->degrees = argument(given, "--degrees") != NULL;
    int status = read_free(input, &m);
    if (status == 0)
        status = model_check(&m, &p, &start);
    model_free(&m);
    TRY(status);
    TRY(v[KEY_INERTIA].is_set || v[KEY_TENSOR].is_set
            ? 0
            : need_one(given, "--inertia", "--tensor"));
    TRY(v[KEY_MOMENTUM].is_set || v[KEY_VELOCITY].is_set
            ? 0
            : need_one(given, "--momentum", "--velocity"));
    r->body = p.body;
    start.q = ph_quat_unit(start.q);
    const ph_status prepared = ph_motion_prepare(&r->motion, &r->body, &start);
    if (prepared != PH_OK)
        return fail_usage("the start cannot be used: %s", ph_status_text(prepared));
    if (r->out == NULL && v[KEY_FILE].is_set)
        r->out = v[KEY_FILE].text;
    if (argument(given, "--time") != NULL)
        return times_read(&r->times, given, "--time");
    REFUSE_IF(!v[KEY_TIME].is_set,
              "no time is given: add --time t[,t...] or start:end:count");
    return times_of_scenario(&r->times, v[KEY_STEP].is_set ? v[KEY_STEP].x[0] : 0.0,
                             v[KEY_TIME].x[0]);
}

static int run_states(const arguments *given)
{
    states_request r = {.json = argument(given, "--json") != NULL,
                        .out = argument(given, "--out"),
                        .given = given};
    scenario input = {0};
    int status = show_read(&r.show, given);
    if (status == 0)
        status = prepare(&input, given, &r);
    if (status == 0)
        status = exact_states(&r);
    times_free(&r.times);
    scenario_free(&input);
    return status;
}

/* The flow exact, perhaps on a device. */
typedef struct exact_cases {
    ph_device_run run;
    device_cases device;
} exact_cases;

/* Brings many bodies to their times; the only way to fail is a state that is not finite. */
static size_t advance(const void *context, cases_block *b, char why[CASES_WHY])
{
    const exact_cases *c = context;
    const ph_batch all = cases_batch(b);
    size_t failed = b->n;
    ph_batch_result end;
    if (c->device.device != NULL)
        return device_cases_advance(&c->device, &c->run, b, why, &end);
    (void)ph_batch_step_each(c->run.integrator.flow, &all, b->t, &failed);
    return failed;
}

static int run(const arguments *given)
{
    const char *out = argument(given, "--out"), *cases = argument(given, "--cases");
    const bool json = argument(given, "--json") != NULL;
    REFUSE_IF(json && out != NULL && (cases != NULL || strcmp(out, "-") == 0),
              "--json and --out " WORDS " exclude each other here: leave one out", out);
    if (cases == NULL) {
        device_cases none = {0};
        TRY(device_cases_open(&none, given, NULL));
        return run_states(given);
    }
    TRY(refuse_operands(given));
    static const char *const shared[] = {"--cases",   "--out",   "--json",  "--show",
                                         "--degrees", "--frame", "--epoch", "--device"};
    for (size_t i = 0; i < given->options; i++) { /* the options of the other form */
        const char *name = given->option[i].name;
        size_t k = 0;
        while (k < sizeof shared / sizeof shared[0] && strcmp(name, shared[k]) != 0)
            k++;
        if (k == sizeof shared / sizeof shared[0])
            TRY(refuse_both(given, "--cases", name));
    }
    show_request show = {0};
    TRY(show_read(&show, given));
    exact_cases c = {.run = {.integrator = {.flow = find_flow("exact")}, .timed = true}};
    const cases_job job = {
        .show = &show, .timed = true, .json = json, .advance = advance, .context = &c};
    int status = device_cases_open(&c.device, given, &c.run);
    if (status == 0)
        status = cases_run(&job, cases, out);
    device_cases_close(&c.device);
    return status;
}

const command command_exact = {
    .rank = 1,
    .name = "exact",
    .help = exact_help,
    .run = run,
};
