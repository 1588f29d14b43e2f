/* source.h - the source of a problem of expressions, which is its data, and what is made of it. */
#pragma once

#include "integrators/expression/expression.h"
#include "integrators/expression/sky.h"

/* What is made of expressions; those of three texts come first. */
enum { TORQUE, FORCE, LAW, POTENTIAL, DERIVATIVE, DERIVATIVES, SUN, KINKS, CHANGES, PROGRAMS };

/* What is made of the source. */
typedef struct compiled {
    char *source; /* its lines, each with a zero at its end */
    ph_parameter parameters[PH_PARAMETER_VALUES];
    int parameter_count;
    const char *potential_text, *text[3][3]; /* of torque, force and law */
    program program[PROGRAMS];
    bool moving;            /* torque or force depend on m, w or v */
    bool quaternion, timed; /* the potential depends on q, t */
    bool centre;            /* x and v are names */
    bool inside;            /* the torque depends on more than an instant */
    const ph_problem *base; /* the problem that is extended, or NULL */
    double epoch;
    bool dated;
    facet facets[PH_EXPRESSION_FACETS];
    int facet_count;
    unsigned jumps; /* bits of the functions in program[CHANGES] where the torque may jump */
    double period;  /* of the control; 0: none */
    bool dipole;    /* it holds a dipole */
} compiled;

/* The axes of all derivatives: of the attitude, m, w, the parameters. */
enum { ALL_AXES = 9 + PH_PARAMETER_VALUES };

/* Returns PH_BAD_EXPRESSION, and says what is wrong with which text. */
__attribute__((format(printf, 3, 4))) ph_status
ph_source_wrong(ph_expressions_error *why, const char *where, const char *format, ...);

/* Checks what a source cannot say: names with a space, no text at all. */
ph_status ph_source_check(const ph_expressions *from, ph_expressions_error *why);

/* Returns the source as numbers; of a problem that extends another, with its tables. To be freed, NULL
 * without memory. */
double *ph_source_write(const ph_expressions *from, size_t *count);

/* Compiles the source in the data of a problem. Free it with ph_source_free(). */
ph_status ph_source_compile(const ph_problem *p, compiled **out, ph_expressions_error *why);
void ph_source_free(compiled *c);
