/* sample.c - a body at an instant, as an object of JSON, and its tables. */
#include "cli/files/sample.h"

#include <string.h>

#include "rotation/vec.h"

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

#define DATA3(v)                                                                         \
    {                                                                                    \
        &(v).x, &(v).y, &(v).z                                                           \
    }
#define DATA4(q)                                                                         \
    {                                                                                    \
        &(q).w, &(q).x, &(q).y, &(q).z                                                   \
    }

void sample_fields(sample *x, ph_body *b, ph_array field[SAMPLE_FIELDS])
{
    const ph_array all[SAMPLE_FIELDS] = {
        {"attitude", "1", "Attitude, body to space, scalar first", "q0,q1,q2,q3",
         PH_ARRAY_SHOWN | PH_ARRAY_PLACE, 4, 1, 1, DATA4(x->state.q)},
        {"momentum", "I/t", "Angular momentum in the body frame", "m1,m2,m3",
         PH_ARRAY_SHOWN, 3, 1, 1, DATA3(x->state.m)},
        {"velocity", "rad/t", "Angular velocity in the body frame", "w1,w2,w3",
         PH_ARRAY_SHOWN | PH_ARRAY_DERIVED, 3, 1, 1, DATA3(x->velocity)},
        {"moments", "I", "Principal moments of inertia", "I1,I2,I3", PH_ARRAY_CONSTANT, 3,
         1, 1, DATA3(b->J)},
        {"axes", "1", "Principal axes to body frame", "a0,a1,a2,a3", PH_ARRAY_CONSTANT, 4,
         1, 1, DATA4(b->axes)},
    };
    memcpy(field, all, sizeof all);
}

json_t *sample_json(const sample *x, double phase_digits)
{
    const ph_quat q = x->state.q;
    const ph_vec3 m = x->state.m, w = x->velocity;
    return json_pack("{sf s[ffff] s[fff] s[fff] so*}", "time", x->t, "attitude", q.w, q.x,
                     q.y, q.z, "momentum", m.x, m.y, m.z, "velocity", w.x, w.y, w.z,
                     "phase_digits", phase_digits < 0.0 ? NULL : json_real(phase_digits));
}
