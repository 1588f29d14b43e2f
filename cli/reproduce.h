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

/* Computes, draws and judges them, all output included; returns the exit status. */
int reproduce_run(const reproduce_request *r);

#endif
