/* expression_problem.c - one expression, compiled; and a problem whose potential and torque are
 * expressions.
 *
 *   torque = -dU/dxi + (E1, E2, E3)
 *   force = -dU/dx + (F1, F2, F3)      where the centre of mass moves
 *
 * The data of such a problem are the characters of its source, so that it can be made again
 * from a snapshot; a line each:
 *
 *   parameter NAME COUNT
 *   potential EXPRESSION
 *   torque EXPRESSION          none or three
 *   force EXPRESSION           the same
 *   centre moves               or not
 *   extends NAME               a problem of the catalog, whose torque is added; or none
 *   epoch DAYS                 from J2000.0 to t = 0, or none
 *   facet NUMBERS              those of sky.h, any number of lines
 *   control PERIOD             and then `hold torque` or `hold dipole`; or none
 *   law EXPRESSION             three, or none where the caller has a function
 *
 * A problem that extends another has its values and its tables, too: the values of its own parameters
 * stand after them, and the tables after the source, whose length, negative, is the first number.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/random.h"
#include "integrators/expression/expression.h"
#include "integrators/expression/sky.h"
#include "integrators/field.h"
#include "integrators/lane_kernels.h"
#include "integrators/lanes.h"
#include "integrators/listed.h"
#include "integrators/orbit_view.h"
#include "integrators/table.h"

/* ---- one expression ------------------------------------------------------------------ */

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

enum { ON_TIME = 1, ON_MOTION = 2 };

