/* start.c - a body and its start, as options and scenarios give them. */
#include "start.h"

#include <math.h>

#include "core/vec.h"
#include "io/sample.h"
#include "report.h"

int start_take(scenario *told, const arguments *given)
{
    int status = 0;
    for (scenario_key key = 0; key < SAY_START_COUNT && status == 0; key++) {
        status = refuse_both(given, key, scenario_key_other(key));
        if (status == 0)
            status = told_take(told, key, given, key);
    }
    return status;
}

/* A message about a value that was said: the place, and on the command line the value. */
static int refuse(const scenario *told, scenario_key key, const char *why)
{
    char place[PLACE];
    const char *text = told->value[key].text;
    return fail_usage("%s%s" WORDS ": %s", told_place(told, key, place),
                      text == NULL ? "" : " ", text == NULL ? "" : text, why);
}

int start_body(const scenario *told, ph_body *body)
{
    const bool tensor = told->value[SAY_TENSOR].said;
    const scenario_key key = tensor ? SAY_TENSOR : SAY_INERTIA;
    if (told->value[key].said) {
        const double *x = told->value[key].x;
        const ph_status made =
            tensor ? ph_body_from_tensor(body, rows(vec3(x[0], x[3], x[4]),
                                                    vec3(x[3], x[1], x[5]),
                                                    vec3(x[4], x[5], x[2])))
                   : ph_body_from_moments(body, vec3(x[0], x[1], x[2]));
        if (made != PH_OK)
            return refuse(told, key, ph_status_text(made));
    }
    if (!ph_body_physical(body))
        warn("no matter has the moments of inertia %g, %g, %g, as one is more than the "
             "sum "
             "of the others: check them",
             body->J.x, body->J.y, body->J.z);
    return 0;
}

int start_state(const scenario *told, const ph_problem *p, ph_state *start)
{
    const setting *attitude = &told->value[SAY_ATTITUDE],
                  *rotvec = &told->value[SAY_ROTVEC];
    const setting *m = &told->value[SAY_MOMENTUM], *w = &told->value[SAY_VELOCITY];
    if (attitude->said) {
        const double *x = attitude->x;
        start->q = (ph_quat){x[0], x[1], x[2], x[3]};
        if (start->q.w == 0.0 && norm_max(vec(start->q)) == 0.0)
            return refuse(
                told, SAY_ATTITUDE,
                "this is the zero quaternion, no attitude: write 1,0,0,0 for the "
                "identity");
    } else if (rotvec->said) {
        start->q = ph_exp(vec3(rotvec->x[0], rotvec->x[1], rotvec->x[2]));
    }
    start->q = ph_quat_unit(start->q);
    if (m->said)
        start->m = vec3(m->x[0], m->x[1], m->x[2]);
    else if (w->said)
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
