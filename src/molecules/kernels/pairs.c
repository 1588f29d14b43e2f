/* pairs.c - what dipolar soft spheres do to each other, many pairs at once.
 *
 * CFSZ  Celledoni, Fasso, Saefstroem, Zanna, Preprint Numerics 6/2007, NTNU, section 3.4.
 *
 * With d = x_i - x_j, u = 1/|d|, a = mu_i.d, b = mu_j.d, c = mu_i.mu_j and
 *
 *   w = soft u^12 (the soft part),   e = 3 u^5,   t = e a b
 *
 *   CFSZ 3.4   V   = w + u^3 c - t
 *              F_i = ( u^2 (12 w - 5 t) + e c ) d + e b mu_i + e a mu_j = -F_j
 *              E_i = e b d - u^3 mu_j,   E_j = e a d - u^3 mu_i
 *
 * Up to a cut-off rc the soft part is shifted, in energy and force, to nothing at rc; the
 * dipoles get the reaction field of what lies beyond, and fade by S(y) over the last of
 * the way, y = (r^2 - taper2) per_taper, held to [0, 1]:
 *
 *   w  becomes  w - w(rc) - (r - rc) w'(rc)
 *   the dipoles' part D = u^3 c - t  becomes  S ( D - reaction c )
 *   S = 1 - y^3 (10 - 15 y + 6 y^2),   dS/dy = -30 y^2 (1 - y)^2
 *
 * and forces and fields are the derivatives of just that, hence conserve it.
 *
 * Two passes over a row: first the distances, where the divider is the slow part, then
 * the forces. The first pass of a row is run along with the second one of the row before,
 * so that the divider and the multipliers work at the same time. A pair to be left out is
 * one with u = 0.
 */
#include "molecules/pairs.h"

#include "core/simd.h"

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

static inline lanes3 load3(double from[3][TILE], size_t j)
{
    return (lanes3){load(&from[0][j]), load(&from[1][j]), load(&from[2][j])};
}

static inline void store3(double to[3][TILE], size_t j, lanes3 v)
{
    store(&to[0][j], v.x);
    store(&to[1][j], v.y);
    store(&to[2][j], v.z);
}

static inline lanes3 splat3(double *const from[3], size_t i)
{
    return (lanes3){splat(from[0][i]), splat(from[1][i]), splat(from[2][i])};
}

static inline lanes dots(lanes3 a, lanes3 b)
{
    return madd(a.z, b.z, madd(a.y, b.y, a.x * b.x));
}

/* c v + to, and to - c v */
static inline lanes3 added(lanes c, lanes3 v, lanes3 to)
{
    return (lanes3){madd(c, v.x, to.x), madd(c, v.y, to.y), madd(c, v.z, to.z)};
}

static inline lanes3 taken(lanes c, lanes3 v, lanes3 to)
{
    return (lanes3){nmadd(c, v.x, to.x), nmadd(c, v.y, to.y), nmadd(c, v.z, to.z)};
}

/* d to the nearest image: the sum with 1.5 2^52 is rounded to a whole number. */
static inline lanes nearest(lanes d, double box, double per_box)
{
    const lanes shift = splat(0x1.8p52);
    return nmadd(splat(box), madd(d, splat(per_box), shift) - shift, d);
}

static inline lanes3 apart(const pair_law *law, pair_kind kind, lanes3 xi,
                           pair_tile *tile, size_t j)
{
    const lanes3 xj = load3(tile->x, j);
    const lanes3 d = {xi.x - xj.x, xi.y - xj.y, xi.z - xj.z};
    if (kind != PAIRS_IMAGES)
        return d;
    return (lanes3){nearest(d.x, law->box[0], law->per_box[0]),
                    nearest(d.y, law->box[1], law->per_box[1]),
                    nearest(d.z, law->box[2], law->per_box[2])};
}

/* ---- first pass: u = 1/r, and r^2 where there is a cut-off -------------------------- */

typedef struct row {
    _Alignas(CACHE_LINE) double u[TILE];
    double r2[TILE];
} row;

static inline void measure(const pair_law *law, pair_kind kind, lanes3 xi,
                           pair_tile *tile, size_t j, row *out)
{
    const lanes3 d = apart(law, kind, xi, tile, j);
    const lanes r2 = dots(d, d);
    store(&out->u[j], inverse_root(r2));
    if (kind != PAIRS_OPEN)
        store(&out->r2[j], r2);
}

/* Leaves out tile bodies from j up to, but not with, end. */
static inline void leave_out(const pair_law *law, row *out, size_t j, size_t end)
{
    for (; j < end; j++) {
        out->u[j] = 0.0;
        out->r2[j] = law->cutoff2;
    }
}

/* ---- second pass: energy, forces, fields -------------------------------------------- */

/* One body i and the sums that belong to it. */
typedef struct center {
    lanes3 x, mu, F, E;
    lanes V;
} center;

/* The parts of the law at one distance. */
typedef struct parts {
    lanes w, pull;  /* soft energy; soft force over r */
    lanes u3, e, D; /* the dipoles' u^3, 3 u^5 and energy, S among them */
    lanes f;        /* the part of their force along d, over r */
} parts;

static inline parts open_parts(const pair_law *law, lanes u, lanes a, lanes b, lanes c)
{
    const lanes u2 = u * u, u3 = u2 * u, e = (3.0 * u2) * u3, u6 = u3 * u3;
    const lanes w = (law->soft * u6) * u6, t = (e * a) * b;
    return (parts){.w = w,
                   .u3 = u3,
                   .e = e,
                   .D = madd(u3, c, -t),
                   .f = madd(e, c, u2 * nmadd(splat(5.0), t, 12.0 * w))};
}