/* Of each node, whether it depends on the time and on other variables; NULL: no memory. */
static unsigned char *dependences(const graph *g)
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
    unsigned char *on = dependences(g);
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
    ph_status status = room ? PH_OK : PH_NO_MEMORY;
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
    ph_status status = g->failed ? PH_BAD_EXPRESSION : ph_program_make(&e->rate, g, 2, of);
    if (status == PH_OK)
        status = ph_program_make(&e->seconds, g, 2, of + 1);
    if (status == PH_BAD_EXPRESSION) {
        ph_program_free(&e->rate);
        e->too_large = true;
    }
    return status == PH_NO_MEMORY ? status : PH_OK;
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
    ph_status status = ph_graph_begin(&g) && e != NULL ? PH_OK : PH_NO_MEMORY;
    if (status == PH_OK) {
        const parse_result found = ph_parse(&g, text, names, why ? why : &unseen);
        status = found.node == NO_NODE ? PH_BAD_EXPRESSION
                                       : ph_program_make(&e->program, &g, 1, &found.node);
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
    *first = kind == RANGE_JUMP ? INFINITY : larger_or_nan(-range[0].low, range[0].high);
    *second = kind != RANGE_SMOOTH ? INFINITY : larger_or_nan(-range[1].low, range[1].high);
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
    return c->angle > 0 ? c->limit + difference : c->limit - difference;
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

/* ---- a problem ------------------------------------------------------------------------ */

enum {
    NAME_LENGTH = 64,
    MOST_NUMBERS = 9, /* of a parameter: NAME1 ... NAME9 */
    FACET_NUMBERS = sizeof(facet) / sizeof(double),
    DIGITS = 16, /* of a number in the source: its bits, in hexadecimal, whatever the locale is */
};

/* What is made of expressions; those of three texts come first. */
enum { TORQUE, FORCE, LAW, POTENTIAL, DERIVATIVE, DERIVATIVES, SUN, KINKS, CHANGES, PROGRAMS };

/* What is made of the source. */
typedef struct compiled {
    char *source; /* its lines, each with a zero at its end */
    ph_parameter parameters[PH_PARAMETER_VALUES];
    int parameter_count;
    const char *potential_text, *text[3][3]; /* of torque, force and law */
    program program[PROGRAMS];
    bool moving;            /* torque or force depend on m, w or v */
    bool quaternion, timed; /* the potential depends on q, t */
    bool centre;            /* x and v are names */
    bool inside;            /* the torque depends on more than an instant */
    const ph_problem *base; /* the problem that is extended, or NULL */
    double epoch;
    bool dated;
    facet facets[PH_EXPRESSION_FACETS];
    int facet_count;
    unsigned jumps; /* bits of the functions in program[CHANGES] where the torque may jump */
    double period;  /* of the control; 0: none */
    bool dipole;    /* it holds a dipole */
} compiled;

static void run(const ph_problem *p, const ph_instant *now, int which, double *out)
{
    const compiled *c = p->context;
    double numbers[ALL_VARIABLES];
    if (!c->inside) {
        ph_program_run(&c->program[which], (const double *)now, p->value, out);
        return;
    }
    const ph_vec3 H = p->internal != NULL ? p->internal(p, now->t) : vec3(0, 0, 0);
    memcpy(numbers, now, sizeof *now);
    memcpy(numbers + VARIABLE_INSIDE, &H, sizeof H);
    memcpy(numbers + VARIABLE_HELD, &p->held, sizeof p->held);
    ph_program_run(&c->program[which], numbers, p->value, out);
}

static double potential(const ph_problem *p, const ph_instant *now)
{
    double U;
    run(p, now, POTENTIAL, &U);
    return U;
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    double tau[3];
    run(p, now, TORQUE, tau);
    return vec3(tau[0], tau[1], tau[2]);
}

static ph_vec3 law(const ph_problem *p, const ph_instant *now)
{
    double held[3];
    run(p, now, LAW, held);
    return vec3(held[0], held[1], held[2]);
}

static ph_vec3 force(const ph_problem *p, const ph_instant *now)
{
    double F[3];
    run(p, now, FORCE, F);
    return vec3(F[0], F[1], F[2]);
}

static void torque_in_lanes(const ph_problem *p, int first, int last, const double *t,
                            const double (*q)[PH_LANES], double (*tau)[PH_LANES])
{
    static program_lanes_kernel *const run[ISA_COUNT] = KERNEL_TABLE(program_lanes);
    const compiled *c = p->context;
    run[ph_isa()](&c->program[TORQUE], first, last, t, q, p->value, tau);
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    ph_mat3 D;
    run(p, now, DERIVATIVE, &D.a[0][0]);
    return D;
}

/* ---- added to a problem ---------------------------------------------------------------- */

/* The functions of the problem that is extended take the values, the body and the tables of `p`. */

static double whole_potential(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    const double U = c->base->potential != NULL ? c->base->potential(p, now) : 0.0;
    return c->potential_text != NULL ? U + potential(p, now) : U;
}

static ph_vec3 whole_torque(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    const ph_vec3 own = torque(p, now);
    return c->base->torque != NULL ? add((c->base->torque)(p, now), own) : own;
}

static ph_mat3 whole_derivative(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    const ph_mat3 own = derivative(p, now);
    return c->base->torque != NULL ? add_to(own, 1.0, c->base->derivative(p, now)) : own;
}

static void whole_torque_in_lanes(const ph_problem *p, int first, int last, const double *t,
                                  const double (*q)[PH_LANES], double (*tau)[PH_LANES])
{
    const compiled *c = p->context;
    double own[3][PH_LANES];
    ph_lanes_of(c->base)(p, first, last, t, q, tau);
    torque_in_lanes(p, first, last, t, q, own);
    for (int k = 0; k < 3; k++) {
        for (int i = first; i < last; i++)
            tau[k][i] += own[k][i];
    }
}

static void prepare_whole(ph_problem *p)
{
    const compiled *c = p->context;
    p->velocity_dependent = c->base->velocity_dependent;
    p->damping = c->base->damping;
    if (c->base->prepare != NULL)
        c->base->prepare(p);
    p->period = 0.0;
    if (c->moving) {
        p->velocity_dependent = true;
        p->damping = 0.0;
    }
}

/* ---- derivatives ------------------------------------------------------------------------ */

/* The axes of all derivatives: of the attitude, m, w, the parameters. */
enum { ALL_AXES = 9 + PH_PARAMETER_VALUES };

static void derivatives(const ph_problem *p, const ph_instant *now, ph_torque_derivatives *out)
{
    ph_vec3 column[ALL_AXES];
    run(p, now, DERIVATIVES, &column[0].x);
    out->attitude = columns(column[0], column[1], column[2]);
    out->momentum = columns(column[3], column[4], column[5]);
    out->velocity = columns(column[6], column[7], column[8]);
    memcpy(out->value, column + 9, sizeof out->value);
}

/* ---- the source --------------------------------------------------------------------- */

static bool starts_with(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const bool does = strncmp(*text, word, length) == 0;
    *text += does ? length : 0;
    return does;
}

/* A line `NAME COUNT` after `parameter`; its space becomes the end of the name. */
static bool read_parameter(compiled *c, char *line, int *first)
{
    char *space = strchr(line, ' ');
    const long count = space ? strtol(space, NULL, 10) : 0;
    if (count < 1 || count > MOST_NUMBERS || space == line)
        return false;
    *space = '\0';
    /* of a problem that extends another, downwards from the end */
    const int at = c->base != NULL ? *first - (int)count : *first,
              next = c->base != NULL ? at : at + (int)count;
    if (next > PH_PARAMETER_VALUES || (c->base != NULL && at < ph_sky_values(c->base)))
        return false;
    c->parameters[c->parameter_count++] =
        (ph_parameter){line, at, (int)count, "1", "as the expressions use it", PH_RANGE_ANY};
    *first = next;
    return true;
}

/* A line `NAME` after `extends`: the parameters of this problem come first. */
static bool read_base(compiled *c, const char *name, int *first)
{
    c->base = ph_problem_listed(name);
    if (c->base == NULL || c->parameter_count > 0)
        return false;
    for (int i = 0; i < c->base->parameter_count; i++)
        c->parameters[c->parameter_count++] = c->base->parameters[i];
    *first = PH_PARAMETER_VALUES;
    return true;
}

/* As many numbers as there should be, each by its bits. */
static bool read_numbers(const char *text, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        const uint64_t bits = strtoull(text, &end, DIGITS);
        memcpy(&x[i], &bits, sizeof bits);
        if (end == text || !isfinite(x[i]))
            return false;
        text = end;
    }
    return *text == '\0';
}

static bool read_facet(compiled *c, const char *text)
{
    double x[FACET_NUMBERS];
    if (c->facet_count == PH_EXPRESSION_FACETS || !read_numbers(text, x, FACET_NUMBERS))
        return false;
    memcpy(&c->facets[c->facet_count++], x, sizeof x);
    return true;
}

/* Takes the lines of c->source apart. */
static bool read_lines(compiled *c)
{
    int first = 0, count[3] = {0};
    for (char *line = c->source, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL)
            return false;
        *end = '\0';
        const char *rest = line;
        if (starts_with(&rest, "parameter ")) {
            if (!read_parameter(c, line + (rest - line), &first))
                return false;
        } else if (starts_with(&rest, "potential ")) {
            c->potential_text = rest;
        } else if (starts_with(&rest, "torque ") && count[TORQUE] < 3) {
            c->text[TORQUE][count[TORQUE]++] = rest;
        } else if (starts_with(&rest, "force ") && count[FORCE] < 3) {
            c->text[FORCE][count[FORCE]++] = rest;
        } else if (strcmp(rest, "centre moves") == 0) {
            c->centre = true;
        } else if (starts_with(&rest, "extends ")) {
            if (!read_base(c, rest, &first))
                return false;
        } else if (starts_with(&rest, "epoch ")) {
            c->dated = read_numbers(rest, &c->epoch, 1);
            if (!c->dated)
                return false;
        } else if (starts_with(&rest, "control ")) {
            if (!read_numbers(rest, &c->period, 1) || !(c->period > 0.0))
                return false;
        } else if (strcmp(rest, "hold torque") == 0 || strcmp(rest, "hold dipole") == 0) {
            c->dipole = strcmp(rest, "hold dipole") == 0;
        } else if (starts_with(&rest, "law ") && count[LAW] < 3) {
            c->text[LAW][count[LAW]++] = rest;
        } else if (starts_with(&rest, "facet ")) {
            if (!read_facet(c, rest))
                return false;
        } else {
            return false;
        }
    }
    return count[TORQUE] % 3 == 0 && count[FORCE] % 3 == 0 && count[LAW] % 3 == 0;
}

