/* expression_problem.c - a problem whose potential and torque are expressions.
 *
 *   torque = -dU/dxi + (E1, E2, E3)
 *   force = -dU/dx + (F1, F2, F3)      where the centre of mass moves
 *
 * In order: what it evaluates; what is added to a problem that it extends; loading; one body a lane; what
 * else is asked of it; its torque as C; a new one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/random.h"
#include "base/text.h"
#include "integrators/expression/source.h"
#include "integrators/field.h"
#include "integrators/lanes.h"
#include "integrators/orbit_view.h"
#include "integrators/table.h"

/* ---- what it evaluates ------------------------------------------------------------------------- */

static void run(const ph_problem *p, const ph_instant *now, int which, double *out)
{
    const compiled *c = p->context;
    double numbers[ALL_VARIABLES];
    if (!c->inside) {
        ph_program_run(&c->program[which], (const double *)now, p->value, out);
        return;
    }
    ph_vec3 H = vec3(0, 0, 0);
    if (p->internal != NULL)
        H = p->internal(p, now->t);
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

static void derivatives(const ph_problem *p, const ph_instant *now, ph_torque_derivatives *out)
{
    ph_vec3 column[ALL_AXES];
    run(p, now, DERIVATIVES, &column[0].x);
    out->attitude = columns(column[0], column[1], column[2]);
    out->momentum = columns(column[3], column[4], column[5]);
    out->velocity = columns(column[6], column[7], column[8]);
    memcpy(out->value, column + 9, sizeof out->value);
}

/* ---- added to a problem ---------------------------------------------------------------- */

/* The functions of the problem that is extended take the values, the body and the tables of `p`. */

static double whole_potential(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    double U = 0.0;
    if (c->base->potential != NULL)
        U = c->base->potential(p, now);
    if (c->potential_text != NULL)
        return U + potential(p, now);
    return U;
}

static ph_vec3 whole_torque(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    const ph_vec3 own = torque(p, now);
    if (c->base->torque != NULL)
        return add((c->base->torque)(p, now), own);
    return own;
}

static ph_mat3 whole_derivative(const ph_problem *p, const ph_instant *now)
{
    const compiled *c = p->context;
    const ph_mat3 own = derivative(p, now);
    if (c->base->torque != NULL)
        return add_to(own, 1.0, c->base->derivative(p, now));
    return own;
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

/* ---- loading ----------------------------------------------------------------------------------- */

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
    if (base->torque != NULL && base->derivative == NULL)
        p->derivative = NULL;
    else if (p->derivative != NULL)
        p->derivative = whole_derivative;
    p->torque = whole_torque;
    p->prepare = prepare_whole;
    return ph_table_check(p);
}

static ph_status load_saying(ph_problem *p, ph_expressions_error *why)
{
    compiled *c;
    const ph_status status = ph_source_compile(p, &c, why);
    if (status != PH_OK)
        return status;
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
    if (c->base != NULL)
        return join(p);
    return PH_OK;
}

static ph_status load_source(ph_problem *p)
{
    ph_expressions_error unseen = {0};
    return load_saying(p, &unseen);
}

static void unload(ph_problem *p)
{
    ph_source_free(p->context);
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

/* What the expressions of a problem are compiled to; NULL if it has none. */
static const compiled *compiled_of(const ph_problem *p)
{
    return p->load == load_source ? p->context : NULL;
}

torque_each_kernel *ph_expression_each(const ph_problem *p)
{
    const compiled *c = compiled_of(p);
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

/* ---- what else is asked of it ------------------------------------------------------------------ */

ph_status ph_problem_surroundings(const ph_problem *p, const ph_instant *now, ph_surroundings *out)
{
    if (ANY_NULL(p, now, out))
        return PH_NULL_ARGUMENT;
    if (!ph_sky_on_orbit(p))
        return PH_NOT_APPLICABLE;
    const compiled *c = compiled_of(p);
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
    const compiled *c = compiled_of(p);
    return c != NULL && c->facet_count > 0;
}

const double *ph_expression_epoch(const ph_problem *p)
{
    const compiled *c = compiled_of(p);
    if (c != NULL && c->dated)
        return &c->epoch;
    return NULL;
}

int ph_expression_kinks(const ph_problem *p, const ph_instant *now, double *value)
{
    const compiled *c = compiled_of(p);
    if (c == NULL || c->program[KINKS].outputs == 0)
        return 0;
    run(p, now, KINKS, value);
    return c->program[KINKS].outputs;
}

bool ph_expression_changes(const ph_problem *p)
{
    const compiled *c = compiled_of(p);
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
        (void)snprintf(text, 32, "%s%s", text_if(x < 0.0, "-"), isnan(x) ? "NAN" : "INFINITY");
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
        if (l->code == CONSTANT)
            to += sprintf(to, "    s[%d] = %s;\n", l->out, number);
        else
            to += sprintf(to, "    s[%d] = %s[%d];\n", l->out,
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
    const compiled *c = compiled_of(p);
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

ph_status ph_problem_from_expressions(const ph_expressions *from, ph_problem *out,
                                      ph_expressions_error *why)
{
    ph_expressions_error unseen = {0};
    ph_problem p = ph_expression_problem;
    if (!why)
        why = &unseen;
    *why = (ph_expressions_error){.where = "problem"};
    if (out == NULL || from == NULL)
        return PH_NULL_ARGUMENT;
    if (from->moving_centre) { /* body and start of orbiter */
        p.body = (ph_body)PH_MOMENTS(0.01, 0.015, 0.02);
        p.w = vec3(0.3, -0.2, 0.9);
    }
    ph_status status = ph_source_check(from, why);
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
    double *data = ph_source_write(from, &p.data_count);
    p.data = data;
    if (data != NULL)
        status = load_saying(&p, why);
    else
        status = PH_NO_MEMORY;
    if (status == PH_OK) {
        const compiled *c = p.context;
        const ph_parameter *own = c->parameters + (base != NULL ? base->parameter_count : 0);
        for (int i = 0; i < from->parameter_count; i++) {
            for (int k = 0; k < own[i].count; k++)
                p.value[own[i].first + k] = from->value[from->parameters[i].first + k];
        }
        if (c->quaternion && !is_even(&p)) {
            unload(&p);
            status = ph_source_wrong(
                why, "potential",
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
