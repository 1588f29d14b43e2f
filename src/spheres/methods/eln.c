/* eln.c - explicit Lie-Newmark on spheres, in space.
 *
 * O11  Ortolan, thesis, Padova 2011, (7.1); Simo, Vu-Quoc 1988.
 *
 *   O11 (7.1a)  w' = w + h/2 alpha(q, w)               corrected: alpha_i is meant
 *   O11 (7.1c)  q+ = exp(h w') q                       corrected: printed R+ q, not R+ q0
 *   O11 (7.1d)  w+ = w' + h/2 alpha(q+, w+)
 *
 * (d) is the adjoint of (a), and the turn of itself, hence symmetric, hence of order 2.
 * With a diagonal mass matrix alpha does not depend on w and (d) is explicit; else w
 * enters by the squares s_j = |w_j|^2 alone, linearly,
 *
 *   w+_i = c_i + sum_j s_j b_ij,   b_ij = h/2 times the acceleration by M_kj q_j, k != j
 *
 * and Newton solves the n equations |w+_j|^2 = s_j.
 */
#include <string.h>

#include "rotation/newton.h"
#include "spheres/solve.h"

typedef struct equation {
    int n;
    const ph_vec3 *c, *b; /* b[i n + j] */
    ph_vec3 *w;
} equation;

static void velocities(const equation *e, const double *square)
{
    for (int i = 0; i < e->n; i++) {
        e->w[i] = e->c[i];
        for (int j = 0; j < e->n; j++)
            e->w[i] = add(e->w[i],
                          scale(square[j], e->b[(size_t)i * (size_t)e->n + (size_t)j]));
    }
}

static void system_of(void *context, const double *square, double *F, double *dF)
{
    const equation *e = context;
    velocities(e, square);
    for (int i = 0; i < e->n; i++) {
        F[i] = square[i] - dot(e->w[i], e->w[i]);
        for (int j = 0; j < e->n; j++) {
            const size_t at = (size_t)i * (size_t)e->n + (size_t)j;
            dF[at] = (i == j ? 1.0 : 0.0) - 2.0 * dot(e->w[i], e->b[at]);
        }
    }
}

/* The b_ij; the mass matrix is factored at q. */
static void responses(ph_spheres *s, const ph_vec3 *q, double h, ph_vec3 *b)
{
    const int n = s->n;
    ph_vec3 *r = s->vectors[1];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            r[i] = scale(mass_of(s, i, j), q[j]); /* i = j: along q_i, no matter */
        ph_spheres_solve(s, q, r, r);
        for (int i = 0; i < n; i++)
            b[(size_t)i * (size_t)n + (size_t)j] = scale(0.5 * h, cross(q[i], r[i]));
    }
}

/* w+ from c, by Newton; into next_w, where w' was. */
static ph_status implicit_velocities(ph_spheres *s, const ph_vec3 *c, double h)
{
    const int n = s->n;
    double *square = s->dense, *memory = square + n;
    ph_vec3 *b = (ph_vec3 *)(memory + NEWTON_MEMORY(n));
    responses(s, s->next_q, h, b);
    for (int i = 0; i < n; i++)
        square[i] = dot(s->next_w[i], s->next_w[i]);
    equation e = {n, c, b, s->next_w};
    const ph_status status = ph_newton_n(system_of, &e, n, square, memory);
    if (status == PH_OK)
        velocities(&e, square);
    return status;
}

/* The new configuration is in next_q, w' in next_w. */
static ph_status second_half(ph_spheres *s, double h)
{
    const ph_vec3 *q = s->next_q;
    ph_vec3 *c = s->vectors[0], *a = s->vectors[2];
    const ph_vec3 *gradient = ph_spheres_gradient(s, q);
    if (!ph_spheres_factor(s, q))
        return PH_NOT_FINITE;
    for (int i = 0; i < s->n; i++)
        a[i] = scale(-1.0, gradient[i]);
    ph_spheres_solve(s, q, a, a);
    for (int i = 0; i < s->n; i++)
        c[i] = add(s->next_w[i], scale(0.5 * h, cross(q[i], a[i])));
    if (s->coupled)
        return implicit_velocities(s, c, h);
    memcpy(s->next_w, c, (size_t)s->n * sizeof *c);
    return PH_OK;
}

static ph_status step(const ph_spheres_method *method, ph_spheres *s, ph_vec3 *q,
                      ph_vec3 *w, double h)
{
    (void)method;
    ph_vec3 *a = s->vectors[0], *u = s->vectors[1];
    ph_status status = ph_spheres_slope(s, q, w, u, a);
    if (status != PH_OK)
        return status;
    for (int i = 0; i < s->n; i++) {
        s->next_w[i] = add(w[i], scale(0.5 * h, a[i]));
        s->turn[i] = ph_exp(scale(h, s->next_w[i]));
        s->next_q[i] = renormalize_direction(rotate(s->turn[i], q[i]));
    }
    s->turned = true;
    status = second_half(s, h);
    return status == PH_OK ? ph_spheres_commit_step(s, q, w) : status;
}

const ph_spheres_method ph_spheres_method_eln = {
    .name = "eln",
    .title = "Explicit Lie-Newmark",
    .cite = "O11 (7.1)",
    .order = 2,
    .keeps = PH_SYMMETRIC,
    .applies_to = PH_SECOND_ORDER,
    .step = step,
};
