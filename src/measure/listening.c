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
    const listening *l = flow->data;
    return ph_listener_agrees(l->who) ? l->real.flow->step(l->real.flow, s, J, h)
                                      : UNWANTED;
}

static ph_status method_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    const listening *l = method->data;
    return ph_listener_agrees(l->who) ? l->real.method->step(l->real.method, p, s, t, h)
                                      : UNWANTED;
}

ph_integrator ph_listening(listening *l, const ph_integrator *i, listener *who)
{
    ph_integrator asking = *i;
    *l = (listening){.real = *i, .who = who};
    if (i->flow != NULL) {
        l->flow = *i->flow;
        l->flow.step = flow_step;
        l->flow.data = l;
        asking.flow = &l->flow;
    }
    if (i->method != NULL) {
        l->method = *i->method;
        l->method.step = method_step;
        l->method.data = l;
        asking.method = &l->method;
    }
    return asking;
}
