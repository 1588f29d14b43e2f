/* cells.c - sorts bodies into cells by counting, in linear time and always in the same
 * order. */
#include "molecules/cells.h"
#include "base/extremes.h"

#include <math.h>

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
            const double count = larger_or_nan(fit(grid, k, wide),
                                               smaller_or_nan(3.0, fit(grid, k, edge)));
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

size_t ph_cells_later(const cells *grid, const size_t c[3],
                      neighbour out[LATER_NEIGHBOURS])
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
