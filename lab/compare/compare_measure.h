/* compare_measure.h - what a comparison measures: the error of a method with a step against a
 * reference, and the time it takes. */
#pragma once

#include <stdbool.h>

#include "lab/measure/properties.h"
#include "lab/measure/reference.h"
#include "tool/files/memory.h"
#include "tool/input/own_coefficients.h"

typedef struct compare_step {
    double size;
    uint64_t count;   /* steps that make the time */
    double tolerance; /* for methods that choose their steps */
} compare_step;

typedef struct compare_request {
    const char *problem;
    model model;
    const ph_kind *kind; /* of the model */
    ph_system *start;    /* by the first of the methods */
    double time;
    double longest_step; /* of methods that choose their steps; 0: the default */
    method_list methods;
    size_t steps;
    compare_step *step;
    bool lyapunov;
} compare_request;

/* The row of a method with a step. A value that could not be found is NaN. */
typedef struct compare_row {
    const listed_method *method;
    const compare_step *step;
    double size;               /* length of the step; of an adaptive method the mean */
    uint64_t count;            /* number of steps */
    unsigned long long number; /* number of rows before this one */
    double before, share;      /* fractions of all work: before this row, and of this row */
    ph_status status;          /* status of the run */
    uint64_t failed;           /* number of the step that failed, from 1; 0: none */
    double errors[ERROR_COUNT];
    double error; /* the largest of these errors */
    bool floor;   /* the error is below that of the reference */
    double order; /* slope from the row before */
    unsigned long long kicks;
    double seconds;
    ph_lyapunov lyapunov; /* NaN unless it is asked for */
} compare_row;

/* Finds the state at the end: the exact one where it is known, else that of an integrator of high
 * order with ever smaller steps. Returns 0, or the exit status of the error that it reported. */
int compare_find_reference(const compare_request *r, reference_solution *out);

/* Returns by how much an error of the start grows up to the end: the root of the sum of squares of
 * the derivatives by the start, with attitudes in radians and momenta relative to their sizes.
 * Returns NaN if the derivatives are not known. */
double compare_condition(const compare_request *r);

/* Measures a row, but for its order. Returns false after Ctrl-C. */
bool compare_measure(const compare_request *r, const reference_solution *reference,
                     compare_row *row);

/* Returns the order from the row of a larger step to that of a smaller one. */
double compare_order(const compare_row *before, const compare_row *row);

/* Returns a line about a splitting whose free motion takes `ratio` times as long as a torque; "" if
 * it takes less. */
static inline const char *compare_cost_line(const char *name, double ratio)
{
    static const char line[] =
        "\nthe free motion of %s takes %.1f times as long as a torque:\ngbs, to a tolerance, "
        "evaluates more torques but no such motion\n";
    if (ratio > 1.0)
        return memory_text(line, name, ratio);
    return "";
}
