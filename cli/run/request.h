/* request.h - what `polhode run` and `polhode resume` are asked for, and the system of it. */
#pragma once

#include "cli/input/model.h"
#include "cli/tool/tool.h"

typedef struct run_request {
    const char *problem, *method;
    char title[MODEL_FORMULA]; /* what a picture calls the problem */
    const char *problem_path;  /* of its file, where a run goes on; or NULL */
    uint64_t problem_sum;      /* of the problem's file, if it is one */
    uint64_t order;       /* of a method of the user's own coefficients; 0: it is none */
    double slope;         /* that of its coefficients, as it was measured */
    ph_system *system;    /* at the start of the run, or where it goes on */
    ph_system *companion; /* at a larger tolerance, or NULL */
    double step; /* or, of a method that chooses its own, from one row to the next; 0:
                        every step is a row */
    double tolerance; /* for which the step was found; 0: it was given */
    double time;
    uint64_t steps;           /* of the whole run, unless the method chooses them */
    const char *until;        /* a condition that ends the run, or NULL */
    ph_expression *condition; /* the same, to be freed */
    const char *out;          /* a file for the rows, "-" for standard output, or NULL */
    uint64_t every;           /* how many steps from one row to the next */
    show_request show;        /* what a row is made of */
    bool json;
    bool followed;          /* by a companion, if it chooses its steps */
    int serve;              /* the port that shows the run, or 0 */
    const arguments *given; /* with --plot FILE; NULL where a run goes on */

    const char *checkpoint;    /* a file for snapshots, or NULL */
    double checkpoint_seconds; /* from one to the next; 0: it goes by steps */
    uint64_t checkpoint_steps;

    /* Where a run goes on, or has come to: what it has done and written until then. */
    bool resumed;
    bool finished; /* it has come to its time, or its condition is met */
    bool met;
    double seconds;
    const char *rows_in; /* the file that has the rows */
    uint64_t rows, bytes, hash;
} run_request;

/* Whether the method of a run chooses its own steps. */
static inline bool chooses_steps(const run_request *r)
{
    return ph_system_adaptive(r->system) != NULL;
}

/* Makes the system of a run in its start, by the method and the step of the request. */
int run_make_system(run_request *r, scenario *input);

/* Reads the condition `until` of a run, if there is one; `place` begins a message. */
int until_read(run_request *r, const char *place);
