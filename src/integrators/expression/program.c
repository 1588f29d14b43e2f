/* program.c - nodes of a graph as instructions. A slot is free again after the last
 * instruction that reads it. */
#include "integrators/expression/expression.h"

#ifdef SIMD_VECTORS
#include "base/simd_sincos.h"
#include "motion/algebra.h"

/* ---- in lanes ----------------------------------------------------------------------- */

/* Each instruction for all lanes before the next. What there is in vectors rounds as for one
 * number; the rest is done for one lane at a time: the bits are those of ph_program_run(). */

program_lanes_kernel KERNEL(program_lanes);
program_each_kernel KERNEL(program_each);

/* t, q and R of each lane, in the order of ph_instant. */
static inline void set_instants(const double *t, const double (*q)[PH_LANES],
                                double (*at)[PH_LANES])
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        const vdouble4 a = {vload(&q[0][r]), vload(&q[1][r]), vload(&q[2][r]), vload(&q[3][r])};
        vdouble3 c[3];
        matrix_columns(a, c);
        const vdouble all[VARIABLE_M] = {vload(&t[r]), a.w,    a.x,    a.y,    a.z,
                                         c[0].x,       c[1].x, c[2].x, c[0].y, c[1].y,
                                         c[2].y,       c[0].z, c[1].z, c[2].z};
        for (int i = 0; i < VARIABLE_M; i++)
            vstore(&at[i][r], all[i]);
    }
}

static inline void set_all(double x[PH_LANES], double value)
{
    for (int r = 0; r < PH_LANES; r += LANES)
        vstore(&x[r], vsplat(value));
}

/* One lane after the other; those not asked for have what a lane has that is. */
static void one_by_one(operation code, int first, int last, const double *a, const double *b,
                       double *out)
{
    double value[PH_LANES] = {0};
    for (int i = first; i < last; i++)
        value[i] = operation_value(code, a[i], b[i]);
    for (int i = 0; i < PH_LANES; i++)
        out[i] = value[i >= first && i < last ? i : first];
}

/* The sine, or the cosine, in vectors unless one number is too large. */
static void circular(operation code, int first, int last, const double *a, double *out)
{
    for (int r = 0; r < PH_LANES; r += LANES) {
        if (vany(vnot(sincos_can(vload(&a[r]))))) {
            one_by_one(code, first, last, a, a, out);
            return;
        }
    }
    for (int r = 0; r < PH_LANES; r += LANES) {
        vdouble sine, cosine;
        simd_sincos(vload(&a[r]), &sine, &cosine);
        vstore(&out[r], code == SIN ? sine : cosine);
    }
}

/* As limited_product(). */
static inline vdouble limited(vdouble a, vdouble b)
{
    const vdouble product = a * b, most = vsplat(INFINITY);
    const vmask numbers = (vabs(a) <= most) & (vabs(b) <= most); /* a NaN is not */
    return vselect(numbers & vnot(vabs(product) <= most), vsplat(0.0), product);
}

#define IN_VECTORS(code, value)                                                                    \
    case code:                                                                                     \
        for (int r = 0; r < PH_LANES; r += LANES) {                                                \
            const vdouble a = vload(&x[r]), b = vload(&y[r]);                                      \
            (void)b;                                                                               \
            vstore(&out[r], value);                                                                \
        }                                                                                          \
        break;

