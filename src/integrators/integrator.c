/* integrator.c - one step of anything that integrates: a flow, a composition of it, a
 * scheme with one of these as its drift, or a method; and the composition of such steps. */
#include "integrators/integrator.h"
#include "base/reserved.h"

#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/choice.h"
#include "base/text.h"
#include "integrators/adaptive_run.h"
#include "integrators/field.h"
#include "integrators/kick.h"
#include "integrators/tangent.h"
#include "integrators/thermostat.h"
#include "motion/checked.h"
#include "motion/composition.h"
#include "motion/state.h"

/* ---- the stages of a scheme ------------------------------------------------------ */

/* How often a letter is in a word. */
static int letters(const char *parts, char letter)
{
    int count = 0;
    for (; *parts != '\0'; parts++)
        count += *parts == letter;
    return count;
}

/* The letters of a thermostat's word one after another; kicks as below. */
static ph_status thermostat_step(const char *word, const splitting *parts, void *system, double t,
                                 double h, double end)
{
    const int drifts = letters(word, 'A'), last = letters(word, 'B');
    int drifted = 0, kicked = 0;
    ph_status status = ok_if(parts->bath != NULL, PH_NOT_APPLICABLE);
    for (int i = 0; status == PH_OK && word[i] != '\0'; i++) {
        const double part = h / letters(word, word[i]);
        if (word[i] == 'A') {
            drifted++;
            status = parts->drift(system, part);
        } else if (word[i] == 'B') {
            const double when = t + h * drifted / drifts;
            status = parts->kick(system, ++kicked == last ? end : when, part, 0.0);
        } else {
            status = parts->bath(system, word[i], i, part);
        }
    }
    return status;
}

/* A kick happens at the time to which the drifts so far have led: after drifts over c h in all,
 * at t + c h. */
ph_status ph_splitting_step(const ph_scheme *scheme, const splitting *parts, void *system, double t,
                            double h, double end)
{
    if (scheme->parts != NULL)
        return thermostat_step(scheme->parts, parts, system, t, h, end);
    const int last = scheme->stages - 1;
    double passed = 0.0;
    for (int i = 0; i <= last; i++) {
        const int k = smaller_int(i, last - i);
        const double c = scheme->half[k];
        const bool kick = scheme->kick_first == (i % 2 == 0);
        ph_status status;
        if (kick) {
            const double g = scheme->gradient ? scheme->gradient[k] * h * h * h : 0.0;
            status = parts->kick(system, i == last ? end : t + passed * h, c * h, g);
        } else {
            status = parts->drift(system, c * h);
            passed += c;
        }
        if (status != PH_OK)
            return status;
    }
    return PH_OK;
}

ph_status ph_splitting_run(const ph_integrator *i, const splitting *parts, void *system, double t,
                           double h, double end)
{
    const int last = i->whole ? i->whole->stages - 1 : 0;
    double passed = 0.0;
    ph_status status = PH_OK;
    for (int k = 0; k <= last && status == PH_OK; k++) {
        const double part = i->whole ? composition_part(i->whole, k) : 1.0, from = t + passed * h;
        passed += part;
        status = ph_splitting_step(i->scheme, parts, system, from, part * h,
                                   k == last ? end : t + passed * h);
    }
    return status;
}

/* ---- one body in a field, drifting and kicked ------------------------------------ */

ph_status ph_drift(const ph_integrator *i, ph_state *s, ph_vec3 J, double h)
{
    const ph_composition *c = flow_composition(i);
    if (c)
        return ph_composition_step(c, i->flow, s, J, h);
    return i->flow->step(i->flow, s, J, h);
}

static ph_status drift(void *system, double h)
{
    body_in_field *b = system;
    const ph_state before = b->s;
    const ph_status status = ph_drift(b->i, &b->s, b->p->body.J, h);
    if (status == PH_OK && b->tangents)
        return ph_tangent_drift(b->tangents, &before, h);
    return status;
}

