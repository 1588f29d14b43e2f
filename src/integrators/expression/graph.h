/* graph.h - an expression as a graph: each operation a node, written once however often it
 * stands in the text, after its operands. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "integrators/expression/operations.h"

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
#define OPERATION_VALUE(code, operands, name, value)                                               \
    case code:                                                                                     \
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
    VARIABLES = 26,
    /* After an instant, in derivatives by the time alone: m' and w', then m'' and w''. */
    VARIABLE_RATE = VARIABLES,
    VARIABLE_SECOND = VARIABLE_RATE + 6,
    MOTION_VARIABLES = VARIABLE_SECOND + 6,
    /* In torques that are added to those of a problem alone: the momentum inside the body, and what
     * a control holds. */
    VARIABLE_INSIDE = MOTION_VARIABLES,
    VARIABLE_HELD = VARIABLE_INSIDE + 3,
    ALL_VARIABLES = VARIABLE_HELD + 3
};

/* ---- the graph --------------------------------------------------------------------- */

enum {
    NO_NODE = -1, /* zero by its structure, as the derivative of a constant is; or no room */
    MOST_NODES = 65536,
};

typedef struct node {
    operation code;
    int a, b;     /* nodes; of a variable or parameter, a is its index */
    double value; /* of a constant */
} node;

typedef struct graph {
    node *nodes;
    int count, room;
    int *table;  /* nodes by their hash, or NO_NODE; TABLE_PARTS places for each of `room` */
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

/* How often each node is one of some, or an operand of what they are made of: 0 where they do
 * not need it. To be freed, NULL without memory. */
int *ph_graph_uses(const graph *g, int count, const int *of);

/* Of each node, whether it depends on the time and on other variables: bits. To be freed, NULL without
 * memory. */
enum { ON_TIME = 1, ON_MOTION = 2 };
unsigned char *ph_graph_dependences(const graph *g);

/* ---- derivatives, NO_NODE where one is zero: along R exp(s hat(e_axis)) for the axes 0, 1
 * and 2, along x for 3, 4 and 5; forward also along m, w and each parameter --------- */

enum { AXES = 6, AXIS_M = AXES, AXIS_W = AXIS_M + 3, AXIS_PARAMETER = AXIS_W + 3 };

/* Forward, by the time along a motion: q' = q w/2, R' = R hat(w), and variables for m', w', m'' and
 * w''. The centre of mass stays. */
enum { AXIS_TIME = -1 };

/* of a node, along all axes: backward through the graph, once for all. False without
 * memory. */
bool ph_graph_gradient(graph *g, int of, int along[AXES]);

/* of `count` nodes along one axis: forward. */
bool ph_graph_tangent(graph *g, int axis, int count, const int *of, int *along);
