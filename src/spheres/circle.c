/* circle.c - schemes on spheres: free motion along great circles, and kicks.
 *
 * With a diagonal mass matrix and no potential each sphere turns with constant w:
 *
 *   drift  q+ = cos(|w| h) q + sin(|w| h)/|w| w x q
 *   kick   w+ = w - (h/M) q x dV/dq + (h3/M) q x dW/dq
 *
 * where W = sum_i |q_i x dV/dq_i|^2/M_i, the nested bracket of kick, drift and kick. With
 * T_i = q_i x V_i, V_i = dV/dq_i, P_i the projection and H the second derivatives of V:
 *
 *   q_i x dW/dq_i = -(2/M_i) (q_i.V_i) T_i + 2 q_i x sum_j H_ij P_j V_j/M_j
 */
#include <string.h>

#include "integrators/splitting.h"
#include "spheres/solve.h"

static ph_status drift(void *system, double h)
{
    ph_spheres *s = system;
    for (int i = 0; i < s->n; i++) {
        const ph_vec3 q = s->next_q[i], w = s->next_w[i];
        const double rate = norm(w), angle = rate * h;
        double sine, cosine;
        ph_sincos(angle, &sine, &cosine);
        const double over_rate = rate > 0.0 ? sine / rate : h;
        s->next_q[i] =
            renormalize_direction(add(scale(cosine, q), scale(over_rate, cross(w, q))));
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
    double sum = 0.0;
    for (int i = 0; i < s->n; i++)
        sum += s->next_w[i].x + s->next_w[i].y + s->next_w[i].z;
    return isfinite(sum) ? PH_OK : PH_NOT_FINITE;
}

ph_status ph_spheres_scheme_step(ph_spheres *s, ph_vec3 *q, ph_vec3 *w, double h)
{
    static const splitting parts = {drift, kick};
    memcpy(s->next_q, q, (size_t)s->n * sizeof *q);
    memcpy(s->next_w, w, (size_t)s->n * sizeof *w);
    const ph_status status = ph_splitting_step(s->i.scheme, &parts, s, 0.0, h, h);
    return status == PH_OK ? ph_spheres_commit_step(s, q, w) : status;
}
