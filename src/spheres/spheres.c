/* spheres.c - questions to a configuration, and one step. */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/extremes.h"
#include "motion/composition.h"
#include "spheres/solve.h"

/* ---- a configuration ------------------------------------------------------------- */

int ph_spheres_count(const ph_spheres *s)
{
    return s->n;
}

long ph_spheres_evaluations(const ph_spheres *s)
{
    return (long)s->evaluations;
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
    if (n < 0)
        return PH_BAD_PARAMETER;
    if (n > 0 && ANY_NULL(q, w))
        return PH_NULL_ARGUMENT;
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

/* The smallest turn that takes a to b, unit vectors: about a x b. */
static ph_quat smallest_turn(ph_vec3 a, ph_vec3 b)
{
    return ph_quat_unit(quat(1.0 + dot(a, b), cross(a, b)));
}

static ph_status plain_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    const ph_spheres_method *method = s->i.method;
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

/* The stages one after the other, and their turns one upon the other. */
static ph_status composed_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    const ph_composition *c = s->i.whole;
    const size_t n = (size_t)s->n;
    memcpy(s->first_q, q, n * sizeof *q);
    memcpy(s->first_w, w, n * sizeof *w);
    for (int k = 0; k < c->stages; k++) {
        const ph_status status = plain_step(s, q, w, composition_part(c, k) * h);
        if (status != PH_OK) {
            memcpy(q, s->first_q, n * sizeof *q);
            memcpy(w, s->first_w, n * sizeof *w);
            return status;
        }
        for (size_t i = 0; i < n; i++)
            s->whole_turn[i] =
                k == 0 ? s->turn[i] : renormalize(mul(s->turn[i], s->whole_turn[i]));
    }
    memcpy(s->turn, s->whole_turn, n * sizeof *s->turn);
    return PH_OK;
}

ph_status ph_spheres_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    if (ANY_NULL(s, q))
        return PH_NULL_ARGUMENT;
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (s->i.method == NULL && s->i.scheme == NULL)
        return PH_NOT_APPLICABLE;
    return s->i.whole ? composed_step(s, q, w, h) : plain_step(s, q, w, h);
}

void ph_spheres_turns(const ph_spheres *s, ph_quat *turn)
{
    memcpy(turn, s->turn, (size_t)s->n * sizeof *turn);
}