static inline parts cut_parts(const pair_law *law, lanes u, lanes r2, lanes a, lanes b,
                              lanes c)
{
    const choice inside = r2 < splat(law->cutoff2);
    const lanes none = splat(0.0), one = splat(1.0);
    const lanes u2 = u * u, u3 = u2 * u, e = (3.0 * u2) * u3, u6 = u3 * u3;
    const lanes w = (law->soft * u6) * u6, t = (e * a) * b;
    const lanes slope = splat(law->soft_slope), A = u3 - law->reaction;
    const lanes beyond = madd(r2, u, splat(-law->cutoff)); /* r - rc */
    const lanes shifted = nmadd(beyond, slope, w - law->soft_end);
    const lanes push = madd(12.0 * w, u2, slope * u);

    const lanes y = smaller(larger((r2 - law->taper2) * law->per_taper, none), one);
    const lanes z = one - y, y2 = y * y;
    const lanes S =
        nmadd(y2 * y, madd(y, madd(splat(6.0), y, splat(-15.0)), splat(10.0)), one);
    const lanes fade = (60.0 * law->per_taper) * (y2 * (z * z)); /* -2 dS/d(r^2) */
    const lanes D = madd(A, c, -t), f = madd(e, c, -5.0 * (u2 * t));
    return (parts){.w = select(inside, shifted, none),
                   .u3 = S * A,
                   .e = S * e,
                   .D = S * D,
                   .f = madd(S, f, madd(fade, D, select(inside, push, none)))};
}

static inline void act(const pair_law *law, pair_kind kind, center *i, pair_tile *tile,
                       size_t j, const row *r)
{
    const lanes3 d = apart(law, kind, i->x, tile, j), mu = load3(tile->mu, j);
    const lanes a = dots(i->mu, d), b = dots(mu, d), c = dots(i->mu, mu);
    const lanes u = load(&r->u[j]);
    const parts p = kind == PAIRS_OPEN ? open_parts(law, u, a, b, c)
                                       : cut_parts(law, u, load(&r->r2[j]), a, b, c);
    i->V += p.w + p.D;
    const lanes ea = p.e * a, eb = p.e * b;
    const lanes3 along = {p.f * d.x, p.f * d.y, p.f * d.z};
    const lanes3 F = added(eb, i->mu, added(ea, mu, along));
    const lanes3 Fj = load3(tile->F, j), Ej = load3(tile->E, j);
    i->F = (lanes3){i->F.x + F.x, i->F.y + F.y, i->F.z + F.z};
    i->E = taken(p.u3, mu, added(eb, d, i->E));
    store3(tile->F, j, (lanes3){Fj.x - F.x, Fj.y - F.y, Fj.z - F.z});
    store3(tile->E, j, taken(p.u3, i->mu, added(ea, d, Ej)));
}

/* ---- rows against a tile ------------------------------------------------------------ */

static inline void add_sums(double *const to[3], size_t i, lanes3 v)
{
    to[0][i] += lane_sum(v.x);
    to[1][i] += lane_sum(v.y);
    to[2][i] += lane_sum(v.z);
}

/* Up to whole vectors, bodies without dipole and too far away to be felt; the powers of
 * their distance are finite, and underflow to nothing. */
static inline size_t filled(pair_tile *tile)
{
    const double far_away = 0x1p200;
    const size_t width = (tile->n + LANES - 1) / LANES * LANES;
    for (size_t j = tile->n; j < width; j++) {
        for (int k = 0; k < 3; k++) {
            tile->x[k][j] = far_away;
            tile->mu[k][j] = 0.0;
        }
    }
    return width;
}

static inline double rows_by_tile(const pair_law *law, pair_kind kind,
                                  const pair_bodies *b, size_t first, size_t end,
                                  pair_tile *tile, bool triangle)
{
    const size_t width = filled(tile);
    row rows[2];
    lanes V = splat(0.0);
    for (size_t j = 0; j < width; j += LANES)
        measure(law, kind, splat3(b->x, first), tile, j, &rows[first % 2]);
    for (size_t i = first; i < end; i++) {
        const size_t start = triangle ? (i - first) / LANES * LANES : 0;
        row *now = &rows[i % 2], *next = &rows[(i + 1) % 2];
        center body = {.x = splat3(b->x, i), .mu = splat3(b->mu, i), .V = splat(0.0)};
        body.F = body.E = (lanes3){body.V, body.V, body.V};
        if (triangle)
            leave_out(law, now, start, i - first + 1);
        if (kind == PAIRS_IMAGES) /* where nothing is far away */
            leave_out(law, now, tile->n, width);
        if (i + 1 < end) {
            const lanes3 x = splat3(b->x, i + 1);
            for (size_t j = start; j < width; j += LANES) {
                measure(law, kind, x, tile, j, next);
                act(law, kind, &body, tile, j, now);
            }
        } else {
            for (size_t j = start; j < width; j += LANES)
                act(law, kind, &body, tile, j, now);
        }
        add_sums(b->F, i, body.F);
        add_sums(b->E, i, body.E);
        V += body.V;
    }
    return lane_sum(V);
}

double KERNEL(pairs)(const pair_law *law, const pair_bodies *b, size_t first, size_t end,
                     pair_tile *tile, bool triangle)
{
    switch (law->kind) {
    case PAIRS_OPEN:
        return rows_by_tile(law, PAIRS_OPEN, b, first, end, tile, triangle);
    case PAIRS_CUT:
        return rows_by_tile(law, PAIRS_CUT, b, first, end, tile, triangle);
    default:
        return rows_by_tile(law, PAIRS_IMAGES, b, first, end, tile, triangle);
    }
}
