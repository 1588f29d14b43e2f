/* magnets.c - magnetic needles on a rectangular lattice, each pinned at its middle.
 *
 * O11  Ortolan, thesis, Padova 2011, section 7.2.3; Lee, Leok, McClamroch 2009.
 *
 *   M_i = m l^2/12,   V = (1/2) sum_{i != j} q_i.T_ij q_j
 *   T_ij = mu0 nu^2/(4 pi r^3) (1 - 3 r r^T/r^2),   mu0 = 4 pi 1e-7
 *          corrected: O11 (7.8) prints mu0/(nu_i nu_j) 4 pi r^3
 *
 * Needle i, counted from 0, is at (i mod columns, i div columns, 0) times the spacing. V
 * is quadratic, so its gradient is linear, and the second derivatives along x are the
 * gradient at x.
 *
 * The field of needle j at i depends on the distance in rows and columns alone: it is a
 * table. For |row distance| d and column distance i - j the four elements of a symmetric
 * matrix that are not zero, xx, xy, yy, zz, where xy changes its sign with that of the row
 * distance. Columns of targets are neighbours in the table, so that a vector of targets
 * takes a vector of it: no square roots, no divisions, no shuffles.
 */
#include <stddef.h>
#include <stdlib.h>

#include "base/isa.h"

/* Targets in a row are filled up to a multiple of this, the widest vector. */
enum { LATTICE_TARGETS = 8, LATTICE_TABLES = 4 };

typedef struct lattice {
    int rows, columns;
    size_t padded; /* columns, filled up */
    size_t length; /* of one row of a table: padded + columns - 1 */
    /* table[e][d * length + (columns - 1) + i - j] */
    const double *table[LATTICE_TABLES];
    const double *q[3]; /* the needles' x, y, z: rows * columns */
    double *field[3];   /* rows * padded */
} lattice;

typedef void lattice_kernel(const lattice *l);
KERNEL_DECLARE(lattice_kernel, lattice);

#ifdef SIMD_VECTORS
/* ---- the field of all needles at all of them -------------------------------------- */

/* Two vectors of targets of one row at a time, over all sources: ten operations a pair, in
 * sums that do not wait for each other. */
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
        const size_t at = (size_t)abs(apart) * l->length + first;
        const double sign = apart < 0 ? -1.0 : 1.0;
        const double *x = l->q[0] + (size_t)from * columns, *y = l->q[1] + (size_t)from * columns,
                     *z = l->q[2] + (size_t)from * columns;
        for (size_t j = 0; j < columns; j++) {
            const source q = {vsplat(x[j]), vsplat(y[j]), vsplat(z[j]), vsplat(sign * x[j]),
                              vsplat(sign * y[j])};
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

#else
#include <math.h>

#include "base/named.h"
#include "kinds/spheres/workspace.h"

enum { ROWS, COLUMNS, MASS, LENGTH, MOMENT, SPACING, MOST = 256 };

static const ph_parameter parameters[] = {
    {"rows", ROWS, 1, "1", "rows of needles, along y", PH_RANGE_WHOLE},
    {"columns", COLUMNS, 1, "1", "columns of needles, along x", PH_RANGE_WHOLE},
    {"mass", MASS, 1, "kg", "mass of a needle", PH_RANGE_POSITIVE},
    {"length", LENGTH, 1, "m", "length of a needle", PH_RANGE_POSITIVE},
    {"moment", MOMENT, 1, "A m^2", "magnetic moment of a needle", PH_RANGE_ANY},
    {"spacing", SPACING, 1, "m", "distance between neighbours", PH_RANGE_POSITIVE},
};

static int rows_of(const ph_spheres_problem *p)
{
    return whole(p->value[ROWS], MOST);
}

static int columns_of(const ph_spheres_problem *p)
{
    return whole(p->value[COLUMNS], MOST);
}

static int count(const ph_spheres_problem *p)
{
    return rows_of(p) * columns_of(p);
}

static ph_status check(const ph_spheres_problem *p)
{
    if (p->value[SPACING] == 0.0 && count(p) > 1)
        return PH_COINCIDENT;
    return PH_OK;
}

static double mass(const ph_spheres_problem *p, int i, int j)
{
    if (i == j)
        return p->value[MASS] * p->value[LENGTH] * p->value[LENGTH] / 12.0;
    return 0.0;
}

/* ---- the field, by a table of the lattice ---------------------------------------- */

/* The sizes of the lattice. */
static lattice sized(const ph_spheres_problem *p)
{
    lattice l = {.rows = rows_of(p), .columns = columns_of(p)};
    const size_t columns = (size_t)l.columns;
    l.padded = (columns + LATTICE_TARGETS - 1) / LATTICE_TARGETS * LATTICE_TARGETS;
    l.length = l.padded + columns - 1;
    return l;
}

static size_t memory_size(const ph_spheres_problem *p)
{
    const lattice l = sized(p);
    const size_t rows = (size_t)l.rows;
    return rows * (LATTICE_TABLES * l.length + 3 * (size_t)l.columns + 3 * l.padded);
}

/* The lattice with its pieces of the memory: tables, needles, field. */
static lattice laid_out(const ph_spheres_problem *p, double *memory)
{
    lattice l = sized(p);
    const size_t rows = (size_t)l.rows;
    double *next = memory;
    for (int e = 0; e < LATTICE_TABLES; e++, next += rows * l.length)
        l.table[e] = next;
    for (int c = 0; c < 3; c++, next += rows * (size_t)l.columns)
        l.q[c] = next;
    for (int c = 0; c < 3; c++, next += rows * l.padded)
        l.field[c] = next;
    return l;
}

static void fill(const ph_spheres_problem *p, double *memory)
{
    static const double MU0_OVER_4PI = 1e-7;
    const lattice l = laid_out(p, memory);
    const double nu = p->value[MOMENT], spacing = p->value[SPACING];
    const size_t size = (size_t)l.rows * l.length;
    for (int d = 0; d < l.rows; d++) {
        for (int i = 1 - l.columns; i < l.columns; i++) {
            double *t = memory + (size_t)d * l.length + (size_t)(l.columns - 1 + i);
            const double x = i * spacing, y = d * spacing, r2 = x * x + y * y;
            if (i == 0 && d == 0)
                continue; /* no needle feels itself; the memory begins as zeros */
            const double c = MU0_OVER_4PI * nu * nu / (r2 * sqrt(r2));
            t[0] = c * (1.0 - 3.0 * (x * x / r2));
            t[size] = c * (-3.0 * (x * y / r2));
            t[2 * size] = c * (1.0 - 3.0 * (y * y / r2));
            t[3 * size] = c;
        }
    }
}

/* The field of needles q, left in the memory. */
static lattice lattice_field(const ph_spheres_problem *p, double *memory, const ph_vec3 *q)
{
    static lattice_kernel *const kernels[ISA_COUNT] = KERNEL_TABLE(lattice);
    const lattice l = laid_out(p, memory);
    const size_t n = (size_t)l.rows * (size_t)l.columns;
    double *x = memory + LATTICE_TABLES * (size_t)l.rows * l.length, *y = x + n, *z = y + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = q[i].x;
        y[i] = q[i].y;
        z[i] = q[i].z;
    }
    kernels[ph_isa()](&l);
    return l;
}