/* All outputs; the parameters are the same of all lanes, or of each. */
static void run_lanes(const program *p, int first, int last, double (*at)[PH_LANES],
                      const double *same, const double (*each)[PH_LANES],
                      double (*result)[PH_LANES])
{
    double slot[MOST_LANE_SLOTS][PH_LANES];
    const load *l = p->load;
    for (int i = 0; i < p->loads; i++, l++) {
        if (l->code == VARIABLE)
            memcpy(slot[l->out], at[l->index], sizeof at[0]);
        else if (l->code == PARAMETER && each != NULL)
            memcpy(slot[l->out], each[l->index], sizeof at[0]);
        else if (l->code == PARAMETER && same != NULL)
            set_all(slot[l->out], same[l->index]);
        else
            set_all(slot[l->out], l->value);
    }
    const instruction *const end = p->instruction + p->instructions;
    for (const instruction *in = p->instruction; in < end; in++) {
        const double *x = slot[in->a], *y = slot[in->b];
        double *out = slot[in->out];
        switch ((operation)in->code) {
            IN_VECTORS(NEGATE, -a)
            IN_VECTORS(ADD, a + b)
            IN_VECTORS(SUBTRACT, a - b)
            IN_VECTORS(MULTIPLY, a * b)
            IN_VECTORS(LIMITED, limited(a, b))
            IN_VECTORS(DIVIDE, a / b)
            IN_VECTORS(SQRT, vsqrt(a))
            IN_VECTORS(ABS, vabs(a))
        case SIN:
        case COS:
            circular((operation)in->code, first, last, x, out);
            break;
        default:
            one_by_one((operation)in->code, first, last, x, y, out);
        }
    }
    for (int i = 0; i < p->outputs; i++)
        memcpy(result[i], slot[p->output[i]], sizeof result[i]);
}

void KERNEL(program_lanes)(const program *p, int first, int last, const double *t,
                           const double (*q)[PH_LANES], const double *parameters,
                           double (*result)[PH_LANES])
{
    double at[VARIABLE_M][PH_LANES];
    set_instants(t, q, at);
    run_lanes(p, first, last, at, parameters, NULL, result);
}

void KERNEL(program_each)(const program *p, const lane_problems *of, lane_instants *now)
{
    double at[VARIABLE_X][PH_LANES];
    set_instants(now->t, (const double(*)[PH_LANES])now->q, at);
    memcpy(at[VARIABLE_M], now->m, sizeof now->m);
    memcpy(at[VARIABLE_W], now->w, sizeof now->w);
    run_lanes(p, 0, PH_LANES, at, NULL, of->value, now->torque);
}

#else
#include <stdlib.h>

#include "base/array.h"
#include "base/choice.h"

/* ---- compiling -------------------------------------------------------------------- */

typedef struct compiler {
    const graph *g;
    int *stack;     /* NULL: the nodes are visited in their order, in which operands come first */
    bool *there;    /* nodes that have a value already */
    int *uses;      /* of each node that are still to come; outputs are never freed */
    uint16_t *slot; /* of each node */
    uint16_t free_slot[MOST_SLOTS];
    int free_slots, slots; /* of them, and used so far */
    bool full;
} compiler;

static uint16_t take_slot(compiler *c)
{
    if (c->free_slots > 0)
        return c->free_slot[--c->free_slots];
    c->full = c->full || c->slots == MOST_SLOTS;
    return (uint16_t)(c->full ? 0 : c->slots++);
}

static void used(compiler *c, int n)
{
    if (--c->uses[n] == 0 && !c->full)
        c->free_slot[c->free_slots++] = c->slot[n];
}

/* Leaves come first, so that no slot is free before all are loaded. */
static void add_loads(compiler *c, program *p)
{
    for (int i = 0; i < c->g->count; i++) {
        const node *n = &c->g->nodes[i];
        if (c->uses[i] == 0 || operation_operands(n->code) > 0)
            continue;
        c->slot[i] = take_slot(c);
        p->load[p->loads++] = (load){(uint16_t)n->code, c->slot[i], (uint16_t)n->a, n->value};
    }
}

static void add_instruction(compiler *c, program *p, int i)
{
    const node *n = &c->g->nodes[i];
    const int operands = operation_operands(n->code);
    instruction *in = &p->instruction[p->instructions++];
    *in = (instruction){.code = (uint16_t)n->code, .a = c->slot[n->a]};
    if (operands > 1)
        in->b = c->slot[n->b];
    else
        in->b = in->a;
    used(c, n->a);
    if (operands > 1)
        used(c, n->b);
    in->out = c->slot[i] = take_slot(c);
}

/* In the order of the nodes. */
static void add_instructions(compiler *c, program *p)
{
    for (int i = 0; i < c->g->count && !c->full; i++) {
        if (c->uses[i] > 0 && operation_operands(c->g->nodes[i].code) > 0)
            add_instruction(c, p, i);
    }
}

