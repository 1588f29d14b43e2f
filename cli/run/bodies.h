/* bodies.h - what differs from body to body of an ensemble: the columns of --cases, or the draws
 * of --scatter. */
#pragma once

#include "cli/input/model.h"
#include "polhode/ensemble.h"

typedef struct body_list {
    size_t count; /* of bodies */
    ph_each *each;
    char (*columns)[COLUMN_NAME]; /* of each, for messages */
    size_t each_count;
    double *values;    /* the numbers of all */
    const char *place; /* what a body is called: a file and "line", or "sample" */
    const char *word;
    unsigned long long first; /* the number of the first there */
} body_list;

/* Reads them, for a model whose own body is `base`. Returns 0, or the exit status of the error it
 * reported. */
int bodies_read(body_list *b, const model *m, ph_system *base, const arguments *given);

/* Reports what is wrong with the settings of a body. */
int bodies_refuse(const body_list *b, const model *m, size_t body, const ph_message *why);
