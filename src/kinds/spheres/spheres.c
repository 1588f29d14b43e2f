/* spheres.c - a problem and an integrator with the memory for a run: made and checked,
 * questions to a configuration, and one step, of a method or of a scheme. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/arguments.h"
#include "base/extremes.h"
#include "integrators/integrator.h"
#include "kinds/spheres/workspace.h"
#include "motion/composition.h"

/* ---- the arrays ------------------------------------------------------------------ */

static void *doubles(arena *a, size_t count)
{
    return arena_take(a, count, sizeof(double));
}

static void *vectors(arena *a, size_t count)
{
    return arena_take(a, count, sizeof(ph_vec3));
}

static void lay_out(arena *a, void *owner)
{
    ph_spheres *s = owner;
    const size_t n = (size_t)s->n;
    const ph_spheres_problem *p = &s->p;
    s->mass = doubles(a, s->coupled ? n * n : n);
    if (s->coupled) {
        s->inverse = doubles(a, n * n);
        s->factor = doubles(a, 4 * n * n);
        s->dense = doubles(a, DENSE_DOUBLES(n));
        s->frame = vectors(a, 2 * n);
    }
    s->memory = doubles(a, p->memory_size ? p->memory_size(p) : 0);
    s->known_q = vectors(a, n);
    s->gradient = vectors(a, n);
    s->angular_velocity = vectors(a, n);
    ph_vec3 *all = vectors(a, SPHERE_VECTORS * n);
    for (size_t k = 0; k < SPHERE_VECTORS; k++) {
        if (all)
            s->vectors[k] = all + k * n;
        else
            s->vectors[k] = NULL;
    }
    s->scratch = vectors(a, n);
    s->next_q = vectors(a, n);
    s->next_w = vectors(a, n);
    s->turn = arena_take(a, n, sizeof(ph_quat));
    if (s->i.whole != NULL) {
        s->first_q = vectors(a, n);
        s->first_w = vectors(a, n);
        s->whole_turn = arena_take(a, n, sizeof(ph_quat));
    }
}

/* ---- the mass matrix ------------------------------------------------------------- */

/* The inverse of M from its factor L, column by column. */
static void invert(int n, const double *L, double *inverse)
{
    for (int j = 0; j < n; j++) {
        double *column = inverse + (size_t)j * (size_t)n; /* it is symmetric */
        for (int i = 0; i < n; i++)
            column[i] = i == j;
        ph_cholesky_solve(n, L, column);
    }
}

/* The two halves of M may differ by round-off: m l_1 l_2 and m l_2 l_1 do. The upper one is taken. */
static ph_status coupled_mass(ph_spheres *s)
{
    static const double ROUND_OFF = 0x1p-48; /* of the unit in which M is 1 on the diagonal */
    const int n = s->n;
    const ph_spheres_problem *p = &s->p;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            const double M = p->mass(p, i, j),
                         unit = sqrt(p->mass(p, i, i)) * sqrt(p->mass(p, j, j));
            if (!isfinite(M) || !(fabs(M - p->mass(p, j, i)) <= ROUND_OFF * unit))
                return PH_BAD_MASS;
            s->mass[(size_t)i * (size_t)n + (size_t)j] = M;
            s->mass[(size_t)j * (size_t)n + (size_t)i] = M;
        }
    }
    memcpy(s->factor, s->mass, (size_t)n * (size_t)n * sizeof *s->mass);
    if (!ph_cholesky(n, s->factor))
        return PH_BAD_MASS;
    invert(n, s->factor, s->inverse);
    return PH_OK;
}

static ph_status diagonal_mass(ph_spheres *s)
{
    for (int i = 0; i < s->n; i++) {
        s->mass[i] = s->p.mass(&s->p, i, i);
        if (!(s->mass[i] > 0.0 && isfinite(s->mass[i])))
            return PH_BAD_MASS;
    }
    return PH_OK;
}

/* ---- new and free ---------------------------------------------------------------- */

/* No value of a parameter may be infinite or NaN. */
static bool finite_parameters(const ph_spheres_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->parameter_count; i++) {
        for (int k = 0; k < p->parameters[i].count; k++)
            sum += 0.0 * p->value[p->parameters[i].first + k];
    }
    return sum == 0.0;
}

static ph_status build(ph_spheres *s)
{
    const ph_spheres_problem *p = &s->p;
    if (p->fill)
        p->fill(p, s->memory);
    if (p->angular_velocity != NULL)
        return PH_OK;
    if (s->coupled)
        return coupled_mass(s);
    return diagonal_mass(s);
}

ph_status ph_spheres_create(const ph_spheres_problem *p, const ph_integrator *i, ph_spheres **out)
{
    if (ANY_NULL(out, p))
        return PH_NULL_ARGUMENT;
    const int n = finite_parameters(p) ? p->count(p) : 0;
    if (n < 1)
        return PH_BAD_PARAMETER;
    ph_status status = PH_OK;
    if (p->check != NULL)
        status = p->check(p);
    if (status == PH_OK && i != NULL && !ph_spheres_applicable(i, p))
        status = PH_NOT_APPLICABLE;
    if (status != PH_OK)
        return status;
    ph_spheres *s = calloc(1, sizeof *s);
    if (s == NULL)
        return PH_NO_MEMORY;
    s->p = *p;
    if (i != NULL)
        s->i = *i;
    s->n = n;
    s->coupled = p->coupled && n > 1;
    s->block = arena_block(lay_out, s);
    if (s->block)
        status = build(s);
    else
        status = PH_NO_MEMORY;
    if (status == PH_OK)
        *out = s;
    else
        ph_spheres_destroy(s);
    return status;
}

