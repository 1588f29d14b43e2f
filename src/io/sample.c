/* sample.c - a body at an instant, as a row of numbers or an object of JSON. */
#include "io/sample.h"

#include <string.h>

#include "core/vec.h"
#include "io/json.h"

sample sample_of(const ph_body *b, const ph_state *s, double t)
{
    return (sample){.t = t,
                    .state = *s,
                    .velocity = ph_body_velocity(b, s->m),
                    .energy = ph_body_energy(b, s)};
}

bool sample_finite(const sample *x)
{
    return finite4(x->state.q) && finite3(x->state.m) && finite3(x->velocity);
}

void sample_row(const sample *x, double row[SAMPLE_COLUMN_COUNT])
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    const double numbers[SAMPLE_COLUMN_COUNT] = {x->t, q.w, q.x, q.y, q.z, m.x,
                                                 m.y,  m.z, w.x, w.y, w.z, x->energy};
    memcpy(row, numbers, sizeof numbers);
}

json_t *sample_json(const sample *x)
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    return json_pack("{s[ffff] s[fff] s[fff]}", "attitude", q.w, q.x, q.y, q.z,
                     "momentum", m.x, m.y, m.z, "velocity", w.x, w.y, w.z);
}

bool sample_write_json(outfile *out, const sample *x, double phase_digits)
{
    json_t *object = json_pack("{sf}", "time", x->t), *state = sample_json(x);
    const bool digits_good =
        phase_digits < 0.0 ||
        json_object_set_new(state, "phase_digits", json_real(phase_digits)) == 0;
    const bool good = json_object_update(object, state) == 0 && digits_good;
    json_decref(state);
    if (!good)
        json_decref(object);
    return good && json_write(out, object, 0);
}
