/* graph.c - an expression as a graph, and its derivatives. Equal nodes are one: they are found
 * by hashing. */
#include "integrators/expression/graph.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { TABLE_PARTS = 4, FIRST_ROOM = 256 };

static const double MOST_FACTORS = 16; /* of a power that is written as a product */

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

static size_t place_of(const graph *g, const node *n)
{
    uint64_t hash = (uint64_t)n->code;
    const uint64_t parts[] = {(uint64_t)n->a, (uint64_t)n->b, bits_of(n->value)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hash = (hash ^ parts[i] ^ hash >> 29) * 0x9e3779b97f4a7c15U;
    return (size_t)(hash >> 32) % ((size_t)TABLE_PARTS * (size_t)g->room);
}

/* Where a node is in the table, or would be. */
static int *entry_of(const graph *g, const node *n)
{
    size_t at = place_of(g, n);
    while (g->table[at] != NO_NODE && !same(&g->nodes[g->table[at]], n))
        at = (at + 1) % ((size_t)TABLE_PARTS * (size_t)g->room);
    return &g->table[at];
}

/* Makes room for twice as many nodes, and a new table of those that there are. */
static bool grow(graph *g)
{
    const int room = g->room == 0 ? FIRST_ROOM : 2 * g->room;
    const size_t places = (size_t)TABLE_PARTS * (size_t)room;
    node *more = NULL;
    int *table = NULL;
    if (room <= MOST_NODES)
        more = array_resize(g->nodes, (size_t)room, sizeof *more);
    if (more != NULL) {
        g->nodes = more;
        table = array_create(places, sizeof *table);
    }
    if (table == NULL) {
        g->failed = true;
        return false;
    }
    free(g->table);
    g->table = table;
    g->room = room;
    for (size_t i = 0; i < places; i++)
        table[i] = NO_NODE;
    for (int i = 0; i < g->count; i++)
        *entry_of(g, &g->nodes[i]) = i;
    return true;
}

bool ph_graph_begin(graph *g)
{
    *g = (graph){0};
    return grow(g);
}

void ph_graph_free(graph *g)
{
    free(g->nodes);
    free(g->table);
}

static int put(graph *g, node wanted)
{
    if (g->failed)
        return NO_NODE;
    int *entry = entry_of(g, &wanted);
    if (*entry != NO_NODE)
        return *entry;
    if (g->count == g->room) {
        if (!grow(g))
            return NO_NODE;
        entry = entry_of(g, &wanted);
    }
    g->nodes[g->count] = wanted;
    *entry = g->count;
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

/* Operand 0 or 1 of a node. */
static int operand(const node *n, int which)
{
    return which == 0 ? n->a : n->b;
}

/* A node with one operand. */
static int of_one(graph *g, operation code, int a)
{
    return ph_graph_make(g, code, a, NO_NODE);
}

/* What a node may be written as in a shorter way, with the same value; NO_NODE: nothing. */
static int shorter(graph *g, operation code, int a, int b)
{
    const node *n = g->nodes;
    const bool minus_a = n[a].code == NEGATE, minus_b = has_two(code) && n[b].code == NEGATE;
    switch (code) {
    case NEGATE:
        return minus_a ? n[a].a : NO_NODE;
    case ADD:
        if (is_number(g, a, 0.0))
            return b;
        if (is_number(g, b, 0.0))
            return a;
        if (minus_b)
            return ph_graph_make(g, SUBTRACT, a, n[b].a);
        if (minus_a)
            return ph_graph_make(g, SUBTRACT, b, n[a].a);
        return NO_NODE;
    case SUBTRACT:
        if (is_number(g, b, 0.0))
            return a;
        if (is_number(g, a, 0.0))
            return of_one(g, NEGATE, b);
        if (minus_b)
            return ph_graph_make(g, ADD, a, n[b].a);
        return NO_NODE;
    case MULTIPLY:
    case LIMITED:
        if (is_number(g, a, 1.0))
            return b;
        if (is_number(g, b, 1.0))
            return a;
        if (minus_a)
            return of_one(g, NEGATE, ph_graph_make(g, code, n[a].a, b));
        if (minus_b)
            return of_one(g, NEGATE, ph_graph_make(g, code, a, n[b].a));
        return NO_NODE;
    case DIVIDE:
        if (is_number(g, b, 1.0))
            return a;
        if (minus_a)
            return of_one(g, NEGATE, ph_graph_make(g, DIVIDE, n[a].a, b));
        return NO_NODE;
    default:
        return NO_NODE;
    }
}

int ph_graph_make(graph *g, operation code, int a, int b)
{
    if (g->failed)
        return NO_NODE;
    const bool two = has_two(code);
    if (!two)
        b = 0;
    if (is_code(g, a, CONSTANT) && (!two || is_code(g, b, CONSTANT)))
        return ph_graph_constant(g, operation_value(code, g->nodes[a].value, g->nodes[b].value));
    const int found = shorter(g, code, a, b);
    if (found != NO_NODE || g->failed)
        return found;
    if ((code == ADD || code == MULTIPLY || code == LIMITED) && b < a)
        return put(g, (node){.code = code, .a = b, .b = a});
    return put(g, (node){.code = code, .a = a, .b = b});
}

int ph_graph_power(graph *g, int a, int b)
{
    if (g->failed || !is_code(g, b, CONSTANT))
        return ph_graph_make(g, POWER, a, b);
    const double exponent = g->nodes[b].value;
    if (exponent == 0.5)
        return of_one(g, SQRT, a);
    if (!(fabs(exponent) <= MOST_FACTORS) || exponent != rint(exponent) || is_code(g, a, CONSTANT))
        return ph_graph_make(g, POWER, a, b);
    int product = ph_graph_constant(g, 1.0), square = a;
    for (unsigned n = (unsigned)fabs(exponent); n != 0; n /= 2) {
        if (n % 2 != 0)
            product = ph_graph_make(g, MULTIPLY, product, square);
        if (n > 1)
            square = ph_graph_make(g, MULTIPLY, square, square);
    }
    if (exponent < 0.0)
        return ph_graph_make(g, DIVIDE, ph_graph_constant(g, 1.0), product);
    return product;
}

int *ph_graph_uses(const graph *g, int count, const int *of)
{
    int *uses = array_create((size_t)g->count, sizeof *uses);
    for (int i = 0; i < count && uses != NULL; i++) {
        if (of[i] != NO_NODE)
            uses[of[i]]++;
    }
    for (int i = g->count - 1; i >= 0 && uses != NULL; i--) {
        const node *n = &g->nodes[i];
        for (int k = 0; uses[i] > 0 && k < operation_operands(n->code); k++)
            uses[operand(n, k)]++;
    }
    return uses;
}

unsigned char *ph_graph_dependences(const graph *g)
{
    unsigned char *on = array_create((size_t)g->count, sizeof *on);
    for (int i = 0; i < g->count && on != NULL; i++) {
        const node *n = &g->nodes[i];
        const int operands = operation_operands(n->code);
        if (n->code == VARIABLE)
            on[i] = n->a == VARIABLE_T ? ON_TIME : ON_MOTION;
        if (operands > 0)
            on[i] = on[n->a];
        if (operands > 1)
            on[i] |= on[n->b];
    }
    return on;
}

/* ---- derivatives -------------------------------------------------------------------- */

/* Derivatives of a graph as nodes of the same graph: exact, and simplified
 * and shared as all nodes are.
 *
 * An operation v = f(a, b) has the partial derivatives below. Backward, the derivative g of
 * the whole by v adds g f_a to that by a (Griewank, Walther, Evaluating Derivatives, 2008,
 * chapter 3); forward, the derivative of v along an axis is f_a a' + f_b b'.
 *
 * An attitude turns by R exp(s hat(e_k)), so that R' = R hat(e_k) and q' = q e_k/2:
 *
 *   R_ij' = e_kjl R_il,  e_kjl the sign of the permutation
 *
 * Of a function in its saturation, as 1/(1 + exp(a)) at a = 1000, the partial derivatives
 * are 0 in the end and infinite on the way: such products are LIMITED.
 */

static int square(graph *g, int a)
{
    return ph_graph_make(g, MULTIPLY, a, a);
}

/* 1 + a^2 */
static int one_and_square(graph *g, int a)
{
    const int one = ph_graph_constant(g, 1);
    return ph_graph_make(g, ADD, one, square(g, a));
}

/* sqrt(1 - a^2), to all digits also where a is next to 1. */
static int complement(graph *g, int a)
{
    const int one = ph_graph_constant(g, 1), less = ph_graph_make(g, SUBTRACT, one, a),
              more = ph_graph_make(g, ADD, one, a);
    return of_one(g, SQRT, ph_graph_make(g, MULTIPLY, less, more));
}

static bool is_exponential(const node *n)
{
    return n->code == EXP || n->code == SINH || n->code == COSH || n->code == LIMITED;
}

/* Whether a node overflows at arguments that are not large: an exponential, or a product
 * with one. */
static bool grows(const graph *g, int n)
{
    const node *v = &g->nodes[n];
    return is_exponential(v) || (v->code == MULTIPLY && (is_exponential(&g->nodes[v->a]) ||
                                                         is_exponential(&g->nodes[v->b])));
}

/* d times the derivative of the node n by its operand number `by`, 0 or 1. */
static int times_partial(graph *g, int d, int n, int by)
{
    const node v = g->nodes[n]; /* a copy: nodes move when there are more of them */
    const int a = v.a, b = v.b, other = operand(&v, 1 - by);
#define MAKE(code, x, y) ph_graph_make(g, code, x, y)
#define TIMES(x)         ph_graph_make(g, MULTIPLY, d, x)
#define LIMIT(x)         ph_graph_make(g, LIMITED, d, x)
#define OVER(x)          ph_graph_make(g, DIVIDE, d, x)
#define WHERE(condition) ph_graph_make(g, WHEN, condition, d)
#define OF(code, x)      of_one(g, code, x)
    switch (v.code) {
    case NEGATE:
        return OF(NEGATE, d);
    case ADD:
        return d;
    case SUBTRACT:
        if (by == 0)
            return d;
        return OF(NEGATE, d);
    case MULTIPLY:
        if (grows(g, other))
            return LIMIT(other);
        return TIMES(other);
    case LIMITED:
        return LIMIT(other);
    case DIVIDE:
        if (by == 0)
            return OVER(b);
        return OF(NEGATE, MAKE(DIVIDE, LIMIT(n), b));
    case POWER:
        if (by == 0)
            return LIMIT(MAKE(MULTIPLY, b,
                              ph_graph_power(g, a, MAKE(SUBTRACT, b, ph_graph_constant(g, 1)))));
        return TIMES(MAKE(LIMITED, n, OF(LOG, a)));
    case SIN:
        return TIMES(OF(COS, a));
    case COS:
        return OF(NEGATE, TIMES(OF(SIN, a)));
    case TAN:
        return TIMES(one_and_square(g, n));
    case ASIN:
        return OVER(complement(g, a));
    case ACOS:
        return OF(NEGATE, OVER(complement(g, a)));
    case ATAN:
        return OVER(one_and_square(g, a));
    case ATAN2: {
        const int a2 = square(g, a), b2 = square(g, b), over = MAKE(ADD, a2, b2);
        if (by == 0)
            return MAKE(DIVIDE, TIMES(b), over);
        return OF(NEGATE, MAKE(DIVIDE, TIMES(a), over));
    }
    case SINH:
        return LIMIT(OF(COSH, a));
    case COSH:
        return LIMIT(OF(SINH, a));
    case TANH:
        return LIMIT(OF(SECH2, a));
    case SECH2: {
        const int factor = ph_graph_constant(g, -2), tanh_a = OF(TANH, a);
        return LIMIT(MAKE(MULTIPLY, MAKE(MULTIPLY, factor, tanh_a), n));
    }
    case EXP:
        return LIMIT(n);
    case LOG:
        return OVER(a);
    case SQRT:
        return OVER(MAKE(MULTIPLY, ph_graph_constant(g, 2), n));
    case ABS:
        return TIMES(OF(SIGN, a));
    case KEPLER: {
        const int e_cosine = MAKE(MULTIPLY, b, OF(COS, n)), one = ph_graph_constant(g, 1),
                  slope = MAKE(SUBTRACT, one, e_cosine);
        if (by == 0)
            return OVER(slope);
        return MAKE(DIVIDE, TIMES(OF(SIN, n)), slope);
    }
    case MIN:
        if (by == 0)
            return WHERE(MAKE(AT_MOST, a, b));
        return WHERE(MAKE(LESS, b, a));
    case MAX:
        if (by == 0)
            return WHERE(MAKE(AT_MOST, b, a));
        return WHERE(MAKE(LESS, a, b));
    case WHEN:
        if (by == 0)
            return NO_NODE;
        return WHERE(a);
    default:
        return NO_NODE; /* SIGN and comparisons change by jumps alone */
    }
}

static int sum(graph *g, int a, int b)
{
    if (a == NO_NODE)
        return b;
    if (b == NO_NODE)
        return a;
    return ph_graph_make(g, ADD, a, b);
}

/* The derivative of a variable along an axis of the attitude, of x, m or w. */
static int of_variable(graph *g, int index, int axis)
{
    /* q' = q e_axis/2: which component, and its sign */
    static const int component[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}},
                     sign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};
    if (axis >= 3) {
        const int moves = axis < AXIS_M ? VARIABLE_X + axis - 3 : VARIABLE_M + axis - AXIS_M;
        if (axis < AXIS_PARAMETER && index == moves)
            return ph_graph_constant(g, 1.0);
        return NO_NODE;
    }
    if (index >= VARIABLE_Q && index < VARIABLE_R) {
        const int k = index - VARIABLE_Q, half = ph_graph_constant(g, 0.5 * sign[axis][k]),
                  q = ph_graph_leaf(g, VARIABLE, VARIABLE_Q + component[axis][k]);
        return ph_graph_make(g, MULTIPLY, half, q);
    }
    const int column = (index - VARIABLE_R) % 3, row = (index - VARIABLE_R) / 3;
    if (index < VARIABLE_R || index >= VARIABLE_M || column == axis)
        return NO_NODE;
    const int other = 3 - axis - column,
              R = ph_graph_leaf(g, VARIABLE, VARIABLE_R + 3 * row + other);
    if ((axis + 1) % 3 == column)
        return R;
    return of_one(g, NEGATE, R);
}