/* The characters of the data as a text; false if they are none. */
static bool read_data(compiled *c, const ph_problem *p)
{
    const size_t before = ph_table_offset(p), length = before > 0 ? before - 1 : p->data_count;
    const double *text = before > 0 ? p->data + 1 : p->data;
    const bool whole = before <= p->data_count;
    c->source = array_create(whole ? size_sum(length, 1) : 1, 1);
    if (!whole)
        return false;
    for (size_t i = 0; i < length && c->source != NULL; i++) {
        const double x = text[i];
        if (!(x >= 1.0 && x <= 255.0))
            return false;
        c->source[i] = (char)(unsigned char)x;
    }
    if (c->source != NULL)
        c->source[length] = '\0';
    return c->source != NULL && read_lines(c) && (c->base != NULL) == (before > 0);
}

/* ---- compiling ----------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static ph_status
wrong(ph_expressions_error *why, const char *where, const char *format, ...)
{
    va_list words;
    *why = (ph_expressions_error){.where = where, .error.column = 1};
    va_start(words, format);
    (void)vsnprintf(why->error.text, sizeof why->error.text, format, words);
    va_end(words);
    return PH_BAD_EXPRESSION;
}

static bool is_identifier(const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] != '\0' && strspn(name, letters) == strlen(name) &&
           !(name[0] >= '0' && name[0] <= '9') && strlen(name) < NAME_LENGTH;
}

/* Every number of a parameter, from number `first` on, has a name of its own that means nothing
 * else. */
static ph_status check_parameters(const parse_names *names, int first, ph_expressions_error *why)
{
    for (int i = first; i < names->count; i++) {
        const ph_parameter *p = &names->parameters[i];
        char spelled[NAME_LENGTH + 2];
        for (int k = 0; k < p->count; k++) {
            const int length = p->count == 1
                                   ? snprintf(spelled, sizeof spelled, "%s", p->name)
                                   : snprintf(spelled, sizeof spelled, "%s%d", p->name, k + 1);
            if (ph_parse_is_word(names, spelled, (size_t)length) ||
                ph_parse_parameter(names, spelled, (size_t)length) != p->first + k)
                return wrong(why, "parameter",
                             "\"%.60s\" already has another meaning: choose another name", spelled);
        }
    }
    return PH_OK;
}

/* The nodes of torque and force, and that of the potential or NO_NODE. */
typedef struct field_nodes {
    int potential, field[AXES];
} field_nodes;

static ph_status read_potential(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                                ph_expressions_error *why)
{
    why->where = "potential";
    const parse_result found = ph_parse(g, c->potential_text, names, &why->error);
    if (found.node == NO_NODE)
        return PH_BAD_EXPRESSION;
    c->quaternion = found.quaternion;
    c->timed = found.timed;
    f->potential = found.node;
    if (!ph_graph_gradient(g, found.node, f->field))
        return PH_NO_MEMORY;
    for (int k = 0; k < AXES; k++) {
        if (f->field[k] != NO_NODE)
            f->field[k] = ph_graph_make(g, NEGATE, f->field[k], 0);
    }
    return PH_OK;
}

static ph_status read_field(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                            ph_expressions_error *why)
{
    static const char *const where[AXES] = {"torque 1", "torque 2", "torque 3",
                                            "force 1",  "force 2",  "force 3"};
    for (int k = 0; k < AXES; k++) {
        const char *text = c->text[k / 3][k % 3];
        if (text == NULL)
            continue;
        why->where = where[k];
        const parse_result found = ph_parse(g, text, names, &why->error);
        if (found.node == NO_NODE)
            return PH_BAD_EXPRESSION;
        c->moving = c->moving || found.moving;
        c->inside = c->inside || found.inside;
        f->field[k] =
            f->field[k] == NO_NODE ? found.node : ph_graph_make(g, ADD, f->field[k], found.node);
    }
    return PH_OK;
}

/* Adds the torque of radiation pressure. */
static ph_status add_facets(const compiled *c, graph *g, const parse_names *names, field_nodes *f,
                            ph_expressions_error *why)
{
    int torque[3];
    if (c->facet_count == 0)
        return PH_OK;
    if (!names->orbit || names->epoch == NULL)
        return wrong(why, "facets",
                     names->orbit ? "the Sun needs the date of t = 0: give the epoch"
                                  : "facets need an orbit: extend spacecraft");
    ph_sky_radiation(g, c->epoch, c->facets, c->facet_count, torque);
    for (int k = 0; k < 3; k++)
        f->field[k] =
            f->field[k] == NO_NODE ? torque[k] : ph_graph_make(g, ADD, f->field[k], torque[k]);
    return PH_OK;
}

