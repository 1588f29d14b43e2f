/* body_input.c - a body and its start, from options and scenarios. */
#include "input.h"

#include <math.h>

#include "cli/files/euler.h"
#include "cli/files/sample.h"
#include "cli/tool.h"
#include "rotation/vec.h"

/* A message about a value: the place, and on the command line the value. */
static int refuse(const scenario *input, scenario_key key, const char *why)
{
    const char *text = input->value[key].text;
    return fail_usage("%s%s" WORDS ": %s", input_place(input, key),
                      text == NULL ? "" : " ", text == NULL ? "" : text, why);
}

int body_read(const scenario *input, ph_body *body)
{
    const bool tensor = input->value[KEY_TENSOR].is_set;
    const scenario_key key = tensor ? KEY_TENSOR : KEY_INERTIA;
    const double *x = input->value[key].x;
    if (input->value[key].is_set) {
        const ph_status made =
            tensor ? ph_body_from_tensor(body, rows(vec3(x[0], x[3], x[4]),
                                                    vec3(x[3], x[1], x[5]),
                                                    vec3(x[4], x[5], x[2])))
                   : ph_body_from_moments(body, vec3(x[0], x[1], x[2]));
        if (made != PH_OK)
            return refuse(input, key, ph_status_text(made));
    }
    if (!ph_body_physical(body))
        warn("no rigid body has the moments of inertia %g, %g, %g, as one exceeds the "
             "sum of the others: check them",
             body->J.x, body->J.y, body->J.z);
    return 0;
}

int body_read_state(const scenario *input, const ph_problem *p, ph_state *start)
{
    const setting *attitude = &input->value[KEY_ATTITUDE],
                  *rotvec = &input->value[KEY_ROTVEC];
    const setting *m = &input->value[KEY_MOMENTUM], *w = &input->value[KEY_VELOCITY];
    if (attitude->is_set) {
        const double *x = attitude->x, unit = input->degrees ? PH_PI / 180.0 : 1.0,
                     angles[3] = {unit * x[0], unit * x[1], unit * x[2]};
        start->q = attitude->form[0] == '\0' ? (ph_quat){x[0], x[1], x[2], x[3]}
                   : attitude->count == 4
                       ? (ph_quat){x[3], x[0], x[1], x[2]}
                       : euler_attitude(attitude->form + ATTITUDE_AXES, angles);
        if (start->q.w == 0.0 && norm_max(vec(start->q)) == 0.0)
            return refuse(
                input, KEY_ATTITUDE,
                "this is the zero quaternion, no attitude: write 1,0,0,0 for the "
                "identity");
    } else if (rotvec->is_set) {
        start->q = ph_exp(scale(input->degrees ? PH_PI / 180.0 : 1.0,
                                vec3(rotvec->x[0], rotvec->x[1], rotvec->x[2])));
    }
    start->q = ph_quat_unit(start->q);
    if (m->is_set)
        start->m = vec3(m->x[0], m->x[1], m->x[2]);
    else if (w->is_set)
        start->m = ph_problem_momentum(p, 0.0, vec3(w->x[0], w->x[1], w->x[2]));

    const sample first = {.state = *start,
                          .velocity = ph_problem_velocity(p, 0.0, start->m)};
    const double length = hypot(start->m.x, hypot(start->m.y, start->m.z));
    if (!sample_finite(&first) || !isfinite(ph_body_energy(&p->body, start)) ||
        !isfinite(length) || !finite3(ph_state_space_momentum(start)))
        return fail_usage("the start overflows (attitude, momentum, velocity or kinetic "
                          "energy): use other units");
    return 0;
}
