/* expression.h - formulas as text: potentials, torques, conditions.
 *
 *     k*(1 - R33) + c*R13^2
 *
 * Names: t; q0 ... q3, the attitude, scalar first; R11 ... R33, the same as a matrix, body to
 * space; w1 ... w3 and m1 ... m3, angular velocity and momentum in the body frame; x1 ... x3
 * and v1 ... v3, position and velocity of the centre of mass in space, if it moves; pi; and
 * parameters, one of several numbers as NAME1, NAME2 ... Operators + - * / ^ and
 * parentheses: ^ binds tighter than a minus sign before it, and to the right. Functions:
 * sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs min max.
 *
 * A text is compiled once, into instructions without branches; evaluating them allocates
 * nothing, and any number of threads may do it at once. Derivatives are exact: the
 * instructions of a torque are those of the potential, differentiated.
 */
#ifndef POLHODE_EXPRESSION_H
#define POLHODE_EXPRESSION_H

#include "polhode/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At most: bytes of a text, and parentheses, signs and powers within each other. */
enum { PH_EXPRESSION_LENGTH = 2000, PH_EXPRESSION_DEPTH = 100 };

/* What is wrong with a text, and where: "unknown name \"R34\": ...", a column from 1. */
enum { PH_EXPRESSION_MESSAGE = 160 };
typedef struct ph_expression_error {
    int column;
    char text[PH_EXPRESSION_MESSAGE];
} ph_expression_error;

/* What a text is for, and so which names may stand in it. */
typedef enum ph_expression_use {
    PH_EXPRESSION_POTENTIAL, /* t, q, R */
    PH_EXPRESSION_TORQUE,    /* w and m too; or a force */
    PH_EXPRESSION_CONDITION, /* the same, and one < or > between two sides */
    PH_EXPRESSION_OF_CENTRE =
        4, /* a bit, where the centre of mass moves: x; with w and m also v */
} ph_expression_use;

typedef struct ph_expression ph_expression;

/* Compiles a text; the parameters, `count` of them, are looked up now and their values given
 * with each evaluation. PH_BAD_EXPRESSION, and why, which may be NULL; PH_NO_MEMORY. */
PH_API ph_status ph_expression_create(const char *text, ph_expression_use use,
                                      const ph_parameter *parameters, int count,
                                      ph_expression **out, ph_expression_error *why);
PH_API void ph_expression_destroy(ph_expression *e); /* NULL is allowed */

/* The value at an instant, whose m and w must be set if the text has them. Of a condition a
 * number that is positive where it is true and changes its sign where it begins or ends:
 * a - b for a > b, b - a for a < b. */
PH_API double ph_expression_value(const ph_expression *e, const ph_instant *now,
                                  const double *values);

/* The same in a state of a problem, whose parameters it was compiled with. */
PH_API double ph_expression_at(const ph_expression *e, const ph_problem *p, double t,
                               const ph_state *s);

/* ---- problems -------------------------------------------------------------------- */

/* A body in a field given by expressions: a potential, a torque in the body frame, or both,
 * whose torques add up; what is not given is NULL. Where the centre of mass moves, a force
 * in space too. The parameters have their values in `value`. */
typedef struct ph_expressions {
    const char *potential;
    const char *torque[3], *force[3]; /* all or none */
    bool moving_centre;               /* x and v are names */
    const ph_parameter *parameters;
    int parameter_count;
    const double *value;
} ph_expressions;

/* What is wrong, and in which text: "potential", "torque 2", "force 3",
 * "parameter". */
typedef struct ph_expressions_error {
    const char *where;
    ph_expression_error error;
} ph_expressions_error;

/* A problem called `expression` with the body and the start of `free`, or of `orbiter` where
 * the centre moves; to be given to ph_problem_release(). Torque and force of the potential, and the derivative of the whole where it does not depend on the
 * velocity, are exact. A potential in q must be even in q: q and -q are one attitude.
 * PH_BAD_EXPRESSION, and why, which may be NULL; PH_NO_MEMORY. */
PH_API ph_status ph_problem_from_expressions(const ph_expressions *from, ph_problem *out,
                                             ph_expressions_error *why);

#ifdef __cplusplus
}
#endif

#endif
