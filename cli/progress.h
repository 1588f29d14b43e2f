/* progress.h - how far long work has come, on a terminal and after a second. */
#ifndef POLHODE_CLI_PROGRESS_H
#define POLHODE_CLI_PROGRESS_H

#include <stdbool.h>

/* `rows_shown`: the rows themselves go to standard output; on a terminal they say
 * enough. */
void progress_begin(bool rows_shown);

/* `done` rows, which is this fraction of the work; negative where nobody knows. */
void progress_show(unsigned long long done, double fraction);

/* Wipes the line, if one stands there, for others to be printed; it comes back. */
void progress_wipe(void);

/* Wipes the line for good. */
void progress_end(void);

#endif
