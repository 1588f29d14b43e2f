/* gnuplot.h - gnuplot as a child process that draws a picture. */
#ifndef POLHODE_IO_GNUPLOT_H
#define POLHODE_IO_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "io/outfile.h"

/* Whether there is a gnuplot that starts. */
bool gnuplot_found(void);

/* Runs a script, read from its beginning; what gnuplot draws (its standard output) goes
 * into the picture. False if gnuplot failed; the picture keeps its own error. */
bool gnuplot_draw(FILE *script, outfile *picture);

#endif
