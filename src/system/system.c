/* system.c - what systems are made of, and their tables: fields, parameters, names. */
#include "base/choice.h"
#include "integrators/changes.h"
#include "integrators/expression/compiled.h"
#include "system/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/named.h"
#include "integrators/expression/expression.h"
#include "integrators/expression/sky.h"
#include "motion/vec.h"
#include "system/find.h"

/* ---- making and freeing ---------------------------------------------------------- */

static size_t state_doubles(const ph_system *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->field_count; i++) {
        if (s->fields[i].use & PH_ARRAY_STATE)
            sum = size_sum(sum, size_product(s->fields[i].count, (size_t)s->fields[i].width));
    }
    return sum;
}

ph_system *ph_system_begin(const ph_kind *kind, double h)
{
    ph_system *s = calloc(1, sizeof *s);
    void *self = calloc(1, kind->size);
    if (s == NULL || self == NULL) {
        free(s);
        free(self);
        return NULL;
    }
    s->kind = kind;
    s->self = self;
    s->evaluations = &s->counted;
    s->h = h;
    s->bath.steps = &s->steps;
    s->bath.boltzmann = 1.0;
    return s;
}

ph_array ph_system_coefficients(ph_system *s)
{
    return (ph_array){"coefficients",
                      "1",
                      "Coefficients of the caller's own",
                      "number",
                      PH_ARRAY_CONSTANT | PH_ARRAY_LIST,
                      1,
                      s->own.count,
                      1,
                      FIELD(*s->own.numbers)};
}

/* What every system with a thermostat has. */
enum { BATH_FIELDS = 5 };
static void bath_fields(thermostat *b, bool noise, ph_array out[BATH_FIELDS])
{
    const unsigned constant = PH_ARRAY_CONSTANT, state = PH_ARRAY_STATE;
    const ph_array all[BATH_FIELDS] = {
        {"set_temperature", "energy", "Temperature of the thermostat", "set_temperature", constant,
         1, 1, 1, FIELD(b->temperature)},
        {"friction", "1/t", "Rate of the thermostat", "friction", constant, 1, 1, 1,
         FIELD(b->friction)},
        {"seed", "1", "Seed of the noise", "seed", constant, 1, noise, 1, FIELD(b->seed)},
        {"heat", "energy", "Energy from the thermostat", "value", state, 1, MOMENTA_KINDS, 1,
         FIELD(*b->heat)},
        {"chain", "mixed", "Links of the thermostat and their rates", "value", state, 1,
         sizeof b->chain / sizeof(double), 1, FIELD(b->chain[0][0])},
    };
    memcpy(out, all, sizeof all);
}

static const ph_observable of_bath = {
    "conserved_energy", "energy", "Energy less the heat from the thermostat",
    "energy - heat",    1,        .watched = true,
    .relative = true};

/* What a system has whose run is divided where the torque changes. */
enum { PARTS_FIELDS = 2 };
static void parts_fields(run_parts *p, ph_array out[PARTS_FIELDS])
{
    const ph_array all[PARTS_FIELDS] = {
        {"tolerance", "1", "Error allowed in some steps", "tolerance", PH_ARRAY_CONSTANT, 1, 1, 1,
         FIELD(p->tolerance)},
        {"parts", "t", "End and step of the part of the run, and the smallest step", "value",
         PH_ARRAY_STATE, 1, PARTS_NUMBERS, 1, FIELD(p->end)},
    };
    memcpy(out, all, sizeof all);
}

/* Whether the run of a system is divided, as its integrator is a splitting with a tolerance, and it
 * is known when the torque changes. */
static bool is_divided(const ph_system *s)
{
    return s->by.scheme != NULL && s->tolerance != 0.0 && s->kind->field != NULL &&
           ph_changes_any(s->kind->field(s->self));
}

/* Adds fields after those there are. */
static void add_fields(ph_system *s, const ph_array *fields, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        ph_array *f = &s->fields[s->field_count];
        *f = fields[k];
        for (int c = 1; c < f->width && f->count > 0 && f->data[c] == NULL; c++)
            f->data[c] = f->data[c - 1] + 1;
        s->field_count += f->count > 0;
    }
}

