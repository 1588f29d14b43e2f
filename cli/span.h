/* span.h - a time in steps. */
#ifndef POLHODE_CLI_SPAN_H
#define POLHODE_CLI_SPAN_H

/* The number of steps that make the time, both forward or both backward; `place` as for
 * fail_unknown. Fails with the nearest steps that do if these do not. Returns 0 or the
 * exit status. */
int span_steps(const char *place, double step, double time, long *steps);

/* A whole number from 1, as `every` needs it; `name` begins the message. */
int span_every(const char *name, double x, long *every);

#endif
