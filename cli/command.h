/* command.h - a command of the tool: a descriptor, `const command command_NAME = {`, in a file
 * NAME.c anywhere in cli; the build finds it, and embeds NAME.txt, the end of its help. */
#ifndef POLHODE_CLI_COMMAND_H
#define POLHODE_CLI_COMMAND_H

#include "options.h"

typedef struct command {
    int rank; /* its place in lists, from 1 */
    const char *name;
    const char *summary;   /* one line */
    const char *usage;     /* its forms, one per line, without `polhode` */
    const char *notes;     /* conventions and examples, after the options */
    const option *options; /* up to one without a name */

    /* Does it; returns the exit status and has then reported what was wrong. */
    int (*run)(const arguments *given);
} command;

#endif