/* Adds the torque that a control holds, or that of its dipole, and compiles the law. */
static ph_status add_control(compiled *c, graph *g, const parse_names *names, field_nodes *f,
                             ph_expressions_error *why)
{
    static const char *const where[3] = {"control 1", "control 2", "control 3"};
    int held[3], space[3], B[3], made[3];
    if (c->period == 0.0)
        return PH_OK;
    why->where = where[0];
    if (c->dipole && !names->orbit)
        return wrong(why, where[0], "a dipole needs a magnetic field: extend spacecraft");
    c->inside = true;
    for (int k = 0; k < 3; k++)
        held[k] = ph_graph_leaf(g, VARIABLE, VARIABLE_HELD + k);
    if (c->dipole) {
        ph_sky_field(g, space);
        ph_sky_in_body(g, space, B);
    }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        int more = held[i];
        if (c->dipole) {
            const int one = ph_graph_make(g, MULTIPLY, held[k], B[l]),
                      other = ph_graph_make(g, MULTIPLY, held[l], B[k]);
            more = ph_graph_make(g, SUBTRACT, one, other);
        }
        f->field[i] = f->field[i] == NO_NODE ? more : ph_graph_make(g, ADD, f->field[i], more);
    }
    for (int k = 0; k < 3 && c->text[LAW][0] != NULL; k++) {
        why->where = where[k];
        made[k] = ph_parse(g, c->text[LAW][k], names, &why->error).node;
        if (made[k] == NO_NODE)
            return PH_BAD_EXPRESSION;
    }
    return c->text[LAW][0] != NULL ? ph_program_make(&c->program[LAW], g, 3, made) : PH_OK;
}

/* The Sun in the body, for functions of the caller. */
static ph_status make_sun(compiled *c, graph *g, const parse_names *names)
{
    int space[3], body[3];
    if (c->base == NULL || names->epoch == NULL)
        return PH_OK;
    ph_sky_sun(g, *names->epoch, space);
    ph_sky_in_body(g, space, body);
    return ph_program_make(&c->program[SUN], g, 3, body);
}

/* Derivatives of the torque along axes, by their columns or by rows; none where they would be
 * too large. */
static ph_status make_tangents(program *p, graph *g, const field_nodes *f, int count,
                               const int *axes, bool by_rows)
{
    int column[3], D[3 * ALL_AXES];
    for (int i = 0; i < count && !g->failed; i++) {
        if (!ph_graph_tangent(g, axes[i], 3, f->field, column))
            return PH_NO_MEMORY;
        for (int k = 0; k < 3 && !g->failed; k++)
            D[by_rows ? count * k + i : 3 * i + k] = column[k];
    }
    const ph_status status = g->failed ? PH_BAD_EXPRESSION : ph_program_make(p, g, 3 * count, D);
    if (status == PH_BAD_EXPRESSION)
        ph_program_free(p);
    return status == PH_NO_MEMORY ? PH_NO_MEMORY : PH_OK;
}

/* That by the attitude, of a torque that does not move; and all of them. None with a force. */
static ph_status make_derivatives(compiled *c, graph *g, const field_nodes *f)
{
    int axes[ALL_AXES] = {0, 1, 2};
    for (int i = 3; i < ALL_AXES; i++)
        axes[i] = AXIS_M + i - 3;
    ph_status status = PH_OK;
    if (!c->moving && !c->centre)
        status = make_tangents(&c->program[DERIVATIVE], g, f, 3, axes, true);
    if (status == PH_OK && !c->centre && c->base == NULL)
        status = make_tangents(&c->program[DERIVATIVES], g, f, ALL_AXES, axes, false);
    return status;
}

/* What changes its sign where max, min or abs in the torque have a kink; none if these are too many. */
static ph_status make_kinks(compiled *c, graph *g, const field_nodes *f)
{
    int of[MOST_KINKS], count = 0;
    int *uses = ph_graph_uses(g, 3, f->field);
    if (uses == NULL)
        return PH_NO_MEMORY;
    const int nodes = g->count; /* and those that are added here */
    for (int i = 0; i < nodes && count <= MOST_KINKS; i++) {
        const node n = g->nodes[i];
        if (uses[i] == 0 || (n.code != MAX && n.code != MIN && n.code != ABS))
            continue;
        if (count < MOST_KINKS)
            of[count] = n.code == ABS ? n.a : ph_graph_make(g, SUBTRACT, n.a, n.b);
        count++;
    }
    free(uses);
    if (count == 0 || count > MOST_KINKS || g->failed)
        return PH_OK;
    return ph_program_make(&c->program[KINKS], g, count, of);
}

/* The function whose zeros are kinks or jumps of an operation, or NO_NODE. */
static int zeros_of(graph *g, const node *n, bool *jump)
{
    *jump = n->code != MAX && n->code != MIN;
    switch (n->code) {
    case MAX:
    case MIN:
    case LESS:
    case AT_MOST:
        return ph_graph_make(g, SUBTRACT, n->a, n->b);
    case ABS: /* it has a kink, but the torque may have the sign of a as a/abs(a) */
    case SIGN:
        return n->a;
    default:
        return NO_NODE;
    }
}

/* Finds the functions of the time whose zeros are kinks or jumps of the torque, and their
 * derivatives. The first MOST_CHANGES are kept. */
static ph_status make_changes(compiled *c, graph *g, const field_nodes *f)
{
    int of[2 * MOST_CHANGES], count = 0;
    int *uses = ph_graph_uses(g, c->centre ? 6 : 3, f->field);
    unsigned char *depends = dependences(g);
    const int nodes = g->count; /* and those that are added here */
    ph_status status = uses == NULL || depends == NULL ? PH_NO_MEMORY : PH_OK;
    for (int i = 0; i < nodes && status == PH_OK && count < MOST_CHANGES; i++) {
        const node n = g->nodes[i];
        bool jump;
        if (uses[i] == 0 || depends[i] != ON_TIME)
            continue;
        const int zeros = zeros_of(g, &n, &jump);
        if (zeros == NO_NODE)
            continue;
        int *pair = &of[2 * (size_t)count]; /* what is zero, and its derivative */
        pair[0] = zeros;
        if (!ph_graph_tangent(g, AXIS_TIME, 1, &pair[0], &pair[1]))
            status = PH_NO_MEMORY;
        c->jumps |= (unsigned)jump << count++;
    }
    free(uses);
    free(depends);
    if (count == 0 || g->failed || status != PH_OK)
        return status;
    status = ph_program_make(&c->program[CHANGES], g, 2 * count, of);
    if (status == PH_BAD_EXPRESSION)
        ph_program_free(&c->program[CHANGES]);
    return status == PH_NO_MEMORY ? status : PH_OK;
}

