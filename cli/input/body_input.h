/* body_input.h - a body and its start, from options and scenarios.
 *
 * The functions return 0, or the exit status of the error they reported. What is not set they
 * leave as it was.
 */
#ifndef POLHODE_CLI_INPUT_BODY_INPUT_H
#define POLHODE_CLI_INPUT_BODY_INPUT_H

#include "input.h"
#include "polhode/polhode.h"

/* The body, and a warning if no matter has its moments. */
int body_read(const scenario *input, ph_body *body);

/* The state at the time 0: the attitude, of unit length, and the momentum. Fails if anything
 * overflows. */
int body_read_state(const scenario *input, const ph_problem *p, ph_state *start);

#endif
