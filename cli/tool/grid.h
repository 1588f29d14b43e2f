/* grid.h - a table of words: columns aligned for people, or GitHub markdown. */
#pragma once

#include "cli/files/outfile.h"

/* Begins with a struct of zeros, and its first row, the head. */
typedef struct grid {
    size_t columns;
    size_t count;         /* cells */
    struct json_t *cells; /* an array of texts, row by row */
    bool failed;          /* no memory */
    int indent;           /* blanks before a line, for people */
    size_t width; /* of a line, for people: the last cell is broken to fit; 0: any */
    unsigned right,
        marks; /* columns, a bit each: aligned to the right; of marks, narrow */
} grid;

/* Adds the next cell, or several; the first several are the head, which sets the number of
 * columns unless that is set. */
__attribute__((format(printf, 2, 3))) void grid_add(grid *g, const char *format, ...);
void grid_add_words(grid *g, const char *const *words, size_t count);

/* Prints it, and frees it. False without memory. */
bool grid_print(grid *g, outfile *out, bool markdown);

/* The width of a terminal, which what is printed for people keeps to. */
#define LINE_WIDTH 80

/* A text and the end of its line, broken between words where it goes beyond `width`; 0: never.
 * `before` is where it begins, and where its next lines do. */
void print_broken(outfile *out, const char *text, size_t before, size_t width);

/* A cell of a table of GitHub markdown and the bar after it; a bar within would end it. */
void markdown_cell(outfile *out, const char *text);
