/* lattice.c - the field of all dipoles of a lattice at all of them; spheres/lattice.h.
 *
 * A vector of targets of one row at a time, over all sources: ten operations a pair.
 */
#include "spheres/lattice.h"

#include "core/simd.h"

static void targets(const lattice *l, int row, size_t first)
{
    lanes x = splat(0.0), y = splat(0.0), z = splat(0.0);
    const size_t columns = (size_t)l->columns;
    for (int from = 0; from < l->rows; from++) {
        const int apart = row - from;
        const size_t at = (size_t)(apart < 0 ? -apart : apart) * l->length + first;
        const double sign = apart < 0 ? -1.0 : 1.0;
        const double *qx = l->q[0] + (size_t)from * columns,
                     *qy = l->q[1] + (size_t)from * columns,
                     *qz = l->q[2] + (size_t)from * columns;
        for (size_t j = 0; j < columns; j++) {
            const size_t k = at + (columns - 1 - j);
            const lanes xx = load(l->table[0] + k), yy = load(l->table[2] + k),
                        xy = load(l->table[1] + k) * splat(sign);
            x = madd(xx, splat(qx[j]), madd(xy, splat(qy[j]), x));
            y = madd(yy, splat(qy[j]), madd(xy, splat(qx[j]), y));
            z = madd(load(l->table[3] + k), splat(qz[j]), z);
        }
    }
    const size_t out = (size_t)row * l->padded + first;
    store(l->field[0] + out, x);
    store(l->field[1] + out, y);
    store(l->field[2] + out, z);
}

void KERNEL(lattice)(const lattice *l)
{
    for (int row = 0; row < l->rows; row++) {
        for (size_t first = 0; first < l->padded; first += LANES)
            targets(l, row, first);
    }
}
