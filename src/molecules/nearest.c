/* nearest.c - the nearest pair of bodies, by cells. */
#include <math.h>

#include "base/extremes.h"
#include "molecules/system.h"
#include "rotation/vec.h"

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
        grid->size[k] = grid->periodic ? box[k] : high > low ? high - low : 1.0;
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
    const cells *grid = &s->work->grid;
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
    cells *grid = &s->work->grid;
    ph_molecules_pair nearest = {.distance = below};
    enclose(s, grid);
    ph_cells_sort(grid, s->n, s->x, below);
    for (size_t cell = 0; cell < grid->total; cell++) {
        const size_t row = cell / grid->count[0];
        const size_t c[3] = {cell % grid->count[0], row % grid->count[1],
                             row / grid->count[1]};
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
