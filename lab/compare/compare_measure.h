/* compare_measure.h - what a comparison measures: the error of a method with a step against a
 * reference, and the time it takes. */
#pragma once

#include <stdbool.h>

#include "cli/files/memory.h"
#include "cli/input/custom.h"
#include "polhode/measure.h"

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

/* A method with a step. What could not be found is not a number. */
typedef struct compare_row {
    const listed_method *method;
    const compare_step *step;
    double size;               /* the step, or the mean of those that were chosen */
    uint64_t count;            /* of steps */
    unsigned long long number; /* rows done before it */
    double before, share;      /* parts of the whole work: done before it, and its own */
    ph_status status;          /* of the run */
    uint64_t failed;           /* the step that failed, from 1; 0: none */
    double errors[ERROR_COUNT];
    double error; /* the largest of them */
    bool floor;   /* it is round-off */
    double order; /* measured from the row before */
    unsigned long long kicks;
    double seconds;
    ph_lyapunov lyapunov; /* of its motion, if asked for */
} compare_row;

/* The state at the end: the exact one where there is one, else that of an integrator of high
 * order with ever smaller steps. */
typedef struct compare_reference {
    bool exact;
    ph_system *end; /* to be freed */
    double floor;   /* errors below this one are round-off, or the reference's own */
} compare_reference;

/* 0, or the exit status of the error that was reported. */
int compare_find_reference(const compare_request *r, compare_reference *out);

/* By how much an error of the start grows to the end, attitudes in radians and momenta over
 * their sizes: the root of the sum of squares of the derivatives by the start. NaN where they are
 * not known. */
double compare_condition(const compare_request *r);

/* One row, its order left out. False on Ctrl-C. */
bool compare_measure(const compare_request *r, const compare_reference *reference,
                     compare_row *row);

/* The order from a larger step to a smaller one. */
double compare_order(const compare_row *before, const compare_row *row);

/* What to tell of one whose free motion takes so many times as long as a torque: a line, or
 * nothing where it takes less. */
static inline const char *compare_cost_line(const char *name, double ratio)
{
    static const char line[] = "\nthe free motion of %s takes %.1f times as long as a torque:\n"
                               "gbs, to a tolerance, takes more torques and no such motion\n";
    return ratio > 1.0 ? memory_text(line, name, ratio) : "";
}
