/* second_order.c - methods for second-order problems: explicit Lie-Newmark, RATTLE, and the
 * variational integrator of Lee, Leok and McClamroch.
 *
 * O11    Ortolan, thesis, Padova 2011, section 7.1; Simo, Vu-Quoc 1988; Andersen 1983.
 * LLM09  Lee, Leok, McClamroch, Int. J. Numer. Meth. Engng 79 (2009) 1147-1174.
 *
 * V is dV/dq, and v_i = w_i x q_i.
 */
#include <string.h>

#include "kinds/spheres/workspace.h"
#include "motion/newton.h"

/* ---- explicit Lie-Newmark -------------------------------------------------------- */

/*   O11 (7.1a)  w' = w + h/2 alpha(q, w)               corrected: alpha_i is meant
 *   O11 (7.1c)  q+ = exp(h w') q                       corrected: printed R+ q, not R+ q0
 *   O11 (7.1d)  w+ = w' + h/2 alpha(q+, w+)
 *
 * (d) is the adjoint of (a), and the turn of itself, hence symmetric, hence of order 2.
 * With a diagonal mass matrix alpha does not depend on w and (d) is explicit; else w
 * enters by the squares s_j = |w_j|^2 alone, linearly,
 *
 *   w+_i = c_i + sum_j s_j b_ij,   b_ij = h/2 times the acceleration by M_kj q_j, k != j
 *
 * and Newton solves the n equations |w+_j|^2 = s_j. */
typedef struct newmark {
    int n;
    const ph_vec3 *c, *b; /* b[i n + j] */
    ph_vec3 *w;
} newmark;

static void velocities(const newmark *e, const double *square)
{
    for (int i = 0; i < e->n; i++) {
        e->w[i] = e->c[i];
        for (int j = 0; j < e->n; j++)
            e->w[i] = add(e->w[i], scale(square[j], e->b[(size_t)i * (size_t)e->n + (size_t)j]));
    }
}

static void squares(void *context, const double *square, double *F, double *dF)
{
    const newmark *e = context;
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
    newmark e = {n, c, b, s->next_w};
    const ph_status status = ph_newton_n(squares, &e, n, square, memory);
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

static ph_status lie_newmark(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w,
                             double h)
{
    (void)method;
    ph_vec3 *a = s->vectors[0], *u = s->vectors[1];
    ph_status status = ph_spheres_slope(s, q, w, u, a);
    if (status != PH_OK)
        return status;
    for (int i = 0; i < s->n; i++) {
        s->next_w[i] = add(w[i], scale(0.5 * h, a[i]));
        s->turn[i] = ph_rotation_exp(scale(h, s->next_w[i]));
        s->next_q[i] = renormalize_direction(rotate(s->turn[i], q[i]));
    }
    s->turned = true;
    status = second_half(s, h);
    if (status == PH_OK)
        return ph_spheres_commit_step(s, q, w);
    return status;
}

const ph_method ph_spheres_method_eln = {
    .name = "eln",
    .title = "Explicit Lie-Newmark",
    .cite = "O11 (7.1)",
    .order = 2,
    .keeps = PH_SYMMETRIC,
    .data = &(const sphere_method){PH_SPHERES_SECOND_ORDER, lie_newmark, NULL},
};

/* ---- two ways to one map --------------------------------------------------------- */

/* A step that leads to next_q and next_w. */
typedef ph_status sphere_stepper(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h);

/* The data of a method with two of these, for coupled masses and for diagonal ones. */
typedef struct sphere_steppers {
    sphere_stepper *coupled, *diagonal;
} sphere_steppers;

/* The step of such a method. */
static ph_status step_by_masses(const ph_method *method, ph_spheres *s, ph_vec3 *q, ph_vec3 *w,
                                double h)
{
    const sphere_steppers *by = sphere_method_of(method)->data;
    if (h == 0.0)
        return PH_OK;
    const ph_status status = (s->coupled ? by->coupled : by->diagonal)(s, q, w, h);
    if (status == PH_OK)
        return ph_spheres_commit_step(s, q, w);
    return status;
}

#define BY_MASSES(key, words, where, coupled, diagonal)                                            \
    .name = (key), .title = (words), .cite = (where), .order = 2,                                  \
    .keeps = PH_SYMMETRIC | PH_SYMPLECTIC | PH_MOMENTUM, .data = &(const sphere_method)            \
    {                                                                                              \
        PH_SPHERES_SECOND_ORDER, step_by_masses, &(const sphere_steppers)                          \
        {                                                                                          \
            coupled, diagonal                                                                      \
        }                                                                                          \
    }

/* Where the mass matrix is diagonal, the way onto the sphere and the last kick:
 *
 *   q+ = d + (1 - |d|^2)^(1/2) q,   d tangential; there is none for |d| > 1
 *   w+ = w' - h/(2M) q+ x V(q+) */

/* From d to q+. */
static ph_status reach_sphere(ph_vec3 q, ph_vec3 d, ph_vec3 *next)
{
    const double rest = 1.0 - dot(d, d);
    if (isnan(rest))
        return PH_NOT_FINITE;
    if (rest < 0.0)
        return PH_NO_ROOT;
    *next = renormalize_direction(add(d, scale(sqrt(rest), q)));
    return PH_OK;
}

/* From w' to w+, both in next_w; q+ is in next_q. */
static void kick_last(ph_spheres *s, double h)
{
    const ph_vec3 *q = s->next_q, *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 kick = scale(0.5 * h / s->mass[i], cross(q[i], V[i]));
        s->next_w[i] = tangential(q[i], sub(s->next_w[i], kick));
    }
}

/* ---- Lee, Leok and McClamroch ---------------------------------------------------- */

