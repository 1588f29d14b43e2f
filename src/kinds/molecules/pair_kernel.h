/* pair_kernel.h - what bodies do to each other, many pairs at once, for any law.
 *
 * With d = x_i - x_j, a = mu_i.d, b = mu_j.d and c = mu_i.mu_j, a law gives for a pair of
 * distance 1/u its parts w, D, f, e and u3, of which are made
 *
 *   V = w + D,   F_i = f d + e b mu_i + e a mu_j = -F_j
 *   E_i = e b d - u3 mu_j,   E_j = e a d - u3 mu_i
 *
 * Two passes over a row: first the distances, where the divider is the slow part, then
 * the forces. The first pass of a row is run along with the second one of the row before,
 * so that the divider and the multipliers work at the same time. A pair to be left out is
 * one with u = 0.
 *
 * A law's file declares the kernel by KERNEL_DECLARE(pairs_kernel, pairs_NAME). In the part for kernels it includes
 * this, has open_parts and cut_parts, and says PAIR_KERNEL(NAME).
 */
#pragma once

#include "kinds/molecules/pair_lanes.h"

/* ---- first pass: u = 1/r, and r^2 where there is a cut-off -------------------------- */

typedef struct row {
    VECTOR_ALIGNED double u[TILE];
    double r2[TILE];
} row;

static inline void measure(const pair_numbers *law, pair_kind kind, vdouble3 xi, pair_tile *tile,
                           size_t j, row *out)
{
    const vdouble3 d = apart(law, kind, xi, tile, j);
    const vdouble r2 = dots(d, d);
    vstore(&out->u[j], 1.0 / vsqrt(r2));
    if (kind != PAIRS_OPEN)
        vstore(&out->r2[j], r2);
}

/* Leaves out tile bodies from j up to, but not with, end. */
static inline void leave_out(const pair_numbers *law, row *out, size_t j, size_t end)
{
    for (; j < end; j++) {
        out->u[j] = 0.0;
        out->r2[j] = law->cutoff2;
    }
}

/* ---- second pass: energy, forces, fields -------------------------------------------- */

/* One body i and the sums that belong to it. */
typedef struct center {
    vdouble3 x, mu, F, E;
    vdouble V;
} center;

/* The parts of the law at one distance. */
typedef struct parts {
    vdouble w;        /* energy of what does not depend on the dipoles */
    vdouble u3, e, D; /* of the dipoles: u^3 and 3 u^5 in open space, and their energy */
    vdouble f;        /* the part of the force along d, over r */
} parts;

/* Which the law's file has, in open space and up to a cut-off: u = 1/r, a = mu_i.d,
 * b = mu_j.d, c = mu_i.mu_j. */
static inline parts open_parts(const pair_numbers *law, vdouble u, vdouble a, vdouble b, vdouble c);
static inline parts cut_parts(const pair_numbers *law, vdouble u, vdouble r2, vdouble a, vdouble b,
                              vdouble c);

static inline void act(const pair_numbers *law, pair_kind kind, center *i, pair_tile *tile,
                       size_t j, const row *r)
{
    const vdouble3 d = apart(law, kind, i->x, tile, j), mu = load3(tile->mu, j);
    const vdouble a = dots(i->mu, d), b = dots(mu, d), c = dots(i->mu, mu);
    const vdouble u = vload(&r->u[j]);
    const parts p = kind == PAIRS_OPEN ? open_parts(law, u, a, b, c)
                                       : cut_parts(law, u, vload(&r->r2[j]), a, b, c);
    i->V += p.w + p.D;
    const vdouble ea = p.e * a, eb = p.e * b;
    const vdouble3 along = {p.f * d.x, p.f * d.y, p.f * d.z};
    const vdouble3 F = added(eb, i->mu, added(ea, mu, along));
    const vdouble3 Fj = load3(tile->F, j), Ej = load3(tile->E, j);
    i->F = (vdouble3){i->F.x + F.x, i->F.y + F.y, i->F.z + F.z};
    i->E = taken(p.u3, mu, added(eb, d, i->E));
    store3(tile->F, j, (vdouble3){Fj.x - F.x, Fj.y - F.y, Fj.z - F.z});
    store3(tile->E, j, taken(p.u3, i->mu, added(ea, d, Ej)));
}

