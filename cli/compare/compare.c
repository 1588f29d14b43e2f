/* compare.c - work and precision of several methods. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tool/tool.h"
#include "compare.h"
#include "compare.help.h"

/* A method that applies to the problem. */
static int take_method(compare_request *r, compare_method *m)
{
    ph_system *s = NULL;
    model quiet = r->model;
    if (r->start != NULL)
        quiet.settings.warn = NULL; /* all was said */
    TRY(model_make(&quiet, &(model_integrator){.place = "", .name = m->name}, r->time,
                   &s));
    m->order = ph_system_order(s);
    m->chooses = ph_system_adaptive(s) != NULL;
    if (r->start == NULL)
        r->start = s;
    else
        ph_system_free(s);
    return 0;
}

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
        TRY(take_method(r, m));
        at += length;
        if (*at == '\0')
            return 0;
    }
}

/* Tolerances, one in each row: those given, or some from 1e-4 to 1e-13. */
static int read_tolerances(compare_request *r, const arguments *given)
{
    const char *text = argument(given, "--tolerances");
    if (text != NULL && list_length(text) != r->steps)
        return fail_usage("--tolerances has %zu numbers, and --steps %zu: write as many",
                          list_length(text), r->steps);
    double *x = calloc(r->steps, sizeof *x);
    if (x == NULL)
        return fail_memory();
    int status = text == NULL ? 0 : argument_numbers(given, "--tolerances", r->steps, x);
    for (size_t i = 0; i < r->steps && status == 0; i++) {
        const double part = r->steps > 1 ? (double)i / (double)(r->steps - 1) : 1.0;
        r->step[i].tolerance = text != NULL ? x[i] : pow(10.0, -4.0 - 9.0 * part);
        if (!(r->step[i].tolerance >= PH_TOLERANCE_LEAST &&
              r->step[i].tolerance <= PH_TOLERANCE_MOST))
            status = fail_usage("--tolerances: the error allowed in a step is from %g to "
                                "%g: write such numbers",
                                PH_TOLERANCE_LEAST, PH_TOLERANCE_MOST);
    }
    free(x);
    return status;
}

static int read_steps(compare_request *r, const arguments *given, double step)
{
    const char *steps = argument(given, "--steps");
    r->steps = steps == NULL ? 1 : list_length(steps);
    r->step = calloc(r->steps, sizeof *r->step);
    double *sizes = calloc(r->steps, sizeof *sizes);
    if (r->step == NULL || sizes == NULL) {
        free(sizes);
        return fail_memory();
    }
    sizes[0] = step;
    int status =
        steps == NULL ? 0 : argument_durations(given, "--steps", r->steps, sizes);
    for (size_t i = 0; i < r->steps && status == 0; i++) {
        r->step[i].size = sizes[i];
        status = count_steps("", sizes[i], r->time, &r->step[i].count);
    }
    free(sizes);
    return status;
}

/* The scenario has the problem, its start and the time; its method and step are one of each. */
static int read_request(compare_request *r, const arguments *given, scenario *input)
{
    const setting *v = input->value;
    const char *methods = argument(given, "--methods");
    TRY(input_read_scenario(input, given));
    TRY(input_take_body(input, given));
    TRY(input_take(input, KEY_PROBLEM, given));
    TRY(input_take(input, KEY_TIME, given));
    TRY(input_take(input, KEY_LONGEST_STEP, given));
    TRY(input_take_parameters(input, given));
    const need needs[] = {{"--problem", v[KEY_PROBLEM].is_set},
                          {"--methods", methods != NULL || v[KEY_METHOD].is_set},
                          {"--steps", argument(given, "--steps") || v[KEY_STEP].is_set},
                          {"--time", v[KEY_TIME].is_set}};
    TRY(refuse_missing(given, needs, sizeof needs / sizeof needs[0]));
    r->time = v[KEY_TIME].x[0];
    r->longest_step = v[KEY_LONGEST_STEP].x[0];
    REFUSE_IF(v[KEY_LONGEST_STEP].is_set && !(r->longest_step > 0.0),
              "%s %g: write a positive number", input_place(input, KEY_LONGEST_STEP),
              r->longest_step);
    TRY(model_read(input, &r->model));
    r->kind = r->model.kind;
    r->problem = v[KEY_PROBLEM].text;
    TRY(read_methods(r, methods != NULL ? methods : v[KEY_METHOD].text));
    TRY(read_steps(r, given, v[KEY_STEP].x[0]));
    return read_tolerances(r, given);
}

static int run(const arguments *given, outfile *out)
{
    scenario input = {0};
    compare_request r = {.json = argument(given, "--json") != NULL,
                         .lyapunov = argument(given, "--lyapunov") != NULL,
                         .out = argument(given, "--out")};
    int status = read_request(&r, given, &input);
    if (status == 0)
        status = compare_run(&r, out);
    for (size_t i = 0; i < r.methods; i++)
        free(r.method[i].name);
    ph_system_free(r.start);
    model_free(&r.model);
    free(r.method);
    free(r.step);
    scenario_free(&input);
    return status;
}

const command command_compare = {
    .name = "compare",
    .help = compare_help,
    .run = run,
};
