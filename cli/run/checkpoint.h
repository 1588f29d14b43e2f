/* checkpoint.h - a run as a file: the snapshot of its system, with a note of what was asked for
 * and where its rows are. The functions return 0, or the exit status of the error they
 * reported. */
#pragma once

#include "request.h"

/* Refuses the paths of a run that its snapshot cannot hold. */
int checkpoint_refuse(const run_request *r);

/* Writes the snapshot of a run as it stands. */
int checkpoint_write(const run_request *r);

/* Reads a snapshot and makes the run of it that goes on; what it points to is in *memory,
 * for checkpoint_free. */
typedef struct checkpoint checkpoint;
int checkpoint_read(const char *path, run_request *r, checkpoint **memory);
void checkpoint_free(checkpoint *memory);
