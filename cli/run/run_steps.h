/* run_steps.h - a run with all that is written of it. */
#pragma once

#include "request.h"

/* Does a run; returns the exit status. */
int run_steps(const run_request *r, outfile *standard);
