/* cancel.c - an integrator whose steps fail once a run is cancelled. */
#include "integrators/integrator.h"
#include "measure/common.h"

/* The status of a cancelled step. Nobody reads it: what is measured with it has no
 * meaning. */
static const ph_status CANCELLED = PH_NOT_APPLICABLE;

bool ph_cancelled(cancellation *cancel)
{
    cancel->cancelled =
        cancel->cancelled || (cancel->go_on && !cancel->go_on(cancel->context));
    return cancel->cancelled;
}

static ph_status flow_step(const ph_flow *flow, ph_state *s, ph_vec3 J, double h)
{
    const cancellable *c = flow->data;
    return ph_cancelled(c->cancel) ? CANCELLED
                                   : c->real.flow->step(c->real.flow, s, J, h);
}

/* An adaptive one takes as many steps as its tolerance asks for. */
static ph_status method_step(const ph_method *method, const ph_problem *p, ph_state *s,
                             double t, double h)
{
    const cancellable *c = method->data;
    return ph_cancelled(c->cancel)  ? CANCELLED
           : c->real.method != NULL ? c->real.method->step(c->real.method, p, s, t, h)
                                    : ph_integrator_step(&c->real, p, s, t, h);
}

const ph_integrator *ph_real_integrator(const ph_integrator *i)
{
    return i->flow != NULL && i->flow->step == flow_step
               ? &((const cancellable *)i->flow->data)->real
               : i;
}

ph_integrator ph_cancellable(cancellable *c, const ph_integrator *i, cancellation *cancel)
{
    ph_integrator asking = *i;
    *c = (cancellable){.real = *i, .cancel = cancel};
    if (i->flow != NULL) {
        c->flow = *i->flow;
        c->flow.step = flow_step;
        c->flow.data = c;
        asking.flow = &c->flow;
    }
    if (i->adaptive != NULL) {
        c->method = (ph_method){.name = i->adaptive->name, .any_torque = true};
        asking = (ph_integrator){.method = &c->method};
    } else if (i->method != NULL) {
        c->method = *i->method;
        asking.method = &c->method;
    }
    c->method.step = method_step;
    c->method.data = c;
    return asking;
}
