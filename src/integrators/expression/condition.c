/* condition.c - one expression, compiled: its value at an instant, and of a condition the bounds along a
 * motion.
 *
 * In order: the programs that an expression has; what a condition is along a motion; values.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/choice.h"
#include "base/extremes.h"
#include "integrators/expression/expression.h"
#include "integrators/field.h"

_Static_assert(sizeof(ph_instant) == VARIABLES * sizeof(double), "an instant is numbers");

struct ph_expression {
    program program;
    bool less;       /* it is a condition with a < */
    program rate;    /* of a condition: a value of its sign, and the derivative of that by time */
    program seconds; /* this derivative and the second */
    program phases;  /* the rates of its angles of time */
    bool moved;      /* it depends on more than the time and the parameters */
    bool too_large;  /* it would have derivatives by the time, but they are too large */
    bool partial;    /* it has operations that jump, or are undefined for some arguments */
    int angle;       /* of a condition: parse_result */
    double limit;
};

enum { MOST_PHASES = 512 };

static bool is_periodic(operation code)
{
    return code == SIN || code == COS || code == TAN || code == KEPLER;
}

/* Derivatives do not show that these jump, or have no value. */
static bool is_partial(operation code)
{
    return code == ATAN2 || code == SQRT || code == LOG || code == ASIN || code == ACOS ||
           code == POWER;
}

/* The rates of the angles of time of which the node `of` is made. */
static ph_status make_phases(ph_expression *e, graph *g, int of)
{
    const int there = g->count;
    unsigned char *on = ph_graph_dependences(g);
    int *uses = ph_graph_uses(g, 1, &of), *angle = array_create((size_t)there, sizeof *angle),
        *rate = array_create((size_t)there, sizeof *rate), count = 0;
    const bool room = on && uses && angle && rate;
    for (int i = 0; i < there && room && count < MOST_PHASES; i++) {
        const node *n = &g->nodes[i];
        e->partial = e->partial || (uses[i] > 0 && is_partial(n->code));
        if (uses[i] > 0 && is_periodic(n->code) && on[n->a] == ON_TIME)
            angle[count++] = n->a;
    }
    e->moved = room && (on[of] & ON_MOTION) != 0;
    ph_status status = ok_if(room, PH_NO_MEMORY);
    if (room && count > 0 && !ph_graph_tangent(g, AXIS_TIME, count, angle, rate))
        status = PH_NO_MEMORY;
    if (status == PH_OK && count > 0 && !g->failed)
        status = ph_program_make(&e->phases, g, count, rate);
    if (status == PH_BAD_EXPRESSION) { /* they are too many */
        ph_program_free(&e->phases);
        status = PH_OK;
    }
    free(on);
    free(uses);
    free(angle);
    free(rate);
    return status;
}

/* Derivatives of a condition by the time; none where they would be too large. */
static ph_status make_rates(ph_expression *e, graph *g, int smooth)
{
    int of[3] = {smooth};
    for (int k = 0; k < 2 && !g->failed; k++) {
        if (!ph_graph_tangent(g, AXIS_TIME, 1, &of[k], &of[k + 1]))
            return PH_NO_MEMORY;
    }
    ph_status status = PH_BAD_EXPRESSION;
    if (!g->failed)
        status = ph_program_make(&e->rate, g, 2, of);
    if (status == PH_OK)
        status = ph_program_make(&e->seconds, g, 2, of + 1);
    if (status == PH_BAD_EXPRESSION) {
        ph_program_free(&e->rate);
        e->too_large = true;
    }
    return ok_if(status != PH_NO_MEMORY, PH_NO_MEMORY);
}

ph_status ph_expression_create(const char *text, ph_expression_use use,
                               const ph_parameter *parameters, int count, ph_expression **out,
                               ph_expression_error *why)
{
    return ph_expression_create_named(
        text, &(parse_names){.use = use, .parameters = parameters, .count = count}, out, why);
}

