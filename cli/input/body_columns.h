/* body_columns.h - bodies in the columns of a file: CSV, npy or npz.
 *
 * This is the one reader of `exact --cases` and of all forms of `run --cases`. A column is read if it
 * belongs to a quantity: a part of the start of a kind of system, in the form of its table or in
 * another form that --show writes, or a parameter of the problem. Other columns are copied.
 */
#pragma once

#include <jansson.h>

#include "cli/files/csv.h"
#include "cli/files/rows.h"
#include "polhode/rotation.h"
#include "system/kind.h"

/* What a body can have of its own: the parts of the start of a kind, then parameters. */
typedef struct quantity_list {
    const ph_kind *kind;
    const ph_parameter *parameters;
    size_t parameter_count;
} quantity_list;

typedef struct quantity {
    const char *name, *unit;
    const char *other;             /* the name of the quantity that sets the same, or NULL */
    const char *columns;           /* "I1,I2,I3" */
    size_t count;                  /* of numbers; 0: it is a list */
    const ph_parameter *parameter; /* or NULL */
} quantity;

/* Fills *out with quantity i, counted from 0. Returns false past the last. */
bool quantity_at(const quantity_list *all, size_t i, quantity *out);

/* A quantity that a file has. */
typedef struct body_part {
    const char *name;               /* of the setting: "attitude" */
    const char *columns;            /* of the file: "euler_zyx1,euler_zyx2,euler_zyx3" */
    size_t at, count;               /* its numbers among those of a body */
    const struct column_form *form; /* of its columns */
    char sequence[4];               /* of Euler angles */
    const size_t *from;             /* its columns */
    double factor;                  /* that they are multiplied by */
} body_part;

/* The columns that are copied, as text. */
typedef struct copied_columns {
    size_t count;
    const char **name;
    size_t *from;      /* which columns of the file */
    json_t *texts;     /* of all bodies that are kept, a word for each column */
    const char **word; /* of the body that copied_show() showed last */
    double *number;    /* the same as numbers; NaN for a word that is none */
} copied_columns;

typedef struct body_columns {
    csv *in;
    size_t parts;
    body_part *part;
    size_t width;  /* numbers of a body */
    bool in_space; /* a velocity or momentum is in space */
    size_t time;   /* the column t, or in->columns */
    copied_columns copied;
} body_columns;

/* Opens a file and finds its columns. `timed`: each body has a time in a column t; otherwise there is no
 * such column. `degrees`: angles are in degrees. The functions below return 0, or the exit
 * status of the error that they reported. */
int body_columns_open(body_columns *c, const char *path, const quantity_list *all, bool timed,
                      bool degrees);

/* The part of that name, or NULL. */
const body_part *body_columns_part(const body_columns *c, const char *name);

/* Computes the numbers of a body from its row. `attitude` is that of a body whose row has none;
 * velocities and momenta in space need it. Returns NULL, or the part that has no value: a matrix that
 * is no rotation. */
const body_part *body_columns_take(const body_columns *c, const double *row, ph_quat attitude,
                                   double *x);

/* Keeps the words of the row that was read last. */
void copied_keep(copied_columns *c, const csv *in, const double *row);

/* Makes the words of body i, among those that are kept, the current ones. A format other than CSV
 * holds numbers alone: then fails if a word is none. NULL stands for JSON, which holds words. The
 * other arguments say which row this is, for the message. */
int copied_show(copied_columns *c, size_t i, const file_format *format, const char *file,
                const char *row, unsigned long long number);

/* Makes fields of the copied columns, which hold the current numbers, and gives the columns of such
 * fields, whose indices begin at `first`, the current words. */
void copied_fields(copied_columns *c, ph_array *field);
void copied_words(const copied_columns *c, size_t first, column_set *columns);
