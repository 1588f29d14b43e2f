/* show.h - what is shown of a system: the options --show, --degrees, --frame, --epoch and those of ephemerides. */
#pragma once

#include "cli/files/json.h"
#include "cli/files/rows.h"
#include "cli/tool/command.h"

typedef struct show_request {
    column_choice choice;
    const char *epoch;                    /* the date of t = 0, or NULL */
    const char *object, *object_id, *aem; /* as in file_about */
} show_request;

/* Whether a frame is one: its name can be a part of the name of a column, its attitude has
 * length 1. */
bool frame_is(const char *name, ph_quat q);

/* The functions below return 0, or the exit status of the error they reported. */

/* Reads the options. */
int show_read(show_request *r, const arguments *given);

/* Chooses the columns. `each`: a row for each entry. */
int show_columns(const show_request *r, const instant *now, bool each, column_set *c);

/* Says in what angles are, where they are in degrees. */
void show_units(const show_request *r, outfile *out);

/* The columns of one row by their names, vectors as arrays, set in an object. */
void show_json(json_t *object, const column_set *c, const double *row);
