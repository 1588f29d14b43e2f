/* program.c - nodes of a graph as instructions. A slot is free again after the last
 * instruction that reads it. */
#include "integrators/expression/program.h"

#include <stdlib.h>

/* ---- compiling -------------------------------------------------------------------- */

/* The nodes are visited in their order, in which operands come first. */
typedef struct compiler {
    const graph *g;
    bool *needed;
    int *uses;      /* of each node that are still to come */
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

static void count_uses(compiler *c, int count, const int *of)
{
    for (int i = 0; i < c->g->count; i++) {
        const node *n = &c->g->nodes[i];
        const int operands = c->needed[i] ? operation_operands(n->code) : 0;
        if (operands > 0)
            c->uses[n->a]++;
        if (operands > 1)
            c->uses[n->b]++;
    }
    for (int i = 0; i < count; i++)
        c->uses[of[i]]++; /* outputs are never freed */
}

static void add_loads(compiler *c, program *p, operation code, int *count)
{
    for (int i = 0; i < c->g->count; i++) {
        const node *n = &c->g->nodes[i];
        if (!c->needed[i] || n->code != code)
            continue;
        c->slot[i] = take_slot(c);
        p->load[p->variables + p->parameters + p->constants] =
            (load){c->slot[i], (uint16_t)n->a, n->value};
        ++*count;
    }
}

static void add_instructions(compiler *c, program *p)
{
    for (int i = 0; i < c->g->count && !c->full; i++) {
        const node *n = &c->g->nodes[i];
        const int operands = c->needed[i] ? operation_operands(n->code) : 0;
        if (operands == 0)
            continue;
        instruction *in = &p->instruction[p->instructions++];
        *in = (instruction){.code = (uint16_t)n->code, .a = c->slot[n->a]};
        in->b = operands > 1 ? c->slot[n->b] : in->a;
        used(c, n->a);
        if (operands > 1)
            used(c, n->b);
        in->out = c->slot[i] = take_slot(c);
    }
}

static void compile(compiler *c, program *p, int count, const int *of)
{
    count_uses(c, count, of);
    add_loads(c, p, VARIABLE, &p->variables);
    add_loads(c, p, PARAMETER, &p->parameters);
    add_loads(c, p, CONSTANT, &p->constants);
    add_instructions(c, p);
    for (int i = 0; i < count; i++)
        p->output[p->outputs++] = c->slot[of[i]];
    p->slots = c->slots;
}

ph_status ph_program_make(program *p, graph *g, int count, const int *of)
{
    *p = (program){0};
    int *nodes = malloc((size_t)count * sizeof *nodes);
    for (int i = 0; i < count && nodes != NULL; i++)
        nodes[i] = of[i] == NO_NODE ? ph_graph_constant(g, 0.0) : of[i];
    compiler c = {.g = g};
    const size_t most = (size_t)g->count + 1;
    if (nodes != NULL && !g->failed) {
        c.needed = ph_graph_needed(g, count, nodes);
        c.uses = calloc(most, sizeof *c.uses);
        c.slot = calloc(most, sizeof *c.slot);
        p->load = calloc(most, sizeof *p->load);
        p->instruction = calloc(most, sizeof *p->instruction);
        p->output = calloc((size_t)count, sizeof *p->output);
    }
    const bool room =
        c.needed && c.uses && c.slot && p->load && p->instruction && p->output;
    if (room)
        compile(&c, p, count, nodes);
    free(nodes);
    free(c.needed);
    free(c.uses);
    free(c.slot);
    return g->failed || (room && c.full) ? PH_BAD_EXPRESSION
           : room                        ? PH_OK
                                         : PH_NO_MEMORY;
}

void ph_program_free(program *p)
{
    free(p->load);
    free(p->instruction);
    free(p->output);
    *p = (program){0};
}

/* ---- running ---------------------------------------------------------------------- */

void ph_program_run(const program *p, const double *instant, const double *parameters,
                    double *out)
{
    double slot[MOST_SLOTS];
    const load *l = p->load;
    for (int i = 0; i < p->variables; i++, l++)
        slot[l->out] = instant[l->index];
    for (int i = 0; i < p->parameters; i++, l++)
        slot[l->out] = parameters[l->index];
    for (int i = 0; i < p->constants; i++, l++)
        slot[l->out] = l->value;
    const instruction *const end = p->instruction + p->instructions;
    for (const instruction *in = p->instruction; in < end; in++)
        slot[in->out] = operation_value((operation)in->code, slot[in->a], slot[in->b]);
    for (int i = 0; i < p->outputs; i++)
        out[i] = slot[p->output[i]];
}
