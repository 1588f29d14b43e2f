/* columns.h - which numbers of a system make a row, and their names.
 *
 * A system is seen by its tables at an instant: fields and observables. From them follow all
 * columns: those that are shown by default, and those that `--show` asks for, among them
 * what is computed, such as Euler angles.
 */
#pragma once

#include <stdbool.h>

#include "base/nearest.h"
#include "polhode/rotation.h"
#include "polhode/system.h"
#include "tool/files/file_text.h"

/* The tables of what moves, at one instant. */
typedef struct instant {
    double t;
    const ph_array *field;
    size_t fields;
    const ph_observable *observable; /* with their values now and at the start */
    size_t observables;
} instant;

instant instant_of(ph_system *s);

/* The field of that name, or NULL. */
const ph_array *instant_field(const instant *now, const char *name);

/* An entry of a field of three or four numbers. */
static inline ph_vec3 field_vector(const ph_array *f, size_t i)
{
    i *= f->stride;
    return (ph_vec3){f->data[0][i], f->data[1][i], f->data[2][i]};
}

static inline ph_quat field_quat(const ph_array *f, size_t i)
{
    i *= f->stride;
    return (ph_quat){f->data[0][i], f->data[1][i], f->data[2][i], f->data[3][i]};
}

/* A field of one number, which is a column of that name. */
static inline ph_array number_field(const char *name, double *x)
{
    return (ph_array){.name = name,
                      .unit = "",
                      .text = "",
                      .columns = name,
                      .use = PH_ARRAY_SHOWN,
                      .width = 1,
                      .count = 1,
                      .stride = 1,
                      .data = {x}};
}

/* Makes an attitude of a file a rotation: divides by its length, which is not 1 if the file has few
 * digits. An attitude of thirteen digits or more stays as it is. False if the square of the length is off
 * by more than 1e-3. */
bool attitude_of_file(ph_quat *q);

enum { COLUMN_NAME = 64, FRAME_NAME = 24, MOST_FRAMES = 4 };

/* A frame at rest in space: q takes its coordinates to those of space. */
typedef struct named_frame {
    char name[FRAME_NAME];
    ph_quat q;
} named_frame;

/* What is asked for. */
typedef struct column_choice {
    const char *show; /* words, comma-separated; NULL: what is shown by default */
    bool degrees;     /* angles are shown in degrees */
    bool each;        /* a row for each entry of the fields */
    size_t frames;
    named_frame frame[MOST_FRAMES];
} column_choice;

/* The quantity of a column of that name, if its name says that: "rad" of the angles that --show writes, else
 * NULL. */
const char *column_quantity(const char *name);

typedef enum column_source {
    COLUMN_TIME,
    COLUMN_NUMBER, /* of the entry, from 0 */
    COLUMN_FIELD,
    COLUMN_OBSERVABLE,
    COLUMN_ERROR, /* of an observable: the deviation from its start */
    COLUMN_BODY,  /* follows from attitude and momentum */
} column_source;

typedef enum body_quantity {
    BODY_Q, /* attitude relative to a frame */
    BODY_EULER,
    BODY_ROTVEC,
    BODY_MATRIX,
    BODY_W, /* velocity and momentum in a frame, or the body's */
    BODY_M,
} body_quantity;

typedef struct column {
    const char *name;
    const char *group; /* what it is a component of: "attitude"; or itself */
    const char *field; /* the name of the field that it is of; or NULL */
    const char *unit;  /* as in the tables; "deg" for an angle in degrees */
    double factor;     /* that makes it a number of this unit */
    column_source from;
    size_t index, entry; /* of the field or observable; of its entry */
    int component;
    body_quantity quantity;
    char sequence[4];         /* of Euler angles */
    int frame;                /* FRAME_BODY, FRAME_SPACE, or the number of one that was named */
    size_t moving;            /* the field that has the frame; not less than `fields`: none has */
    size_t turning;           /* the field that has the angular velocity of this frame, likewise */
    const char *const *words; /* what stands there instead of a number; or NULL */
    bool whole; /* the format stores integers: the double holds the bits of an int64_t */
} column;

enum { FRAME_BODY = -2, FRAME_SPACE = -1 };

typedef struct column_set {
    size_t count;
    column *column;
    column_choice choice;                         /* its text is the caller's, and need not last */
    size_t attitude, momentum, velocity, inertia; /* fields of a body, or too large */
} column_set;

/* Chooses columns. False where there is no such column: then *near_by has the wrong word and
 * the nearest names. */
bool columns_choose(column_set *c, const column_choice *choice, const instant *now,
                    nearest *near_by);

/* How many rows an instant has: one, or one for each entry. */
size_t columns_rows(const column_set *c, const instant *now);

/* The row of an entry, 0 where there is one row. */
void columns_row(const column_set *c, const instant *now, size_t entry, double *row);

/* ---- Euler angles of any sequence ------------------------------------------------- */

/* Whether three letters of x, y, z name a sequence: no letter follows itself. */
bool euler_sequence(const char *sequence);

/* The angles a, b, c in radians of intrinsic rotations: the body is turned by a about the
 * first axis of its frame, then by b about the second, then by c about the third, so that
 * R = R_i(a) R_j(b) R_k(c) takes body to space coordinates. zxz are the angles of Euler, zyx
 * yaw, pitch and roll. a and c are in (-pi, pi]; b is in [0, pi] where the first and the third
 * axis are the same, else in [-pi/2, pi/2]. Where only a + c or a - c is determined, c is 0. */
void euler_angles(ph_quat q, const char *sequence, double angle[3]);

/* The attitude of such angles. */
ph_quat euler_attitude(const char *sequence, const double angle[3]);
