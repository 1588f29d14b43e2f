/* cells.h - bodies sorted into the cells of a grid, so that what is near is found near.
 *
 * Cell (c0, c1, c2) is number c0 + count0 (c1 + count1 c2); its bodies are order[k] for
 * first[cell] <= k < first[cell + 1].
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Three cells along each edge, in any case. */
enum { FEWEST_CELLS = 27 };

/* How many cells a grid of n bodies may have. */
static inline size_t cells_most(size_t n)
{
    return n + FEWEST_CELLS;
}

typedef struct cells {
    size_t count[3], total;
    double low[3], size[3]; /* the box that is divided */
    bool periodic;
    size_t *first; /* cells_most(n) + 1 of them */
    size_t *order; /* n */
    size_t *home;  /* n: the cell of each body */
} cells;

/* Divides the box low, size into cells with edges of at least `edge`, as many as there may
 * be, and sorts n bodies at x into them; a periodic box takes in the images. */
void ph_cells_sort(cells *grid, size_t n, double *const x[3], double edge);

/* The 13 neighbours that come after a cell, so that each pair of cells is met once. */
enum { LATER_NEIGHBOURS = 13 };

typedef struct neighbour {
    size_t cell;
    double shift[3]; /* what moves its bodies to where they are seen from the cell */
} neighbour;

/* The later neighbours of cell c that exist; returns their number. In a periodic grid of fewer than three
 * cells along an edge some are met twice. */
size_t ph_cells_later(const cells *grid, const size_t c[3],
                      neighbour out[LATER_NEIGHBOURS]);

/* x folded back into the box along the axis. */
double ph_cells_folded(const cells *grid, int axis, double x);
