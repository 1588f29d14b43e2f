/* expression.c - one expression, compiled. */
#include "polhode/expression.h"

#include <stdlib.h>

#include "integrators/expression/parse.h"
#include "integrators/expression/program.h"
#include "integrators/field.h"

_Static_assert(sizeof(ph_instant) == VARIABLES * sizeof(double), "an instant is numbers");

struct ph_expression {
    program program;
};

ph_status ph_expression_create(const char *text, ph_expression_use use,
                               const ph_parameter *parameters, int count,
                               ph_expression **out, ph_expression_error *why)
{
    ph_expression_error unseen;
    graph g;
    if (out == NULL || text == NULL || (parameters == NULL && count > 0))
        return PH_NULL_ARGUMENT;
    for (int k = 0; k < count; k++) {
        if (parameters[k].name == NULL)
            return PH_NULL_ARGUMENT;
        if (parameters[k].first < 0 || parameters[k].count < 1)
            return PH_BAD_PARAMETER;
    }
    if (count < 0)
        return PH_BAD_PARAMETER;
    ph_expression *e = calloc(1, sizeof *e);
    ph_status status = ph_graph_begin(&g) && e != NULL ? PH_OK : PH_NO_MEMORY;
    if (status == PH_OK) {
        const parse_names names = {use, parameters, count};
        const parse_result found = ph_parse(&g, text, &names, why ? why : &unseen);
        status = found.node == NO_NODE ? PH_BAD_EXPRESSION
                                       : ph_program_make(&e->program, &g, 1, &found.node);
        if (status == PH_BAD_EXPRESSION && found.node != NO_NODE && why != NULL)
            ph_parse_too_large(why);
    }
    ph_graph_free(&g);
    if (status == PH_OK)
        *out = e;
    else
        ph_expression_destroy(e);
    return status;
}

void ph_expression_destroy(ph_expression *e)
{
    if (e == NULL)
        return;
    ph_program_free(&e->program);
    free(e);
}

double ph_expression_value(const ph_expression *e, const ph_instant *now,
                           const double *values)
{
    double value;
    ph_program_run(&e->program, (const double *)now, values, &value);
    return value;
}

double ph_expression_at(const ph_expression *e, const ph_problem *p, double t,
                        const ph_state *s)
{
    ph_instant now = instant_at(t, s->q);
    now.m = s->m;
    now.w = ph_problem_velocity(p, t, s->m);
    return ph_expression_value(e, &now, p->value);
}