/* LLM09
 *
 * The discrete Lagrangian is (1/2h) sum M_ij (q_i+ - q_i).(q_j+ - q_j) with half of h V
 * at either end, and q_i+ = d_i + (1 - |d_i|^2)^(1/2) q_i with a tangential d_i: the new
 * configuration lies on the spheres whatever d is. The discrete Euler-Lagrange equations
 * in the tangent planes, P_i their projections:
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
 * map it is RATTLE: the discrete Lagrangian of that is the same. */
static ph_status llm_diagonal(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
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

/* A coupled mass matrix: 2n coordinates b of d_i = b_i1 e_i1 + b_i2 e_i2. */
typedef struct llm_equation {
    const ph_spheres *s;
    const ph_vec3 *q, *e; /* e: the 2n vectors that span the tangent planes */
    const double *right;  /* 2n */
    ph_vec3 *moved;       /* q+ - q */
    double *height;       /* (1 - |d_i|^2)^(1/2) */
} llm_equation;

static void llm_displace(const llm_equation *g, const double *b)
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
static void llm_system(void *context, const double *b, double *F, double *dF)
{
    const llm_equation *g = context;
    const int n2 = 2 * g->s->n;
    llm_displace(g, b);
    for (int k = 0; k < n2; k++) {
        F[k] = dot(g->e[k], ph_spheres_mass_times(g->s, k / 2, g->moved)) - g->right[k];
        for (int l = 0; l < n2; l++) {
            const ph_vec3 slope = sub(g->e[l], scale(b[l] / g->height[l / 2], g->q[l / 2]));
            dF[(size_t)k * (size_t)n2 + (size_t)l] =
                mass_of(g->s, k / 2, l / 2) * dot(g->e[k], slope);
        }
    }
}

static ph_status llm_coupled(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
{
    const int n = s->n;
    ph_vec3 *v = s->vectors[0], *moved = s->vectors[1], *r = s->vectors[2];
    double *b = s->dense, *right = b + 2 * (size_t)n, *height = right + 2 * (size_t)n,
           *memory = height + n;
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    if (!ph_spheres_factor(s, q)) /* for its frame */
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++)
        v[i] = cross(w[i], q[i]);
    for (int k = 0; k < 2 * n; k++) {
        const ph_vec3 p = sub(ph_spheres_mass_times(s, k / 2, v), scale(0.5 * h, V[k / 2]));
        right[k] = h * dot(s->frame[k], p);
        b[k] = h * dot(s->frame[k], v[k / 2]);
    }
    llm_equation g = {s, q, s->frame, right, moved, height};
    const ph_status status = ph_newton_n(llm_system, &g, 2 * n, b, memory);
    if (status != PH_OK) /* a length beyond 1 has no height: not finite */
        return PH_NO_ROOT;
    llm_displace(&g, b);
    for (int i = 0; i < n; i++)
        s->next_q[i] = renormalize_direction(add(q[i], moved[i]));
    V = ph_spheres_gradient(s, s->next_q);
    if (!ph_spheres_factor(s, s->next_q))
        return PH_NOT_FINITE;
    for (int i = 0; i < n; i++)
        r[i] = sub(over(ph_spheres_mass_times(s, i, moved), vec3(h, h, h)), scale(0.5 * h, V[i]));
    ph_spheres_solve(s, s->next_q, r, v);
    for (int i = 0; i < n; i++)
        s->next_w[i] = spin_of(s->next_q[i], v[i]);
    return PH_OK;
}

const ph_method ph_spheres_method_llm = {
    BY_MASSES("llm", "Variational, Lee, Leok and McClamroch", "LLM09", llm_coupled, llm_diagonal),
};

/* ---- RATTLE with the lengths of the q_i as constraints --------------------------- */

/*   O11 (7.4b)  M v' = M v - h/2 V(q) + mu q          mu_i q_i for each i
 *   O11 (7.4a)  q+ = q + h v',   |q_i+| = 1           n quadratic equations for the mu_i
 *   O11 (7.4d)  M v+ = M v' - h/2 V(q+) + nu q+,   q_i+.v_i+ = 0             linear in nu
 *   w_i+ = q_i+ x v_i+
 *
 * M diagonal: with d_i the tangential part of h (v_i - h/2 V_i/M_i), the multiplier makes
 * q_i+ = d_i + (1 - |d_i|^2)^(1/2) q_i; there is no real one when |d_i| > 1. Else Newton,
 * M^-1 known, from the mu that make v' tangential.
 *
 * Symplectic and symmetric; the multipliers act along q, so that a rotation of the whole
 * that leaves V alone keeps its momentum. RATTLE is the map of llm, found in another way. */
static double inverse_mass(const ph_spheres *s, int i, int j)
{
    return s->inverse[(size_t)i * (size_t)s->n + (size_t)j];
}

static ph_status rattle_diagonal(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
{
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 kick = scale(0.5 * h / s->mass[i], V[i]);
        const ph_vec3 v = tangential(q[i], sub(cross(w[i], q[i]), kick));
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
            A[(size_t)i * (size_t)n + (size_t)j] = inverse_mass(s, i, j) * dot(q[i], q[j]);
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

static ph_status rattle_coupled(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, double h)
{
    const int n = s->n;
    ph_vec3 *base = s->vectors[0], *v = s->vectors[1];
    double *x = s->dense;
    const ph_vec3 *V = ph_spheres_gradient(s, q);
    for (int i = 0; i < n; i++)
        v[i] = sub(cross(w[i], q[i]), scale(0.5 * h, inverse_times(s, i, V)));
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

const ph_method ph_spheres_method_rattle = {
    BY_MASSES("rattle", "RATTLE", "O11 (7.4)", rattle_coupled, rattle_diagonal),
};