/* The derivative of a variable by the time along a motion. */
static int by_time(graph *g, int index)
{
    int rate = NO_NODE;
    if (index == VARIABLE_T)
        return ph_graph_constant(g, 1.0);
    if (index >= VARIABLE_M && index < VARIABLE_X)
        return ph_graph_leaf(g, VARIABLE, VARIABLE_RATE + index - VARIABLE_M);
    if (index >= VARIABLE_RATE && index < VARIABLE_SECOND)
        return ph_graph_leaf(g, VARIABLE, VARIABLE_SECOND + index - VARIABLE_RATE);
    for (int k = 0; k < 3 && index < VARIABLE_M; k++) {
        const int turned = of_variable(g, index, k);
        if (turned != NO_NODE)
            rate =
                sum(g, rate,
                    ph_graph_make(g, MULTIPLY, ph_graph_leaf(g, VARIABLE, VARIABLE_W + k), turned));
    }
    return rate;
}

bool ph_graph_gradient(graph *g, int of, int along[AXES])
{
    int *by = array_create((size_t)of + 1, sizeof *by); /* the derivative by each node */
    if (by == NULL)
        return false;
    for (int i = 0; i < of; i++)
        by[i] = NO_NODE;
    by[of] = ph_graph_constant(g, 1.0);
    for (int axis = 0; axis < AXES; axis++)
        along[axis] = NO_NODE;
    for (int i = of; i >= 0 && !g->failed; i--) {
        const node v = g->nodes[i];
        if (by[i] == NO_NODE)
            continue;
        for (int k = 0; k < operation_operands(v.code); k++) {
            int *to = &by[operand(&v, k)];
            *to = sum(g, *to, times_partial(g, by[i], i, k));
        }
        for (int axis = 0; axis < AXES && v.code == VARIABLE; axis++) {
            const int turned = of_variable(g, v.a, axis);
            if (turned != NO_NODE)
                along[axis] = sum(g, along[axis], ph_graph_make(g, MULTIPLY, by[i], turned));
        }
    }
    free(by);
    return true;
}

