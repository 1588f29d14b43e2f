/* input.h - the settings of the command line, which replace those of the scenario.
 *
 * The functions that read return 0, or the exit status of the error they reported.
 */
#ifndef POLHODE_CLI_INPUT_INPUT_H
#define POLHODE_CLI_INPUT_INPUT_H

#include "cli/options.h"
#include "io/scenario.h"

/* The options of commands that take a problem. */
#define PROBLEM_OPTION "--problem", "P", "What turns: see polhode list problems."
#define PARAMETER_OPTION                                                                 \
    "--set", "name=value",                                                               \
        "A parameter of the problem, a number or a comma-separated vector; may be\n"     \
        "given several times."

/* The options of a body and its start, first in a command's table and in the order of the
 * keys. */
#define BODY_OPTIONS                                                                     \
    [KEY_INERTIA] = {"--inertia", "a,b,c", "The three principal moments of inertia."},   \
    [KEY_TENSOR] = {"--tensor", "xx,yy,zz,xy,xz,yz",                                     \
                    "Instead: the inertia tensor in the body's frame, J_xy = -integral " \
                    "of x y dm."},                                                       \
    [KEY_MOMENTUM] = {"--momentum", "x,y,z",                                             \
                      "Angular momentum at time 0, in the body frame."},                 \
    [KEY_VELOCITY] = {"--velocity", "x,y,z",                                             \
                      "Instead: angular velocity at time 0, in the body frame, rad per " \
                      "time."},                                                          \
    [KEY_ATTITUDE] = {"--attitude", "w,x,y,z",                                           \
                      "Attitude at time 0 as a quaternion; it is normalised."},          \
    [KEY_ROTVEC] = {"--rotvec", "x,y,z",                                                 \
                    "Instead: attitude as axis times angle, in radians."}

/* Takes the value of an option as that of a key, if the option is given: in place of what the
 * scenario has there or at the other key of a pair. */
int input_take(scenario *input, scenario_key key, const arguments *given, size_t which);

/* Takes all options of a body; both of a pair are an error. */
int input_take_body(scenario *input, const arguments *given);

/* Takes `name=number` or `name=number,number...` from every time the option is given. */
int input_take_parameters(scenario *input, const arguments *given, size_t which);

/* Where a value stands and what it is called there, to begin a message with: "--step", or
 * "top.yaml:7: step". */
#define PLACE 160
const char *input_place(const scenario *input, scenario_key key, char place[PLACE]);

/* The line alone: "", or "top.yaml:7: ". */
const char *input_line(const scenario *input, const setting *value, char place[PLACE]);

#endif
