/* pairs.h - the law between two bodies as numbers, and the kernel that sums it up.
 *
 * A kernel takes rows of bodies i against a tile of bodies j, and adds to the forces F on
 * both, and to the fields E at both: the torque on a body is mu x E, taken later, once.
 */
#ifndef POLHODE_MOLECULES_PAIRS_H
#define POLHODE_MOLECULES_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/isa.h"
#include "polhode/molecules.h"

/* Bodies in a tile: their numbers, 12 for each, fit into the nearest cache. */
enum { TILE = 128, CACHE_LINE = 64 };

/* Open space; up to a cut-off; the same, between nearest images in the box. */
typedef enum pair_kind { PAIRS_OPEN, PAIRS_CUT, PAIRS_IMAGES } pair_kind;

typedef struct pair_law {
    pair_kind kind;
    double soft;               /* 4 epsilon sigma^12 */
    double box[3], per_box[3]; /* edges and their inverses */
    double cutoff, cutoff2;
    double soft_end, soft_slope; /* of the soft part and its derivative at the cut-off */
    double reaction;          /* field of the surroundings by the dipole in the sphere */
    double taper2, per_taper; /* where the dipoles fade: from this r^2 to cutoff2 */
} pair_law;

/* The numbers of a checked system. */
pair_law ph_pair_law_of(const ph_molecules *s);

/* Arrays of bodies. */
typedef struct pair_bodies {
    double *x[3], *mu[3], *F[3], *E[3];
} pair_bodies;

typedef struct pair_tile {
    _Alignas(CACHE_LINE) double x[3][TILE];
    double mu[3][TILE], F[3][TILE], E[3][TILE];
    size_t
        n; /* so many are bodies; up to whole vectors the kernel fills it with nothing */
} pair_tile;

/* Adds what the bodies first <= i < end of b and those of the tile do to each other, and
 * returns their energy; a triangle: tile body k is body first + k, and each pair is taken
 * once. */
typedef double pairs_kernel(const pair_law *law, const pair_bodies *b, size_t first,
                            size_t end, pair_tile *tile, bool triangle);
KERNEL_DECLARE(pairs_kernel, pairs);

#endif
