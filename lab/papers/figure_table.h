/* figure_table.h - the numbers of a figure: rows of cells, each a number or a word, under named
 * columns. What is drawn, judged and printed is read from here and from nowhere else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tool/files/outfile.h"

typedef struct cell {
    char *word; /* NULL: a number */
    double x;   /* NaN of a word */
} cell;

typedef struct table {
    size_t columns, rows;
    char **name;
    cell *cell;
    size_t room; /* rows that there is memory for */
} table;

/* Begins a table, which lasts (tool/files/memory.h); the names of the columns are comma-separated. */
void table_begin(table *t, const char *names);

/* Adds a row, words first, as ROW(t, ("imid", name), h, error): as many as there are columns.
 * Words are copied, their commas and line ends become spaces. */
void table_row(table *t, const char *const *words, const double *numbers);
#define LIST(...) __VA_ARGS__
#define ROW(t, words, ...)                                                                         \
    table_row((t), (const char *const[]){LIST words, NULL}, (const double[]){__VA_ARGS__})

/* A cell; NULL where there is no such row or column. */
const cell *table_cell(const table *t, size_t row, const char *column);

/* Whether the cell in this column is this word (NULL: any), or the number it spells. */
bool table_matches(const table *t, size_t row, const char *column, const char *word);

/* The rows from the first with this word in the column `key` up to one with another; a part
 * of the table, not to be freed. */
table table_part(const table *t, const char *key, const char *word);

/* Whether there is a row with this word in the column `key` from *row on; *row becomes it. */
bool next_row(const table *t, size_t *row, const char *key, const char *word);

/* ---- for judges: NaN where there is nothing, and NaN stays NaN -------------------- */

/* A number; of a word, NaN. */
double table_number(const table *t, size_t row, const char *column);

/* Of the rows with this word in the column `key` (NULL: all): the first, the last, the
 * largest and the smallest number in `column`. */
typedef enum table_pick { PICK_FIRST, PICK_LAST, PICK_MOST, PICK_LEAST } table_pick;
double table_picked(const table *t, const char *key, const char *word, const char *column,
                    table_pick pick);
#define table_first(...) table_picked(__VA_ARGS__, PICK_FIRST)
#define table_last(...)  table_picked(__VA_ARGS__, PICK_LAST)
#define table_most(...)  table_picked(__VA_ARGS__, PICK_MOST)
#define table_least(...) table_picked(__VA_ARGS__, PICK_LEAST)

/* The first of the rows with word a over that of the rows with word b. */
double table_ratio(const table *t, const char *key, const char *a, const char *b,
                   const char *column);

/* The slope of log `error` over log `h` between the two smallest steps before the errors
 * come down to round-off, of the rows with this word; the steps become smaller. */
double table_order(const table *t, const char *key, const char *word, const char *h,
                   const char *error, double round_off);

/* The median of numbers, which are sorted; NaN of nothing, and where one of them is NaN. */
double median(double *x, size_t count);

/* The standard deviation about the mean. */
double deviation(double *x, size_t count);

/* ---- CSV ------------------------------------------------------------------------- */

/* Seventeen digits, so that every number reads back as it was. */
void table_write_csv(const table *t, outfile *out);

/* Reads a table that was written so: false if there is none. */
bool table_read_csv(table *t, const char *path);
