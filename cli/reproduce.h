/* reproduce.h - the parts of `polhode reproduce`. */
#ifndef POLHODE_CLI_REPRODUCE_H
#define POLHODE_CLI_REPRODUCE_H

#include <stdbool.h>

#include "evidence/result.h"

typedef struct reproduce_request {
    size_t figures;
    const ph_figure **figure; /* which */
    figure_effort effort;
    bool fresh; /* also what is finished */
    bool json, markdown;
    const char *folder;
    size_t jobs; /* figures computed at once */
} reproduce_request;

/* ---- all of it: reproduce_job.c -------------------------------------------------- */

/* Does it, all output included; returns the exit status. */
int reproduce_run(const reproduce_request *r);

/* ---- computing: reproduce_workers.c ---------------------------------------------- */

/* Computes the numbers of figures, several at once, each in a process of its own that
 * writes NAME.csv. `done` is told of each in turn, with the seconds it took and, if
 * nothing could be computed, with the trouble; it returns false to have no more of them
 * begun. False on Ctrl-C, or if no process could be started. */
typedef bool reproduce_done(void *context, const ph_figure *f, double seconds,
                            const char *trouble);
bool reproduce_compute(const reproduce_request *r, const ph_figure *const *figures,
                       size_t count, reproduce_done *done, void *context);

#endif
