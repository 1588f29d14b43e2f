/* step.c - steps of a body whose centre of mass moves.
 *
 * HLW  E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, VIII.6
 *
 * A scheme over a flow, with the force F in space and the torque T in the body:
 *
 *   drift   x += h v,          q and m by the free motion over h
 *   kick    v += h F/mass,     m += h T
 *
 * A tableau of Munthe-Kaas, on y = (theta, l, x, v) from (0, m, x, v), where theta is the turn
 * since the beginning of the step, q exp(theta), and l the angular momentum in the frame of
 * that beginning:
 *
 *   theta' = dexp_(-theta)^-1 w,   l' = exp(theta) T,   x' = v,   v' = F/mass
 *
 * the stages of an implicit one by fixed points (HLW VIII.6.1).
 */
#include <math.h>

#include "integrators/field.h"
#include "integrators/integrator.h"
#include "integrators/splitting.h"
#include "integrators/tableau.h"
#include "motion/state.h"
#include "orbiter/orbiter.h"
#include "rotation/fixed_point.h"
#include "system/find.h"

ph_instant ph_orbiter_instant(const orbiter *o, double t, const orbit_state *at)
{
    const ph_body *body = &o->problem.body;
    const ph_state s = from_principal(body, at->s);
    ph_instant now = instant_at(t, s.q);
    now.x = at->x;
    if (o->problem.velocity_dependent) {
        now.m = s.m;
        now.w = ph_body_velocity(body, s.m);
        now.v = at->v;
    }
    return now;
}

/* Torque and force in a state. */
static void act(orbiter *o, double t, const orbit_state *at)
{
    const ph_problem *p = &o->problem;
    const ph_instant now = ph_orbiter_instant(o, t, at);
    const ph_state turned = {at->s.q, p->torque ? p->torque(p, &now) : vec3(0, 0, 0)};
    o->torque = to_principal(&p->body, turned).m;
    o->force = p->force(p, &now);
    ++*p->evaluations;
}

/* ---- schemes over flows ------------------------------------------------------------ */

static ph_status drift(void *system, double h)
{
    orbiter *o = system;
    o->known = false;
    o->now.x = add(o->now.x, scale(h, o->now.v));
    return ph_drift(&o->integrator, &o->now.s, o->problem.body.J, h);
}

static ph_status kick_both(void *system, double t, double h, double h3)
{
    (void)h3;
    orbiter *o = system;
    if (!(o->known && o->t == t))
        act(o, t, &o->now);
    o->known = true;
    o->t = t;
    o->now.s.m = add(o->now.s.m, scale(h, o->torque));
    o->now.v = add(o->now.v, scale(h / o->mass, o->force));
    return finite3(o->now.s.m) && finite3(o->now.v) ? PH_OK : PH_NOT_FINITE;
}

/* ---- tableaus of Munthe-Kaas ------------------------------------------------------- */

enum { TURN, MOMENTUM, POSITION, VELOCITY, PARTS };

typedef struct unknowns {
    ph_vec3 y[PARTS];
} unknowns;

static orbit_state state_of(const orbit_state *start, const unknowns *a)
{
    const ph_quat E = ph_exp(a->y[TURN]);
    return (orbit_state){
        {mul(start->s.q, E), rotate(inverse(E), a->y[MOMENTUM])},
        a->y[POSITION],
        a->y[VELOCITY],
    };
}

static unknowns slope(orbiter *o, double t, const unknowns *a)
{
    const orbit_state at = state_of(&o->now, a);
    act(o, t, &at);
    const ph_vec3 w = over(at.s.m, o->problem.body.J);
    return (unknowns){{ph_dexp_inverse(scale(-1.0, a->y[TURN]), w),
                       rotate(ph_exp(a->y[TURN]), o->torque), at.v,
                       scale(1.0 / o->mass, o->force)}};
}

/* a + h sum_j c_j f_j over the first n stages. */
static unknowns combined(unknowns a, double h, const double *c, int n, const unknowns *f)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < PARTS; k++)
            a.y[k] = add(a.y[k], scale(h * c[j], f[j].y[k]));
    }
    return a;
}

/* The slopes of all stages anew, one after the other; returns by how much they change the
 * unknowns, relative to their size. */
static double improve(orbiter *o, const tableau *table, double t, double h,
                      const unknowns *start, unknowns *f)
{
    const int n = table->stages;
    double change = 0.0;
    for (int j = 0; j < n; j++) {
        const unknowns at = combined(*start, h, table->a[j], n, f);
        const unknowns next = slope(o, t + table->c[j] * h, &at);
        for (int k = 0; k < PARTS; k++) {
            const double by = fabs(h) * norm_max(sub(next.y[k], f[j].y[k])),
                         moved = fabs(h) * norm_max(next.y[k]),
                         size = k == TURN ? 1.0 : larger_or_nan(moved, norm_max(at.y[k]));
            change = larger_or_nan(change, by == 0.0 ? 0.0 : by / size);
        }
        f[j] = next;
    }
    return change;
}

static ph_status tableau_step(orbiter *o, const tableau *table, double t, double h)
{
    const int n = table->stages;
    const unknowns start = {{{0, 0, 0}, o->now.s.m, o->now.x, o->now.v}};
    unknowns f[TABLEAU_STAGES];
    ph_status status = PH_OK;
    fixed_point progress = {0, 0, 0.0};
    if (tableau_explicit(table)) {
        for (int j = 0; j < n; j++) {
            const unknowns at = combined(start, h, table->a[j], j, f);
            f[j] = slope(o, t + table->c[j] * h, &at);
        }
    } else {
        f[0] = slope(o, t, &start);
        for (int j = 1; j < n; j++)
            f[j] = f[0];
        while (
            fixed_point_goes_on(&progress, improve(o, table, t, h, &start, f), &status))
            ;
    }
    if (status != PH_OK)
        return status;
    const unknowns end = combined(start, h, table->b, n, f);
    o->now = state_of(&o->now, &end);
    o->now.s.q = renormalize(o->now.s.q);
    return PH_OK;
}

/* ---- either ------------------------------------------------------------------------ */

bool ph_orbiter_applies(const ph_integrator *i, const ph_problem *p)
{
    if (i->method != NULL)
        return i->method->step == find_method("mkrk_rk4")->step;
    return i->flow != NULL && i->scheme != NULL && i->scheme->gradient == NULL &&
           !p->velocity_dependent;
}

ph_status ph_orbiter_step(orbiter *o, double t, double h, double end)
{
    static const splitting parts = {drift, kick_both};
    const orbit_state before = o->now;
    const ph_integrator *i = &o->integrator;
    ph_status status = i->method != NULL ? tableau_step(o, i->method->data, t, h)
                                         : ph_splitting_run(i, &parts, o, t, h, end);
    if (status == PH_OK && !(finite4(o->now.s.q) && finite3(o->now.s.m) &&
                             finite3(o->now.x) && finite3(o->now.v)))
        status = PH_NOT_FINITE;
    if (status != PH_OK) {
        o->now = before;
        o->known = false;
    }
    return status;
}
