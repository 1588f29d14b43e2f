/* pairs.c - the forces and torques of dipolar soft spheres in open space, the cost of a
 * pair: by the library, one thread, and by a plain loop; and the library's share of what
 * fused multiply-adds could do.
 *
 * The operations of a pair, each +, -, *, / and square root one, nothing counted twice:
 *
 *   d 3, |d|^2 5, 1/|d| 2, the three products of dipoles and d 15, powers of u 5, soft part
 *   2, t 2, energy 4, force along d 6 and 3, e a and e b 2, force 12, onto both 6, fields
 *   12 and 12: OPERATIONS
 *
 * The library's time is that of all forces, with dipoles turned into space and torques
 * back.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kinds/molecules/molecule_bodies.h"
#include "polhode/batch.h"

#include "base/extremes.h"
#include "bench.h"
#include "kinds/molecules/system.h"

#define OPERATIONS 91.0
#define SIDE       12 /* 1728 bodies */

static const double DISTANCE = 1.5, SCATTER = 0.01;
static const double ERROR = 1e-11; /* relative to the largest */

typedef struct plain {
    size_t n;
    double *x, *mu, *F, *E; /* three numbers for each body */
    double V;
} plain;

typedef struct both {
    ph_molecules *system;
    plain loop;
} both;

/* Each pair once; the formulas are those of src/kinds/molecules/laws/dipolar_spheres.c. */
static double by_loop(void *work)
{
    plain *p = &((both *)work)->loop;
    const double *x = p->x, *mu = p->mu;
    double *F = p->F, *E = p->E, V = 0.0;
    memset(F, 0, 3 * p->n * sizeof *F);
    memset(E, 0, 3 * p->n * sizeof *E);
    for (size_t i = 0; i < 3 * p->n; i += 3) {
        for (size_t j = 0; j < i; j += 3) {
            const double d[3] = {x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]};
            const double *m = mu + i, *n = mu + j;
            const double u = 1.0 / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            const double a = m[0] * d[0] + m[1] * d[1] + m[2] * d[2];
            const double b = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
            const double c = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
            const double u2 = u * u, u3 = u2 * u, e = 3.0 * u2 * u3, u6 = u3 * u3;
            const double w = 4.0 * u6 * u6, t = e * a * b, ea = e * a, eb = e * b;
            const double along = u2 * (12.0 * w - 5.0 * t) + e * c;
            V += w + u3 * c - t;
            for (size_t k = 0; k < 3; k++) {
                const double f = along * d[k] + eb * m[k] + ea * n[k];
                F[i + k] += f;
                F[j + k] -= f;
                E[i + k] += eb * d[k] - u3 * n[k];
                E[j + k] += ea * d[k] - u3 * m[k];
            }
        }
    }
    p->V = V;
    return V;
}

static double by_library(void *work)
{
    ph_molecules *s = ((both *)work)->system;
    ph_molecules_forces(s);
    return s->potential;
}

/* False if there is no memory. */
static bool set_up(both *w)
{
    w->system = ph_molecules_lattice(SIDE, DISTANCE, SCATTER, 1);
    if (w->system == NULL)
        return false;
    const ph_molecules *s = w->system;
    plain *p = &w->loop;
    p->n = s->n;
    p->x = calloc(3 * s->n, sizeof(double));
    p->mu = calloc(3 * s->n, sizeof(double));
    p->F = calloc(3 * s->n, sizeof(double));
    p->E = calloc(3 * s->n, sizeof(double));
    if (p->x == NULL || p->mu == NULL || p->F == NULL || p->E == NULL)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        const ph_quat q = {s->q[0][i], s->q[1][i], s->q[2][i], s->q[3][i]};
        const ph_vec3 mu =
            ph_quat_rotate(q, (ph_vec3){s->dipole[0][i], s->dipole[1][i], s->dipole[2][i]});
        const double turned[3] = {mu.x, mu.y, mu.z};
        for (size_t k = 0; k < 3; k++) {
            p->x[3 * i + k] = s->x[k][i];
            p->mu[3 * i + k] = turned[k];
        }
    }
    return ph_molecules_prepare(w->system, NULL) == PH_OK;
}

static void clear_away(both *w)
{
    ph_molecules_destroy(w->system);
    free(w->loop.x);
    free(w->loop.mu);
    free(w->loop.F);
    free(w->loop.E);
}

/* Forces, energy, and torques R^T (mu x E), against those of the loop. */
static double worst_error(both *w)
{
    const plain *p = &w->loop;
    const ph_molecules *s = w->system;
    (void)by_loop(w);
    (void)by_library(w);
    double worst = 0.0, size = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const ph_quat q = {s->q[0][i], s->q[1][i], s->q[2][i], s->q[3][i]};
        const double *m = p->mu + 3 * i, *E = p->E + 3 * i;
        const ph_vec3 torque =
            ph_quat_unrotate(q, (ph_vec3){m[1] * E[2] - m[2] * E[1], m[2] * E[0] - m[0] * E[2],
                                          m[0] * E[1] - m[1] * E[0]});
        const double right[3] = {torque.x, torque.y, torque.z};
        for (size_t k = 0; k < 3; k++) {
            const double f = p->F[3 * i + k];
            const double error =
                larger_or_nan(fabs(s->force[k][i] - f), fabs(s->torque[k][i] - right[k]));
            size = larger_or_nan(size, larger_or_nan(fabs(f), fabs(right[k])));
            if (isnan(error))
                worst = INFINITY;
            else
                worst = larger_or_nan(worst, error);
        }
    }
    return larger_or_nan(worst / size, fabs(s->potential / p->V - 1.0));
}

static void run(bench *b)
{
    static both work;
    ph_set_threads(1);
    if (!set_up(&work)) {
        bench_note(b, "no memory for the molecules");
        clear_away(&work);
        return;
    }
    const double n = (double)work.system->n, pairs = 0.5 * n * (n - 1.0);
    bench_contestant field[] = {
        {.name = "simd_pair", .run = by_library, .work = &work, .units = pairs},
        {.name = "scalar_pair", .run = by_loop, .work = &work, .units = pairs},
        bench_peak("fma_peak_pair", OPERATIONS),
    };
    field[1].peer = true;
    bench_check(b, &field[0], "error", worst_error(&work), ERROR);
    bench_race(b, "pair", field, sizeof field / sizeof field[0]);
    bench_peak_told(b, &field[2], OPERATIONS);
    bench_ratio(b, "scalar_over_simd_pair", &field[1], &field[0]);
    bench_ratio(b, "pair_peak_share", &field[2], &field[0]);
    clear_away(&work);
}

const bench_group bench_group_pairs = {
    .name = "pairs",
    .title = "forces and torques of dipolar soft spheres",
    .run = run,
};
