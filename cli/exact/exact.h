/* exact.h - one body at many times: the first form of `polhode exact`. */
#pragma once

#include "cli/input/input.h"
#include "cli/input/show.h"
#include "polhode/polhode.h"

typedef struct states_request {
    ph_body body;
    ph_motion motion;
    time_list times;
    show_request show;
    bool json;
    const char *out;        /* a file for the CSV, "-" for standard output, or NULL */
    const arguments *given; /* with --plot FILE */
} states_request;

/* Computes the states and writes all output; returns the exit status. */
int exact_states(const states_request *r);
