/* workspace.c - the one allocation of a run on spheres, and what is checked before it. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/arguments.h"
#include "spheres/cholesky.h"
#include "spheres/workspace.h"

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
    for (int k = 0; k < SPHERE_VECTORS; k++)
        s->vectors[k] = vectors(a, n);
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

static ph_status coupled_mass(ph_spheres *s)
{
    const int n = s->n;
    const ph_spheres_problem *p = &s->p;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double M = p->mass(p, i, j);
            if (!isfinite(M) || M != p->mass(p, j, i))
                return PH_BAD_MASS;
            s->mass[(size_t)i * (size_t)n + (size_t)j] = M;
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
    return s->coupled ? coupled_mass(s) : diagonal_mass(s);
}

ph_status ph_spheres_create(ph_spheres **out, const ph_spheres_problem *p,
                            const ph_spheres_integrator *i)
{
    if (ANY_NULL(out, p))
        return PH_NULL_ARGUMENT;
    const int n = finite_parameters(p) ? p->count(p) : 0;
    if (n < 1)
        return PH_BAD_PARAMETER;
    ph_status status = p->check ? p->check(p) : PH_OK;
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
    status = s->block ? build(s) : PH_NO_MEMORY;
    if (status == PH_OK)
        *out = s;
    else
        ph_spheres_free(s);
    return status;
}

void ph_spheres_free(ph_spheres *s)
{
    if (s != NULL)
        free(s->block);
    free(s);
}
