/* grid.h - a table of words: columns aligned for people, or GitHub markdown. */
#pragma once

#include <stdarg.h>

#include "tool/files/outfile.h"

/* A new grid is a struct of zeros. Its first cells are the head. */
typedef struct grid {
    size_t columns;
    size_t count;          /* number of cells */
    char **cell;           /* row by row */
    int indent;            /* blanks before a line of text */
    size_t width;          /* of a line of text: the last cell is broken to fit; 0: no limit */
    unsigned right, marks; /* a bit for each column: aligned to the right; narrow, for marks */
} grid;

/* Adds the next cell, or several with tabs between them. The first call adds the head; it sets the
 * number of columns unless that is set already. A cell that is NaN is printed as a dash. */
__attribute__((format(printf, 2, 3))) void grid_add(grid *g, const char *format, ...);
void grid_vadd(grid *g, const char *format, va_list values);

/* Prints the grid, if it has cells, and empties it. */
void grid_print(grid *g, outfile *out, bool markdown);

/* The width of a terminal. Text for people stays within it. */
#define LINE_WIDTH 80

/* Prints a text and the end of its line. The text begins at column `before` and is broken between
 * words where it goes beyond `width`; 0: it is never broken. */
void print_broken(outfile *out, const char *text, size_t before, size_t width);
