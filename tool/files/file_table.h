/* file_table.h - a file of rows as an instant after the other: CSV, npy, npz, aem.
 *
 * Neighbouring columns whose names differ in the last letter, a digit or x, y, z, are a vector:
 * q0,q1,q2,q3 are an attitude, m1,m2,m3 a momentum, w1,w2,w3 a velocity, as those of a system.
 * Columns without names are c1, c2 and so on, where their number is none that a run writes.
 * What has one component is an observable, too, whose start is in the first row. Euler angles and
 * rotation vectors are in radians, unless the file says their unit. Numbers of other quantities that
 * have a unit become seconds, radians per second and metres.
 */
#pragma once

#include "tool/files/columns.h"
#include "tool/files/csv.h"

typedef struct table {
    csv *in;
    size_t time; /* the column t; none if too large */
    double *row;
    ph_array *field;
    ph_observable *observable;
    instant now;
    unsigned long long rows; /* read */
    double *factor;          /* of each column, to the unit of its field */
    size_t
        doubtful; /* a column of angles whose unit the file does not say, where one is more than a turn;
                        else columns */
    double doubt; /* that angle */
    char message[CSV_MESSAGE];
} table;

/* Opens a file and reads its head; false with a message. `choice` has the frames that its attitudes may be
 * relative to; it may be NULL. */
bool table_open(table *t, const char *path, const volatile sig_atomic_t *stop,
                const column_choice *choice);

/* The next row becomes the instant. CSV_WRONG with a message, also for an attitude that is
 * not of unit length. */
csv_status table_next(table *t);
