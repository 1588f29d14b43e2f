/* cells.c - sorts bodies into cells by counting, in linear time and always in the same
 * order; and finds the nearest pair by them. */
#include <float.h>
#include <math.h>

#include "base/extremes.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"

double ph_cells_folded(const cells *grid, int axis, double x)
{
    const double size = grid->size[axis];
    return x - size * floor((x - grid->low[axis]) / size);
}

static size_t slot(const cells *grid, int axis, double x)
{
    const size_t count = grid->count[axis];
    const double inside = grid->periodic ? ph_cells_folded(grid, axis, x) : x;
    const double at = (inside - grid->low[axis]) / grid->size[axis] * (double)count;
    if (!(at > 0.0))
        return 0;
    return at < (double)count ? (size_t)at : count - 1;
}

/* How many cells of an edge fit along an axis. */
static double fit(const cells *grid, int axis, double edge)
{
    return larger_or_nan(1.0, floor(grid->size[axis] / edge));
}

/* Cells with the edge, or larger ones if there would be too many of them; but three along
 * an axis where three of the edge fit. */
static void divide(cells *grid, size_t n, double edge)
{
    const double most = (double)cells_most(n), growth = 1.1;
    double total = INFINITY, wide = edge;
    while (total > most) {
        total = 1.0;
        for (int k = 0; k < 3; k++) {
            const double count =
                larger_or_nan(fit(grid, k, wide), smaller_or_nan(3.0, fit(grid, k, edge)));
            grid->count[k] = count < most ? (size_t)count : cells_most(n);
            total *= count;
        }
        wide *= growth;
    }
    grid->total = grid->count[0] * grid->count[1] * grid->count[2];
}

void ph_cells_sort(cells *grid, size_t n, double *const x[3], double edge)
{
    divide(grid, n, edge);
    size_t *first = grid->first;
    for (size_t c = 0; c <= grid->total; c++)
        first[c] = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t c0 = slot(grid, 0, x[0][i]), c1 = slot(grid, 1, x[1][i]),
                     c2 = slot(grid, 2, x[2][i]);
        grid->home[i] = c0 + grid->count[0] * (c1 + grid->count[1] * c2);
        first[grid->home[i]]++;
    }
    size_t sum = 0;
    for (size_t c = 0; c <= grid->total; c++) {
        sum += first[c];
        first[c] = sum; /* the end of the cell; its bodies follow from the last */
    }
    for (size_t i = n; i-- > 0;)
        grid->order[--first[grid->home[i]]] = i;
}

/* The later ones: above; in the same layer behind; in the same row beyond. */
static const int LATER[LATER_NEIGHBOURS][3] = {
    {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
    {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1},
};

size_t ph_cells_later(const cells *grid, const size_t c[3], neighbour out[LATER_NEIGHBOURS])
{
    size_t found = 0;
    for (int i = 0; i < LATER_NEIGHBOURS; i++) {
        size_t at[3];
        neighbour next = {0};
        bool exists = true;
        for (int k = 0; k < 3; k++) {
            const size_t last = grid->count[k] - 1;
            const bool below = c[k] == 0 && LATER[i][k] < 0;
            const bool above = c[k] == last && LATER[i][k] > 0;
            at[k] = below ? last : above ? 0 : c[k] + (size_t)LATER[i][k];
            next.shift[k] = below ? -grid->size[k] : above ? grid->size[k] : 0.0;
            exists = exists && (grid->periodic || !(below || above));
        }
        next.cell = at[0] + grid->count[0] * (at[1] + grid->count[1] * at[2]);
        if (exists)
            out[found++] = next;
    }
    return found;
}

/* ---- the nearest pair ---------------------------------------------------------------- */

/* The box, or in open space one around all bodies. */
static void enclose(const ph_molecules *s, cells *grid)
{
    const double box[3] = {s->box.x, s->box.y, s->box.z};
    grid->periodic = in_a_box(s);
    for (int k = 0; k < 3; k++) {
        double low = s->x[k][0], high = low;
        for (size_t i = 1; i < s->n; i++) {
            low = smaller_or_nan(low, s->x[k][i]);
            high = larger_or_nan(high, s->x[k][i]);
        }
        grid->low[k] = grid->periodic ? 0.0 : low;
        grid->size[k] = grid->periodic ? box[k]
                        : high > low   ? smaller_or_nan(high - low, DBL_MAX)
                                       : 1.0;
    }
}

static double distance(const ph_molecules *s, size_t i, size_t j)
{
    ph_vec3 d = sub(vec3_at(s->x, i), vec3_at(s->x, j));
    if (in_a_box(s)) {
        d.x -= s->box.x * round(d.x / s->box.x);
        d.y -= s->box.y * round(d.y / s->box.y);
        d.z -= s->box.z * round(d.z / s->box.z);
    }
    return norm(d);
}

/* The bodies of two cells, which may be the same one. */
static void search(const ph_molecules *s, size_t a, size_t b, ph_molecules_pair *out)
{
    const cells *grid = &work_of(s)->grid;
    for (size_t k = grid->first[a]; k < grid->first[a + 1]; k++) {
        for (size_t l = grid->first[b]; l < grid->first[b + 1]; l++) {
            const size_t i = grid->order[k], j = grid->order[l];
            const double d = i == j ? INFINITY : distance(s, i, j);
            if (d < out->distance)
                *out = (ph_molecules_pair){i < j ? i : j, i < j ? j : i, d};
        }
    }
}

bool ph_molecules_nearest(ph_molecules *s, double below, ph_molecules_pair *out)
{
    cells *grid = &work_of(s)->grid;
    ph_molecules_pair nearest = {.distance = below};
    enclose(s, grid);
    ph_cells_sort(grid, s->n, s->x, below);
    for (size_t cell = 0; cell < grid->total; cell++) {
        const size_t row = cell / grid->count[0];
        const size_t c[3] = {cell % grid->count[0], row % grid->count[1], row / grid->count[1]};
        neighbour later[LATER_NEIGHBOURS];
        const size_t count = ph_cells_later(grid, c, later);
        search(s, cell, cell, &nearest);
        for (size_t i = 0; i < count; i++)
            search(s, cell, later[i].cell, &nearest);
    }
    if (!(nearest.distance < below))
        return false;
    *out = nearest;
    return true;
}
