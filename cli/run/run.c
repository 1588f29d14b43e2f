/* run.c - many steps of a method on a problem. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/sample.h"
#include "cli/input/custom.h"
#include "cli/input/problem_file.h"
#include "cli/output/device.h"
#include "cli/serve/serve.h"
#include "cli/tool/tool.h"
#include "run.h"
#include "run.help.h"

/* --time 0:T:count or 0:T@interval: where the rows are, and the step unless one is set. */
static int take_times(scenario *input, const arguments *given)
{
    const char *text = argument(given, "--time");
    setting *v = input->value;
    time_list times;
    if (text == NULL || strchr(text, ':') == NULL)
        return input_take(input, KEY_TIME, given);
    TRY(times_read(&times, given, "--time"));
    REFUSE_IF(times.start != 0.0, "--time " WORDS ": a run begins at 0: write 0:%.15g...",
              text, times.end);
    REFUSE_IF(times.count < 2, "--time " WORDS ": that is the start alone: ask for more",
              text);
    const double interval =
        times.step != 0.0 ? times.step : times.end / (double)(times.count - 1);
    v[KEY_TIME] = (setting){.is_set = true, .text = text, .count = 1, .x = {times.end}};
    if (!v[KEY_STEP].is_set) {
        v[KEY_STEP] =
            (setting){.is_set = true, .text = text, .count = 1, .x = {interval}};
        return 0;
    }
    REFUSE_IF(argument(given, "--every") != NULL,
              "--every and the rows of --time " WORDS ": leave one out", text);
    long every;
    TRY(count_steps("--time: ", v[KEY_STEP].x[0], interval, &every));
    v[KEY_EVERY] =
        (setting){.is_set = true, .text = text, .count = 1, .x = {(double)every}};
    return 0;
}

/* The scenario, if one is named, with the options laid over it. */
static int read_input(scenario *input, const arguments *given)
{
    TRY(input_read_scenario(input, given));
    TRY(input_take_body(input, given));
    for (scenario_key key = KEY_START_COUNT; key < KEY_OPTION_COUNT; key++)
        TRY(key == KEY_TIME ? 0 : input_take(input, key, given));
    TRY(take_times(input, given));
    TRY(input_take_parameters(input, given));
    input->degrees = argument(given, "--degrees") != NULL;
    const setting *v = input->value; /* the problem of cases is known */
    ph_integrator named;
    const bool chooses = v[KEY_METHOD].is_set && v[KEY_METHOD].text != NULL &&
                         ph_integrator_named(v[KEY_METHOD].text, &named) == PH_OK &&
                         named.adaptive != NULL;
    const need needs[] = {
        {"--problem", v[KEY_PROBLEM].is_set || argument(given, "--cases") != NULL},
        {"--method", v[KEY_METHOD].is_set || argument(given, "--cases") == NULL},
        {"--step", v[KEY_STEP].is_set || chooses},
        {"--time", v[KEY_TIME].is_set}};
    return refuse_missing(given, needs, sizeof needs / sizeof needs[0]);
}

/* How often a snapshot is written: "60s" or a number of steps. */
static int read_checkpoint(run_request *r, const arguments *given)
{
    const char *every = argument(given, "--checkpoint-every");
    r->checkpoint = argument(given, "--checkpoint");
    r->checkpoint_seconds = 60.0;
    if (every != NULL && r->checkpoint == NULL)
        return fail_usage("--checkpoint-every without --checkpoint: name a file for the "
                          "snapshots");
    if (r->checkpoint != NULL && strcmp(r->checkpoint, "-") == 0)
        return fail_usage("--checkpoint -: a snapshot is a file: name one");
    if (r->checkpoint != NULL && r->out != NULL &&
        (strcmp(r->out, "-") == 0 || file_same(r->out, r->checkpoint)))
        return fail_usage("--checkpoint goes with rows in a file of their own: name "
                          "another --out");
    TRY(r->checkpoint != NULL ? checkpoint_refuse(r) : 0);
    if (every == NULL)
        return 0;
    const double most = 9e15; /* steps: doubles count exactly */
    char *end;
    const double x = strtod(every, &end);
    const bool seconds = strcmp(end, "s") == 0;
    if (end == every ||
        !(seconds ? x > 0.0 && isfinite(x)
                  : *end == '\0' && x >= 1.0 && x == floor(x) && x <= most))
        return fail_usage("--checkpoint-every " WORDS ": write a whole number of steps, "
                          "or seconds as 60s",
                          every);
    r->checkpoint_seconds = seconds ? x : 0.0;
    r->checkpoint_steps = seconds ? 0 : (uint64_t)x;
    return 0;
}

/* The steps of the run, or of a method that chooses them the times of its rows. */
static int read_steps(run_request *r, const scenario *input)
{
    const setting *step = &input->value[KEY_STEP];
    const char *place = input_line(input, step);
    long steps = 0;
    if (!chooses_steps(r)) {
        TRY(count_steps(place, r->step, r->time, &steps));
        r->steps = (uint64_t)steps;
        return 0;
    }
    r->steps = UINT64_MAX;
    REFUSE_IF(
        step->is_set && !(r->step * r->time > 0.0 || (r->step != 0.0 && r->time == 0.0)),
        "%sthe time %g is not in the direction of the step %g from row to row: give "
        "both the same sign",
        place, r->time, r->step);
    return 0;
}

