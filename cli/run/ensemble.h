/* ensemble.h - `polhode run` of many bodies in one problem: --cases with a problem, --scatter. */
#pragma once

#include "request.h"

/* Whether a run is of many bodies in a problem: free bodies that go to one time are not. */
bool ensemble_is(const scenario *input, const arguments *given);

/* Runs them; `r` has what is shown. A run that goes on takes what its snapshot has. Returns the
 * exit status. */
int ensemble_run(const run_request *r, scenario *input, outfile *standard);

/* The command `run`; and what it does with arguments where a run of many bodies goes on. */
extern const command command_run;
int run_again(const arguments *given, outfile *out);