void ph_spheres_destroy(ph_spheres *s)
{
    if (s != NULL)
        free(s->block);
    free(s);
}

/* ---- a configuration ------------------------------------------------------------- */

int ph_spheres_count(const ph_spheres *s)
{
    return s->n;
}

uint64_t ph_spheres_evaluations(const ph_spheres *s)
{
    return s->evaluations;
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
        if (!(fabs(length - 1.0) <= PH_SPHERES_TOLERANCE && along <= PH_SPHERES_TOLERANCE &&
              isfinite(speed)))
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
        v[i] = cross(w[i], q[i]);
    for (int i = 0; i < s->n; i++)
        twice += dot(v[i], ph_spheres_mass_times(s, i, v));
    return 0.5 * twice + s->potential;
}

double ph_spheres_invariant_value(ph_spheres *s, int number, const ph_vec3 *q, const ph_vec3 *w)
{
    return s->p.invariants[number].value(&s->p, q, w);
}

/* ---- schemes: free motion along great circles, and kicks ------------------------- */

/* With a diagonal mass matrix and no potential each sphere turns with constant w:
 *
 *   drift  q+ = cos(|w| h) q + sin(|w| h)/|w| w x q
 *   kick   w+ = w - (h/M) q x dV/dq + (h3/M) q x dW/dq
 *
 * where W = sum_i |q_i x dV/dq_i|^2/M_i, the nested bracket of kick, drift and kick. With
 * T_i = q_i x V_i, V_i = dV/dq_i, P_i the projection and H the second derivatives of V:
 *
 *   q_i x dW/dq_i = -(2/M_i) (q_i.V_i) T_i + 2 q_i x sum_j H_ij P_j V_j/M_j */
static ph_status drift(void *system, double h)
{
    ph_spheres *s = system;
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 q = s->next_q[i], w = s->next_w[i];
        const double rate = norm(w), angle = rate * h;
        double sine, cosine;
        ph_sincos(angle, &sine, &cosine);
        const double over_rate = quotient_or(sine, rate, h);
        s->next_q[i] = renormalize_direction(add(scale(cosine, q), scale(over_rate, cross(w, q))));
    }
    return PH_OK;
}

/* (h3/M) q x dW/dq, added to w. */
static void gradient_kick(ph_spheres *s, const ph_vec3 *V, double h3)
{
    const ph_vec3 *q = s->next_q;
    ph_vec3 *x = s->vectors[0], *change = s->vectors[1];
    for (int i = 0; i < s->n; i++)
        x[i] = scale(1.0 / s->mass[i], tangential(q[i], V[i]));
    s->p.hessian(&s->p, s->memory, q, x, change);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 T = cross(q[i], V[i]);
        const ph_vec3 first = scale(-dot(q[i], V[i]) / s->mass[i], T),
                      both = add(first, cross(q[i], change[i]));
        s->next_w[i] = add(s->next_w[i], scale(2.0 * h3 / s->mass[i], both));
    }
}

static ph_status kick(void *system, double t, double h, double h3)
{
    ph_spheres *s = system;
    (void)t;
    const ph_vec3 *V = ph_spheres_gradient(s, s->next_q);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 T = cross(s->next_q[i], V[i]);
        s->next_w[i] = sub(s->next_w[i], scale(h / s->mass[i], T));
    }
    if (h3 != 0.0)
        gradient_kick(s, V, h3);
    return ok_if(finite_vectors(s->n, s->next_w), PH_NOT_FINITE);
}

static ph_status scheme_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    static const splitting parts = {drift, kick, NULL};
    memcpy(s->next_q, q, (size_t)s->n * sizeof *q);
    memcpy(s->next_w, w, (size_t)s->n * sizeof *w);
    const ph_status status = ph_splitting_step(s->i.scheme, &parts, s, 0.0, h, h);
    if (status == PH_OK)
        return ph_spheres_commit_step(s, q, w);
    return status;
}

/* ---- one step -------------------------------------------------------------------- */

/* The smallest turn that takes a to b, unit vectors: about a x b. */
static ph_quat smallest_turn(ph_vec3 a, ph_vec3 b)
{
    return ph_quat_unit(quat(1.0 + dot(a, b), cross(a, b)));
}

static ph_status plain_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    const ph_method *method = s->i.method;
    ph_vec3 *before = s->vectors[SPHERE_VECTORS - 1]; /* methods use the others */
    memcpy(before, q, (size_t)s->n * sizeof *q);
    s->turned = false;
    ph_status status;
    if (method != NULL)
        status = sphere_method_of(method)->step(method, s, q, w, h);
    else
        status = scheme_step(s, q, w, h);
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
        for (size_t i = 0; i < n; i++) {
            if (k == 0)
                s->whole_turn[i] = s->turn[i];
            else
                s->whole_turn[i] = renormalize(mul(s->turn[i], s->whole_turn[i]));
        }
    }
    memcpy(s->turn, s->whole_turn, n * sizeof *s->turn);
    return PH_OK;
}

ph_status ph_spheres_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    if (ANY_NULL(s, q, w))
        return PH_NULL_ARGUMENT;
    if (!isfinite(h))
        return PH_BAD_STEP;
    if (s->i.method == NULL && s->i.scheme == NULL)
        return PH_NOT_APPLICABLE;
    if (s->i.whole)
        return composed_step(s, q, w, h);
    return plain_step(s, q, w, h);
}

void ph_spheres_turns(const ph_spheres *s, ph_quat *turn)
{
    memcpy(turn, s->turn, (size_t)s->n * sizeof *turn);
}
