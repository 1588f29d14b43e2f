/* cases.h - many free bodies, a line each.
 *
 * Rows in, rows out, a block at a time, so that files of any length take the same memory. The
 * columns are I1,I2,I3, m1,m2,m3 or w1,w2,w3, perhaps q0,q1,q2,q3 and t, in any order; others
 * pass through. The result of a line is these and its body at its time, m1,m2,m3,q0,q1,q2,q3,
 * or what --show asks for. */
#pragma once

#include "cli/input/show.h"
#include "polhode/batch.h"

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
 * NULL or "-" for standard output; JSON goes there alone. Returns the exit status; errors are
 * reported. */
int cases_run(const cases_job *job, const char *path, const char *out, outfile *standard);
