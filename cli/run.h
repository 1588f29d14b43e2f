/* run.h - the parts of `polhode run`. */
#ifndef POLHODE_CLI_RUN_H
#define POLHODE_CLI_RUN_H

#include <stdbool.h>

#include "energy.h"
#include "space.h"

typedef struct run_request {
    const space *space;
    const char *problem, *method;
    void *world;      /* of the space */
    void *integrator; /* likewise */
    double step, time;
    long steps;
    const char *out; /* a file for the rows, "-" for standard output, or NULL */
    long every;      /* how many steps from one row to the next */
    bool json;
} run_request;

/* What a run did. */
typedef struct run_result {
    long steps; /* taken */
    double time;
    energy_record energy;
    double seconds;
    unsigned long long rows; /* written */
} run_result;

/* ---- the run: run_steps.c -------------------------------------------------------- */

/* Does it, all output included; returns the exit status. */
int run_steps(const run_request *r);

/* ---- many bodies at once: run_cases.c -------------------------------------------- */

/* The file of the bodies, "-" for standard input; method, step and time are told. */
int run_cases(const scenario *told, const char *path);

/* ---- what it prints: run_summary.c ----------------------------------------------- */

/* What it wrote: "rows" or "frames". */
const char *run_rows_name(const run_request *r);

void run_print(outfile *out, const run_request *r, const run_result *done);

/* False without memory. */
bool run_print_json(outfile *out, const run_request *r, const run_result *done);

#endif