bool ph_graph_tangent(graph *g, int axis, int count, const int *of, int *along)
{
    const int there = g->count;
    int *turned = array_create((size_t)there, sizeof *turned);
    int *uses = ph_graph_uses(g, count, of);
    for (int i = 0; i < there && turned && uses && !g->failed; i++) {
        const node v = g->nodes[i];
        const int operands = uses[i] > 0 ? operation_operands(v.code) : 0;
        if (v.code == VARIABLE) {
            if (axis == AXIS_TIME)
                turned[i] = by_time(g, v.a);
            else
                turned[i] = of_variable(g, v.a, axis);
        } else if (v.code == PARAMETER && v.a == axis - AXIS_PARAMETER)
            turned[i] = ph_graph_constant(g, 1.0);
        else
            turned[i] = NO_NODE;
        for (int k = 0; k < operands; k++) {
            const int d = turned[operand(&v, k)];
            if (d != NO_NODE)
                turned[i] = sum(g, turned[i], times_partial(g, d, i, k));
        }
    }
    for (int i = 0; i < count && turned && !g->failed; i++)
        along[i] = of[i] == NO_NODE ? NO_NODE : turned[of[i]];
    const bool done = turned != NULL && uses != NULL;
    free(turned);
    free(uses);
    return done;
}
