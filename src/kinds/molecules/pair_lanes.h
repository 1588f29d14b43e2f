/* pair_lanes.h - what kernels of pairs are written with, whatever the law: places in a tile, nearest
 * images, the end at a cut-off, and sums that do not depend on the width of vectors.
 *
 *   S(y) = 1 - y^3 (10 - 15 y + 6 y^2),   dS/dy = -30 y^2 (1 - y)^2
 *
 * fades what a pair does over the last of the way, y = (r^2 - taper2) per_taper, held to [0, 1].
 */
#pragma once

#include "kinds/molecules/laws.h"

#include "base/simd.h"

static inline vdouble3 load3(double from[3][TILE], size_t j)
{
    return (vdouble3){vload(&from[0][j]), vload(&from[1][j]), vload(&from[2][j])};
}

static inline void store3(double to[3][TILE], size_t j, vdouble3 v)
{
    vstore(&to[0][j], v.x);
    vstore(&to[1][j], v.y);
    vstore(&to[2][j], v.z);
}

static inline vdouble3 splat3(double *const from[3], size_t i)
{
    return (vdouble3){vsplat(from[0][i]), vsplat(from[1][i]), vsplat(from[2][i])};
}

static inline vdouble dots(vdouble3 a, vdouble3 b)
{
    return a.z * b.z + (a.y * b.y + a.x * b.x);
}

/* c v + to, and to - c v */
static inline vdouble3 added(vdouble c, vdouble3 v, vdouble3 to)
{
    return (vdouble3){c * v.x + to.x, c * v.y + to.y, c * v.z + to.z};
}

static inline vdouble3 taken(vdouble c, vdouble3 v, vdouble3 to)
{
    return (vdouble3){to.x - c * v.x, to.y - c * v.y, to.z - c * v.z};
}

/* d to the nearest image: the sum with 1.5 2^52 is rounded to a whole number. */
static inline vdouble nearest(vdouble d, double box, double per_box)
{
    const vdouble shift = vsplat(0x1.8p52);
    return d - box * (d * per_box + shift - shift);
}

static inline vdouble3 apart(const pair_numbers *law, pair_kind kind, vdouble3 xi, pair_tile *tile,
                             size_t j)
{
    const vdouble3 xj = load3(tile->x, j);
    const vdouble3 d = {xi.x - xj.x, xi.y - xj.y, xi.z - xj.z};
    if (kind != PAIRS_IMAGES)
        return d;
    return (vdouble3){nearest(d.x, law->box[0], law->per_box[0]),
                      nearest(d.y, law->box[1], law->per_box[1]),
                      nearest(d.z, law->box[2], law->per_box[2])};
}

/* S at r^2, and -2 dS/d(r^2). */
static inline vdouble fading(double taper2, double per_taper, vdouble r2, vdouble *fade)
{
    const vdouble none = vsplat(0.0), one = vsplat(1.0);
    const vdouble y = vmin(vmax((r2 - taper2) * per_taper, none), one);
    const vdouble z = one - y, y2 = y * y;
    *fade = (60.0 * per_taper) * (y2 * (z * z));
    return one - (y2 * y) * (y * (6.0 * y - 15.0) + 10.0);
}

/* A row's sums are formed in COLUMNS columns, tile body j in column j mod COLUMNS, and the
 * columns then added in a fixed order: the same bits for vectors of any width up to it. A
 * vector takes LANES of the columns, one set of them after the other. */
enum { COLUMNS = 8, SETS = COLUMNS / LANES };

static inline double sum_of_columns(const double from[COLUMNS])
{
    double part[COLUMNS];
    memcpy(part, from, sizeof part);
    for (int width = COLUMNS / 2; width > 0; width /= 2) {
        for (int i = 0; i < width; i++)
            part[i] += part[i + width];
    }
    return part[0];
}

static inline void put_columns(double to[3][COLUMNS], size_t set, vdouble3 v)
{
    vstore(&to[0][set * LANES], v.x);
    vstore(&to[1][set * LANES], v.y);
    vstore(&to[2][set * LANES], v.z);
}

static inline void add_columns(double *const to[3], size_t i, double from[3][COLUMNS])
{
    for (int k = 0; k < 3; k++)
        to[k][i] += sum_of_columns(from[k]);
}
