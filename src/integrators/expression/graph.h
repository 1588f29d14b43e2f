/* graph.h - an expression as a graph: each operation a node, written once however often it
 * stands in the text, after its operands. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "base/extremes.h"

/* ---- operations: numbers, names, operators and functions -------------------------- */

/* a b, and 0 of 0 and infinity: of a factor that overflowed and one that vanishes faster. */
static inline double limited_product(double a, double b)
{
    const double product = a * b;
    return isnan(product) && !isnan(a) && !isnan(b) ? 0.0 : product;
}

/* 1/cosh(a)^2 */
static inline double sech_squared(double a)
{
    const double c = ph_cosh(a);
    return 1.0 / (c * c);
}

/* Operations of one or two operands, with the name of a function or NULL. LESS and AT_MOST
 * are 1 or 0; WHEN(c, x) is x where c is not 0, else 0: these come from derivatives, as
 * LIMITED and SECH2 do. */
#define OPERATIONS(X)                                                                    \
    X(NEGATE, 1, NULL, -a)                                                               \
    X(ADD, 2, NULL, a + b)                                                               \
    X(SUBTRACT, 2, NULL, a - b)                                                          \
    X(MULTIPLY, 2, NULL, a *b)                                                           \
    X(LIMITED, 2, NULL, limited_product(a, b))                                           \
    X(DIVIDE, 2, NULL, a / b)                                                            \
    X(POWER, 2, NULL, ph_pow(a, b))                                                      \
    X(SIN, 1, "sin", ph_sin(a))                                                          \
    X(COS, 1, "cos", ph_cos(a))                                                          \
    X(TAN, 1, "tan", ph_tan(a))                                                          \
    X(ASIN, 1, "asin", ph_asin(a))                                                       \
    X(ACOS, 1, "acos", ph_acos(a))                                                       \
    X(ATAN, 1, "atan", ph_atan(a))                                                       \
    X(ATAN2, 2, "atan2", ph_atan2(a, b))                                                 \
    X(SINH, 1, "sinh", ph_sinh(a))                                                       \
    X(COSH, 1, "cosh", ph_cosh(a))                                                       \
    X(TANH, 1, "tanh", ph_tanh(a))                                                       \
    X(EXP, 1, "exp", ph_real_exp(a))                                                     \
    X(LOG, 1, "log", ph_real_log(a))                                                     \
    X(SQRT, 1, "sqrt", sqrt(a))                                                          \
    X(ABS, 1, "abs", fabs(a))                                                            \
    X(MIN, 2, "min", smaller_or_nan(a, b))                                               \
    X(MAX, 2, "max", larger_or_nan(a, b))                                                \
    X(SECH2, 1, NULL, sech_squared(a))                                                   \
    X(SIGN, 1, NULL, a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a)                                 \
    X(LESS, 2, NULL, a < b ? 1.0 : 0.0)                                                  \
    X(AT_MOST, 2, NULL, a <= b ? 1.0 : 0.0)                                              \
    X(WHEN, 2, NULL, a != 0.0 ? b : 0.0)

typedef enum operation {
#define OPERATION_CODE(code, operands, name, value) code,
    OPERATIONS(OPERATION_CODE)
#undef OPERATION_CODE
        OPERATION_COUNT,
    VARIABLE = OPERATION_COUNT, /* of the instant */
    PARAMETER,
    CONSTANT,
} operation;

/* How many operands: 0 of a leaf. */
static inline int operation_operands(operation code)
{
    static const int operands[] = {
#define OPERATION_OPERANDS(code, operands, name, value) operands,
        OPERATIONS(OPERATION_OPERANDS)
#undef OPERATION_OPERANDS
    };
    return code < OPERATION_COUNT ? operands[code] : 0;
}

/* The value of an operation; b is not looked at where there is one operand. */
static inline double operation_value(operation code, double a, double b)
{
    switch (code) {
#define OPERATION_VALUE(code, operands, name, value)                                     \
    case code:                                                                           \
        return value;
        OPERATIONS(OPERATION_VALUE)
#undef OPERATION_VALUE
    case VARIABLE:
    case PARAMETER:
    case CONSTANT:
        break;
    }
    return NAN;
}

/* The names of an instant, in the order in which ph_instant has them. */
enum {
    VARIABLE_T,
    VARIABLE_Q,
    VARIABLE_R = 5,
    VARIABLE_M = 14,
    VARIABLE_W = 17,
    VARIABLE_X = 20,
    VARIABLE_V = 23,
    VARIABLES = 26
};

/* ---- the graph --------------------------------------------------------------------- */

enum {
    NO_NODE =
        -1, /* zero by its structure, as the derivative of a constant is; or no room */
    MOST_NODES = 16384, /* indices have 16 bits */
};

typedef struct node {
    operation code;
    int a, b;     /* nodes; of a variable or parameter, a is its index */
    double value; /* of a constant */
} node;

typedef struct graph {
    node *nodes;
    int count, room;
    int *table;  /* nodes by their hash, or NO_NODE */
    bool failed; /* there was no room for a node */
} graph;

/* False without memory. Free it in either case. */
bool ph_graph_begin(graph *g);
void ph_graph_free(graph *g);

/* A node, the one there is or a new one; of constants, a constant. NO_NODE where there is no
 * room, and then for ever. */
int ph_graph_leaf(graph *g, operation code, int index);
int ph_graph_constant(graph *g, double value);
int ph_graph_make(graph *g, operation code, int a, int b);

/* a^b: products where b is a small whole number. */
int ph_graph_power(graph *g, int a, int b);

/* Which nodes some of them are made of, themselves included; to be freed, NULL without
 * memory. */
bool *ph_graph_needed(const graph *g, int count, const int *of);

/* ---- derivatives, NO_NODE where one is zero: along R exp(s hat(e_axis)) for the axes 0, 1
 * and 2, along x for 3, 4 and 5; forward also along m, w and each parameter --------- */

enum { AXES = 6, AXIS_M = AXES, AXIS_W = AXIS_M + 3, AXIS_PARAMETER = AXIS_W + 3 };

/* of a node, along all axes: backward through the graph, once for all. False without
 * memory. */
bool ph_graph_gradient(graph *g, int of, int along[AXES]);

/* of `count` nodes along one axis: forward. */
bool ph_graph_tangent(graph *g, int axis, int count, const int *of, int *along);
