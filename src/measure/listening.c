/* listening.c - an integrator that asks before every step whether to go on. */
#include "measure/listening.h"

/* Of a step that was not wanted any more. Nobody reads it: what is measured with it has no
 * meaning. */
static const ph_status UNWANTED = PH_NOT_APPLICABLE;

bool ph_listener_agrees(listener *who)
{
    who->stopped = who->stopped || !who->go_on(who->context);
    return !who->stopped;
}

static ph_status flow_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    const struct listening_flow *l = (const struct listening_flow *)flow;
    return ph_listener_agrees(l->who) ? l->real->step(l->real, s, J, h) : UNWANTED;
}

static ph_status method_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    const struct listening_method *l = (const struct listening_method *)method;
    return ph_listener_agrees(l->who) ? l->real->step(l->real, p, s, t, h) : UNWANTED;
}

ph_integrator ph_listening(listening *l, const ph_integrator *i, listener *who)
{
    ph_integrator asking = *i;
    if (i->flow != NULL) {
        l->flow = (struct listening_flow){*i->flow, i->flow, who};
        l->flow.flow.step = flow_step;
        asking.flow = &l->flow.flow;
    }
    if (i->method != NULL) {
        l->method = (struct listening_method){*i->method, i->method, who};
        l->method.method.step = method_step;
        asking.method = &l->method.method;
    }
    return asking;
}
