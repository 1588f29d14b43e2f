/* body_columns.h - keys in the columns of a file: CSV, npy or npz.
 *
 * This is the one reader of files whose rows are bodies, observations or instants: `exact --cases`,
 * all forms of `run --cases`, `fit`, the tables of molecules and those over time. The caller gives
 * the keys that a row can have. A column is read if it belongs to one of them, in the form of the
 * table of keys or in another form that --show writes. The reader keeps the other columns as text.
 */
#pragma once

#include <jansson.h>

#include "polhode/rotation.h"
#include "system/kind.h"
#include "tool/files/csv.h"
#include "tool/files/keys.h"
#include "tool/files/rows.h"

/* Returns the keys that a body can have of its own: the parts of the start of its kind, and the
 * parameters of its problem. Stores their number in *count. */
const setting_key *body_keys(const ph_kind *kind, const ph_parameter *parameters,
                             size_t parameter_count, size_t *count);

/* The columns of a body, where a file has no names for them. */
#define BODY_COLUMNS "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3"

/* What a file has to have. */
typedef struct wanted_columns {
    const setting_key *keys;
    size_t count;
    enum { TIME_OPTIONAL, TIME_NEEDED, TIME_REFUSED } time; /* the column t */
    const char *unnamed; /* the names of columns without names, or NULL */
    bool degrees;        /* angles whose unit the file does not say are in degrees */
    bool has_attitude;   /* a row without one has the attitude that the caller gives */
} wanted_columns;

/* A key that a file has. */
typedef struct body_part {
    const setting_key *key;
    const char *columns;  /* of the file: "euler_zyx1,euler_zyx2,euler_zyx3" */
    size_t at;            /* of its first number among those of a row */
    size_t given, count;  /* of its columns, and of its numbers */
    int form;             /* of its columns, see body_columns.c */
    const char *sequence; /* of Euler angles */
    const size_t *from;   /* its columns */
    const double *factor; /* that they are multiplied by */
    bool bare_angle;      /* true if nothing tells the unit of this angle */
} body_part;

/* The columns that are copied, as text. */
typedef struct copied_columns {
    size_t count;
    const char **name;
    size_t *from;      /* which columns of the file */
    json_t *texts;     /* of all bodies that are kept, a word for each column */
    const char **word; /* of the body that copied_show() showed last */
    double *number;    /* the same as numbers; NaN for a word that is none */
    bool *whole;       /* columns whose words are all integers, as far as that is known */
} copied_columns;

typedef struct body_columns {
    csv *in;
    size_t parts;
    body_part *part;
    size_t width;  /* numbers of a row */
    bool in_space; /* a velocity or momentum is in space */
    size_t time;   /* the column t, or in->columns */
    double time_factor;
    bool warned; /* of an angle that may be in degrees */
    copied_columns copied;
} body_columns;

/* Opens a file and finds its columns. This function and body_columns_rows() return 0, or the exit
 * status of the error that they reported. */
int body_columns_open(body_columns *c, const char *path, const wanted_columns *wanted);

/* Returns the part of the key of that name, or NULL. */
const body_part *body_columns_part(const body_columns *c, const char *name);

/* Computes the numbers of a row. `attitude` is that of a body whose row has none; velocities and
 * momenta in space need it. Returns NULL, or the part that has no value: a matrix that is no
 * rotation. Warns once of an angle that may be in degrees. */
const body_part *body_columns_take(body_columns *c, const double *row, ph_quat attitude, double *x);

/* Reads all rows: *x has `width` numbers for each, *t (unless `t` is NULL) its time. */
int body_columns_rows(body_columns *c, ph_quat attitude, double **x, double **t, size_t *rows);

/* Keeps the words of the row that was read last. */
void copied_keep(copied_columns *c, const csv *in, const double *row);

/* Finds which columns have integers alone, when the words of all bodies are kept. */
void copied_find_whole(copied_columns *c, size_t bodies);

/* Makes the words of body i, among those that are kept, the current ones. A format other than CSV
 * holds numbers alone: then fails if a word is none, or an integer that is no double. In npz the
 * number of a column of integers has the bits of an int64_t. NULL stands for JSON, which holds words.
 * The other arguments say which row this is, for the message. */
int copied_show(copied_columns *c, size_t i, const file_format *format, const char *file,
                const char *row, unsigned long long number);

/* Makes fields of the copied columns, which hold the current numbers, and gives the columns of such
 * fields, whose indices begin at `first`, the current words. */
void copied_fields(copied_columns *c, ph_array *field);
void copied_words(const copied_columns *c, size_t first, column_set *columns);
