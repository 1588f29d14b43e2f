/* site_kernel.h - what molecules of sites do to each other, many pairs at once, for any law.
 *
 * A law's file says before it includes this how many AXES of a molecule it needs and how many SITES a
 * molecule has at most. It has sites_of and act, and says SITE_KERNEL(name). The axes are z, x and, of
 * AXES 3, y, in space. Forces act on molecules whose centres are nearer than the cut-off.
 */
#pragma once

#include "kinds/molecules/pair_lanes.h"
#include "motion/algebra.h"

/* Those of a tile that are near to one molecule, side by side: how far from them it is, their
 * axes, and what they get. */
typedef struct near_by {
    VECTOR_ALIGNED double d[3][TILE];
    double mu[3 * AXES][TILE], F[3][TILE], E[3 * AXES][TILE], r2[TILE];
    size_t from[TILE], n;
} near_by;

/* Finds them among the tile bodies from `start` on; up to whole columns, some that do nothing. */
static inline void find(const pair_numbers *law, vdouble3 x, pair_tile *tile, size_t start,
                        near_by *out)
{
    const double far_away = 0x1p40;
    for (size_t j = start / COLUMNS * COLUMNS; j < tile->n; j += LANES) {
        const vdouble3 d = apart(law, law->kind, x, tile, j);
        store3(out->d, j, d);
        vstore(&out->r2[j], dot(d, d));
    }
    size_t n = 0;
    for (size_t j = start; j < tile->n; j++) {
        out->from[n] = j;
        n += out->r2[j] < law->cutoff2;
    }
    for (size_t m = 0; m < n; m++) {
        const size_t j = out->from[m];
        for (int k = 0; k < 3; k++)
            out->d[k][m] = out->d[k][j];
        for (int k = 0; k < 3 * AXES; k++)
            out->mu[k][m] = tile->mu[k][j];
    }
    for (size_t m = n; m % COLUMNS != 0; m++) {
        for (int k = 0; k < 3; k++)
            out->d[k][m] = far_away;
        for (int k = 0; k < 3 * AXES; k++)
            out->mu[k][m] = 0.0;
    }
    out->n = n;
}

/* A molecule's sites from its centre, or the forces on them. */
typedef struct sites {
    vdouble3 at[SITES];
} sites;

/* The sites of a molecule with these axes, which the law's file has. */
static inline sites sites_of(const pair_numbers *law, const vdouble3 axis[AXES]);

/* Force and fields of a molecule by the forces on its sites. */
typedef struct pulls {
    vdouble3 F, E[AXES];
} pulls;

/* One molecule, and the sums that belong to it. */
typedef struct center {
    sites sites;
    pulls sum;
    vdouble V, W;
} center;

/* Two sites r apart: the energy, and f with the force f r, by charges with the product q and by
 * Lennard-Jones. k is the constant of the reaction field. */
static inline vdouble charged(double q, double reaction, vdouble r2, vdouble *V)
{
    const double k = q * reaction;
    const vdouble u = 1.0 / vsqrt(r2), qu = q * u;
    *V += qu + k * r2;
    return qu * (u * u) - 2.0 * k;
}

static inline vdouble lennard_jones(double sigma6, double epsilon4, vdouble r2, vdouble *V)
{
    const vdouble u2 = 1.0 / r2, s6 = sigma6 * (u2 * u2 * u2), e = epsilon4 * s6;
    *V += e * (s6 - 1.0);
    return (e * (12.0 * s6 - 6.0)) * u2;
}

/* Stores in `here` and `there` what molecule i and those at r->d[j] get from each other before the
 * energy fades, and returns that energy; which the law's file has. */
static inline vdouble act(const pair_numbers *law, const sites *i, const sites *other, vdouble3 d,
                          pulls *here, pulls *there);

/* Where molecules fade: from taper2 = R^2 to the cut-off. */
static inline void act_faded(const pair_numbers *law, center *i, near_by *r, size_t j,
                             double taper2, double per_taper)
{
    const vdouble3 d = load3(r->d, j);
    vdouble3 axis[AXES];
    for (size_t k = 0; k < AXES; k++)
        axis[k] = load3(r->mu + 3 * k, j);
    const sites other = sites_of(law, axis);
    pulls here, there;
    const vdouble V = act(law, &i->sites, &other, d, &here, &there);
    vdouble fade;
    const vdouble S = fading(taper2, per_taper, dot(d, d), &fade);
    const vdouble3 F = added(fade * V, d, scale(S, here.F));
    i->V += S * V;
    i->W += dot(F, d);
    i->sum.F = add(i->sum.F, F);
    store3(r->F, j, F);
    for (size_t k = 0; k < AXES; k++) {
        i->sum.E[k] = added(S, here.E[k], i->sum.E[k]);
        store3(r->E + 3 * k, j, scale(S, there.E[k]));
    }
}

/* The columns of what one molecule gets. */
typedef struct row_sums {
    double F[3][COLUMNS], E[3 * AXES][COLUMNS];
} row_sums;

static inline pair_sums rows_of_sites(const pair_numbers *law, const pair_bodies *b, size_t first,
                                      size_t end, pair_tile *tile, bool triangle, double taper2,
                                      double per_taper)
{
    near_by r;
    row_sums sums;
    double energy[COLUMNS] = {0}, virial[COLUMNS] = {0};
    for (size_t i = first; i < end; i++) {
        find(law, splat3(b->x, i), tile, triangle ? i - first + 1 : 0, &r);
        vdouble3 axis[AXES];
        for (size_t k = 0; k < AXES; k++)
            axis[k] = splat3(b->mu + 3 * k, i);
        for (size_t set = 0; set < SETS; set++) {
            center one = {.sites = sites_of(law, axis)};
            for (size_t j = set * LANES; j < r.n; j += COLUMNS)
                act_faded(law, &one, &r, j, taper2, per_taper);
            put_columns(sums.F, set, one.sum.F);
            for (size_t k = 0; k < AXES; k++)
                put_columns(sums.E + 3 * k, set, one.sum.E[k]);
            vstore(&energy[set * LANES], vload(&energy[set * LANES]) + one.V);
            vstore(&virial[set * LANES], vload(&virial[set * LANES]) + one.W);
        }
        add_columns(b->F, i, sums.F);
        for (size_t k = 0; k < AXES; k++)
            add_columns(b->E + 3 * k, i, sums.E + 3 * k);
        for (size_t m = 0; m < r.n; m++) {
            const size_t j = r.from[m];
            for (int k = 0; k < 3; k++)
                tile->F[k][j] -= r.F[k][m];
            for (int k = 0; k < 3 * AXES; k++)
                tile->E[k][j] += r.E[k][m];
        }
    }
    return (pair_sums){sum_of_columns(energy), sum_of_columns(virial)};
}

/* The kernel of a law, with the numbers of the law that say where molecules fade. */
#define SITE_KERNEL(name, taper2, per_taper)                                                       \
    pair_sums KERNEL(pairs_##name)(const pair_numbers *law, const pair_bodies *b, size_t first,    \
                                   size_t end, pair_tile *tile, bool triangle)                     \
    {                                                                                              \
        return rows_of_sites(law, b, first, end, tile, triangle, law->c[taper2],                   \
                             law->c[per_taper]);                                                   \
    }