ph_status ph_system_describe(ph_system *s, const ph_problem_facts *p, const ph_array *fields,
                             size_t field_count, const ph_observable *observables,
                             size_t observable_count)
{
    thermostat *bath = bath_of(s);
    const size_t all = observable_count + (bath != NULL);
    (void)snprintf(s->problem, sizeof s->problem, "%s", p->name);
    s->parameters = p->parameters;
    s->parameter_count = (size_t)p->parameter_count;
    s->values = p->value;
    (void)ph_integrator_name(&s->by, s->integrator);
    s->order = ph_integrator_order(&s->by);
    s->fields = array_create(size_sum(field_count, BATH_FIELDS + PARTS_FIELDS), sizeof *s->fields);
    s->observables = array_create(all, sizeof *s->observables);
    s->readings = array_create(all, sizeof *s->readings);
    if (s->fields == NULL || s->observables == NULL || s->readings == NULL)
        return PH_NO_MEMORY;
    add_fields(s, fields, field_count);
    s->observable_count = all;
    memcpy(s->observables, observables, observable_count * sizeof *observables);
    if (bath != NULL) {
        ph_array more[BATH_FIELDS];
        bath_fields(bath, strchr(s->by.scheme->parts, PART_LANGEVIN) != NULL, more);
        add_fields(s, more, BATH_FIELDS);
        for (size_t i = 0; i < observable_count; i++)
            s->observables[i].conserved = false;
        s->observables[observable_count] = of_bath;
    }
    if (is_divided(s)) {
        ph_array more[PARTS_FIELDS];
        s->parts.tolerance = s->tolerance;
        parts_fields(&s->parts, more);
        add_fields(s, more, PARTS_FIELDS);
    }
    s->saved = array_create(state_doubles(s), sizeof *s->saved);
    return ok_if(s->saved != NULL, PH_NO_MEMORY);
}

ph_status ph_system_complete(ph_system *s, ph_status status, ph_system **out)
{
    if (status == PH_OK && !isfinite(s->h))
        status = PH_BAD_STEP;
    if (status == PH_OK)
        *out = s;
    else
        ph_system_destroy(s);
    return status;
}

void ph_system_destroy(ph_system *s)
{
    if (s == NULL)
        return;
    if (s->kind->free != NULL)
        s->kind->free(s->self);
    free(s->self);
    free(s->fields);
    free(s->observables);
    free(s->readings);
    free(s->saved);
    free(s);
}

/* ---- tables and numbers ---------------------------------------------------------- */

const ph_array *ph_system_arrays(const ph_system *s, size_t *count)
{
    *count = s->field_count;
    return s->fields;
}

const ph_parameter *ph_system_parameters(const ph_system *s, size_t *count, const double **values)
{
    *count = s->parameter_count;
    *values = s->values;
    return s->parameters;
}

ph_status ph_system_array_named(const ph_system *s, const char *name, const ph_array **out)
{
    if (ANY_NULL(s, name, out))
        return PH_NULL_ARGUMENT;
    const ph_array *found = ROW_NAMED(s->fields, s->field_count, name);
    if (found != NULL)
        *out = found;
    return ok_if(found != NULL, PH_UNKNOWN_NAME);
}

ph_status ph_system_parameter_named(const ph_system *s, const char *name, const ph_parameter **out,
                                    const double **values)
{
    if (ANY_NULL(s, name, out, values))
        return PH_NULL_ARGUMENT;
    const ph_parameter *found = ROW_NAMED(s->parameters, s->parameter_count, name);
    if (found == NULL)
        return PH_UNKNOWN_NAME;
    *out = found;
    *values = &s->values[found->first];
    return PH_OK;
}

const ph_kind *ph_kind_of(const ph_system *s)
{
    return s->kind;
}

