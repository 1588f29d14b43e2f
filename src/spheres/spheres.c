/* spheres.c - questions to a configuration, and one step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/extremes.h"
#include "core/named.h"
#include "spheres/workspace.h"

/* ---- problems and integrators ---------------------------------------------------- */

const ph_parameter *ph_spheres_problem_parameter(const ph_spheres_problem *p,
                                                 const char *name)
{
    return ROW_NAMED(p->parameters, p->parameter_count, name);
}

const char *ph_spheres_integrator_name(const ph_spheres_integrator *i,
                                       char name[PH_INTEGRATOR_NAME])
{
    (void)snprintf(name, PH_INTEGRATOR_NAME, "%s%s",
                   i->method ? i->method->name : i->scheme->name,
                   i->method ? "" : "+circle");
    return name;
}

int ph_spheres_integrator_order(const ph_spheres_integrator *i)
{
    return i->method ? i->method->order : i->scheme->order;
}

/* Drifts along great circles and kicks are flows of Hamiltonians with the symmetry of the
 * problem, and a scheme is a palindrome of them. */
unsigned ph_spheres_integrator_keeps(const ph_spheres_integrator *i)
{
    return i->method ? i->method->keeps : PH_MOMENTUM | PH_SYMMETRIC | PH_SYMPLECTIC;
}

bool ph_spheres_applicable(const ph_spheres_integrator *i, const ph_spheres_problem *p)
{
    const int kind = p->angular_velocity ? PH_FIRST_ORDER : PH_SECOND_ORDER;
    if (i->method != NULL)
        return (i->method->applies_to & kind) != 0;
    return i->scheme != NULL && kind == PH_SECOND_ORDER && !p->coupled &&
           (i->scheme->gradient == NULL || p->hessian != NULL);
}

/* ---- a configuration ------------------------------------------------------------- */

int ph_spheres_count(const ph_spheres *s)
{
    return s->n;
}

long ph_spheres_evaluations(const ph_spheres *s)
{
    return s->evaluations;
}

void ph_spheres_derive(ph_spheres *s, const ph_vec3 *q, ph_vec3 *w)
{
    if (s->p.angular_velocity == NULL)
        return;
    const ph_vec3 *g = ph_spheres_angular_velocity(s, q);
    for (int i = 0; i < s->n; i++)
        w[i] = tangential(q[i], g[i]);
}

void ph_spheres_start(ph_spheres *s, ph_vec3 *q, ph_vec3 *w)
{
    s->p.start(&s->p, q, s->p.angular_velocity ? NULL : w);
    ph_spheres_derive(s, q, w);
}

ph_spheres_defects ph_spheres_defect(int n, const ph_vec3 *q, const ph_vec3 *w)
{
    ph_spheres_defects d = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        d.length = larger_or_nan(d.length, fabs(norm(q[i]) - 1.0));
        d.orthogonality = larger_or_nan(d.orthogonality, fabs(dot(q[i], w[i])));
    }
    return d;
}

ph_status ph_spheres_project(int n, ph_vec3 *q, ph_vec3 *w, ph_spheres_defects *found)
{
    ph_spheres_defects d = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        const double length = norm(q[i]), speed = norm(w[i]);
        const double along = speed > 0.0 ? fabs(dot(q[i], w[i])) / (length * speed) : 0.0;
        if (!(fabs(length - 1.0) <= PH_SPHERES_TOLERANCE &&
              along <= PH_SPHERES_TOLERANCE && isfinite(speed)))
            return PH_NOT_ON_SPHERE;
        d.length = larger_or_nan(d.length, fabs(length - 1.0));
        d.orthogonality = larger_or_nan(d.orthogonality, along);
    }
    const double round_off = 4 * 0x1p-53; /* what is that near stays as it is */
    for (int i = 0; i < n; i++) {
        if (fabs(norm(q[i]) - 1.0) > round_off)
            q[i] = renormalize_direction(scale(1.0 / norm(q[i]), q[i]));
        if (fabs(dot(q[i], w[i])) > round_off * norm(w[i]))
            w[i] = tangential(q[i], w[i]);
    }
    if (found != NULL)
        *found = d;
    return PH_OK;
}

double ph_spheres_energy(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w)
{
    if (s->p.angular_velocity != NULL)
        return s->p.potential(&s->p, s->memory, q, NULL);
    (void)ph_spheres_gradient(s, q);
    ph_vec3 *v = s->scratch;
    double twice = 0.0;
    for (int i = 0; i < s->n; i++)
        v[i] = velocity_of(q[i], w[i]);
    for (int i = 0; i < s->n; i++)
        twice += dot(v[i], ph_spheres_mass_times(s, i, v));
    return 0.5 * twice + s->potential;
}

double ph_spheres_invariant_value(ph_spheres *s, int number, const ph_vec3 *q,
                                  const ph_vec3 *w)
{
    return s->p.invariants[number].value(&s->p, q, w);
}

/* ---- one step -------------------------------------------------------------------- */

ph_status ph_spheres_commit_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w)
{
    const bool first_order = s->p.angular_velocity != NULL;
    double sum = 0.0;
    for (int i = 0; i < s->n; i++)
        sum += s->next_q[i].x + s->next_q[i].y + s->next_q[i].z;
    if (first_order)
        ph_spheres_derive(s, s->next_q, s->next_w);
    for (int i = 0; i < s->n; i++)
        sum += s->next_w[i].x + s->next_w[i].y + s->next_w[i].z;
    if (!isfinite(sum))
        return PH_NOT_FINITE;
    memcpy(q, s->next_q, (size_t)s->n * sizeof *q);
    memcpy(w, s->next_w, (size_t)s->n * sizeof *w);
    return PH_OK;
}

/* The smallest turn that takes a to b, unit vectors: about a x b. */
static ph_quat smallest_turn(ph_vec3 a, ph_vec3 b)
{
    return ph_quat_unit(quat(1.0 + dot(a, b), cross(a, b)));
}

ph_status ph_spheres_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    const ph_spheres_method *method = s->i.method;
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (method == NULL && s->i.scheme == NULL)
        return PH_NOT_APPLICABLE;
    ph_vec3 *before = s->vectors[SPHERE_VECTORS - 1]; /* methods use the others */
    memcpy(before, q, (size_t)s->n * sizeof *q);
    s->turned = false;
    const ph_status status =
        method ? method->step(method, s, q, w, h) : ph_spheres_scheme_step(s, q, w, h);
    if (status == PH_OK && !s->turned) {
        for (int i = 0; i < s->n; i++)
            s->turn[i] = smallest_turn(before[i], q[i]);
    }
    return status;
}

void ph_spheres_turns(const ph_spheres *s, ph_quat *turn)
{
    memcpy(turn, s->turn, (size_t)s->n * sizeof *turn);
}
