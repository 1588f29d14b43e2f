/* instants.h - instants as people ask for them: a list, or start:end:count. */
#ifndef POLHODE_CLI_INSTANTS_H
#define POLHODE_CLI_INSTANTS_H

#include "options.h"

typedef struct instants {
    unsigned long long count; /* at least 1 */
    double start, end;        /* the first and the last */
    double *list;             /* all of them; NULL where they are evenly spaced */
} instants;

/* Reads the value of an option that was given. Returns 0, or the exit status of the error
 * it reported; free the result in either case. */
int instants_read(instants *t, const arguments *a, size_t which);
void instants_free(instants *t);

/* The i-th instant, from 0; the last of an even spacing is exactly its end. */
double instants_at(const instants *t, unsigned long long i);

#endif
