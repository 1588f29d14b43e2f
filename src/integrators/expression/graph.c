/* graph.c - an expression as a graph. Equal nodes are one: they are found by hashing. */
#include "integrators/expression/graph.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 4 * MOST_NODES, FIRST_ROOM = 256 };

static const double MOST_FACTORS = 16; /* of a power that is written as a product */

bool ph_graph_begin(graph *g)
{
    *g = (graph){.table = malloc(TABLE * sizeof *g->table)};
    g->failed = g->table == NULL;
    for (int i = 0; i < TABLE && !g->failed; i++)
        g->table[i] = NO_NODE;
    return !g->failed;
}

void ph_graph_free(graph *g)
{
    free(g->nodes);
    free(g->table);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(const node *x, const node *y)
{
    return x->code == y->code && x->a == y->a && x->b == y->b &&
           bits_of(x->value) == bits_of(y->value);
}

static size_t place_of(const node *n)
{
    uint64_t hash = (uint64_t)n->code;
    const uint64_t parts[] = {(uint64_t)n->a, (uint64_t)n->b, bits_of(n->value)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hash = (hash ^ parts[i] ^ hash >> 29) * 0x9e3779b97f4a7c15U;
    return (size_t)(hash >> 32) % TABLE;
}

static bool grow(graph *g)
{
    const int room = g->room == 0 ? FIRST_ROOM : 2 * g->room;
    node *more =
        room > MOST_NODES ? NULL : realloc(g->nodes, (size_t)room * sizeof *more);
    if (more == NULL) {
        g->failed = true;
        return false;
    }
    g->nodes = more;
    g->room = room;
    return true;
}

static int put(graph *g, node wanted)
{
    if (g->failed)
        return NO_NODE;
    size_t at = place_of(&wanted);
    for (; g->table[at] != NO_NODE; at = (at + 1) % TABLE) {
        if (same(&g->nodes[g->table[at]], &wanted))
            return g->table[at];
    }
    if (g->count == g->room && !grow(g))
        return NO_NODE;
    g->nodes[g->count] = wanted;
    g->table[at] = g->count;
    return g->count++;
}

int ph_graph_leaf(graph *g, operation code, int index)
{
    return put(g, (node){.code = code, .a = index});
}

int ph_graph_constant(graph *g, double value)
{
    return put(g, (node){.code = CONSTANT, .value = value});
}

static bool is_code(const graph *g, int n, operation code)
{
    return g->nodes[n].code == code;
}

static bool is_number(const graph *g, int n, double value)
{
    return is_code(g, n, CONSTANT) && g->nodes[n].value == value;
}

static bool has_two(operation code)
{
    return operation_operands(code) == 2;
}

/* What a node may be written as in a shorter way, with the same value; NO_NODE: nothing. */
static int shorter(graph *g, operation code, int a, int b)
{
    const node *n = g->nodes;
    const bool minus_a = n[a].code == NEGATE,
               minus_b = has_two(code) && n[b].code == NEGATE;
    switch (code) {
    case NEGATE:
        return minus_a ? n[a].a : NO_NODE;
    case ADD:
        return is_number(g, a, 0.0)   ? b
               : is_number(g, b, 0.0) ? a
               : minus_b              ? ph_graph_make(g, SUBTRACT, a, n[b].a)
               : minus_a              ? ph_graph_make(g, SUBTRACT, b, n[a].a)
                                      : NO_NODE;
    case SUBTRACT:
        return is_number(g, b, 0.0)   ? a
               : is_number(g, a, 0.0) ? ph_graph_make(g, NEGATE, b, 0)
               : minus_b              ? ph_graph_make(g, ADD, a, n[b].a)
                                      : NO_NODE;
    case MULTIPLY:
    case LIMITED:
        return is_number(g, a, 1.0)   ? b
               : is_number(g, b, 1.0) ? a
               : minus_a ? ph_graph_make(g, NEGATE, ph_graph_make(g, code, n[a].a, b), 0)
               : minus_b ? ph_graph_make(g, NEGATE, ph_graph_make(g, code, a, n[b].a), 0)
                         : NO_NODE;
    case DIVIDE:
        return is_number(g, b, 1.0) ? a
               : minus_a
                   ? ph_graph_make(g, NEGATE, ph_graph_make(g, DIVIDE, n[a].a, b), 0)
                   : NO_NODE;
    default:
        return NO_NODE;
    }
}

int ph_graph_make(graph *g, operation code, int a, int b)
{
    if (g->failed)
        return NO_NODE;
    const bool two = has_two(code);
    b = two ? b : 0;
    if (is_code(g, a, CONSTANT) && (!two || is_code(g, b, CONSTANT)))
        return ph_graph_constant(
            g, operation_value(code, g->nodes[a].value, two ? g->nodes[b].value : 0.0));
    const int found = shorter(g, code, a, b);
    if (found != NO_NODE || g->failed)
        return found;
    const bool swap = (code == ADD || code == MULTIPLY || code == LIMITED) && b < a;
    return put(g, (node){.code = code, .a = swap ? b : a, .b = swap ? a : b});
}

int ph_graph_power(graph *g, int a, int b)
{
    if (g->failed || !is_code(g, b, CONSTANT))
        return ph_graph_make(g, POWER, a, b);
    const double exponent = g->nodes[b].value;
    if (exponent == 0.5)
        return ph_graph_make(g, SQRT, a, 0);
    if (!(fabs(exponent) <= MOST_FACTORS) || exponent != rint(exponent) ||
        is_code(g, a, CONSTANT))
        return ph_graph_make(g, POWER, a, b);
    int product = ph_graph_constant(g, 1.0), square = a;
    for (unsigned n = (unsigned)fabs(exponent); n != 0; n /= 2) {
        if (n % 2 != 0)
            product = ph_graph_make(g, MULTIPLY, product, square);
        if (n > 1)
            square = ph_graph_make(g, MULTIPLY, square, square);
    }
    return exponent < 0.0 ? ph_graph_make(g, DIVIDE, ph_graph_constant(g, 1.0), product)
                          : product;
}

bool *ph_graph_needed(const graph *g, int count, const int *of)
{
    bool *needed = calloc((size_t)g->count + 1, sizeof *needed);
    for (int i = 0; i < count && needed != NULL; i++) {
        if (of[i] != NO_NODE)
            needed[of[i]] = true;
    }
    for (int i = g->count - 1; i >= 0 && needed != NULL; i--) {
        const node *n = &g->nodes[i];
        const int operands = needed[i] ? operation_operands(n->code) : 0;
        if (operands > 0)
            needed[n->a] = true;
        if (operands > 1)
            needed[n->b] = true;
    }
    return needed;
}
