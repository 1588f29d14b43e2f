/* cases.h - many free bodies, a line each.
 *
 * Rows in, rows out, a block at a time, so that files of any length take the same memory. The
 * columns are those of tool/input/body_columns.h; others are copied. The result of a line is what is
 * copied and its body at its time, m1,m2,m3,q0,q1,q2,q3, or what --show asks for. */
#pragma once

#include "polhode/device.h"
#include "tool/base/command.h"
#include "tool/input/input.h"

/* What is done with the cases. */
typedef struct cases_job {
    ph_device_run run; /* timed: each has a time of its own, in a column t */
    double time;       /* else that of all */
    bool json;         /* an array of states instead of rows */
    const show_request *show;
    const arguments *given; /* with --cases FILE, perhaps --device */
} cases_job;

/* Reads the cases of a file, "-" for standard input, and writes their results into another one,
 * NULL or "-" for standard output; JSON goes there alone. Returns the exit status; errors are
 * reported. */
int cases_run(const cases_job *job, const char *out, outfile *standard);

/* Fails if --device is given without --cases. */
int device_refuse(const arguments *given);
