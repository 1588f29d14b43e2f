/* compare.c - work and precision of several methods. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare.h"
#include "report.h"
#include "span.h"
#include "start.h"

enum {
    PROBLEM = SAY_START_COUNT,
    METHODS,
    STEPS,
    TIME,
    SET,
    OUT,
    JSON,
};

static const option options[] = {
    START_OPTIONS,
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
        const int status = r->kind->choose(r->input, "", m->name, &m->integrator);
        if (status != 0)
            return status;
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
        status = span_steps("", sizes[i], r->time, &r->step[i].count);
    }
    free(sizes);
    return status;
}

static int read_request(compare_request *r, const arguments *given, scenario *told)
{
    const need needs[] = {{PROBLEM, argument(given, PROBLEM) != NULL},
                          {METHODS, argument(given, METHODS) != NULL},
                          {STEPS, argument(given, STEPS) != NULL},
                          {TIME, argument(given, TIME) != NULL}};
    int status = refuse_missing(options, needs, sizeof needs / sizeof needs[0]);
    if (status == 0)
        status = start_take(told, given);
    if (status == 0)
        status = told_take(told, SAY_PROBLEM, given, PROBLEM);
    if (status == 0)
        status = told_take_parameters(told, given, SET);
    if (status == 0)
        status = kind_find(told, &r->kind, &r->problem);
    if (status == 0)
        status = r->kind->read(told, &r->input);
    if (status == 0)
        status = read_methods(r, argument(given, METHODS));
    if (status == 0)
        status = argument_numbers(given, TIME, 1, &r->time);
    if (status == 0)
        status = read_steps(r, given);
    return status;
}

static int run(const arguments *given)
{
    scenario told = {0};
    compare_request r = {.json = argument(given, JSON) != NULL,
                         .out = argument(given, OUT)};
    int status = refuse_operands(given, "compare");
    if (status == 0)
        status = read_request(&r, given, &told);
    if (status == 0)
        status = compare_run(&r);
    for (size_t i = 0; i < r.methods; i++) {
        free(r.method[i].name);
        free(r.method[i].integrator);
    }
    if (r.input != NULL)
        r.kind->free(r.input);
    free(r.method);
    free(r.step);
    scenario_free(&told);
    return status;
}

const command command_compare = {
    .name = "compare",
    .summary = "work and precision of several methods",
    .usage = "compare --problem P --methods a,b,c --steps h1,h2,... --time T [OPTION...]",
    .notes =
        "For each method and step: the error at the time T, the larger of |m - m*|/|m*| "
        "and\n"
        "|q - q*|, against the exact motion of a free body, in a field against a "
        "splitting\n"
        "of order 6 with steps as small as is worth it; the evaluations of the torque, "
        "the\n"
        "computing time of a run, the best of several, and the order measured from the\n"
        "step before. Errors that are round-off have no order. A method that fails with "
        "a\n"
        "step has a row that says so.\n"
        "\nJSON: an array of {\"method\", \"step\", \"steps\", \"error\", "
        "\"error_momentum\",\n"
        "\"error_attitude\", \"kicks\", \"seconds\", \"order\", \"floor\"}, and "
        "\"failed\" where\n"
        "it did; null is what could not be measured. The same columns in compare.csv.\n"
        "\nExamples:\n"
        "    Figure 1 of Hairer and Vilmart, upper half:\n"
        "        polhode compare --problem free --inertia 0.6,0.8,1 \\\n"
        "            --momentum 1.8,0.4,-0.9 --time 10 --out hv1 \\\n"
        "            --methods dmv2,dmv4,dmv6,dmv8,imr2,imr4,imr6,jem2,jem4,sr2,sr4,sr6 "
        "\\\n"
        "            --steps "
        "1,0.625,0.4,0.25,0.15625,0.1,0.0625,0.04,0.025,0.015625,0.01\n"
        "    Two ways to order four:\n"
        "        polhode compare --problem free --methods sr2:suzuki4,sr2:yoshida4 \\\n"
        "            --steps 0.5,0.25,0.125 --time 20\n",
    .options = options,
    .run = run,
};
