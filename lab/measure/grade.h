/* grade.h - grades the results of a program on one case of the test of rotation.
 *
 * conformance/cases.md describes a case: a body, its start, and certified states at some times. The
 * caller reads the case and the rows that a program wrote; nothing here reads files or prints.
 */
#pragma once

#include <stddef.h>

#include "polhode/body.h"

/* The usual mistakes, in the order of the texts of ph_grade_mistake_text(). */
typedef enum grade_mistake {
    GRADE_TRANSPOSED,
    GRADE_SCALAR_LAST,
    GRADE_SPACE_VELOCITY,
    GRADE_NO_GYROSCOPIC_TERM,
    GRADE_LEFT_HANDED,
    GRADE_HALF_STEP,
    GRADE_NO_MISTAKE, /* also the number of mistakes */
} grade_mistake;

/* Returns the text of a mistake, as in the files of cases; NULL for GRADE_NO_MISTAKE. */
const char *ph_grade_mistake_text(grade_mistake m);

/* Returns the mistake of that text, or GRADE_NO_MISTAKE. */
grade_mistake ph_grade_mistake_named(const char *text);

/* A certified state. It consists of ten doubles. */
typedef struct grade_state {
    ph_quat q;
    ph_vec3 w;            /* in the body */
    ph_vec3 acceleration; /* of w */
} grade_state;

enum { GRADE_MISTAKES_MOST = 8 };

/* A case. The caller owns what the pointers point to. Attitudes may have any length but 0. */
typedef struct grade_case {
    double tensor[6];      /* Jxx, Jyy, Jzz, Jxy, Jxz, Jyz */
    ph_quat attitude;      /* at the start */
    ph_vec3 wheels;        /* angular momentum of wheels in the body */
    double bound;          /* of the attitude, in radians */
    double velocity_bound; /* in units of the velocity */
    size_t times;
    const double *time;
    const grade_state *state; /* at each time */
    size_t mistakes;          /* motions by wrong equations */
    struct {
        grade_mistake is;
        const ph_quat *attitude; /* at each time */
    } mistake[GRADE_MISTAKES_MOST];
} grade_case;

/* A row of a program. It consists of GRADE_ROW_DOUBLES doubles. The caller sets the first nine of
 * them, which may be infinite or NaN; ph_grade_rows() fills the others. */
typedef struct grade_row {
    double t;
    ph_quat q;
    ph_vec3 w; /* in the body */
    double h;  /* the step, finite; 0 if it is not known */
    double at; /* the index of its time in the case, or -1 */
    double attitude, energy, momentum, length, speed, velocity;
} grade_row;

enum { GRADE_ROW_DOUBLES = 16 };

/* Why a case is not passed: the first of these that holds. */
typedef enum grade_verdict {
    GRADE_PASSED,
    GRADE_DIVERGED,      /* a number of a row is infinite or NaN */
    GRADE_TIMES_MISSING, /* a time of the case has no row */
    GRADE_WRONG_LENGTH,  /* a quaternion is not of unit length */
    GRADE_WRONG_ATTITUDE,
    GRADE_WRONG_VELOCITY,
} grade_verdict;

/* The errors are the largest of the rows that count; NaN if one of these rows has a number that is
 * not finite, or if there are none. */
typedef struct grade {
    double attitude, energy, momentum, length, speed, velocity;
    double energy_drift, attitude_drift; /* slopes over time; NaN if unknown */
    double order;                        /* of the method; NaN if unknown */
    double h;                            /* the step that is graded; 0 if it is not known */
    double diverged;   /* the first time of a row that is not finite; NaN if unknown */
    double cut;        /* the time of the case from which on there are no rows; NaN if none is */
    double energy_end; /* the error of the energy in the last row that counts, with its sign */
    /* The step in which explicit Euler gains the energy that a free body has gained at the first time;
     * if that is lost, the step of implicit Euler, as a negative number; NaN if unknown. */
    double euler_step;
    size_t rows;    /* how many count */
    size_t matched; /* how many times of the case have a row */
    grade_mistake looks_like;
    grade_verdict verdict;
} grade;

/* Grades the rows of one case: those of the smallest step, at the times of the case. All of them
 * count, also several at one time. The order is the slope of the errors of all steps, where these lie
 * between round-off and 0.3 rad: of the errors up to the last time at which two steps have such errors.
 *
 * Sorts the rows. Those that count are then row[0] to row[out->rows - 1], in the order of time; their q
 * are brought to unit length, and their errors are filled in. Returns PH_NO_MEMORY if there is no
 * memory. */
ph_status ph_grade_rows(const grade_case *c, grade_row *row, size_t count, grade *out);
