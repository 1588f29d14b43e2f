/* standard.h - standard output, and what a closed one means. */
#ifndef POLHODE_CLI_STANDARD_H
#define POLHODE_CLI_STANDARD_H

#include "io/outfile.h"

/* To be called first: a reader that goes away becomes an error of writing, so that files
 * can still be put in order; a standard file that is closed stays closed. */
void standard_prepare(void);

/* Closes standard output and returns the exit status: `status`, or 1 if writing failed.
 * To be called last: if the reader of a pipe went away, the tool ends here without a
 * word, as other tools do. */
int standard_close(outfile *out, int status);

#endif