ph_comparison ph_system_comparison(const ph_system *s)
{
    return (ph_comparison){s->kind->error_names[ERROR_SPEED], s->kind->error_names[ERROR_PLACE],
                           s->kind->absolute_places, s->kind->reference(s)};
}

int ph_system_order(const ph_system *s)
{
    return s->order;
}

const char *ph_system_kind(const ph_system *s)
{
    return s->kind->name;
}

const char *ph_system_problem_name(const ph_system *s)
{
    return s->problem;
}

const char *ph_system_integrator_name(const ph_system *s)
{
    return s->integrator;
}

ph_state ph_system_state(const ph_system *s)
{
    const ph_array *q, *m;
    if (ph_system_array_named(s, "attitude", &q) != PH_OK ||
        ph_system_array_named(s, "momentum", &m) != PH_OK)
        return (ph_state){{0, 0, 0, 0}, {0, 0, 0}};
    return (ph_state){{*q->data[0], *q->data[1], *q->data[2], *q->data[3]},
                      {*m->data[0], *m->data[1], *m->data[2]}};
}

ph_status ph_system_derivative(const ph_system *s, size_t column, ph_system_column *out)
{
    if (ANY_NULL(s, out))
        return PH_NULL_ARGUMENT;
    if (s->kind->derivative != NULL &&
        s->kind->derivative(s->self, ph_system_clock(s), column, out))
        return PH_OK;
    return PH_NOT_APPLICABLE;
}

size_t ph_system_derivative_count(const ph_system *s)
{
    size_t count = 0;
    ph_system_column one;
    while (ph_system_derivative(s, count, &one) == PH_OK)
        count++;
    return count;
}

/* ---- expressions of the state of one body ------------------------------------------ */

static const ph_array *one_entry(const ph_system *s, const char *name)
{
    const ph_array *f = find_field(s, name);
    if (f != NULL && f->count == 1 && !(f->use & PH_ARRAY_LIST))
        return f;
    return NULL;
}

static ph_vec3 vector(const ph_system *s, const char *name)
{
    const ph_array *f = one_entry(s, name);
    if (f)
        return vec3(*f->data[0], *f->data[1], *f->data[2]);
    return vec3(NAN, NAN, NAN);
}

ph_status ph_system_expression(const ph_system *s, const char *text, ph_expression_use use,
                               ph_expression **out, ph_expression_error *why)
{
    size_t count;
    const double *values;
    if (ANY_NULL(s, text, out))
        return PH_NULL_ARGUMENT;
    const ph_parameter *parameters = ph_system_parameters(s, &count, &values);
    const bool centre = one_entry(s, "position") != NULL;
    const ph_problem *p = NULL;
    if (one_entry(s, "attitude") == NULL)
        return PH_NOT_APPLICABLE;
    if (s->kind->state != NULL)
        (void)s->kind->state(s->self, &p);
    parse_names names = {.use = (unsigned)use,
                         .parameters = parameters,
                         .count = (int)count,
                         .orbit = p != NULL && ph_sky_on_orbit(p)};
    if (centre)
        names.use |= PH_EXPRESSION_OF_CENTRE;
    if (s->dated)
        names.epoch = &s->epoch;
    else if (p != NULL)
        names.epoch = ph_expression_epoch(p);
    return ph_expression_create_named(text, &names, out, why);
}

ph_status ph_system_set_epoch(ph_system *s, double days)
{
    if (s == NULL)
        return PH_NULL_ARGUMENT;
    if (!isfinite(days))
        return PH_BAD_TIME;
    s->epoch = days;
    s->dated = true;
    return PH_OK;
}

double ph_system_evaluate(const ph_system *s, const ph_expression *e)
{
    size_t count;
    const double *values;
    const ph_quat q = ph_system_state(s).q;
    const ph_instant now = {ph_system_clock(s),          q,
                            ph_quat_matrix(q),           vector(s, "momentum"),
                            vector(s, "velocity"),       vector(s, "position"),
                            vector(s, "centre_velocity")};
    (void)ph_system_parameters(s, &count, &values);
    return ph_expression_value(e, &now, values);
}
