/* picture.h - pictures by gnuplot, each a file of its own. */
#ifndef POLHODE_CLI_PICTURE_H
#define POLHODE_CLI_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "io/outfile.h"
#include "io/plot.h"

typedef struct picture {
    const char *path;
    outfile *file; /* NULL once it is closed */
} picture;

/* Fails if there is no gnuplot; `who` is what needs it. */
int picture_need_gnuplot(const char *who);

/* Opens the file, so that one that cannot be written is found early. Returns 0, or the
 * exit status of the error it reported. */
int picture_open(picture *p, const char *path);

/* Writes a gnuplot script about the context; false if that failed. */
typedef bool picture_script(FILE *script, plot_format format, const void *context);

/* Draws and closes it: 0, EXIT_INTERRUPTED, or the exit status of the error it
 * reported. */
int picture_draw(picture *p, picture_script *write, const void *context);

/* Takes away one that was not drawn. */
void picture_discard(picture *p);

#endif
