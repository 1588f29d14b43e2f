/* grid.h - a table of words: columns aligned for people, or GitHub markdown. */
#pragma once

#include "cli/files/outfile.h"

/* Begins with a struct of zeros, and its first cells, the head. */
typedef struct grid {
    size_t columns;
    size_t count;          /* cells */
    char **cell;           /* row by row */
    int indent;            /* blanks before a line, for people */
    size_t width;          /* of a line, for people: the last cell is broken to fit; 0: any */
    unsigned right, marks; /* columns, a bit each: to the right; of marks, narrow */
} grid;

/* Adds the next cell, or several with tabs between; the first ones are the head, which sets the
 * number of columns unless that is set. */
__attribute__((format(printf, 2, 3))) void grid_add(grid *g, const char *format, ...);

/* Prints it, if there are cells, and begins a new one. */
void grid_print(grid *g, outfile *out, bool markdown);

/* The width of a terminal, which what is printed for people keeps to. */
#define LINE_WIDTH 80

/* A text and the end of its line, broken between words where it goes beyond `width`; 0: never.
 * `before` is where it begins, and where its next lines do. */
void print_broken(outfile *out, const char *text, size_t before, size_t width);
