/* input.h - the settings of the command line, which replace those of the scenario.
 *
 * The functions that read return 0, or the exit status of the error they reported.
 */
#ifndef POLHODE_CLI_INPUT_INPUT_H
#define POLHODE_CLI_INPUT_INPUT_H

#include "cli/command.h"
#include "io/scenario.h"

/* Takes the option of a key, if it is given: in place of what the
 * scenario has there or at the other key of a pair. */
int input_take(scenario *input, scenario_key key, const arguments *given);

/* Takes all options of a body; both of a pair are an error. */
int input_take_body(scenario *input, const arguments *given);

/* Takes `name=number` or `name=number,number...` from every --set. */
int input_take_parameters(scenario *input, const arguments *given);

/* Where a value stands and what it is called there, to begin a message with: "--step", or
 * "top.yaml:7: step". */
#define PLACE 160
const char *input_place(const scenario *input, scenario_key key, char place[PLACE]);

/* The line alone: "", or "top.yaml:7: ". */
const char *input_line(const scenario *input, const setting *value, char place[PLACE]);

#endif
