/* gnuplot.h - gnuplot as a child process that draws a picture. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/files/outfile.h"

#define GNUPLOT_FAILED (-1) /* it started, and did not end well */

/* Whether there is a gnuplot that starts: 0, the errno that kept it from starting (ENOENT:
 * there is none), or GNUPLOT_FAILED. */
int gnuplot_start(void);
bool gnuplot_found(void);

/* Runs a script, read from its beginning; what gnuplot draws (its standard output) goes
 * into the picture, which keeps its own error. It ends early once *stop is set (NULL: never).
 * Returns the same. */
int gnuplot_draw(FILE *script, outfile *picture, const volatile sig_atomic_t *stop);
