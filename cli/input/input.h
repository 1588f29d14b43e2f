/* input.h - what the commands read: settings of a scenario and of options, which replace them,
 * a body and its start, times, integrators.
 *
 * The functions that read return 0, or the exit status of the error they reported.
 */
#pragma once

#include "cli/command.h"
#include "cli/files/rows.h"
#include "cli/files/scenario.h"
#include "polhode/batch.h"
#include "polhode/polhode.h"
#include "show.h"

/* ---- settings: input.c ----------------------------------------------------------- */

/* Reads the scenario, if one is named. */
int input_read_scenario(scenario *input, const arguments *given);

/* Takes the option of a key, if it is given: in place of what the scenario has there or at the
 * other key of a pair. */
int input_take(scenario *input, scenario_key key, const arguments *given);

/* Takes all options of a body; both of a pair are an error. */
int input_take_body(scenario *input, const arguments *given);

/* Takes `name=number` or `name=number,number...` from every --set. */
int input_take_parameters(scenario *input, const arguments *given);

/* Where a value stands and what it is called there, to begin a message with: "--step", or
 * "top.yaml:7: step". It lasts until the next call. */
const char *input_place(const scenario *input, scenario_key key);

/* The line alone: "", or "top.yaml:7: ". */
const char *input_line(const scenario *input, const setting *value);

/* ---- times: times.c -------------------------------------------------------------- */

typedef struct time_list {
    unsigned long long count; /* at least 1 */
    double start, end;        /* the first and the last */
    double step;              /* between them, where one was given; else 0 */
    double *list;             /* all of them; NULL where they are evenly spaced */
} time_list;

/* Reads the value of an option that was given: a list, start:end:count or start:end@step, with units
 * (1d, 90min). Free the result in either case. */
int times_read(time_list *t, const arguments *a, const char *name);
void times_free(time_list *t);

/* The times of a run: from 0 by the step, 0 for the end alone. */
int times_of_scenario(time_list *t, double step, double end);

/* The i-th time, from 0; the last of an even spacing is exactly its end. */
double times_at(const time_list *t, unsigned long long i);

/* Refuses the first that the file of the rows cannot hold; of many even ones, of the last. */
int times_refuse(const time_list *t, const record *rows);

/* The number of steps that make the time, both forward or both backward. Fails with the
 * nearest steps that do if these do not. */
int count_steps(const char *place, double step, double time, long *steps);

/* A whole number from 1, as `every` needs it; `name` begins the message. */
int read_every(const char *name, double x, long *every);

/* ---- many free bodies, a line each: cases.c -------------------------------------- */

/* Rows in, rows out, a block at a time, so that files of any length take the same memory. The
 * columns are I1,I2,I3, m1,m2,m3 or w1,w2,w3, perhaps q0,q1,q2,q3 and t, in any order; others
 * pass through. The result of a line is these and its body at its time, m1,m2,m3,q0,q1,q2,q3,
 * or what --show asks for. */

/* Cases of a block, several times what all cores need to be busy: 1.5 MB. */
enum { CASES_BLOCK = 16384 };

#define CASES_WHY 200 /* bytes */

typedef struct cases_block {
    size_t n;
    double q[4][CASES_BLOCK], m[3][CASES_BLOCK], J[3][CASES_BLOCK], t[CASES_BLOCK];
    unsigned long long line[CASES_BLOCK];
    unsigned long long before; /* cases of the blocks before */
    double from, to;           /* fractions of the file read; negative: unknown */
} cases_block;

/* What is done with the cases. */
typedef struct cases_job {
    bool timed;   /* each has a time of its own, in a column t */
    double time;  /* else that of all */
    long wait_ms; /* how long to wait for more input before a block is computed */
    bool json;    /* an array of states instead of rows */
    const show_request *show;

    /* Brings the bodies from their starts to their times. Returns how many are there
     * before the first that is not; `why`, empty at first, is for what that one failed
     * of: nothing where its state is not finite, or after Ctrl-C. */
    size_t (*advance)(const void *context, cases_block *b, char why[CASES_WHY]);
    const void *context;
} cases_job;

/* The bodies of a block. */
ph_batch cases_batch(cases_block *b);

/* Reads the cases of a file, "-" for standard input, and writes their results into another one,
 * NULL or "-" for standard output. Returns the exit status; errors are reported. */
int cases_run(const cases_job *job, const char *path, const char *out);
