/* solve.c - forces, accelerations, dense matrices, and the end of a step.
 *
 * O11  Ortolan, thesis, Padova 2011, (6.5); Lee, Leok, McClamroch 2009.
 *
 *   O11 (6.5b)  M_ii w_i' = sum_{j != i} M_ij [ q_i x (q_j x w_j') + |w_j|^2 q_i x q_j ]
 *                           - q_i x dV/dq_i
 *               corrected: the first bracket is printed with w_j for w_j'
 *
 * With the tangential acceleration a_i = w_i' x q_i, w_i' = q_i x a_i, and the projection
 * P_i = 1 - q_i q_i^T this is
 *
 *   P_i sum_j M_ij a_j = P_i r_i,   r_i = sum_{j != i} M_ij |w_j|^2 q_j - dV/dq_i
 *
 * a symmetric positive definite system for the a_i in their tangent planes:
 *
 *   M diagonal  a_i = P_i r_i/M_i.
 *   n = 2       Eliminating a_2 leaves (D + M12^2 p p^T) a_1 = M22 P_1 r_1 - M12 P_1 P_2 r_2,
 *               D = M11 M22 - M12^2, p = P_1 q_2; inverted as a rank-one change of D,
 *               where D + M12^2 |p|^2 = M11 M22 - M12^2 (q_1.q_2)^2 is the first factor
 *               of the determinant (corrected: O11 prints M12 for M12^2 there).
 *   else        Cholesky of M_ij E_i^T E_j, 2n x 2n, E_i two vectors that span the plane.
 */
#include <string.h>

#include "base/arguments.h"
#include "kinds/spheres/workspace.h"

/* ---- forces, computed once for each q -------------------------------------------- */

static bool at_known(ph_spheres *s, const ph_vec3 *q)
{
    const size_t bytes = (size_t)s->n * sizeof *q;
    if (s->known && memcmp(s->known_q, q, bytes) == 0)
        return true;
    memcpy(s->known_q, q, bytes);
    s->known = true;
    s->evaluations++;
    return false;
}

const ph_vec3 *ph_spheres_gradient(ph_spheres *s, const ph_vec3 *q)
{
    if (!at_known(s, q))
        s->potential = s->p.potential(&s->p, s->memory, q, s->gradient);
    return s->gradient;
}

const ph_vec3 *ph_spheres_angular_velocity(ph_spheres *s, const ph_vec3 *q)
{
    if (!at_known(s, q))
        s->p.angular_velocity(&s->p, s->memory, q, s->angular_velocity);
    return s->angular_velocity;
}

/* ---- dense matrices ---------------------------------------------------------------- */

static double *row(double *A, int n, int i)
{
    return A + (size_t)i * (size_t)n;
}

