/* grade.h - grades the results of a program on one case of the test of rotation.
 *
 * conformance/cases.md describes a case: a body, its start, and certified states at some times. The
 * caller reads the case and the rows that a program wrote; nothing here reads files or prints.
 */
#ifndef POLHODE_GRADE_H
#define POLHODE_GRADE_H

#include <stddef.h>

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The usual mistakes, in the order of the texts of ph_grade_mistake_text(). */
typedef enum ph_grade_mistake {
    PH_GRADE_TRANSPOSED,
    PH_GRADE_SCALAR_LAST,
    PH_GRADE_SPACE_VELOCITY,
    PH_GRADE_NO_GYROSCOPIC_TERM,
    PH_GRADE_LEFT_HANDED,
    PH_GRADE_HALF_STEP,
    PH_GRADE_NO_MISTAKE, /* also the number of mistakes */
} ph_grade_mistake;

/* Returns the text of a mistake, as in the files of cases; NULL for PH_GRADE_NO_MISTAKE. */
PH_API const char *ph_grade_mistake_text(ph_grade_mistake m);

/* Returns the mistake of that text, or PH_GRADE_NO_MISTAKE. */
PH_API ph_grade_mistake ph_grade_mistake_named(const char *text);

/* A certified state. It consists of ten doubles. */
typedef struct ph_grade_state {
    ph_quat q;
    ph_vec3 w;            /* in the body */
    ph_vec3 acceleration; /* of w */
} ph_grade_state;

enum { PH_GRADE_MISTAKES_MOST = 8 };

/* The attitudes of a case by wrong equations. */
typedef struct ph_grade_wrong_motion {
    ph_grade_mistake is;
    const ph_quat *attitude; /* at each time */
} ph_grade_wrong_motion;

/* A case. The caller owns what the pointers point to. Attitudes may have any length but 0. */
typedef struct ph_grade_case {
    double tensor[6];      /* Jxx, Jyy, Jzz, Jxy, Jxz, Jyz */
    ph_quat attitude;      /* at the start */
    ph_vec3 wheels;        /* angular momentum of wheels in the body */
    double bound;          /* of the attitude, in radians */
    double velocity_bound; /* in units of the velocity */
    size_t times;
    const double *time;
    const ph_grade_state *state; /* at each time */
    size_t mistakes;             /* motions by wrong equations */
    ph_grade_wrong_motion mistake[PH_GRADE_MISTAKES_MOST];
} ph_grade_case;

/* A row of a program. It consists of PH_GRADE_ROW_DOUBLES doubles. The caller sets the first nine of
 * them, which may be infinite or NaN; ph_grade_rows() fills the others. */
typedef struct ph_grade_row {
    double t;
    ph_quat q;
    ph_vec3 w; /* in the body */
    double h;  /* the step, finite; 0 if it is not known */
    double at; /* the index of its time in the case, or -1 */
    double attitude, energy, momentum, length, speed, velocity;
} ph_grade_row;

enum { PH_GRADE_ROW_DOUBLES = 16 };

/* Why a case is not passed: the first of these that holds. */
typedef enum ph_grade_verdict {
    PH_GRADE_PASSED,
    PH_GRADE_DIVERGED,      /* a number of a row is infinite or NaN */
    PH_GRADE_TIMES_MISSING, /* a time of the case has no row */
    PH_GRADE_WRONG_LENGTH,  /* a quaternion is not of unit length */
    PH_GRADE_WRONG_ATTITUDE,
    PH_GRADE_WRONG_VELOCITY,
} ph_grade_verdict;

/* The errors are the largest of the rows that count; NaN if one of these rows has a number that is
 * not finite, or if there are none. */
typedef struct ph_grade {
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
    ph_grade_mistake looks_like;
    ph_grade_verdict verdict;
} ph_grade;

/* Grades the rows of one case: those of the smallest step, at the times of the case. All of them
 * count, also several at one time. The order is the slope of the errors of all steps, where these lie
 * between round-off and 0.3 rad: of the errors up to the last time at which two steps have such errors.
 *
 * Sorts the rows. Those that count are then row[0] to row[out->rows - 1], in the order of time; their q
 * are brought to unit length, and their errors are filled in. Returns PH_NULL_ARGUMENT if a pointer
 * is NULL, and PH_NO_MEMORY if there is no memory. */
PH_API ph_status ph_grade_rows(const ph_grade_case *c, ph_grade_row *row, size_t count,
                               ph_grade *out);

#ifdef __cplusplus
}
#endif

#endif