static ph_status compile(compiled *c, graph *g, ph_expressions_error *why)
{
    const unsigned centre = c->centre ? PH_EXPRESSION_OF_CENTRE : 0;
    field_nodes f = {NO_NODE, {NO_NODE, NO_NODE, NO_NODE, NO_NODE, NO_NODE, NO_NODE}};
    parse_names names = {.use = PH_EXPRESSION_POTENTIAL | centre,
                         .parameters = c->parameters,
                         .count = c->parameter_count,
                         .epoch = c->dated ? &c->epoch : NULL,
                         .orbit = c->base != NULL && ph_sky_on_orbit(c->base)};
    ph_status status =
        check_parameters(&names, c->base != NULL ? c->base->parameter_count : 0, why);
    if (status == PH_OK && c->potential_text != NULL)
        status = read_potential(c, g, &names, &f, why);
    names.use = PH_EXPRESSION_TORQUE | centre;
    names.inside = names.orbit;
    if (status == PH_OK)
        status = read_field(c, g, &names, &f, why);
    if (status == PH_OK)
        status = add_facets(c, g, &names, &f, why);
    if (status == PH_OK)
        status = add_control(c, g, &names, &f, why);
    if (status == PH_OK)
        status = make_sun(c, g, &names);
    if (status != PH_OK)
        return status;
    if (c->potential_text != NULL)
        status = ph_program_make(&c->program[POTENTIAL], g, 1, &f.potential);
    if (status == PH_OK)
        status = ph_program_make(&c->program[TORQUE], g, 3, f.field);
    if (status == PH_OK && c->centre)
        status = ph_program_make(&c->program[FORCE], g, 3, f.field + 3);
    if (status == PH_OK)
        status = make_kinks(c, g, &f);
    if (status == PH_BAD_EXPRESSION)
        ph_parse_too_large(&why->error);
    if (status == PH_OK)
        status = make_changes(c, g, &f);
    return status == PH_OK ? make_derivatives(c, g, &f) : status;
}

static void free_compiled(compiled *c)
{
    if (c == NULL)
        return;
    for (int k = 0; k < PROGRAMS; k++)
        ph_program_free(&c->program[k]);
    free(c->source);
    free(c);
}

/* Makes a problem, as it was loaded, that which extends another. */
static ph_status join(ph_problem *p)
{
    const compiled *c = p->context;
    const ph_problem *base = c->base;
    p->tables = base->tables;
    p->table_count = base->table_count;
    p->caution = base->caution;
    p->internal = base->internal;
    p->frame = base->frame;
    p->frame_name = base->frame_name;
    p->nonconservative = p->nonconservative || base->nonconservative;
    if (base->potential != NULL || p->potential != NULL)
        p->potential = whole_potential;
    if (base->torque != NULL && p->torque_lanes != NULL)
        p->torque_lanes = ph_lanes_of(base) != NULL ? whole_torque_in_lanes : NULL;
    if (p->derivative != NULL)
        p->derivative = base->torque == NULL || base->derivative != NULL ? whole_derivative : NULL;
    p->torque = whole_torque;
    p->prepare = prepare_whole;
    return ph_table_check(p);
}

static ph_status load_saying(ph_problem *p, ph_expressions_error *why)
{
    graph g;
    compiled *c = calloc(1, sizeof *c);
    ph_status status = ph_graph_begin(&g) && c != NULL ? PH_OK : PH_NO_MEMORY;
    if (status == PH_OK && !read_data(c, p))
        status = c->source == NULL ? PH_NO_MEMORY : PH_BAD_EXPRESSION;
    if (status == PH_OK)
        status = compile(c, &g, why);
    ph_graph_free(&g);
    if (status != PH_OK) {
        free_compiled(c);
        return status;
    }
    const bool lanes =
        !c->moving && !c->centre && !c->inside && c->program[TORQUE].slots <= MOST_LANE_SLOTS;
    p->context = c;
    p->parameters = c->parameters;
    p->parameter_count = c->parameter_count;
    p->velocity_dependent = c->moving;
    p->nonconservative = c->timed || c->text[TORQUE][0] || c->text[FORCE][0] ||
                         c->facet_count > 0 || c->period != 0.0;
    p->control_period = c->period;
    if (c->text[LAW][0] != NULL)
        p->control = law;
    p->potential = c->potential_text != NULL ? potential : NULL;
    p->torque = torque;
    p->force = c->centre ? force : NULL;
    p->torque_lanes = lanes ? torque_in_lanes : NULL;
    p->derivative = c->program[DERIVATIVE].output ? derivative : NULL;
    p->derivatives = c->program[DERIVATIVES].output ? derivatives : NULL;
    return c->base != NULL ? join(p) : PH_OK;
}

static ph_status load_source(ph_problem *p)
{
    ph_expressions_error unseen = {0};
    return load_saying(p, &unseen);
}

static void unload(ph_problem *p)
{
    free_compiled(p->context);
    p->context = NULL;
}

