/* sample.c - a body at an instant, as a row of CSV or an object of JSON. */
#include "io/sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/vec.h"

#define DIGITS 17

sample sample_of(const ph_body *b, const ph_state *s, double t)
{
    return (sample){
        .t = t, .state = *s, .velocity = ph_velocity(b, s->m), .energy = ph_energy(b, s)};
}

bool sample_finite(const sample *x)
{
    return finite4(x->state.q) && finite3(x->state.m) && finite3(x->velocity);
}

void sample_write_csv(outfile *out, const sample *x)
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    outfile_print(out,
                  "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,"
                  "%.17g\n",
                  x->t, q.w, q.x, q.y, q.z, m.x, m.y, m.z, w.x, w.y, w.z, x->energy);
}

bool sample_write_json(outfile *out, const sample *x)
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    json_t *object =
        json_pack("{sf s[ffff] s[fff] s[fff]}", "time", x->t, "attitude", q.w, q.x, q.y,
                  q.z, "momentum", m.x, m.y, m.z, "velocity", w.x, w.y, w.z);
    char *text = json_dumps(object, JSON_REAL_PRECISION(DIGITS));
    json_decref(object);
    if (text == NULL)
        return false;
    outfile_write(out, text, strlen(text));
    free(text);
    return true;
}