/* Each node directly after its operands, which needs fewer slots: a value and its derivatives are
 * computed part by part, not one after the other. c->stack has room for two entries of each node. */
static void add_needed(compiler *c, program *p, int of)
{
    enum { DONE = -1 };
    int depth = 0;
    c->stack[depth++] = of;
    while (depth > 0 && !c->full) {
        const int i = c->stack[--depth];
        if (i < 0) { /* its operands are there */
            const int there = DONE - i;
            if (!c->there[there])
                add_instruction(c, p, there);
            c->there[there] = true;
            continue;
        }
        const node *n = &c->g->nodes[i];
        const int operands = operation_operands(n->code);
        if (c->there[i] || operands == 0)
            continue;
        c->stack[depth++] = DONE - i;
        if (operands > 1 && !c->there[n->b])
            c->stack[depth++] = n->b;
        if (!c->there[n->a])
            c->stack[depth++] = n->a;
    }
}

static void compile(compiler *c, program *p, int count, const int *of)
{
    add_loads(c, p);
    if (c->stack == NULL)
        add_instructions(c, p);
    for (int i = 0; i < count && c->stack != NULL; i++)
        add_needed(c, p, of[i]);
    for (int i = 0; i < count; i++)
        p->output[p->outputs++] = c->slot[of[i]];
    p->slots = c->slots;
}

/* Compiles in the order of the nodes, or in that of their need. */
static ph_status make(program *p, const graph *g, int count, const int *of, bool by_need)
{
    const size_t most = (size_t)g->count + 1;
    compiler c = {.g = g};
    *p = (program){0};
    c.uses = ph_graph_uses(g, count, of);
    c.slot = array_create(most, sizeof *c.slot);
    p->load = array_create(most, sizeof *p->load);
    p->instruction = array_create(most, sizeof *p->instruction);
    p->output = array_create((size_t)count, sizeof *p->output);
    bool room = c.uses && c.slot && p->load && p->instruction && p->output;
    if (by_need) {
        c.stack = array_create(3 * most, sizeof *c.stack);
        c.there = array_create(most, sizeof *c.there);
        room = room && c.stack && c.there;
    }
    if (room)
        compile(&c, p, count, of);
    free(c.stack);
    free(c.there);
    free(c.uses);
    free(c.slot);
    if (!room)
        return PH_NO_MEMORY;
    return ok_if(!c.full, PH_BAD_EXPRESSION);
}

ph_status ph_program_make(program *p, graph *g, int count, const int *of)
{
    *p = (program){0};
    int *nodes = array_create((size_t)count, sizeof *nodes);
    for (int i = 0; i < count && nodes != NULL; i++) {
        if (of[i] == NO_NODE)
            nodes[i] = ph_graph_constant(g, 0.0);
        else
            nodes[i] = of[i];
    }
    if (nodes == NULL || g->failed) {
        free(nodes);
        return g->failed ? PH_BAD_EXPRESSION : PH_NO_MEMORY;
    }
    ph_status status = make(p, g, count, nodes, false);
    if (status == PH_BAD_EXPRESSION) {
        ph_program_free(p);
        status = make(p, g, count, nodes, true);
    }
    free(nodes);
    return status;
}

void ph_program_free(program *p)
{
    free(p->load);
    free(p->instruction);
    free(p->output);
    *p = (program){0};
}

/* ---- running ---------------------------------------------------------------------- */

void ph_program_run(const program *p, const double *instant, const double *parameters, double *out)
{
    double slot[MOST_SLOTS];
    const load *l = p->load;
    for (int i = 0; i < p->loads; i++, l++) {
        if (l->code == VARIABLE)
            slot[l->out] = instant[l->index];
        else if (l->code == PARAMETER)
            slot[l->out] = parameters[l->index];
        else
            slot[l->out] = l->value;
    }
    const instruction *const end = p->instruction + p->instructions;
    for (const instruction *in = p->instruction; in < end; in++)
        slot[in->out] = operation_value((operation)in->code, slot[in->a], slot[in->b]);
    for (int i = 0; i < p->outputs; i++)
        out[i] = slot[p->output[i]];
}
#endif