const ph_problem ph_expression_problem = {
    .name = "expression",
    .title = "Body in a field given by expressions",
    .cite = "the user's own",
    .equations = "torque = -dU/dxi + (E1, E2, E3), U and E expressions of a scenario:\n"
                 "problem: {potential: \"U\", torque: [\"E1\", \"E2\", \"E3\"]}.",
    .body = PH_MOMENTS(0.9144, 1.098, 1.66), /* and start: of free */
    .q = {1, 0, 0, 0},
    .w = {0.45549, 0.82623, 0.03476},
    .load = load_source,
    .unload = unload,
};

/* ---- one body a lane ------------------------------------------------------------------- */

static void torque_of_each(lane_problems *p, lane_instants *at)
{
    static program_each_kernel *const run[ISA_COUNT] = KERNEL_TABLE(program_each);
    const compiled *c = p->like->context;
    run[ph_isa()](&c->program[TORQUE], p, at);
}

/* With that of the problem that is extended. */
static void whole_torque_of_each(lane_problems *p, lane_instants *at)
{
    const compiled *c = p->like->context;
    lane_instants own = *at;
    ph_each_of(c->base)(p, at);
    torque_of_each(p, &own);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < PH_LANES; i++)
            at->torque[k][i] += own.torque[k][i];
    }
}

torque_each_kernel *ph_expression_each(const ph_problem *p)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    if (c == NULL || c->program[TORQUE].slots > MOST_LANE_SLOTS || c->inside)
        return NULL;
    if (c->base == NULL || c->base->torque == NULL)
        return torque_of_each;
    for (int k = 0; k < p->table_count; k++) {
        if (ph_table_rows(p, k) > 0)
            return NULL;
    }
    return ph_each_of(c->base) != NULL ? whole_torque_of_each : NULL;
}

ph_status ph_problem_surroundings(const ph_problem *p, const ph_instant *now, ph_surroundings *out)
{
    if (ANY_NULL(p, now, out))
        return PH_NULL_ARGUMENT;
    if (!ph_sky_on_orbit(p))
        return PH_NOT_APPLICABLE;
    const compiled *c = p->load == load_source ? p->context : NULL;
    const orbit_view seen = ph_orbit_view(p, now);
    double sun[3] = {NAN, NAN, NAN};
    if (c != NULL && c->program[SUN].output != NULL)
        run(p, now, SUN, sun);
    *out = (ph_surroundings){seen.up, seen.field, seen.position, seen.velocity,
                             vec3(sun[0], sun[1], sun[2])};
    return PH_OK;
}

bool ph_expression_has_facets(const ph_problem *p)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    return c != NULL && c->facet_count > 0;
}

const double *ph_expression_epoch(const ph_problem *p)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    return c != NULL && c->dated ? &c->epoch : NULL;
}

int ph_expression_kinks(const ph_problem *p, const ph_instant *now, double *value)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    if (c == NULL || c->program[KINKS].outputs == 0)
        return 0;
    run(p, now, KINKS, value);
    return c->program[KINKS].outputs;
}

bool ph_expression_changes(const ph_problem *p)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    return c != NULL && c->program[CHANGES].outputs > 0;
}

double ph_expression_change(const ph_problem *p, double t, double end)
{
    const compiled *c = p->context;
    return ph_program_change(&c->program[CHANGES], p->value, c->jumps, t, end);
}

/* ---- as C ------------------------------------------------------------------------------- */

/* The longest line of a program. */
enum { LINE = 160 };

/* The value of a constant: a number in hexadecimal is exact. */
static void write_number(double x, char text[32])
{
    if (isfinite(x))
        (void)snprintf(text, 32, "%a", x);
    else
        (void)snprintf(text, 32, isnan(x) ? "NAN" : x > 0.0 ? "INFINITY" : "-INFINITY");
}

/* A line for each load and instruction; returns where it ends. */
static char *write_program(char *to, const program *p)
{
    static const char *const value[] = {
#define OPERATION_TEXT(code, operands, name, value) #value,
        OPERATIONS(OPERATION_TEXT)
#undef OPERATION_TEXT
    };
    to += sprintf(to, "    const double *x = (const double *)now;\n    double s[%d];\n",
                  p->slots + 1);
    for (int i = 0; i < p->loads; i++) {
        const load *l = &p->load[i];
        char number[32];
        write_number(l->value, number);
        to += l->code == CONSTANT ? sprintf(to, "    s[%d] = %s;\n", l->out, number)
                                  : sprintf(to, "    s[%d] = %s[%d];\n", l->out,
                                            l->code == VARIABLE ? "x" : "p->value", l->index);
    }
    for (int i = 0; i < p->instructions; i++) {
        const instruction *in = &p->instruction[i];
        to += sprintf(to, "    {const double a = s[%d], b = s[%d]; s[%d] = %s;}\n", in->a, in->b,
                      in->out, value[in->code]);
    }
    return to;
}

char *ph_expression_torque(const ph_problem *p)
{
    const compiled *c = p->load == load_source ? p->context : NULL;
    if (c == NULL || c->base != NULL)
        return NULL;
    const program *torque = &c->program[TORQUE], *D = &c->program[DERIVATIVE];
    const int lines = torque->loads + torque->instructions + D->loads + D->instructions;
    char *text = array_create((size_t)lines + 24, LINE);
    if (text == NULL)
        return NULL;
    char *to = text + sprintf(text, "#include \"integrators/expression/operations.h\"\n"
                                    "static ph_vec3 torque(const ph_problem *p, const "
                                    "ph_instant *now)\n{\n");
    to = write_program(to, torque);
    to += sprintf(to, "    return (ph_vec3){s[%d], s[%d], s[%d]};\n}\n", torque->output[0],
                  torque->output[1], torque->output[2]);
    if (D->outputs == 0)
        return text;
    to += sprintf(to, "#ifdef WITH_GRADIENT\nstatic ph_mat3 derivative(const ph_problem *p, "
                      "const ph_instant *now)\n{\n");
    to = write_program(to, D);
    to += sprintf(to, "    ph_mat3 D;\n");
    for (int i = 0; i < D->outputs; i++)
        to += sprintf(to, "    D.a[%d][%d] = s[%d];\n", i / 3, i % 3, D->output[i]);
    (void)sprintf(to, "    return D;\n}\n#endif\n");
    return text;
}

