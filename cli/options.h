/* options.h - options and their values: `--name value` or `--name=value`. */
#ifndef POLHODE_CLI_OPTIONS_H
#define POLHODE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option {
    const char *name;  /* with its dashes */
    const char *value; /* what follows, as the help shows it; NULL: nothing */
    const char *help;
    bool formats; /* the value is a file of rows: the help names the formats */
} option;

/* Options that several commands have. */
#define JSON_OPTION     "--json", NULL, "One JSON document instead of text."
#define MARKDOWN_OPTION "--markdown", NULL, "Tables of GitHub markdown instead of text."

/* What stood on the command line, in its order; the words are argv's. */
typedef struct arguments {
    const option *options; /* the command's */
    size_t count;          /* options given */
    struct {
        size_t option; /* index into options */
        const char *value;
    } * given;
    size_t operands; /* words that are no options */
    const char **operand;
} arguments;

/* Reads the words after the command's name. Returns 0, or the exit status of the error it
 * reported. Free the result in either case. */
int arguments_read(arguments *a, const char *command, const option *options, int argc,
                   char **argv);
void arguments_free(arguments *a);

/* The value of an option, the last one given; "" if it takes none; NULL if not given. */
const char *argument(const arguments *a, size_t which);

/* Fails if there are operands; for a command that takes options alone. */
int refuse_operands(const arguments *a, const char *command);

/* Fails if both are given. */
int refuse_both(const arguments *a, size_t one, size_t other);

/* Fails if one of these options is needed and nothing says its value; names all of
 * them. */
typedef struct need {
    size_t option;
    bool is_set;
} need;
int refuse_missing(const option *options, const need *needs, size_t count);

/* How many elements a comma-separated list has. */
size_t list_length(const char *text);

/* Reads n numbers, comma-separated. Messages call them by `name`, as in `name form`.
 * Returns 0 or the exit status of the error it reported. */
int read_numbers(const char *name, const char *form, const char *text, size_t n,
                 double *x);

/* Reads n numbers, comma-separated, from the value of an option that was given. Returns 0
 * or the exit status of the error it reported. */
int argument_numbers(const arguments *a, size_t which, size_t n, double *x);

#endif