/* ---- rows against a tile ------------------------------------------------------------ */

/* The columns of the forces on one body and of the fields at it. */
typedef struct row_sums {
    double F[3][COLUMNS], E[3][COLUMNS];
} row_sums;

/* Up to whole sets of columns, bodies without dipole and too far away to be felt; the powers
 * of their distance are finite, and underflow to nothing. */
static inline size_t filled(pair_tile *tile)
{
    const double far_away = 0x1p200;
    const size_t width = (tile->n + COLUMNS - 1) / COLUMNS * COLUMNS;
    for (size_t j = tile->n; j < width; j++) {
        for (int k = 0; k < 3; k++) {
            tile->x[k][j] = far_away;
            tile->mu[k][j] = 0.0;
        }
    }
    return width;
}

static inline pair_sums rows_by_tile(const pair_numbers *law, pair_kind kind, const pair_bodies *b,
                                     size_t first, size_t end, pair_tile *tile, bool triangle)
{
    const size_t width = filled(tile);
    const vdouble none = vsplat(0.0);
    row rows[2];
    double energy[COLUMNS] = {0};
    for (size_t j = 0; j < width; j += LANES)
        measure(law, kind, splat3(b->x, first), tile, j, &rows[first % 2]);
    for (size_t i = first; i < end; i++) {
        const size_t start = triangle ? (i - first) / COLUMNS * COLUMNS : 0;
        row *now = &rows[i % 2], *next = &rows[(i + 1) % 2];
        row_sums sums;
        if (triangle)
            leave_out(law, now, start, i - first + 1);
        if (kind == PAIRS_IMAGES) /* where nothing is far away */
            leave_out(law, now, tile->n, width);
        for (size_t set = 0; set < SETS; set++) {
            const size_t from = start + set * LANES;
            center body = {.x = splat3(b->x, i),
                           .mu = splat3(b->mu, i),
                           .F = {none, none, none},
                           .E = {none, none, none},
                           .V = none};
            if (i + 1 < end) {
                const vdouble3 x = splat3(b->x, i + 1);
                for (size_t j = from; j < width; j += COLUMNS) {
                    measure(law, kind, x, tile, j, next);
                    act(law, kind, &body, tile, j, now);
                }
            } else {
                for (size_t j = from; j < width; j += COLUMNS)
                    act(law, kind, &body, tile, j, now);
            }
            put_columns(sums.F, set, body.F);
            put_columns(sums.E, set, body.E);
            vstore(&energy[set * LANES], vload(&energy[set * LANES]) + body.V);
        }
        add_columns(b->F, i, sums.F);
        add_columns(b->E, i, sums.E);
    }
    return (pair_sums){.energy = sum_of_columns(energy)};
}

/* The kernel of a law. */
#define PAIR_KERNEL(name)                                                                          \
    pair_sums KERNEL(pairs_##name)(const pair_numbers *law, const pair_bodies *b, size_t first,    \
                                   size_t end, pair_tile *tile, bool triangle)                     \
    {                                                                                              \
        switch (law->kind) {                                                                       \
        case PAIRS_OPEN:                                                                           \
            return rows_by_tile(law, PAIRS_OPEN, b, first, end, tile, triangle);                   \
        case PAIRS_CUT:                                                                            \
            return rows_by_tile(law, PAIRS_CUT, b, first, end, tile, triangle);                    \
        default:                                                                                   \
            return rows_by_tile(law, PAIRS_IMAGES, b, first, end, tile, triangle);                 \
        }                                                                                          \
    }
