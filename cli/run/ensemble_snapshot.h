/* ensemble_snapshot.h - the rows of many bodies, in memory or in the file of --checkpoint. */
#pragma once

#include "request.h"

typedef struct ensemble_store {
    int64_t *status; /* of each body; negative: it is not done */
    double *rows;
    void *map; /* of the file, or memory */
    size_t size;
    bool file;
} ensemble_store;

/* Opens it for so many bodies, each of so many numbers; none is done unless the run goes on, whose
 * snapshot has to be of the same. Close it in either case. */
int store_open(ensemble_store *s, const run_request *r, size_t bodies, size_t numbers,
               uint64_t hash);
void store_close(ensemble_store *s);

/* Whether a file is such a snapshot. */
bool store_is(const char *path);

/* The words of the command that wrote it, `*count` of them, in the folder it ran in; the
 * first is to be freed with all. NULL: an error was reported. */
char **store_command(const char *path, int *count);
