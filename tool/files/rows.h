/* rows.h - files of rows: of what format they are, and how they are written; csv.h reads them.
 *
 * A format is one descriptor, `const file_format format_NAME = {` in formats/, which the build
 * finds. The end of a file's name says which format is written; the first bytes say which is
 * read. A format may also take frames of a system, instants with all their entries.
 */
#pragma once

#include <stdio.h>

#include "tool/files/columns.h"
#include "tool/files/csv.h"
#include "tool/files/outfile.h"

/* ---- what a file format is -------------------------------------------------------- */

typedef struct file_format file_format;

/* What a file is about; what is not known is NULL or 0. Texts and tables are the caller's. */
typedef struct file_about {
    const char *command; /* the command line that makes it */
    const char *problem, *method;
    double step;
    const char *epoch;  /* the date of t = 0 */
    file_origin origin; /* what moves, and relative to which frame */
    const char *aem;    /* the version of an ephemeris, "1.0" or "2.0" */
    const ph_parameter *parameter;
    size_t parameters;
    const double *value; /* of the parameters */
} file_about;

typedef struct record {
    outfile *out; /* the caller's */
    const file_format *format;
    const file_about *about;
    const column_set *columns;
    instant first;            /* the tables as they are at the beginning */
    double *numbers;          /* room for a row */
    unsigned long long count; /* rows or frames added */
    double start, last;       /* the times of the first and the last, refused or not */
    const char *refused;      /* why a row or frame was not added; NULL: all were */
    void *own;                /* what the format keeps */
    /* Of a format that writes at the end: rows of `width` numbers, the columns unless `begin` says
     * otherwise, which wait in a temporary file; that is mapped at the end. */
    size_t width, mapped;
    FILE *waiting;
    const double *kept;
} record;

struct file_format {
    const char *suffix; /* of a file's name, without the dot: "csv" */
    const char *text;   /* for people: "a NumPy array" */
    bool needs_file;    /* a regular file: not all of it is written in order */
    bool continues;     /* rows can be added later, by `polhode resume` */
    bool interpolated;  /* readers interpolate attitudes between rows */
    bool undated;       /* it does not hold the date of t = 0 */
    bool at_end;        /* all is written by `end`, perhaps again: r->count rows of r->kept */

    /* Why it cannot hold what there is, and what to do: "needs ...: add ..."; NULL: it can.
     * May be NULL. */
    const char *(*refuse)(const record *r);
    /* Why it cannot hold a row or frame at time t, the first being at `first` and the one before at
     * `before`, NAN for none: "holds ...: take ..."; NULL: it can. May be NULL. */
    const char *(*refuse_time)(const record *r, double first, double before, double t);
    /* Writes what comes before the rows. May be NULL. */
    void (*begin)(record *r);
    /* Writes a row; or a frame, an instant with all its entries, of which a format takes
     * those if it has no rows, or if there are several entries. What cannot be held sets
     * r->refused. */
    void (*row)(record *r, const double *row);
    void (*frame)(record *r, const instant *now);
    /* Puts the file in order; NULL where there is nothing to do. */
    void (*end)(record *r);
    /* Closes what `own` has open; or NULL. */
    void (*free)(record *r);

    /* Reading: what a file begins with, NULL for CSV and for what is not read; the names of the
     * columns; the next row. */
    const char *magic;
    csv_status (*read_head)(csv *c);
    csv_status (*read_row)(csv *c, double *row);
};

/* Whether a file holds frames, and not rows: its format has none, or has both, and there are many
 * entries, whose rows were not chosen. */
static inline bool record_frames(const record *r)
{
    bool many = r->columns->choice.each;
    for (size_t i = 0; i < r->first.fields && r->columns->choice.show == NULL; i++)
        many = many || (~r->first.field[i].use & (PH_ARRAY_SHOWN | PH_ARRAY_LIST)) == 0;
    return r->format->frame != NULL && (r->format->row == NULL || many);
}

/* ---- writing ---------------------------------------------------------------------- */

/* The i-th format, from 0; NULL past the last. */
const file_format *file_format_at(size_t i);

/* The format that a file's name ends in, in capitals or not: CSV without a suffix and for
 * "-", NULL for a suffix that is unknown. */
const file_format *file_format_of(const char *path);

/* Takes note of what is to be written, all of which must last, and says why the format cannot
 * hold it; NULL if it can. The file comes with record_begin. */
const char *record_prepare(record *r, const file_format *format, const column_set *c,
                           const instant *first, const file_about *about);

/* Begins with the head. */
void record_begin(record *r, outfile *out);

/* Adds the rows of an instant, or its frame; or sets r->refused. */
void record_add(record *r, const instant *now);

/* For formats: keeps a row for the end. */
void record_keep(record *r, const double *row);

/* Why the format cannot hold a time after others, as its refuse_time says. */
const char *record_refuse_time(const record *r, double first, double before, double t);

/* Puts the file in order; it holds as many whole rows as were written, or as there is room
 * for. */
void record_end(record *r);

/* Frees what record_begin took; the file is the caller's. */
void record_free(void *record);

/* ---- an archive of arrays of any shape, as NumPy reads it ------------------------- */

typedef struct npz_array {
    const char *name;
    const void *x;   /* numbers of eight bytes, the last index counting fastest */
    size_t shape[4]; /* up to a zero */
    bool whole;      /* they are integers, else doubles */
} npz_array;

void npz_write(outfile *out, const npz_array *array, size_t count);
