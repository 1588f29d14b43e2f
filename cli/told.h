/* told.h - what the command line says, laid over what the scenario says. */
#ifndef POLHODE_CLI_TOLD_H
#define POLHODE_CLI_TOLD_H

#include "io/scenario.h"
#include "options.h"

/* The options of commands that take a problem. */
#define PROBLEM_OPTION "--problem", "P", "What turns: see polhode list problems."
#define PARAMETER_OPTION                                                                 \
    "--set", "name=value",                                                               \
        "A parameter of the problem, a number or a comma-separated vector; may be\n"     \
        "given several times."

/* Takes an option's value as that of a key, if the option is given: in place of what the
 * scenario says there or with the other key of a pair. Returns 0, or the exit status of
 * the error it reported; so do all of these. */
int told_take(scenario *told, scenario_key key, const arguments *given, size_t which);

/* Takes `name=number` or `name=number,number...` from every time the option is given. */
int told_take_parameters(scenario *told, const arguments *given, size_t which);

/* Where a value was said and what it is called there, to begin a message with: "--step",
 * or "top.yaml:7: step". */
#define PLACE 160
const char *told_place(const scenario *told, scenario_key key, char place[PLACE]);

/* Only where: "", or "top.yaml:7: ". */
const char *told_line(const scenario *told, const setting *value, char place[PLACE]);

#endif
