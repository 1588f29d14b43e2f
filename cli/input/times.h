/* times.h - times as options give them: a list, start:end:count, or a number of steps. */
#ifndef POLHODE_CLI_INPUT_TIMES_H
#define POLHODE_CLI_INPUT_TIMES_H

#include "cli/command.h"

typedef struct time_list {
    unsigned long long count; /* at least 1 */
    double start, end;        /* the first and the last */
    double *list;             /* all of them; NULL where they are evenly spaced */
} time_list;

/* The functions that read return 0, or the exit status of the error they reported. */

/* Reads the value of an option that was given. Free the result in either case. */
int times_read(time_list *t, const arguments *a, const char *name);
void times_free(time_list *t);

/* The i-th time, from 0; the last of an even spacing is exactly its end. */
double times_at(const time_list *t, unsigned long long i);

/* The number of steps that make the time, both forward or both backward; `place` as for
 * fail_unknown. Fails with the nearest steps that do if these do not. */
int count_steps(const char *place, double step, double time, long *steps);

/* A whole number from 1, as `every` needs it; `name` begins the message. */
int read_every(const char *name, double x, long *every);

#endif
