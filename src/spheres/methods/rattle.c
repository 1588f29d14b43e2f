/* rattle.c - RATTLE with the lengths of the q_i as constraints.
 *
 * O11  Ortolan, thesis, Padova 2011, (7.4); Andersen 1983.
 *
 *   v_i = w_i x q_i
 *   O11 (7.4b)  M v' = M v - h/2 V(q) + mu q          mu_i q_i for each i; V = dV/dq
 *   O11 (7.4a)  q+ = q + h v',   |q_i+| = 1           n quadratic equations for the mu_i
 *   O11 (7.4d)  M v+ = M v' - h/2 V(q+) + nu q+,   q_i+.v_i+ = 0             linear in nu
 *   w_i+ = q_i+ x v_i+
 *
 * M diagonal: with d_i the tangential part of h (v_i - h/2 V_i/M_i), the multiplier makes
 * q_i+ = d_i + (1 - |d_i|^2)^(1/2) q_i; there is no real one when |d_i| > 1. Else Newton,
 * M^-1 known, from the mu that make v' tangential.
 *
 * Symplectic and symmetric; the multipliers act along q, so that a rotation of the whole
 * that leaves V alone keeps its momentum. RATTLE is the map of llm, found in another way.
 */
#include "rotation/newton.h"
#include "spheres/cholesky.h"
#include "spheres/diagonal.h"
#include "spheres/solve.h"

static double inverse_mass(const ph_spheres *s, int i, int j)
{
    return s->inverse[(size_t)i * (size_t)s->n + (size_t)j];
}

/* ---- a diagonal mass matrix ------------------------------------------------------ */

static ph_status step_diagonal(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w,
                               double h)
{
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 kick = scale(0.5 * h / s->mass[i], V[i]);
        const ph_vec3 v = tangential(q[i], sub(velocity_of(q[i], w[i]), kick));
        const ph_vec3 d = scale(h, v);
        const ph_status status = reach_sphere(q[i], d, &s->next_q[i]);
        if (status != PH_OK)
            return status;
        s->next_w[i] = spin_of(q[i], v); /* q+ x (q+ - q)/h = q x d/h */
    }
    kick_last(s, h);
    return PH_OK;
}

/* How far from unit length a correction of first order leads back there. */
#define NEXT_TO_UNIT 0x1p-26

/* ---- a coupled one --------------------------------------------------------------- */

/* The positions are q + d, d = base + M^-1 (mu q). The unknowns are x_j = (M^-1)_jj mu_j,
 * how far each sphere is moved along its own q: of one size whatever the masses are. */
typedef struct constraint {
    const ph_spheres *s;
    const ph_vec3 *q, *base; /* the displacements without multipliers */
    ph_vec3 *d;
} constraint;

/* How far sphere i is moved along q_j where sphere j is moved by 1. */
static double moved_along(const ph_spheres *s, int i, int j)
{
    return inverse_mass(s, i, j) / inverse_mass(s, j, j);
}

static void displace(const constraint *c, const double *x)
{
    for (int i = 0; i < c->s->n; i++) {
        c->d[i] = c->base[i];
        for (int j = 0; j < c->s->n; j++)
            c->d[i] = add(c->d[i], scale(moved_along(c->s, i, j) * x[j], c->q[j]));
    }
}

/* (|q_i+|^2 - |q_i|^2)/2 = q_i.d_i + |d_i|^2/2: as differences of lengths next to 1 the
 * equations of a small step would be noise. */
static void lengths(void *context, const double *x, double *F, double *dF)
{
    const constraint *c = context;
    const int n = c->s->n;
    displace(c, x);
    for (int i = 0; i < n; i++) {
        const ph_vec3 *q = c->q, d = c->d[i];
        F[i] = dot(q[i], c->base[i]) + 0.5 * dot(d, d);
        for (int j = 0; j < n; j++) {
            const double along = moved_along(c->s, i, j), cosine = dot(q[i], q[j]);
            F[i] += along * cosine * x[j];
            dF[(size_t)i * (size_t)n + (size_t)j] = along * (cosine + dot(d, q[j]));
        }
    }
}

/* M^-1 x, sphere i. */
static ph_vec3 inverse_times(const ph_spheres *s, int i, const ph_vec3 *x)
{
    ph_vec3 sum = {0, 0, 0};
    for (int j = 0; j < s->n; j++)
        sum = add(sum, scale(inverse_mass(s, i, j), x[j]));
    return sum;
}

/* The velocities less M^-1 (nu q), nu such that they are tangential. */
static bool make_tangential(ph_spheres *s, const ph_vec3 *q, ph_vec3 *v)
{
    const int n = s->n;
    double *A = s->dense, *nu = A + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++) {
        nu[i] = dot(q[i], v[i]);
        for (int j = 0; j < n; j++)
            A[(size_t)i * (size_t)n + (size_t)j] =
                inverse_mass(s, i, j) * dot(q[i], q[j]);
    }
    if (!ph_cholesky(n, A))
        return false;
    ph_cholesky_solve(n, A, nu);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            v[i] = sub(v[i], scale(inverse_mass(s, i, j) * nu[j], q[j]));
    }
    return true;
}

static ph_status step_coupled(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
{
    const int n = s->n;
    ph_vec3 *base = s->vectors[0], *v = s->vectors[1];
    double *x = s->dense;
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < n; i++)
        v[i] = sub(velocity_of(q[i], w[i]), scale(0.5 * h, inverse_times(s, i, V)));
    if (!make_tangential(s, q, v))
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++) {
        base[i] = scale(h, v[i]);
        x[i] = 0.0;
    }
    constraint c = {s, q, base, s->next_q};
    const ph_status status = ph_newton_n(lengths, &c, n, x, x + n);
    if (status != PH_OK)
        return status == PH_NO_CONVERGENCE ? PH_NO_ROOT : status;
    displace(&c, x);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            v[i] = add(v[i], scale(moved_along(s, i, j) * x[j] / h, q[j]));
    }
    for (int i = 0; i < n; i++) {
        const ph_vec3 next = add(q[i], s->next_q[i]);
        if (!(fabs(dot(next, next) - 1.0) <= NEXT_TO_UNIT))
            return PH_NO_ROOT;
        s->next_q[i] = renormalize_direction(next);
    }
    V = ph_spheres_gradient(s, s->next_q);
    for (int i = 0; i < n; i++)
        v[i] = sub(v[i], scale(0.5 * h, inverse_times(s, i, V)));
    if (!make_tangential(s, s->next_q, v))
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++)
        s->next_w[i] = spin_of(s->next_q[i], v[i]);
    return PH_OK;
}

const ph_spheres_method ph_spheres_method_rattle = {
    .name = "rattle",
    .title = "RATTLE",
    .cite = "O11 (7.4)",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_SYMPLECTIC | PH_MOMENTUM,
    .applies_to = PH_SECOND_ORDER,
    .step = step_by_masses,
    .data = &(const sphere_steppers){step_coupled, step_diagonal},
};
