/* sphere_tangent.c - a step differenced along curves on the spheres. */
#include "support/sphere_tangent.h"
#include "base/extremes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "motion/vec.h"

enum { MOST = 6, DIRECTIONS = 4 * MOST };

/* A tangent vector: changes of q and of v = w x q, in the ambient space. */
typedef struct direction {
    ph_vec3 q[MOST], v[MOST];
} direction;

static ph_vec3 unit(ph_vec3 x)
{
    return scale(1.0 / norm(x), x);
}

/* The k-th of two unit vectors orthogonal to q. */
static ph_vec3 basis(ph_vec3 q, int k)
{
    const ph_vec3 e = unit(cross(q, fabs(q.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
    return k == 0 ? e : cross(q, e);
}

/* The state moved by a distance along coordinate number c: 0..2n-1 move q, the others
 * v; then a step of h unless that is 0. */
static void image(const sphere_run *r, int c, double distance, double h, direction *out)
{
    sphere_run m = *r;
    const int i = c % (2 * r->n) / 2;
    const ph_vec3 e = scale(distance, basis(r->q[i], c % 2));
    ph_vec3 v = cross(r->w[i], r->q[i]);
    if (c < 2 * r->n)
        m.q[i] = unit(add(r->q[i], e));
    else
        v = add(v, e);
    m.w[i] = cross(m.q[i], v);
    if (h != 0.0)
        assert_int_equal(PH_OK, ph_spheres_step(m.s, m.q, m.w, h));
    for (int k = 0; k < r->n; k++) {
        out->q[k] = m.q[k];
        out->v[k] = cross(m.w[k], m.q[k]);
    }
}

static ph_vec3 difference(const ph_vec3 x[4], double d)
{
    return scale(1.0 / (12 * d), sub(scale(8.0, sub(x[2], x[1])), sub(x[3], x[0])));
}

static direction derivative(const sphere_run *r, int c, double h)
{
    static const double at[4] = {-2, -1, 1, 2};
    const double d = 1e-3;
    direction out[4], slope;
    memset(&slope, 0, sizeof slope);
    for (int k = 0; k < 4; k++)
        image(r, c, at[k] * d, h, &out[k]);
    for (int i = 0; i < r->n; i++) {
        const ph_vec3 q[4] = {out[0].q[i], out[1].q[i], out[2].q[i], out[3].q[i]},
                      v[4] = {out[0].v[i], out[1].v[i], out[2].v[i], out[3].v[i]};
        slope.q[i] = difference(q, d);
        slope.v[i] = difference(v, d);
    }
    return slope;
}

static double form(const sphere_run *r, const ph_spheres_problem *p, const ph_vec3 *q,
                   const direction *a, const direction *b)
{
    double sum = 0.0, strength = strcmp(p->name, "vortices") == 0 ? p->value[1] : 1.0;
    for (int i = 0; i < r->n; i++) {
        if (p->angular_velocity != NULL) {
            sum += strength * dot(q[i], cross(a->q[i], b->q[i]));
            if (strcmp(p->name, "vortices") == 0)
                strength *= p->value[2];
            continue;
        }
        for (int j = 0; j < r->n; j++)
            sum += p->mass(p, i, j) * (dot(a->q[i], b->v[j]) - dot(a->v[i], b->q[j]));
    }
    return sum;
}

double sphere_symplectic_defect(const sphere_run *r, const ph_spheres_problem *p, double h)
{
    const int count = p->angular_velocity ? 2 * r->n : 4 * r->n;
    direction before[DIRECTIONS], after[DIRECTIONS];
    sphere_run end = *r;
    double worst = 0.0, size = 0.0;
    assert_true(r->n <= MOST);
    assert_int_equal(PH_OK, ph_spheres_step(end.s, end.q, end.w, h));
    for (int c = 0; c < count; c++) {
        before[c] = derivative(r, c, 0.0);
        after[c] = derivative(r, c, h);
    }
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            const double old = form(r, p, r->q, &before[a], &before[b]),
                         new = form(r, p, end.q, &after[a], &after[b]);
            worst = larger_or_nan(worst, fabs(new - old));
            size = larger_or_nan(size, fabs(old));
        }
    }
    return worst / size;
}