static ph_vec3 field_at(const lattice *l, int i)
{
    const size_t at = (size_t)(i / l->columns) * l->padded + (size_t)(i % l->columns);
    return vec3(l->field[0][at], l->field[1][at], l->field[2][at]);
}

static double potential(const ph_spheres_problem *p, double *memory, const ph_vec3 *q,
                        ph_vec3 *gradient)
{
    const lattice l = lattice_field(p, memory, q);
    double twice = 0.0;
    for (int i = 0; i < l.rows * l.columns; i++) {
        const ph_vec3 field = field_at(&l, i);
        twice += dot(q[i], field);
        if (gradient != NULL)
            gradient[i] = field;
    }
    return 0.5 * twice;
}

static void hessian(const ph_spheres_problem *p, double *memory, const ph_vec3 *q, const ph_vec3 *x,
                    ph_vec3 *change)
{
    const lattice l = lattice_field(p, memory, x);
    (void)q;
    for (int i = 0; i < l.rows * l.columns; i++)
        change[i] = field_at(&l, i);
}

/* ---- the start ------------------------------------------------------------------- */

static void start(const ph_spheres_problem *p, ph_vec3 *q, ph_vec3 *w)
{
    const int n = count(p);
    const ph_vec3 last = {0.353508623948073, 0.353608626387662, -0.866021126843087};
    for (int i = 0; i < n; i++) {
        q[i] = vec3(1, 0, 0);
        w[i] = vec3(0, 0, 0);
    }
    q[n - 1] = scale(1.0 / norm(last), last);
    w[0] = sub(vec3(0, 0.5, 0), scale(0.5 * q[0].y, q[0]));
}

const ph_spheres_problem ph_spheres_problem_magnets = {
    .name = "magnets",
    .title = "Magnetic needles on a lattice",
    .cite = "O11 (7.8)",
    .equations = "V = sum_{i<j} q_i.T_ij q_j, T_ij = mu0 moment^2/(4 pi r^3) (1 - 3 r r^T/r^2);\n"
                 "each needle has the inertia m l^2/12. Needle i is at (i mod columns,\n"
                 "i div columns, 0) times the spacing.",
    TABLE(parameter, parameters),
    .value = {4, 4, 0.05, 0.02, 0.1, 0.024},
    .count = count,
    .counts = "write whole numbers from 1 to 256 for rows and columns",
    .check = check,
    .start = start,
    .memory_size = memory_size,
    .fill = fill,
    .potential = potential,
    .mass = mass,
    .hessian = hessian,
};
#endif