/* ---- a new one -------------------------------------------------------------------------- */

static facet facet_of(const ph_facet *f)
{
    const ph_vec3 n = scale(1.0 / norm(f->normal), f->normal), c = f->centre;
    return (facet){f->area, {n.x, n.y, n.z}, {c.x, c.y, c.z}, f->specular, f->diffuse};
}

/* Adds a line to a source of *length characters, or with a NULL source counts it. */
static void add_line(char *source, size_t *length, const char *key, const char *text)
{
    const char *const parts[] = {key, " ", text, "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0'; c++, ++*length) {
            if (source != NULL) /* lines of an expression are joined */
                source[*length] = *c == '\n' && parts[i] == text ? ' ' : *c;
        }
    }
}

static void add_numbers(char *source, size_t *length, const char *key, const double *x, int count)
{
    char line[FACET_NUMBERS * (DIGITS + 1) + 1] = "";
    for (int i = 0, at = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        at +=
            snprintf(line + at, sizeof line - (size_t)at, i == 0 ? "%" PRIx64 : " %" PRIx64, bits);
    }
    add_line(source, length, key, line);
}

static size_t write_source(char *source, const ph_expressions *from)
{
    size_t length = 0;
    if (from->extends != NULL)
        add_line(source, &length, "extends", from->extends->name);
    if (from->epoch != NULL)
        add_numbers(source, &length, "epoch", from->epoch, 1);
    for (int i = 0; i < from->parameter_count; i++) {
        char line[NAME_LENGTH + 16];
        (void)snprintf(line, sizeof line, "%.*s %d", NAME_LENGTH, from->parameters[i].name,
                       from->parameters[i].count);
        add_line(source, &length, "parameter", line);
    }
    if (from->potential != NULL)
        add_line(source, &length, "potential", from->potential);
    for (int k = 0; k < 3 && from->torque[k] != NULL; k++)
        add_line(source, &length, "torque", from->torque[k]);
    for (int k = 0; k < 3 && from->force[k] != NULL; k++)
        add_line(source, &length, "force", from->force[k]);
    if (from->moving_centre)
        add_line(source, &length, "centre", "moves");
    if (from->control_period != 0.0) {
        add_numbers(source, &length, "control", &from->control_period, 1);
        add_line(source, &length, "hold", from->control_dipole ? "dipole" : "torque");
    }
    for (int k = 0; k < 3 && from->control[k] != NULL; k++)
        add_line(source, &length, "law", from->control[k]);
    for (int i = 0; i < from->facet_count; i++) {
        const facet f = facet_of(&from->facets[i]);
        add_numbers(source, &length, "facet", &f.area, FACET_NUMBERS);
    }
    return length;
}

static bool is_listed(const ph_problem *p)
{
    const ph_problem *listed = p->name != NULL ? ph_problem_listed(p->name) : NULL;
    return listed != NULL && listed->torque == p->torque;
}

/* The facets have an area, a normal, and reflect no more light than there is. */
static ph_status check_facets(const ph_expressions *from, ph_expressions_error *why)
{
    if (from->facet_count < 0 || from->facet_count > PH_EXPRESSION_FACETS ||
        (from->facet_count > 0 && from->facets == NULL))
        return wrong(why, "facets", "the list is missing or too long: write 1 to 64");
    for (int i = 0; i < from->facet_count; i++) {
        const ph_facet *f = &from->facets[i];
        if (!(f->area > 0.0 && isfinite(f->area)) || !(norm(f->normal) > 0.0) ||
            !finite3(f->normal) || !finite3(f->centre))
            return wrong(why, "facets", "a facet needs area, normal and centre: give all");
        if (!(f->specular >= 0.0 && f->diffuse >= 0.0 && f->specular + f->diffuse <= 1.0))
            return wrong(why, "facets",
                         "specular, diffuse and their sum must be from 0 to 1: change them");
    }
    return PH_OK;
}