static bool same_attitude(ph_quat a, ph_quat b)
{
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

static ph_vec3 torque(body_in_field *b, double t)
{
    if (!(b->known && b->t == t && same_attitude(b->q, b->s.q))) {
        b->tau = torque_at(b->p, t, b->s.q);
        b->t = t;
        b->q = b->s.q;
        b->known = true;
    }
    return b->tau;
}

static ph_status kick_body(void *system, double t, double h, double h3)
{
    body_in_field *b = system;
    const ph_problem *p = b->p;
    if (b->tangents != NULL)
        ph_tangent_kick(b->tangents, &b->s, t, h, h3);
    if (p->torque == NULL)
        return PH_OK;
    const ph_vec3 tau = torque(b, t);
    ph_vec3 m = kicked(b->s.m, tau, h);
    if (h3 != 0.0)
        m = kicked_by_gradient(m, tau, p->body.J, torque_derivative(p, t, b->s.q), h3);
    if (!finite3(m))
        return PH_NOT_FINITE;
    b->s.m = m;
    return PH_OK;
}

static ph_status heat_body(void *system, char part, int stage, double h)
{
    body_in_field *b = system;
    ph_vec3 *m = &b->s.m;
    const ph_vec3 *J = &b->p->body.J;
    return thermostat_act(b->bath, part, stage,
                          &(momenta){ANGULAR, 1, {&m->x, &m->y, &m->z}, {&J->x, &J->y, &J->z}}, h);
}

static ph_status scheme_step(body_in_field *b, double t, double h, double end)
{
    static const splitting parts = {drift, kick_body, heat_body};
    const ph_scheme *scheme = b->i->scheme;
    const ph_state before = b->s;
    const ph_status status = ph_splitting_step(scheme, &parts, b, t, h, end);
    if (status != PH_OK)
        b->s = before;
    return status;
}

/* ---- any of them ----------------------------------------------------------------- */

static ph_status applies(const ph_integrator *i, const ph_problem *p)
{
    if (i->adaptive != NULL)
        return PH_OK;
    const bool any_torque = i->method != NULL && i->method->any_torque,
               gradient = i->scheme != NULL && i->scheme->gradient != NULL;
    if (i->method != NULL ? i->method->step == NULL : i->flow == NULL)
        return PH_NOT_APPLICABLE;
    if (!any_torque && !is_field(p))
        return PH_NOT_APPLICABLE;
    if (p->torque != NULL && (flow_alone(i) || (gradient && p->derivative == NULL)))
        return PH_NOT_APPLICABLE;
    return PH_OK;
}

bool ph_integrator_known(const ph_integrator *i)
{
    return KNOWN(i) && KNOWN(i->flow) && KNOWN(i->composition) && KNOWN(i->scheme) &&
           KNOWN(i->method) && KNOWN(i->whole);
}

ph_status ph_integrator_applies(const ph_integrator *i, const ph_problem *p)
{
    if (ANY_NULL(i, p))
        return PH_NULL_ARGUMENT;
    if (ph_integrator_known(i) && KNOWN(p))
        return applies(i, p);
    return PH_NEWER_MEMBER;
}

static ph_status adaptive_step(body_in_field *b, double t, double end)
{
    ph_adaptive_run run;
    ph_status status = ph_adaptive_prepare(&run, b->i->adaptive, b->p, &b->s, t, b->i->tolerance);
    if (status != PH_OK)
        return status;
    run.longest_step = b->i->longest_step != 0.0 ? b->i->longest_step : INFINITY;
    status = ph_adaptive_advance(&run, end);
    if (status == PH_OK)
        b->s = ph_adaptive_state(&run);
    return status;
}

static ph_status plain_step(body_in_field *b, double t, double h, double end)
{
    const ph_integrator *i = b->i;
    if (i->adaptive != NULL)
        return adaptive_step(b, t, end);
    if (i->method != NULL)
        return i->method->step(i->method, b->p, &b->s, t, h);
    if (i->scheme != NULL)
        return scheme_step(b, t, h, end);
    return drift(b, h);
}

static ph_status composed_step(body_in_field *b, double t, double h, double end)
{
    const ph_composition *c = b->i->whole;
    const ph_state before = b->s;
    double passed = 0.0;
    for (int k = 0; k < c->stages; k++) {
        const double g = composition_part(c, k), from = t + passed * h;
        passed += g;
        const double to = k == c->stages - 1 ? end : t + passed * h;
        const ph_status status = plain_step(b, from, g * h, to);
        if (status != PH_OK) {
            b->s = before;
            return status;
        }
    }
    return PH_OK;
}

ph_status ph_body_step(body_in_field *b, double t, double h, double end)
{
    const ph_status status = applies(b->i, b->p);
    if (status != PH_OK)
        return status;
    if (b->i->whole != NULL && !flow_alone(b->i))
        return composed_step(b, t, h, end);
    return plain_step(b, t, h, end);
}

ph_status ph_integrator_step(const ph_integrator *i, const ph_problem *p, ph_state *s, double t,
                             double h)
{
    if (ANY_NULL(i, p, s))
        return PH_NULL_ARGUMENT;
    ph_problem memory;
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (!isfinite(t + h))
        return PH_BAD_TIME;
    if (!ph_integrator_known(i) || !KNOWN(p))
        return PH_NEWER_MEMBER;
    body_in_field b = {
        .i = i, .p = ph_problem_principal(p, &memory), .s = to_principal(&p->body, *s)};
    const ph_status status = ph_body_step(&b, t, h, t + h);
    if (status != PH_OK)
        return status;
    b.s = from_principal(&p->body, b.s);
    CHECKED(ph_integrator_name(i, (char[PH_INTEGRATOR_NAME]){0}), state_holds(&b.s, s->q));
    *s = b.s;
    return PH_OK;
}

const char *ph_integrator_name(const ph_integrator *i, char name[PH_INTEGRATOR_NAME])
{
    const char *first = "", *drift = "", *of_drift = NULL, *of_all = NULL;
    if (i->adaptive)
        first = i->adaptive->name;
    else if (i->method)
        first = i->method->name;
    else if (i->scheme)
        first = i->scheme->name;
    if (i->adaptive == NULL && i->whole != NULL)
        of_all = i->whole->name;
    if (i->adaptive == NULL && i->method == NULL && (i->flow != NULL || i->scheme != NULL)) {
        drift = i->flow ? i->flow->name : "circle";
        if (i->flow && i->composition)
            of_drift = i->composition->name;
    }
    (void)snprintf(name, PH_INTEGRATOR_NAME, "%s%s%s%s%s%s%s", first,
                   text_if(*first && *drift, "+"), drift, text_if(of_drift != NULL, ":"),
                   text_or_empty(of_drift), text_if(of_all != NULL, "@"), text_or_empty(of_all));
    return name;
}

int ph_integrator_order(const ph_integrator *i)
{
    if (i->adaptive != NULL)
        return i->adaptive->order;
    if (i->method == NULL && i->flow == NULL && i->scheme == NULL)
        return PH_ORDER_NONE;
    if (i->whole != NULL)
        return i->whole->order;
    if (i->method != NULL)
        return i->method->order;
    int drift_order = PH_ORDER_EXACT;
    if (i->flow)
        drift_order = i->composition ? i->composition->order : i->flow->order;
    if (i->scheme == NULL)
        return drift_order;
    if (drift_order == PH_ORDER_EXACT || drift_order > i->scheme->order)
        return i->scheme->order;
    return drift_order;
}

/* A composition keeps what all its parts keep. A scheme keeps of what its flow keeps the
 * structure and the symmetry: its kicks are flows of a Hamiltonian, and it is a palindrome. The
 * energy is not kept, nor the Poisson structure of the momenta, which a field ties to the
 * attitude, but as a part of the symplectic one. On spheres drifts along great circles are
 * flows of Hamiltonians too, with the symmetry of the problem. */
unsigned ph_integrator_keeps(const ph_integrator *i)
{
    if (i->adaptive != NULL)
        return i->adaptive->keeps;
    if (i->method != NULL)
        return i->method->keeps;
    if (i->scheme != NULL && i->scheme->parts != NULL)
        return 0;
    if (i->flow == NULL) {
        if (i->scheme)
            return PH_MOMENTUM | PH_SYMMETRIC | PH_SYMPLECTIC;
        return 0;
    }
    const unsigned keeps = i->flow->keeps,
                   structure = keeps & PH_SYMPLECTIC ? PH_SYMPLECTIC | PH_POISSON : 0;
    if (i->scheme)
        return (keeps & (PH_MOMENTUM | PH_SYMMETRIC)) | structure;
    return keeps;
}

/* Without torque a scheme is its flow over parts of the step, in a palindrome. */
unsigned ph_integrator_keeps_free(const ph_integrator *i)
{
    if (i->adaptive != NULL)
        return i->adaptive->keeps_free;
    if (i->scheme != NULL && i->scheme->parts != NULL)
        return 0;
    if (i->method)
        return i->method->keeps_free;
    return i->flow ? i->flow->keeps : 0;
}
