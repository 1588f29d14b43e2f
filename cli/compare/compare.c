/* compare.c - work and precision of several methods. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/input/times.h"
#include "cli/report.h"
#include "compare.h"
#include "compare.help.h"

enum {
    PROBLEM = KEY_START_COUNT,
    METHODS,
    STEPS,
    TIME,
    SET,
    OUT,
    JSON,
};

static const option options[] = {
    BODY_OPTIONS,
    [PROBLEM] = {PROBLEM_OPTION},
    [METHODS] =
        {"--methods", "a,b,c",
         "Which are compared: methods, scheme+flow, and for a free body flows; for a\n"
         "flow may stand flow:composition."},
    [STEPS] =
        {"--steps", "h1,h2,...",
         "With which steps; each must divide the time. Orders are measured from one\n"
         "to the next."},
    [TIME] = {"--time", "T", "The time at which the errors are taken."},
    [SET] = {PARAMETER_OPTION},
    [OUT] =
        {"--out", "DIR",
         "Write compare.csv there, and draw compare.svg and compare.png. The folder is\n"
         "made if it is missing. Needs gnuplot."},
    [JSON] = {"--json", NULL, "One JSON document instead of text: an array of rows."},
    {0},
};

/* ---- what is asked for ----------------------------------------------------------- */

static int read_methods(compare_request *r, const char *text)
{
    r->method = calloc(list_length(text), sizeof *r->method);
    if (r->method == NULL)
        return fail_memory();
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        compare_method *m = &r->method[r->methods++];
        m->name = strndup(at, length);
        if (m->name == NULL)
            return fail_memory();
        TRY(r->kind->choose(r->model, "", m->name, &m->integrator));
        at += length;
        if (*at == '\0')
            return 0;
    }
}

static int read_steps(compare_request *r, const arguments *given)
{
    r->steps = list_length(argument(given, STEPS));
    r->step = calloc(r->steps, sizeof *r->step);
    double *sizes = calloc(r->steps, sizeof *sizes);
    if (r->step == NULL || sizes == NULL) {
        free(sizes);
        return fail_memory();
    }
    int status = argument_numbers(given, STEPS, r->steps, sizes);
    for (size_t i = 0; i < r->steps && status == 0; i++) {
        r->step[i].size = sizes[i];
        status = count_steps("", sizes[i], r->time, &r->step[i].count);
    }
    free(sizes);
    return status;
}

static int read_request(compare_request *r, const arguments *given, scenario *input)
{
    const need needs[] = {{PROBLEM, argument(given, PROBLEM) != NULL},
                          {METHODS, argument(given, METHODS) != NULL},
                          {STEPS, argument(given, STEPS) != NULL},
                          {TIME, argument(given, TIME) != NULL}};
    TRY(refuse_operands(given, "compare"));
    TRY(refuse_missing(options, needs, sizeof needs / sizeof needs[0]));
    TRY(input_take_body(input, given));
    TRY(input_take(input, KEY_PROBLEM, given, PROBLEM));
    TRY(input_take_parameters(input, given, SET));
    TRY(kind_find(input, &r->kind, &r->problem));
    TRY(r->kind->read(input, &r->model));
    TRY(read_methods(r, argument(given, METHODS)));
    TRY(argument_numbers(given, TIME, 1, &r->time));
    return read_steps(r, given);
}

static int run(const arguments *given)
{
    scenario input = {0};
    compare_request r = {.json = argument(given, JSON) != NULL,
                         .out = argument(given, OUT)};
    int status = read_request(&r, given, &input);
    if (status == 0)
        status = compare_run(&r);
    for (size_t i = 0; i < r.methods; i++) {
        free(r.method[i].name);
        free(r.method[i].integrator);
    }
    if (r.model != NULL)
        r.kind->free(r.model);
    free(r.method);
    free(r.step);
    scenario_free(&input);
    return status;
}

const command command_compare = {
    .rank = 5,
    .name = "compare",
    .summary = "work and precision of several methods",
    .usage = "compare --problem P --methods a,b,c --steps h1,h2,... --time T [OPTION...]",
    .notes = compare_help,
    .options = options,
    .run = run,
};
