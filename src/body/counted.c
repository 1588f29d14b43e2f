/* counted.c - a problem that counts its torques. */
#include "body/counted.h"

static double potential(const ph_problem *p, const ph_instant *now)
{
    const counter *c = p->context;
    return c->p->potential(c->p, now);
}

static ph_vec3 torque(const ph_problem *p, const ph_instant *now)
{
    const counter *c = p->context;
    ++*c->count;
    return c->p->torque(c->p, now);
}

static ph_mat3 derivative(const ph_problem *p, const ph_instant *now)
{
    const counter *c = p->context;
    return c->p->derivative(c->p, now);
}

static ph_vec3 internal(const ph_problem *p, double t)
{
    const counter *c = p->context;
    return c->p->internal(c->p, t);
}

ph_problem ph_counted_problem(counter *c)
{
    ph_problem p = *c->p;
    p.context = c;
    p.potential = c->p->potential ? potential : NULL;
    p.torque = c->p->torque ? torque : NULL;
    p.derivative = c->p->derivative ? derivative : NULL;
    p.internal = c->p->internal ? internal : NULL;
    return p;
}