ph_status ph_expression_create_named(const char *text, const parse_names *names,
                                     ph_expression **out, ph_expression_error *why)
{
    const ph_parameter *parameters = names->parameters;
    const int count = names->count;
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
    ph_status status = ok_if(ph_graph_begin(&g) && e != NULL, PH_NO_MEMORY);
    if (status == PH_OK) {
        const parse_result found = ph_parse(&g, text, names, why ? why : &unseen);
        if (found.node == NO_NODE)
            status = PH_BAD_EXPRESSION;
        else
            status = ph_program_make(&e->program, &g, 1, &found.node);
        if (status == PH_BAD_EXPRESSION && found.node != NO_NODE && why != NULL)
            ph_parse_too_large(why);
        e->less = found.less;
        e->angle = found.angle;
        e->limit = found.limit;
        if (status == PH_OK && names->use == PH_EXPRESSION_CONDITION)
            status = make_phases(e, &g, found.smooth);
        if (status == PH_OK && names->use == PH_EXPRESSION_CONDITION)
            status = make_rates(e, &g, found.smooth);
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
    ph_program_free(&e->rate);
    ph_program_free(&e->seconds);
    ph_program_free(&e->phases);
    free(e);
}

/* ---- along a motion ---------------------------------------------------------------------------- */

bool ph_condition_depends_on_motion(const ph_expression *c)
{
    return c->moved;
}

bool ph_condition_moves(const ph_expression *c)
{
    return c->rate.output != NULL;
}

bool ph_condition_is_too_large(const ph_expression *c)
{
    return c->too_large;
}

void ph_condition_rate(const ph_expression *c, const double *numbers, const double *values,
                       double *value, double *rate)
{
    double out[2];
    ph_program_run(&c->rate, numbers, values, out);
    *value = out[0];
    *rate = out[1];
}

void ph_condition_bounds(const ph_expression *c, const interval *numbers, const double *values,
                         double *first, double *second)
{
    interval range[2];
    range_kind kind = ph_program_bounds(&c->seconds, numbers, values, range);
    interval value[2];
    if (interval_is_empty(range[0]) || interval_is_empty(range[1]) ||
        (c->partial && ph_program_bounds(&c->rate, numbers, values, value) == RANGE_JUMP))
        kind = RANGE_JUMP;
    if (kind == RANGE_JUMP)
        *first = INFINITY;
    else
        *first = larger_or_nan(-range[0].low, range[0].high);
    if (kind != RANGE_SMOOTH)
        *second = INFINITY;
    else
        *second = larger_or_nan(-range[1].low, range[1].high);
}

bool ph_condition_is_undefined(const ph_expression *c, const interval *numbers,
                               const double *values)
{
    interval value;
    (void)ph_program_bounds(&c->program, numbers, values, &value);
    return interval_is_empty(value);
}

double ph_condition_phase_rate(const ph_expression *c, double from, double to, const double *values)
{
    const program *p = &c->phases;
    interval numbers[MOTION_VARIABLES] = {{0}}, rate[MOST_PHASES];
    double largest = 0.0;
    if (p->outputs == 0)
        return 0.0;
    numbers[VARIABLE_T] = (interval){smaller_or_nan(from, to), larger_or_nan(from, to)};
    (void)ph_program_bounds(p, numbers, values, rate);
    for (int i = 0; i < p->outputs; i++)
        largest = larger_or_nan(largest, larger_or_nan(-rate[i].low, rate[i].high));
    return largest;
}

double ph_condition_angle(const ph_expression *c, double difference)
{
    if (c == NULL || c->angle == 0)
        return NAN;
    if (c->angle > 0)
        return c->limit + difference;
    return c->limit - difference;
}

bool ph_condition_warning(const ph_expression *c, char *text, size_t size)
{
    const double turn = 2.0 * PH_PI;
    if (c->angle == 0 || !(fabs(c->limit) > turn))
        return false;
    (void)snprintf(text, size,
                   "an angle is compared with %g rad, which is more than a turn: if the number is "
                   "in degrees, write %gdeg",
                   c->limit, c->limit);
    return true;
}

double ph_condition_difference(const ph_expression *c, double value)
{
    return c->less ? -value : value;
}

/* ---- values ------------------------------------------------------------------------------------ */

double ph_expression_value(const ph_expression *e, const ph_instant *now, const double *values)
{
    double value;
    ph_program_run(&e->program, (const double *)now, values, &value);
    return value;
}

double ph_expression_at(const ph_expression *e, const ph_problem *p, double t, const ph_state *s)
{
    ph_instant now = instant_at(t, s->q);
    now.m = s->m;
    now.w = ph_problem_velocity(p, t, s->m);
    return ph_expression_value(e, &now, p->value);
}
