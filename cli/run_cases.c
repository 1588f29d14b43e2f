/* run_cases.c - a run of many free bodies by steps of one flow.
 *
 * The steps are those of batch.h, a block on all cores. Nothing is carried along from step to
 * step as in a run of one body, so that the two agree to the round-off of the steps.
 */
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "interrupt.h"
#include "method.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "span.h"

/* A program that feeds the tool through a pipe gets this long, in milliseconds, to fill a
 * block: it may have to wait for its core. */
#define PATIENCE 20

typedef struct stepping {
    ph_integrator integrator;
    double step;
    long steps;
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
    const ph_batch_result end =
        ph_batch_drifts(&s->integrator, &all, s->step, s->steps, go_on, b);
    if (end.stopped)
        return 0;
    if (end.status != PH_OK)
        (void)snprintf(
            why, CASES_WHY, "step %ld, from t = %.10g, failed: %s: take a smaller step",
            end.step + 1, (double)end.step * s->step, ph_status_text(end.status));
    return end.failed;
}

/* ---- what is told ---------------------------------------------------------------- */

/* The file says what the bodies are and how they start. */
static int refuse_bodies(const scenario *told)
{
    char place[PLACE];
    for (scenario_key key = 0; key < SAY_COUNT; key++) {
        const bool needed = key == SAY_PROBLEM || key == SAY_METHOD || key == SAY_STEP ||
                            key == SAY_TIME || key == SAY_FILE;
        if (told->value[key].said && !needed)
            return fail_usage("%s does not go with --cases, which has a start for each "
                              "body and prints its end: leave it out",
                              told_place(told, key, place));
    }
    return 0;
}

static int refuse_problem(const scenario *told)
{
    const char *free_body = "free", *name = free_body;
    const system_kind *found;
    char place[PLACE];
    const setting *said = &told->value[SAY_PROBLEM];
    const int status = said->said ? kind_find(told, &found, &name) : 0;
    if (status != 0)
        return status;
    if (strcmp(name, free_body) != 0)
        return fail_usage("%s--cases is about free bodies, and the problem is %s: write "
                          "free, or leave it out",
                          told_line(told, said, place), name);
    return kind_parameters(told, name, NULL, 0, NULL);
}

static int read_stepping(stepping *s, const scenario *told)
{
    char place[PLACE];
    const setting *method = &told->value[SAY_METHOD], *step = &told->value[SAY_STEP];
    int status =
        method_find(told_line(told, method, place), method->text, &s->integrator);
    if (status != 0)
        return status;
    if (s->integrator.scheme != NULL || s->integrator.method != NULL)
        return fail_usage("%s`" WORDS "` is no flow, and --cases is about free bodies: "
                          "take one of `polhode list flows`",
                          place, method->text);
    s->step = step->x[0];
    return span_steps(told_line(told, step, place), s->step, told->value[SAY_TIME].x[0],
                      &s->steps);
}

int run_cases(const scenario *told, const char *path)
{
    stepping s;
    int status = refuse_bodies(told);
    if (status == 0)
        status = refuse_problem(told);
    if (status == 0)
        status = read_stepping(&s, told);
    if (status != 0)
        return status;
    const cases_job job = {
        .time = told->value[SAY_TIME].x[0],
        .patience = PATIENCE,
        .advance = advance,
        .context = &s,
    };
    const setting *out = &told->value[SAY_FILE];
    return cases_answer(&job, path, out->said ? out->text : NULL);
}