bool ph_cholesky(int n, double *A)
{
    for (int i = 0; i < n; i++) {
        double *Li = row(A, n, i);
        const double before = Li[i];
        for (int j = 0; j <= i; j++) {
            const double *Lj = row(A, n, j);
            double sum = Li[j];
            for (int k = 0; k < j; k++)
                sum -= Li[k] * Lj[k];
            if (j < i)
                Li[j] = sum / Lj[j];
            else if (sum > 1e-14 * before) /* what is less is round-off */
                Li[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

void ph_cholesky_solve(int n, const double *L, double *b)
{
    for (int i = 0; i < n; i++) {
        const double *Li = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++)
            b[i] -= Li[k] * b[k];
        b[i] /= Li[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *Li = L + (size_t)i * (size_t)n;
        b[i] /= Li[i];
        for (int k = 0; k < i; k++)
            b[k] -= Li[k] * b[i];
    }
}

/* ---- the mass matrix in the tangent planes --------------------------------------- */

/* Two unit vectors orthogonal to q and to each other, starting from the axis that is
 * farthest from q. */
static void span(ph_vec3 q, ph_vec3 e[2])
{
    const ph_vec3 c = cross(q, axis_of_least(q));
    e[0] = scale(1.0 / norm(c), c);
    e[1] = cross(q, e[0]);
}

bool ph_spheres_factor(ph_spheres *s, const ph_vec3 *q)
{
    const int n = s->n;
    if (!s->coupled)
        return true;
    for (int i = 0; i < n; i++)
        span(q[i], &s->frame[2 * (size_t)i]);
    if (n == 2)
        return true;
    for (int i = 0; i < 2 * n; i++) {
        for (int j = 0; j <= i; j++)
            s->factor[(size_t)i * 2 * (size_t)n + (size_t)j] =
                mass_of(s, i / 2, j / 2) * dot(s->frame[i], s->frame[j]);
    }
    return ph_cholesky(2 * n, s->factor);
}

static void solve_pair(const ph_spheres *s, const ph_vec3 *q, const ph_vec3 *r, ph_vec3 *a)
{
    const double M11 = s->mass[0], M12 = s->mass[1], M22 = s->mass[3];
    const double c = dot(q[0], q[1]), D = M11 * M22 - M12 * M12;
    const ph_vec3 p = sub(q[1], scale(c, q[0])), r2 = tangential(q[1], r[1]);
    const ph_vec3 b = tangential(q[0], sub(scale(M22, r[0]), scale(M12, r2)));
    const double along = M12 * M12 * dot(p, b) / (D + M12 * M12 * dot(p, p));
    a[0] = scale(1.0 / D, sub(b, scale(along, p)));
    a[1] = scale(1.0 / M22, tangential(q[1], sub(r2, scale(M12, a[0]))));
}

static void solve_all(const ph_spheres *s, const ph_vec3 *r, ph_vec3 *a)
{
    const int n = s->n;
    double *b = (double *)s->scratch; /* 3n doubles, of which 2n are used */
    for (int i = 0; i < 2 * n; i++)
        b[i] = dot(s->frame[i], r[i / 2]);
    ph_cholesky_solve(2 * n, s->factor, b);
    for (int i = 0; i < n; i++) {
        const ph_vec3 *e = &s->frame[2 * (size_t)i];
        const double *bi = &b[2 * (size_t)i];
        a[i] = add(scale(bi[0], e[0]), scale(bi[1], e[1]));
    }
}

void ph_spheres_solve(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *r, ph_vec3 *a)
{
    if (s->coupled && s->n == 2)
        solve_pair(s, q, r, a);
    else if (s->coupled)
        solve_all(s, r, a);
    else {
        for (int i = 0; i < s->n; i++)
            a[i] = scale(1.0 / s->mass[i], tangential(q[i], r[i]));
    }
}

ph_vec3 ph_spheres_mass_times(const ph_spheres *s, int i, const ph_vec3 *x)
{
    if (!s->coupled)
        return scale(s->mass[i], x[i]);
    ph_vec3 sum = {0, 0, 0};
    for (int j = 0; j < s->n; j++)
        sum = add(sum, scale(mass_of(s, i, j), x[j]));
    return sum;
}

/* ---- the slope of the state ------------------------------------------------------ */

static ph_status accelerations(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *a)
{
    const ph_vec3 *gradient = ph_spheres_gradient(s, q);
    if (!ph_spheres_factor(s, q))
        return PH_NOT_FINITE;
    for (int i = 0; i < s->n; i++) {
        ph_vec3 r = scale(-1.0, gradient[i]);
        for (int j = 0; s->coupled && j < s->n; j++) {
            if (j != i)
                r = add(r, scale(mass_of(s, i, j) * dot(w[j], w[j]), q[j]));
        }
        a[i] = r;
    }
    ph_spheres_solve(s, q, a, a);
    for (int i = 0; i < s->n; i++)
        a[i] = cross(q[i], a[i]);
    return ok_if(finite_vectors(s->n, a), PH_NOT_FINITE);
}

ph_status ph_spheres_slope(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *u,
                           ph_vec3 *a)
{
    if (s->p.angular_velocity == NULL) {
        memcpy(u, w, (size_t)s->n * sizeof *u);
        return accelerations(s, q, w, a);
    }
    memcpy(u, ph_spheres_angular_velocity(s, q), (size_t)s->n * sizeof *u);
    return ok_if(finite_vectors(s->n, u), PH_NOT_FINITE);
}

ph_status ph_spheres_accelerations(ph_spheres *s, const ph_vec3 *q, const ph_vec3 *w, ph_vec3 *a)
{
    if (ANY_NULL(s, q, a) || (w == NULL && s->p.angular_velocity == NULL))
        return PH_NULL_ARGUMENT;
    ph_vec3 *out = s->next_w;
    ph_status status;
    if (s->p.angular_velocity != NULL) {
        status = ph_spheres_slope(s, q, w, out, NULL);
        for (int i = 0; i < s->n; i++)
            out[i] = tangential(q[i], out[i]);
    } else {
        status = accelerations(s, q, w, out);
    }
    if (status == PH_OK)
        memcpy(a, out, (size_t)s->n * sizeof *a);
    return status;
}

/* ---- the end of a step ----------------------------------------------------------- */

void ph_spheres_derive(ph_spheres *s, const ph_vec3 *q, ph_vec3 *w)
{
    if (s->p.angular_velocity == NULL)
        return;
    const ph_vec3 *g = ph_spheres_angular_velocity(s, q);
    for (int i = 0; i < s->n; i++)
        w[i] = tangential(q[i], g[i]);
}

ph_status ph_spheres_commit_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w)
{
    ph_spheres_derive(s, s->next_q, s->next_w);
    if (!finite_vectors(s->n, s->next_q) || !finite_vectors(s->n, s->next_w))
        return PH_NOT_FINITE;
    memcpy(q, s->next_q, (size_t)s->n * sizeof *q);
    memcpy(w, s->next_w, (size_t)s->n * sizeof *w);
    return PH_OK;
}
