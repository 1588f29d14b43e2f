/* show.h - a system by its tables: rows of numbers, lines for people, JSON; and how far two
 * systems are apart. */
#ifndef POLHODE_CLI_SHOW_H
#define POLHODE_CLI_SHOW_H

#include <jansson.h>

#include "io/record.h"
#include "kind.h"

/* The names of the columns of a row, comma-separated, to be freed; NULL without memory. The
 * time, the shown fields, the energy; with a row for each entry also its number. */
char *show_columns(const ph_system *s);

/* Adds the row of the system, or its rows, one for each entry, or its frame; with memory of
 * the size that show_columns() asks for. */
typedef struct row_writer {
    record *rows;
    double *row; /* room for one */
    char *frame; /* and for a frame */
} row_writer;
bool show_prepare(row_writer *w, const ph_system *s, record *rows); /* false: no memory */
void show_rows(row_writer *w, ph_system *s);
void show_release(row_writer *w);

/* Lines for people: the shown fields; an observable; what is kept, and how well. */
void show_fields(outfile *out, const ph_system *s);
void show_observable(outfile *out, ph_system *s, const char *name);
void show_kept(outfile *out, ph_system *s);

/* The state, and what is kept. */
json_t *show_state_json(ph_system *s);
json_t *show_kept_json(ph_system *s);

/* One line of what is kept, for other commands. */
void show_kept_line(outfile *out, const char *name, const char *value, double error);

/* How far a system is from another of its kind. */
void show_errors(const ph_system *s, const ph_system *right, double error[ERROR_COUNT]);

#endif
