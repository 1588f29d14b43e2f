/* json.c - JSON as the tool writes it; what a file of rows is about, as JSON. */
#include "tool/files/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

/* ---- JSON as the tool writes it --------------------------------------------------- */

#define DIGITS 17 /* every number reads back as it was */

json_t *json_finite(double x)
{
    if (isfinite(x))
        return json_real(x);
    return json_null();
}

json_t *json_numbers(const double *x, size_t count, size_t stride)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_add(list, json_finite(x[i * stride]));
    return list;
}

json_t *json_values(const double *x, size_t count)
{
    if (count == 1)
        return json_finite(*x);
    return json_numbers(x, count, 1);
}

json_t *json_text(const char *text)
{
    if (text == NULL)
        return NULL;
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *clean = memory_block(strlen(text) + 1);
    memcpy(clean, text, strlen(text) + 1);
    text_clean(clean, strlen(clean), true);
    value = json_string(clean);
    free(clean);
    return value;
}

bool json_write(outfile *out, json_t *value, size_t flags)
{
    char *text = json_dumps(value, flags | JSON_REAL_PRECISION(DIGITS));
    json_decref(value);
    if (text == NULL)
        return false;
    outfile_write(out, text, strlen(text));
    free(text);
    return true;
}

/* ---- what a file of rows is about, as JSON ---------------------------------------- */

static json_t *entry_json(const ph_array *f, size_t entry)
{
    if (f->width == 1)
        return json_finite(f->data[0][entry * f->stride]);
    json_t *all = json_array();
    for (int k = 0; k < f->width; k++)
        json_add(all, json_finite(f->data[k][entry * f->stride]));
    return all;
}

json_t *field_json(const ph_array *f)
{
    if (f->count == 1 && !(f->use & PH_ARRAY_LIST))
        return entry_json(f, 0);
    json_t *all = json_array();
    for (size_t i = 0; i < f->count; i++)
        json_add(all, entry_json(f, i));
    return all;
}

static json_t *parameters_json(const file_about *about)
{
    json_t *all = json_object();
    for (size_t i = 0; i < about->parameters; i++) {
        const ph_parameter *p = &about->parameter[i];
        const double *x = about->value + p->first;
        json_put(all, p->name, json_values(x, (size_t)p->count));
    }
    return all;
}

json_t *about_json(const record *r)
{
    const file_about *about = r->about;
    json_t *constants = json_object(), *units = json_object();
    for (size_t i = 0; i < r->first.fields; i++) {
        const ph_array *f = &r->first.field[i];
        if (f->use & PH_ARRAY_CONSTANT)
            json_put(constants, f->name, field_json(f));
    }
    for (size_t i = 0; i < r->columns->count; i++)
        json_put(units, r->columns->column[i].name, json_string(r->columns->column[i].unit));
    return json_pack("{ss ss so* so* so* so* ss* so* so* so* so so so}", "program", "polhode",
                     "version", ph_version(), "command", json_text(about->command), "problem",
                     json_text(about->problem), "method", json_text(about->method), "step",
                     about->step == 0.0 ? NULL : json_real(about->step), "epoch", about->epoch,
                     "object", json_text(about->origin.object), "object_id",
                     json_text(about->origin.object_id), "frame", json_text(about->origin.frame),
                     "parameters", parameters_json(about), "constants", constants, "units", units);
}

/* ---- a body at an instant --------------------------------------------------------- */

sample sample_of(const ph_body *b, const ph_state *s, double t)
{
    return (sample){
        .t = t, .state = *s, .velocity = ph_body_velocity(b, s->m), .energy = ph_body_energy(b, s)};
}

bool sample_finite(const sample *x)
{
    return finite4(x->state.q) && finite3(x->state.m) && finite3(x->velocity);
}

#define DATA3(v)                                                                                   \
    {                                                                                              \
        &(v).x, &(v).y, &(v).z                                                                     \
    }
#define DATA4(q)                                                                                   \
    {                                                                                              \
        &(q).w, &(q).x, &(q).y, &(q).z                                                             \
    }

void sample_fields(sample *x, ph_body *b, ph_array field[SAMPLE_FIELDS])
{
    const ph_array all[SAMPLE_FIELDS] = {
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, DATA4(x->state.q)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3", PH_ARRAY_SHOWN, 3, 1,
         1, DATA3(x->state.m)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, DATA3(x->velocity)},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3, 1, 1,
         DATA3(b->J)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4, 1, 1,
         DATA4(b->axes)},
    };
    memcpy(field, all, sizeof all);
}

void sample_invariants_begin(sample_invariants *v, const sample *start)
{
    static const ph_observable all[SAMPLE_INVARIANTS] = {
        {"energy", "I/t^2", "", "energy", 1, true, true, .relative = true},
        {"momentum", "I/t", "", "|momentum|", 1, true, true, .relative = true},
        {"space_momentum", "I/t", "", "space momentum", 3, true, true, .relative = true},
    };
    const ph_vec3 m = start->state.m, space = ph_state_space_momentum(&start->state);
    memcpy(v->all, all, sizeof all);
    v->unit = 1.0 / binary_unit(m);
    v->scaled_length = norm(scale(v->unit, m));
    v->all[SAMPLE_ENERGY].start[0] = start->energy;
    v->all[SAMPLE_LENGTH].start[0] = v->scaled_length / v->unit;
    memcpy(v->all[SAMPLE_SPACE_MOMENTUM].start, &space, sizeof space);
}

/* The largest |x - x0| / |x0| so far, 0 for two zeros. */
static void watch(ph_observable *o, double difference, double size)
{
    double error = 0.0;
    if (difference != 0.0)
        error = fabs(difference) / fabs(size);
    o->error = larger_or_nan(o->error, error);
}

void sample_invariants_at(sample_invariants *v, const sample *x)
{
    ph_observable *o = v->all;
    const double *p = o[SAMPLE_SPACE_MOMENTUM].start;
    const ph_vec3 space = ph_state_space_momentum(&x->state),
                  moved = sub(space, vec3(p[0], p[1], p[2]));
    const double length = norm(scale(v->unit, x->state.m));
    o[SAMPLE_ENERGY].now[0] = x->energy;
    o[SAMPLE_LENGTH].now[0] = length / v->unit;
    memcpy(o[SAMPLE_SPACE_MOMENTUM].now, &space, sizeof o->now);
    watch(&o[SAMPLE_ENERGY], x->energy - o[SAMPLE_ENERGY].start[0], o[SAMPLE_ENERGY].start[0]);
    watch(&o[SAMPLE_LENGTH], length - v->scaled_length, v->scaled_length);
    watch(&o[SAMPLE_SPACE_MOMENTUM], norm(scale(v->unit, moved)), v->scaled_length);
}

json_t *sample_json(const sample *x, double phase_digits)
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    return json_pack("{sf s[ffff] s[fff] s[fff] so*}", "time", x->t, "attitude", q.w, q.x, q.y, q.z,
                     "momentum", m.x, m.y, m.z, "velocity", w.x, w.y, w.z, "phase_digits",
                     phase_digits < 0.0 ? NULL : json_real(phase_digits));
}
