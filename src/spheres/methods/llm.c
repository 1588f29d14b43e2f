/* llm.c - the variational integrator of Lee, Leok and McClamroch on two-spheres.
 *
 * LLM09  Lee, Leok, McClamroch, Int. J. Numer. Meth. Engng 79 (2009) 1147-1174.
 *
 * The discrete Lagrangian is (1/2h) sum M_ij (q_i+ - q_i).(q_j+ - q_j) with half of h V
 * at either end, and q_i+ = d_i + (1 - |d_i|^2)^(1/2) q_i with a tangential d_i: the new
 * configuration lies on the spheres whatever d is. The discrete Euler-Lagrange equations
 * in the tangent planes, P_i their projections, V = dV/dq, v_i = w_i x q_i:
 *
 *   P_i sum_j M_ij (q_j+ - q_j)     = h P_i ( sum_j M_ij v_j - h/2 V_i(q) )     for the d_i
 *   P_i+ sum_j M_ij (v_j+ h)        = P_i+ ( sum_j M_ij (q_j+ - q_j) - h^2/2 V_i(q+) )
 *   w_i+ = q_i+ x v_i+
 *
 * M diagonal: explicit,
 *
 *   d = h w' x q,   w' = w - h/(2M) q x V(q),   w+ = w' - h/(2M) q+ x V(q+)
 *
 * Variational, hence symplectic, and a symmetry of V keeps its momentum; symmetric. As a
 * map it is RATTLE: the discrete Lagrangian of that is the same.
 */
#include "rotation/newton.h"
#include "spheres/diagonal.h"
#include "spheres/solve.h"

static ph_status step_diagonal(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w,
                               double h)
{
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < s->n; i++) {
        s->next_w[i] = sub(w[i], scale(0.5 * h / s->mass[i], cross(q[i], V[i])));
        const ph_vec3 d = scale(h, cross(s->next_w[i], q[i]));
        const ph_status status = reach_sphere(q[i], d, &s->next_q[i]);
        if (status != PH_OK)
            return status;
    }
    kick_last(s, h);
    return PH_OK;
}

/* ---- a coupled mass matrix: 2n coordinates b of d_i = b_i1 e_i1 + b_i2 e_i2 ------ */

typedef struct equation {
    const ph_spheres *s;
    const ph_vec3 *q, *e; /* e: the 2n vectors that span the tangent planes */
    const double *right;  /* 2n */
    ph_vec3 *moved;       /* q+ - q */
    double *height;       /* (1 - |d_i|^2)^(1/2) */
} equation;

static void displace(const equation *g, const double *b)
{
    for (int i = 0; i < g->s->n; i++) {
        const double *bi = &b[2 * (size_t)i];
        const ph_vec3 *e = &g->e[2 * (size_t)i];
        const double square = bi[0] * bi[0] + bi[1] * bi[1];
        const ph_vec3 d = add(scale(bi[0], e[0]), scale(bi[1], e[1]));
        g->height[i] = sqrt(1.0 - square);
        g->moved[i] = sub(d, scale(square / (1.0 + g->height[i]), g->q[i]));
    }
}

/* d(q_j+)/db_jk = e_jk - b_jk/height_j q_j */
static void system_of(void *context, const double *b, double *F, double *dF)
{
    const equation *g = context;
    const int n2 = 2 * g->s->n;
    displace(g, b);
    for (int k = 0; k < n2; k++) {
        F[k] = dot(g->e[k], ph_spheres_mass_times(g->s, k / 2, g->moved)) - g->right[k];
        for (int l = 0; l < n2; l++) {
            const ph_vec3 slope =
                sub(g->e[l], scale(b[l] / g->height[l / 2], g->q[l / 2]));
            dF[(size_t)k * (size_t)n2 + (size_t)l] =
                mass_of(g->s, k / 2, l / 2) * dot(g->e[k], slope);
        }
    }
}

static ph_status step_coupled(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
{
    const int n = s->n;
    ph_vec3 *v = s->vectors[0], *moved = s->vectors[1], *r = s->vectors[2];
    double *b = s->dense, *right = b + 2 * (size_t)n, *height = right + 2 * (size_t)n,
           *memory = height + n;
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    if (!ph_spheres_factor(s, q)) /* for its frame */
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++)
        v[i] = velocity_of(q[i], w[i]);
    for (int k = 0; k < 2 * n; k++) {
        const ph_vec3 p =
            sub(ph_spheres_mass_times(s, k / 2, v), scale(0.5 * h, V[k / 2]));
        right[k] = h * dot(s->frame[k], p);
        b[k] = h * dot(s->frame[k], v[k / 2]);
    }
    equation g = {s, q, s->frame, right, moved, height};
    const ph_status status = ph_newton_n(system_of, &g, 2 * n, b, memory);
    if (status != PH_OK) /* a length beyond 1 has no height: not finite */
        return PH_NO_ROOT;
    displace(&g, b);
    for (int i = 0; i < n; i++)
        s->next_q[i] = renormalize_direction(add(q[i], moved[i]));
    V = ph_spheres_gradient(s, s->next_q);
    if (!ph_spheres_factor(s, s->next_q))
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++)
        r[i] = sub(over(ph_spheres_mass_times(s, i, moved), vec3(h, h, h)),
                   scale(0.5 * h, V[i]));
    ph_spheres_solve(s, s->next_q, r, v);
    for (int i = 0; i < n; i++)
        s->next_w[i] = spin_of(s->next_q[i], v[i]);
    return PH_OK;
}

const ph_spheres_method ph_spheres_method_llm = {
    .name = "llm",
    .title = "Variational, Lee, Leok and McClamroch",
    .cite = "LLM09",
    .order = 2,
    .keeps = PH_SYMMETRIC | PH_SYMPLECTIC | PH_MOMENTUM,
    .applies_to = PH_SECOND_ORDER,
    .step = step_by_masses,
    .data = &(const sphere_steppers){step_coupled, step_diagonal},
};
