/* command.h - a command of the tool, and the options it is given: `--name value` or
 * `--name=value`.
 *
 * A command is a descriptor, `const command command_NAME = {`, in a file anywhere in tool or lab, and
 * beside it NAME.txt, its help, from which its options are read; scripts/lists finds the
 * one and embeds the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tool/files/outfile.h"

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *help; /* begins with "polhode NAME - summary" */

    /* Runs the command, which prints to `out`, standard output; returns the exit status and
     * has then reported what was wrong. */
    int (*run)(const arguments *given, outfile *out);
} command;

typedef struct option {
    const char *name;  /* with its dashes */
    const char *value; /* what follows, as the help shows it; "" if nothing does */
    const char *text;  /* the text of the help, in one line */
} option;

/* Returns the options of a command, and stores in *count how many there are. The list lasts
 * until memory_free(). */
const option *options_read(const command *c, size_t *count);

/* What stood on the command line, in its order; the words are argv's. */
struct arguments {
    const command *command;
    size_t options;
    const option *option; /* the command's */
    size_t count;         /* options given */
    struct {
        const option *option;
        const char *value;
    } * given;
    size_t operands; /* words that are no options */
    const char **operand;
};

/* The functions below return 0, or the exit status of the error they reported. */

/* Reads the words after the command's name. */
int arguments_read(arguments *a, const command *c, int argc, char **argv);

/* Returns the value of an option that the command has, the last one given. Returns "" if it takes
 * none, and NULL if it is not given. */
const char *argument(const arguments *a, const char *name);

/* The same for an option that a folder beside the core adds: NULL also if the tool was built without it. */
const char *argument_added(const arguments *a, const char *name);

/* Fails if there are operands; for a command that takes options alone. */
int refuse_operands(const arguments *a);

/* Fails if both are given. */
int refuse_both(const arguments *a, const char *one, const char *other);

/* Fails if one of these options is needed and nothing sets its value; names all of
 * them. */
typedef struct need {
    const char *option;
    bool is_set;
} need;
int refuse_missing(const arguments *a, const need *needs, size_t count);

/* Returns the number of elements of a comma-separated list. */
size_t list_length(const char *text);

/* Reads n numbers, comma-separated: from a text that messages call by `name`, as in
 * `name form`; or from the value of an option that was given. */
int read_numbers(const char *name, const char *form, const char *text, size_t n, double *x);
int argument_numbers(const arguments *a, const char *name, size_t n, double *x);

/* These do the same for numbers that may have units, see quantity_read(), and for times in any
 * unit. */
int read_quantities(const char *name, const char *form, const char *text, size_t n, double *x,
                    const char **unit);
int argument_durations(const arguments *a, const char *name, size_t n, double *x);

/* If a command or an option belongs to a folder that this build leaves out, reports that and returns true. */
bool left_out(const char *word);

/* Returns the name of the option of a key: --longest-step for longest_step, --out for file. */
const char *option_name(const char *key);

/* Returns the option of the command of that name. */
const option *option_named(const arguments *a, const char *name);
