/* graph.h - an expression as a graph: each operation a node, written once however often it
 * stands in the text, after its operands. */
#pragma once

#include <stdbool.h>

#include "integrators/expression/operations.h"

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
 * and 2, along x for 3, 4 and 5 ---------------------------------------------------- */

enum { AXES = 6 };

/* of a node, along all axes: backward through the graph, once for all. False without
 * memory. */
bool ph_graph_gradient(graph *g, int of, int along[AXES]);

/* of `count` nodes along one axis: forward. */
bool ph_graph_tangent(graph *g, int axis, int count, const int *of, int *along);
