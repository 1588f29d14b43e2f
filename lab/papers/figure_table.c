/* figure_table.c - the numbers of a figure. */
#include "lab/papers/figure_table.h"
#include "base/elementary.h"
#include "base/extremes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/measure/convergence.h"
#include "tool/files/csv.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"

enum { FIRST_ROOM = 64 /* rows */, MOST_COLUMNS = 32 /* of a figure */ };

static void begin_columns(table *t, size_t columns, const char *const *names)
{
    *t = (table){.columns = columns, .name = memory_new(columns, sizeof *t->name)};
    for (size_t i = 0; i < columns; i++)
        t->name[i] = memory_text("%.*s", (int)strcspn(names[i], ","), names[i]);
}

void table_begin(table *t, const char *names)
{
    const char *name[MOST_COLUMNS] = {names};
    size_t count = 1;
    for (const char *c = names; *c != '\0' && count < MOST_COLUMNS; c++) {
        if (*c == ',')
            name[count++] = c + 1;
    }
    begin_columns(t, count, name);
}

/* A copy that CSV can hold, also in a line of its own. */
static cell word_cell(const char *word)
{
    static const char lost[] = " ,\n\r\t\"";
    char *copy = memory_text("%s", word[strspn(word, lost)] == '\0' ? "-" : word);
    for (char *c = copy; *c != '\0'; c++) {
        if (*c == ',' || *c == '\n' || *c == '\r' || *c == '"')
            *c = ' ';
    }
    text_clean(copy, strlen(copy), false);
    return (cell){copy, NAN};
}

/* The cells of a new row, to be set. */
static cell *new_row(table *t)
{
    if (t->rows == t->room) {
        if (t->room == 0)
            t->room = FIRST_ROOM;
        else
            t->room = 2 * t->room;
        t->cell = memory_more(t->cell, t->room, t->columns * sizeof *t->cell);
    }
    return t->cell + t->rows++ * t->columns;
}

void table_row(table *t, const char *const *words, const double *numbers)
{
    cell *row = new_row(t);
    for (size_t i = 0; i < t->columns; i++) {
        if (*words != NULL)
            row[i] = word_cell(*words++);
        else
            row[i] = (cell){NULL, *numbers++};
    }
}

const cell *table_cell(const table *t, size_t row, const char *column)
{
    size_t i = 0;
    while (i < t->columns && strcmp(t->name[i], column) != 0)
        i++;
    if (i < t->columns && row < t->rows)
        return &t->cell[row * t->columns + i];
    return NULL;
}

double table_number(const table *t, size_t row, const char *column)
{
    const cell *c = table_cell(t, row, column);
    if (c == NULL)
        return NAN;
    return c->x;
}

bool table_matches(const table *t, size_t row, const char *column, const char *word)
{
    const cell *c = NULL;
    if (word != NULL)
        c = table_cell(t, row, column);
    if (c == NULL)
        return word == NULL;
    if (c->word != NULL)
        return strcmp(c->word, word) == 0;
    double x;
    const char *at = word;
    return number_read(&at, &x) == NUMBER_OK && c->x == x;
}

bool next_row(const table *t, size_t *row, const char *key, const char *word)
{
    while (*row < t->rows && !table_matches(t, *row, key, word))
        ++*row;
    return *row < t->rows;
}

table table_part(const table *t, const char *key, const char *word)
{
    table part = *t;
    size_t first = 0, end;
    (void)next_row(t, &first, key, word);
    for (end = first; end < t->rows && table_matches(t, end, key, word);)
        end++;
    if (t->rows == 0)
        part.cell = NULL;
    else
        part.cell = t->cell + first * t->columns;
    part.rows = end - first;
    return part;
}

double table_picked(const table *t, const char *key, const char *word, const char *column,
                    table_pick pick)
{
    double picked = NAN;
    bool first = true;
    for (size_t i = 0; next_row(t, &i, key, word); i++, first = false) {
        const double x = table_number(t, i, column);
        if (first || pick == PICK_LAST)
            picked = x;
        else if (pick == PICK_MOST)
            picked = larger_or_nan(picked, x);
        else if (pick != PICK_FIRST)
            picked = smaller_or_nan(picked, x);
    }
    return picked;
}

double table_ratio(const table *t, const char *key, const char *a, const char *b,
                   const char *column)
{
    return table_first(t, key, a, column) / table_first(t, key, b, column);
}

double table_order(const table *t, const char *key, const char *word, const char *h,
                   const char *error, double round_off)
{
    double order = NAN, last_h = NAN, last = NAN;
    bool first = true;
    for (size_t i = 0; next_row(t, &i, key, word); i++) {
        const double x = table_number(t, i, h), y = table_number(t, i, error);
        if (!first && y <= round_off)
            break;
        if (!first)
            order = ph_power_of(last / y, last_h / x);
        first = false;
        last = y;
        last_h = x;
    }
    return order;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]))
            return NAN;
    }
    qsort(x, count, sizeof *x, ascending);
    if (count == 0)
        return NAN;
    return 0.5 * (x[(count - 1) / 2] + x[count / 2]);
}

double deviation(double *x, size_t count)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)count);
}

void table_write_csv(const table *t, outfile *out)
{
    const size_t columns = t->columns;
    for (size_t i = 0; i < columns; i++)
        outfile_print(out, "%s%c", t->name[i], i + 1 < columns ? ',' : '\n');
    for (size_t i = 0; i < t->rows * columns; i++) {
        const cell *c = &t->cell[i];
        const char after = (i + 1) % columns > 0 ? ',' : '\n';
        if (c->word != NULL)
            outfile_print(out, "%s%c", c->word, after);
        else
            outfile_print(out, "%.17g%c", c->x, after);
    }
}

/* Whether this is what `%.17g` prints of a number that is not finite. */
static bool read_special(const char *text, double *x)
{
    const bool minus = *text == '-';
    text += minus;
    if (strcmp(text, "nan") == 0)
        *x = NAN;
    else if (strcmp(text, "inf") == 0)
        *x = minus ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

bool table_read_csv(table *t, const char *path)
{
    static const volatile sig_atomic_t never = 0;
    *t = (table){0};
    char message[CSV_MESSAGE];
    csv *c = csv_open(path, &never, message);
    csv_status status = CSV_WRONG;
    if (c != NULL)
        status = csv_header(c);
    if (status == CSV_OK)
        begin_columns(t, c->columns, c->column);
    while (status == CSV_OK && (status = csv_fields(c)) == CSV_OK) {
        cell *row = new_row(t);
        for (size_t i = 0; i < t->columns; i++) {
            double x;
            const char *at = c->field[i];
            const bool number =
                (number_read(&at, &x) == NUMBER_OK && *at == '\0') || read_special(c->field[i], &x);
            if (number)
                row[i] = (cell){NULL, x};
            else
                row[i] = word_cell(c->field[i]);
        }
    }
    csv_close(c);
    return status == CSV_END && t->columns > 0;
}