/* What a source cannot say: names with a space, no text at all. */
static ph_status check_form(const ph_expressions *from, ph_expressions_error *why)
{
    int values = 0;
    const bool torque = from->torque[0] != NULL, force = from->force[0] != NULL;
    if (from->extends != NULL && (from->moving_centre || !is_listed(from->extends)))
        return wrong(why, "extends", "it is not a problem of one body in the catalog: name one");
    if (from->epoch != NULL && !isfinite(*from->epoch))
        return wrong(why, "epoch", "the epoch is not finite: give a date");
    if (from->moving_centre && from->control_period != 0.0)
        return wrong(why, "control 1", "a control needs a fixed centre of mass: remove it");
    if (!(from->control_period >= 0.0 && isfinite(from->control_period)))
        return wrong(why, "control 1", "its period is not positive: write a positive time");
    if ((from->control[1] != NULL) != (from->control[0] != NULL) ||
        (from->control[2] != NULL) != (from->control[0] != NULL) ||
        (from->control[0] != NULL && from->control_period == 0.0))
        return wrong(why, "control 1", "it needs a period and three expressions: write all");
    if (from->tilted_dipole &&
        (from->extends == NULL || !ph_sky_on_orbit(from->extends) || from->epoch == NULL))
        return wrong(why, "problem", "a tilted dipole needs spacecraft and an epoch: give both");
    if (from->potential == NULL && !torque && !force && from->facet_count == 0 && !from->extends &&
        from->control_period == 0.0)
        return wrong(why, "problem",
                     from->moving_centre ? "no potential, force or torque is given: write one"
                                         : "no potential or torque is given: write one");
    if ((from->torque[1] != NULL) != torque || (from->torque[2] != NULL) != torque)
        return wrong(why, "problem", "a torque needs three expressions: write all of them");
    if ((from->force[1] != NULL) != force || (from->force[2] != NULL) != force)
        return wrong(why, "problem", "a force needs three expressions: write all of them");
    if (force && !from->moving_centre)
        return wrong(why, "force 1", "a force needs a moving centre of mass: remove it");
    const ph_status facets = check_facets(from, why);
    if (facets != PH_OK)
        return facets;
    if (from->parameter_count < 0 ||
        (from->parameter_count > 0 && ANY_NULL(from->parameters, from->value)))
        return wrong(why, "parameter", "the parameters or their values are missing: give both");
    for (int i = 0; i < from->parameter_count; i++) {
        const ph_parameter *p = &from->parameters[i];
        if (p->name == NULL || !is_identifier(p->name))
            return wrong(why, "parameter", "\"%.60s\" is not a name: use letters, digits and _",
                         p->name ? p->name : "");
        if (p->first < 0)
            return wrong(why, "parameter", "\"%.60s\" has a negative index", p->name);
        if (p->count < 1 || p->count > MOST_NUMBERS)
            return wrong(why, "parameter",
                         "\"%.60s\" has no number, or more than nine: write 1 to 9", p->name);
        values += p->count;
    }
    if (from->extends != NULL && values > PH_PARAMETER_VALUES - ph_sky_values(from->extends))
        return wrong(
            why, "parameter",
            "there are too many beside the parameters of %.60s: write numbers into the expressions",
            from->extends->name);
    if (values > PH_PARAMETER_VALUES)
        return wrong(why, "parameter", "the parameters have more than 48 numbers: write fewer");
    return PH_OK;
}

/* Whether the potential is the same at q and -q, for some attitudes. */
static bool is_even(const ph_problem *p)
{
    enum { ATTITUDES = 20 };
    const double tolerance = 1e-9;
    uint64_t seed = 1;
    for (int i = 0; i < ATTITUDES; i++) {
        double x[4];
        for (int k = 0; k < 4; k++)
            x[k] = between(&seed, -1.0, 1.0);
        const ph_quat q = ph_quat_unit((ph_quat){x[0], x[1], x[2], x[3]});
        ph_instant here = instant_at(0.3, q), there = instant_at(0.3, negate(q));
        here.x = there.x = vec3(0.7, -0.4, 0.5);
        const double U = p->potential(p, &here), V = p->potential(p, &there);
        if (isfinite(U) != isfinite(V) || fabs(U - V) > tolerance * (1.0 + fabs(U)))
            return false;
    }
    return true;
}

/* The source as numbers; of a problem that extends another, with its tables. */
static double *data_of(const ph_expressions *from, size_t *count)
{
    const ph_problem *base = from->extends;
    const size_t length = write_source(NULL, from), first = base != NULL ? 1 : 0;
    const size_t tables = base == NULL         ? 0
                          : base->data == NULL ? (size_t)base->table_count
                                               : base->data_count;
    *count = size_sum(size_sum(length, first), tables);
    char *source = array_create(length, 1);
    double *data = array_create(*count, sizeof *data);
    if (source != NULL && data != NULL) {
        (void)write_source(source, from);
        for (size_t i = 0; i < length; i++)
            data[first + i] = (unsigned char)source[i];
        if (base != NULL)
            data[0] = -(double)length;
        if (base != NULL && base->data != NULL)
            memcpy(data + 1 + length, base->data, tables * sizeof *data);
    } else {
        free(data);
        data = NULL;
    }
    free(source);
    return data;
}

ph_status ph_problem_from_expressions(const ph_expressions *from, ph_problem *out,
                                      ph_expressions_error *why)
{
    ph_expressions_error unseen = {0};
    ph_problem p = ph_expression_problem;
    why = why ? why : &unseen;
    *why = (ph_expressions_error){.where = "problem"};
    if (out == NULL || from == NULL)
        return PH_NULL_ARGUMENT;
    if (from->moving_centre) { /* body and start of orbiter */
        p.body = (ph_body)PH_MOMENTS(0.01, 0.015, 0.02);
        p.w = vec3(0.3, -0.2, 0.9);
    }
    ph_status status = check_form(from, why);
    if (status != PH_OK)
        return status;
    const ph_problem *base = from->extends;
    if (base != NULL) {
        p.body = base->body;
        p.q = base->q;
        p.w = base->w;
        memcpy(p.value, base->value, sizeof p.value);
        if (from->tilted_dipole)
            ph_sky_earth_dipole(*from->epoch, p.value);
    }
    double *data = data_of(from, &p.data_count);
    p.data = data;
    status = data != NULL ? load_saying(&p, why) : PH_NO_MEMORY;
    if (status == PH_OK) {
        const compiled *c = p.context;
        const ph_parameter *own = c->parameters + (base != NULL ? base->parameter_count : 0);
        for (int i = 0; i < from->parameter_count; i++) {
            for (int k = 0; k < own[i].count; k++)
                p.value[own[i].first + k] = from->value[from->parameters[i].first + k];
        }
        if (c->quaternion && !is_even(&p)) {
            unload(&p);
            status = wrong(why, "potential",
                           "it differs between q and -q, which are the same attitude: write an "
                           "even function of q");
        }
    }
    if (status == PH_OK)
        *out = p;
    else
        free(data);
    return status; // cppcheck-suppress memleak ; out has the data
}
