/* picture.h - pictures: gnuplot scripts of values, data in CSV and a template of plot/ or figures/
 * that draws them; gnuplot, which does.
 *
 * The templates are part of the program; a line `load 'NAME.gp'` in one of them stands for the lines
 * of tool/gnuplot/NAME.gp. They draw from the rows of $csv. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "polhode/polhode.h"
#include "tool/files/outfile.h"

/* ---- gnuplot scripts -------------------------------------------------------------- */

typedef enum plot_format { PLOT_NONE, PLOT_SVG, PLOT_PNG, PLOT_PDF } plot_format;

/* The format that a file's name ends in: .svg, .png or .pdf in any case, else PLOT_NONE. */
plot_format plot_format_of(const char *path);

/* Begins a script with the title of the picture. The stream remembers a failure of this
 * and the following until plot_end. */
void plot_begin(FILE *script, plot_format format, const char *title);

/* Sets a variable of the template to a text or a number. Text of whatever origin: none of it
 * is taken for a command, and a byte that is no character is a question mark. */
void plot_text(FILE *script, const char *name, const char *text);
void plot_number(FILE *script, const char *name, double x);

/* The data: rows that are written between these two calls, or those of a file, without
 * what gnuplot might take for more than data. */
void plot_data_begin(FILE *script);
void plot_data_end(FILE *script);
bool plot_data_file(FILE *script, const char *path);

/* Writes the lines of a template into the script; false if there is none. */
bool plot_template(FILE *script, const char *template_name);

/* Ends the script with the template of that name; false if it could not be written. */
bool plot_end(FILE *script, const char *template_name);

/* ---- gnuplot as a child process that draws a picture ------------------------------ */

#define GNUPLOT_FAILED     (-1) /* it started, and did not end well */
#define GNUPLOT_INCOMPLETE (-2) /* it ended well, and what it wrote is no whole picture */

/* Whether there is a gnuplot that starts: 0, the errno that kept it from starting (ENOENT:
 * there is none), or GNUPLOT_FAILED. */
int gnuplot_start(void);
bool gnuplot_found(void);

/* Runs a script, read from its beginning; what gnuplot draws (its standard output) goes
 * into the picture, which keeps its own error. It ends early once *stop is set (NULL: never).
 * Returns the same, or GNUPLOT_INCOMPLETE if the output does not begin and end like a picture of the
 * format. */
int gnuplot_draw(FILE *script, plot_format format, outfile *picture,
                 const volatile sig_atomic_t *stop);