/* A zero, which would stand for the default. */
static int refuse_zero(const scenario *input, scenario_key key)
{
    REFUSE_IF(input->value[key].is_set && input->value[key].x[0] == 0.0,
              "%s 0: write a positive number", input_place(input, key));
    return 0;
}

/* The system in its start; everything that can be wrong with it is found here. */
static int make_system(run_request *r, scenario *input, custom_method *custom)
{
    const setting *method = &input->value[KEY_METHOD];
    model m;
    TRY(refuse_zero(input, KEY_TOLERANCE));
    TRY(refuse_zero(input, KEY_LONGEST_STEP));
    int status = model_read(input, &m);
    ph_integrator own;
    r->problem = input->value[KEY_PROBLEM].text;
    if (status == 0 && problem_file_is(r->problem))
        r->problem_sum = problem_file_checksum(r->problem);
    if (status == 0 && custom != NULL)
        status = custom_read(input, custom);
    if (custom != NULL)
        own = custom_integrator(custom);
    if (status == 0)
        status = model_make(&m,
                            &(model_integrator){input_line(input, method),
                                                custom ? custom->name : r->method,
                                                custom ? &own : NULL,
                                                input->value[KEY_TOLERANCE].x[0],
                                                input->value[KEY_LONGEST_STEP].x[0]},
                            r->step, &r->system);
    if (status == 0 && custom != NULL) {
        r->order = ph_system_order(r->system);
        r->slope = custom->slope;
    }
    if (status == 0 && r->method == NULL)
        r->method = ph_system_integrator_name(r->system);
    model_free(&m);
    return status;
}

/* A method of the user's own coefficients is a mapping, without a name. */
int run_make_system(run_request *r, scenario *input)
{
    if (r->method != NULL || !input->value[KEY_METHOD].is_set)
        return make_system(r, input, NULL);
    custom_method *custom = calloc(1, sizeof *custom);
    const int status = custom ? make_system(r, input, custom) : fail_memory();
    free(custom);
    return status;
}

int until_read(run_request *r, const char *place)
{
    ph_expression_error why;
    if (r->until == NULL)
        return 0;
    REFUSE_IF(!text_is_plain(r->until),
              "%s: a byte that is no text: write it in one line, as UTF-8", place);
    const ph_status status =
        ph_system_expression(r->system, r->until, PH_CONDITION, &r->condition, &why);
    if (status == PH_NO_MEMORY)
        return fail_memory();
    REFUSE_IF(status == PH_NOT_APPLICABLE,
              "%s is about a body, and %s is not: leave it out", place, r->problem);
    REFUSE_IF(status != PH_OK, "%s, column %d: %s", place, why.column, why.text);
    return 0;
}

/* Everything that can be wrong is found here, before the first step. */
static int read_request(run_request *r, scenario *input, const arguments *given)
{
    const setting *v = input->value;
    long every = 1;
    r->method = v[KEY_METHOD].text;
    r->step = v[KEY_STEP].x[0];
    r->time = v[KEY_TIME].x[0];
    r->until = v[KEY_UNTIL].is_set ? v[KEY_UNTIL].text : NULL;
    r->out = v[KEY_FILE].is_set ? v[KEY_FILE].text : NULL;
    TRY(run_make_system(r, input));
    TRY(read_steps(r, input));
    TRY(until_read(r, input_place(input, KEY_UNTIL)));
    if (v[KEY_EVERY].is_set)
        TRY(read_every(input_place(input, KEY_EVERY), v[KEY_EVERY].x[0], &every));
    if (r->json && r->out != NULL && strcmp(r->out, "-") == 0)
        return fail_usage("--json and --out - exclude each other: leave one out");
    r->every = (uint64_t)every;
    return read_checkpoint(r, given);
}

static int run(const arguments *given, outfile *out)
{
    static const char *const of_one[] = {"--json", "--checkpoint", "--serve", "--plot"};
    scenario input = {0};
    const bool cases = argument(given, "--cases") != NULL;
    run_request r = {.json = argument(given, "--json") != NULL, .given = given};
    device_cases none = {0};
    TRY(show_read(&r.show, given));
    for (size_t i = 0; i < COUNT(of_one); i++)
        TRY(refuse_both(given, "--cases", of_one[i]));
    TRY(serve_read(given, &r.serve));
    TRY(cases ? 0 : device_cases_open(&none, given, NULL));
    int status = read_input(&input, given);
    if (status == 0 && cases)
        status = run_cases(&input, given, &r.show, out);
    else if (status == 0)
        status = read_request(&r, &input, given);
    if (status == 0 && !cases)
        status = run_steps(&r, out);
    ph_expression_free(r.condition);
    ph_system_free(r.system);
    scenario_free(&input);
    return status;
}

const command command_run = {
    .name = "run",
    .help = run_help,
    .run = run,
};
