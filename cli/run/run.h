/* run.h - the parts of `polhode run` and `polhode resume`. */
#pragma once

#include "cli/files/rows.h"
#include "cli/input/model.h"
#include "cli/input/show.h"
#include "cli/tool/tool.h"
#include "polhode/expression.h"

typedef struct run_request {
    const char *problem, *method;
    const char *problem_path; /* of its file, where a run goes on; or NULL */
    uint64_t problem_sum;     /* of the problem's file, if it is one */
    int order;         /* of a method of the user's own coefficients; 0: it is none */
    double slope;      /* that of its coefficients, as it was measured */
    ph_system *system; /* at the start of the run, or where it goes on */
    double step; /* or, of a method that chooses its own, from one row to the next; 0:
                        every step is a row */
    double time;
    uint64_t steps;           /* of the whole run, unless the method chooses them */
    const char *until;        /* a condition that ends the run, or NULL */
    ph_expression *condition; /* the same, to be freed */
    const char *out;          /* a file for the rows, "-" for standard output, or NULL */
    uint64_t every;           /* how many steps from one row to the next */
    show_request show;        /* what a row is made of */
    bool json;
    int serve;              /* the port that shows the run, or 0 */
    const arguments *given; /* with --plot FILE; NULL where a run goes on */

    const char *checkpoint;    /* a file for snapshots, or NULL */
    double checkpoint_seconds; /* from one to the next; 0: it goes by steps */
    uint64_t checkpoint_steps;

    /* Where a run goes on: what it has written until then. */
    bool resumed, finished;
    bool was_met;        /* the condition, when it finished */
    const char *rows_in; /* the file that has them */
    unsigned long long rows;
    long long bytes;
    uint64_t hash;
    double seconds;
} run_request;

/* What a run did. */
typedef struct run_result {
    uint64_t steps; /* taken */
    bool complete;  /* it has come to its time, or its condition is met */
    bool met;
    double time;
    double seconds;
    unsigned long long rows; /* written */
} run_result;

/* Whether the method of a run chooses its own steps. */
static inline bool chooses_steps(const run_request *r)
{
    return ph_system_adaptive(r->system) != NULL;
}

/* Makes the system of a run in its start, by the method and the step of the request: run.c. */
int run_make_system(run_request *r, scenario *input);

/* Reads the condition `until` of a run, if there is one; `place` begins a message: run.c. */
int until_read(run_request *r, const char *place);

/* Does a run, all output included; returns the exit status: run_steps.c. */
int run_steps(const run_request *r, outfile *standard);

/* Runs the many bodies of --cases at once; method, step and time are set: run_cases.c. */
int run_cases(scenario *input, const arguments *given, const show_request *show,
              outfile *standard);

/* Refuses the paths of a run that its snapshot cannot hold: checkpoint.c. */
int checkpoint_refuse(const run_request *r);

/* Writes the snapshot of a run as it stands: its rows so far are in a file, `partial` until
 * they are in their place. 0 or the exit status: checkpoint.c. */
int checkpoint_write(const run_request *r, const run_result *done, const outfile *out,
                     bool in_place);

/* Reads a snapshot and makes the run of it that goes on; what it points to is in *memory,
 * for checkpoint_free. 0 or the exit status. */
typedef struct checkpoint checkpoint;
int checkpoint_read(const char *path, run_request *r, checkpoint **memory);
void checkpoint_free(checkpoint *memory);
