/* counted.c - a problem that counts its torques. */
#include "measure/counted.h"

static double potential(const ph_problem *p, ph_mat3 R)
{
    const counter *c = p->context;
    return c->p->potential(c->p, R);
}

static ph_vec3 torque(const ph_problem *p, double t, ph_mat3 R)
{
    const counter *c = p->context;
    ++*c->count;
    return c->p->torque(c->p, t, R);
}

static ph_mat3 derivative(const ph_problem *p, double t, ph_mat3 R)
{
    const counter *c = p->context;
    return c->p->derivative(c->p, t, R);
}

ph_problem ph_counted_problem(const counter *c)
{
    ph_problem p = *c->p;
    p.context = c;
    p.potential = c->p->potential ? potential : NULL;
    p.torque = c->p->torque ? torque : NULL;
    p.derivative = c->p->derivative ? derivative : NULL;
    return p;
}
