/* run_cases.c - a run of many free bodies by steps of one flow.
 *
 * The steps are those of batch.h, a block on all cores. Nothing is carried along from step to
 * step as in a run of one body, so that the two agree to the round-off of the steps.
 */
#include <stdio.h>
#include <string.h>

#include "cli/output/device.h"
#include "run.h"

/* A program that feeds the tool through a pipe gets this long, in milliseconds, to fill a
 * block: it may have to wait for its core. */
#define WAIT_MS 20

typedef struct stepping {
    ph_device_run run;
    device_cases device;
} stepping;

/* A block on its way. */
static bool go_on(void *context, double done)
{
    const cases_block *b = context;
    progress_show(b->before, b->from + done * (b->to - b->from));
    return !interrupted;
}

static size_t advance(const void *context, cases_block *b, char why[CASES_WHY])
{
    const stepping *s = context;
    const ph_batch all = cases_batch(b);
    ph_device_run run = s->run;
    ph_batch_result end;
    run.observer = go_on;
    run.context = b;
    if (s->device.device == NULL)
        end = ph_batch_run(&run.integrator, &all, run.step, run.steps, go_on, b);
    else
        end.failed = device_cases_advance(&s->device, &run, b, why, &end);
    if (end.stopped)
        return 0;
    if (end.status != PH_OK && why[0] == '\0')
        (void)snprintf(
            why, CASES_WHY, "step %ld, from t = %.10g, failed: %s: take a smaller step",
            end.step + 1, (double)end.step * run.step, ph_status_text(end.status));
    return end.failed;
}

/* The file says what the bodies are and how they start. */
static int refuse_bodies(const scenario *input)
{
    for (scenario_key key = 0; key < KEY_COUNT; key++) {
        const bool needed = key == KEY_PROBLEM || key == KEY_METHOD || key == KEY_STEP ||
                            key == KEY_TIME || key == KEY_FILE;
        if (input->value[key].is_set && !needed)
            return fail_usage("%s does not go with --cases, which has a start for each "
                              "body and prints its end: leave it out",
                              input_place(input, key));
    }
    return 0;
}

static int refuse_problem(scenario *input)
{
    setting *problem = &input->value[KEY_PROBLEM];
    model m;
    if (!problem->is_set)
        *problem = (setting){.is_set = true, .text = "free"};
    int status = model_read(input, &m);
    if (status == 0 && strcmp(problem->text, "free") != 0)
        status = fail_usage("%s--cases runs free bodies, and the problem is %s: write "
                            "free, or leave it out",
                            input_line(input, problem), problem->text);
    if (status == 0)
        status = model_check(&m, NULL, NULL);
    model_free(&m);
    return status;
}

int run_cases(scenario *input, const arguments *given, const show_request *show,
              outfile *standard)
{
    const setting *method = &input->value[KEY_METHOD], *step = &input->value[KEY_STEP],
                  *time = &input->value[KEY_TIME], *out = &input->value[KEY_FILE];
    const char *path = argument(given, "--cases");
    stepping s = {.run = {.step = step->x[0]}};
    ph_integrator *integrator = &s.run.integrator;
    TRY(refuse_bodies(input));
    TRY(refuse_problem(input));
    REFUSE_IF(method->text == NULL,
              "%s--cases takes a flow by its name: write method: exact",
              input_line(input, method));
    TRY(method_find(input_line(input, method), method->text, integrator));
    if (integrator->scheme != NULL || integrator->method != NULL)
        return fail_usage("%s`" WORDS "` is not a flow, and --cases runs free bodies: "
                          "take one of `polhode list flows`",
                          input_line(input, method), method->text);
    TRY(count_steps(input_line(input, step), s.run.step, time->x[0], &s.run.steps));
    const cases_job job = {
        .show = show,
        .time = time->x[0],
        .wait_ms = WAIT_MS,
        .advance = advance,
        .context = &s,
    };
    int status = device_cases_open(&s.device, given, &s.run);
    if (status == 0)
        status = cases_run(&job, path, out->is_set ? out->text : NULL, standard);
    device_cases_close(&s.device);
    return status;
}
