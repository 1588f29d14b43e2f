/* request.h - what `polhode run` and `polhode resume` are asked for, and the system of it. */
#pragma once

#include "cli/input/custom.h"
#include "cli/input/model.h"
#include "cli/tool/tool.h"
#include "polhode/ensemble.h"

typedef struct run_request {
    const char *problem, *method;
    const char *title;        /* what a picture calls the problem */
    const char *problem_path; /* of its file, where a run goes on; or NULL */
    uint64_t problem_sum;     /* of the problem's file, if it is one */
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
    ph_expression *condition; /* the same */
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

/* Reads what a run moves and by what, of which `by` is a part. */
int run_read_model(scenario *input, model *m, method_list *one, model_integrator *by);

/* Makes the system of a run in its start, by the method and the step of the request. */
int run_make_system(run_request *r, scenario *input);

/* Reads the condition `until` of a run, if there is one; `place` begins a message. */
int until_read(run_request *r, const char *place);

/* Does a run; returns the exit status. */
int run_steps(const run_request *r, outfile *standard);

/* ---- a run as a file: checkpoint.c ------------------------------------------------ */

/* Refuses the paths of a run that its snapshot cannot hold. */
int checkpoint_refuse(const run_request *r);

/* Writes the snapshot of a run as it stands. */
int checkpoint_write(const run_request *r);

/* Reads a snapshot and makes the run of it that goes on. */
int checkpoint_read(const char *path, run_request *r);

/* ---- many bodies: ensemble.c ------------------------------------------------------ */

/* Whether a run is of many bodies in a problem: free bodies that go to one time are not. */
bool ensemble_is(const scenario *input, const arguments *given);

/* Runs them; `r` has what is shown. A run that goes on takes what its snapshot has. Returns the
 * exit status. */
int ensemble_run(const run_request *r, scenario *input, outfile *standard);

/* ---- their rows, in memory or in the file of --checkpoint: ensemble_snapshot.c ---- */

typedef struct ensemble_store {
    int64_t *status; /* of each body; negative: it is not done */
    double *rows;
    void *map; /* of the file, or memory */
} ensemble_store;

/* Opens it for so many bodies, each of so many numbers; none is done unless the run goes on, whose
 * snapshot has to be of the same. */
int store_open(ensemble_store *s, const run_request *r, size_t bodies, size_t numbers,
               uint64_t hash);

/* Whether a file is such a snapshot. */
bool store_is(const char *path);

/* The words of the command that wrote it, `*count` of them, in the folder it ran in. NULL: an error
 * was reported. */
char **store_command(const char *path, int *count);

/* ---- what differs from body to body: bodies.c ------------------------------------- */

typedef struct body_list {
    size_t count; /* of bodies */
    ph_each *each;
    const char **columns; /* of each, for messages */
    size_t each_count;
    double *values;    /* the numbers of all */
    const char *place; /* what a body is called: a file and "line", or "sample" */
    const char *word;
    unsigned long long first; /* the number of the first there */
} body_list;

/* Reads them, for a model whose own body is `base`. Returns 0, or the exit status of the error it
 * reported. */
int bodies_read(body_list *b, const model *m, ph_system *base, const arguments *given);

/* Reports what is wrong with the settings of a body. */
int bodies_refuse(const body_list *b, const model *m, size_t body, const ph_message *why);
