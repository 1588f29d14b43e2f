/* script.h - what all gnuplot scripts begin with. */
#ifndef POLHODE_IO_SCRIPT_H
#define POLHODE_IO_SCRIPT_H

#include <stdio.h>

typedef enum plot_format { PLOT_NONE, PLOT_SVG, PLOT_PNG } plot_format;

/* The format that a file's name ends in: .svg or .png in any case, else PLOT_NONE. */
plot_format plot_format_of(const char *path);

/* Into the script; the stream remembers a failure until the end. */
__attribute__((format(printf, 2, 3))) void put(FILE *f, const char *format, ...);

/* The canvas, white, in pixels; and the variable P, the size of a point: the two
 * terminals differ in that. */
void put_canvas(FILE *f, plot_format format, int width, int height);

#endif
