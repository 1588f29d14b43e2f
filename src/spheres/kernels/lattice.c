/* lattice.c - the field of all dipoles of a lattice at all of them; spheres/lattice.h.
 *
 * Two vectors of targets of one row at a time, over all sources: ten operations a pair, in
 * sums that do not wait for each other.
 */
#include "spheres/lattice.h"

#include "base/simd.h"

typedef struct sums {
    vdouble xx, xy, yx, yy, zz;
} sums;

/* A source, in all lanes; x and y also with the sign of the row distance. */
typedef struct source {
    vdouble x, y, z, signed_x, signed_y;
} source;

static inline sums add_pairs(sums s, const lattice *l, size_t k, source q)
{
    const vdouble xy = vload(l->table[1] + k);
    s.xx = vload(l->table[0] + k) * q.x + s.xx;
    s.yy = vload(l->table[2] + k) * q.y + s.yy;
    s.zz = vload(l->table[3] + k) * q.z + s.zz;
    s.xy = xy * q.signed_y + s.xy;
    s.yx = xy * q.signed_x + s.yx;
    return s;
}

static inline void finish(const lattice *l, size_t at, sums s)
{
    vstore(l->field[0] + at, s.xx + s.xy);
    vstore(l->field[1] + at, s.yy + s.yx);
    vstore(l->field[2] + at, s.zz);
}

/* The field at `vectors` (1 or 2) vectors of targets. */
static inline void targets(const lattice *l, int row, size_t first, int vectors)
{
    const vdouble zero = vsplat(0.0);
    const size_t columns = (size_t)l->columns, out = (size_t)row * l->padded + first;
    sums a = {zero, zero, zero, zero, zero}, b = a;
    for (int from = 0; from < l->rows; from++) {
        const int apart = row - from;
        const size_t at = (size_t)(apart < 0 ? -apart : apart) * l->length + first;
        const double sign = apart < 0 ? -1.0 : 1.0;
        const double *x = l->q[0] + (size_t)from * columns,
                     *y = l->q[1] + (size_t)from * columns,
                     *z = l->q[2] + (size_t)from * columns;
        for (size_t j = 0; j < columns; j++) {
            const source q = {vsplat(x[j]), vsplat(y[j]), vsplat(z[j]),
                              vsplat(sign * x[j]), vsplat(sign * y[j])};
            const size_t k = at + (columns - 1 - j);
            a = add_pairs(a, l, k, q);
            if (vectors == 2)
                b = add_pairs(b, l, k + LANES, q);
        }
    }
    finish(l, out, a);
    if (vectors == 2)
        finish(l, out + LANES, b);
}

void KERNEL(lattice)(const lattice *l)
{
    const size_t both = 2 * (size_t)LANES;
    for (int row = 0; row < l->rows; row++) {
        size_t first = 0;
        for (; first + both <= l->padded; first += both)
            targets(l, row, first, 2);
        if (first < l->padded)
            targets(l, row, first, 1);
    }
}
