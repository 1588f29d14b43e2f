/* lattice.h - the field of dipoles on a rectangular lattice, for the kernel of that name.
 *
 * The field of dipole j at i depends on the distance in rows and columns alone: it is a
 * table. For |row distance| d and column distance i - j the four elements of a symmetric
 * matrix that are not zero, xx, xy, yy, zz, where xy changes its sign with that of the row
 * distance. Columns of targets are neighbours in the table, so that a vector of targets
 * takes a vector of it: no square roots, no divisions, no shuffles.
 */
#pragma once

#include <stddef.h>

#include "base/isa.h"

/* Targets in a row are filled up to a multiple of this, the widest vector. */
enum { LATTICE_TARGETS = 8, LATTICE_TABLES = 4 };

typedef struct lattice {
    int rows, columns;
    size_t padded; /* columns, filled up */
    size_t length; /* of one row of a table: padded + columns - 1 */
    /* table[e][d * length + (columns - 1) + i - j] */
    const double *table[LATTICE_TABLES];
    const double *q[3]; /* the dipoles' x, y, z: rows * columns */
    double *field[3];   /* rows * padded */
} lattice;

typedef void lattice_kernel(const lattice *l);
KERNEL_DECLARE(lattice_kernel, lattice);
