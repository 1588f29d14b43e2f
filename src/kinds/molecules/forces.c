/* forces.c - forces, torques and potential of a system: every pair once, by tiles.
 *
 * Open space, and a box too small for cells: the bodies are cut into blocks, and blocks
 * meet in rounds as players do in a tournament, so that in a round each block is in one
 * meeting only. The meetings of a round may then run at the same time, and each body's sum
 * is formed in the order of the rounds, however many threads there are.
 *
 * Larger boxes: cells at least as wide as the cut-off, taken row by row; a row changes
 * itself and the rows beside and above it. Rows of one colour do not touch each other's,
 * and colours follow one another.
 *
 * In order: cells; the nearest pair, which they find; tiles; blocks in rounds; cells in colours.
 */
#include <float.h>
#include <math.h>

#include "base/extremes.h"
#include "base/parallel.h"
#include "kinds/molecules/system.h"
#include "motion/vec.h"

/* ---- cells ----------------------------------------------------------------------------------- */

/* x folded back into the box along the axis. */
static double cells_folded(const cells *grid, int axis, double x)
{
    const double size = grid->size[axis];
    return x - size * floor((x - grid->low[axis]) / size);
}

static size_t slot(const cells *grid, int axis, double x)
{
    const size_t count = grid->count[axis];
    const double inside = grid->periodic ? cells_folded(grid, axis, x) : x;
    const double at = (inside - grid->low[axis]) / grid->size[axis] * (double)count;
    if (!(at > 0.0))
        return 0;
    if (at < (double)count)
        return (size_t)at;
    return count - 1;
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
            if (count < most)
                grid->count[k] = (size_t)count;
            else
                grid->count[k] = cells_most(n);
            total *= count;
        }
        wide *= growth;
    }
    grid->total = grid->count[0] * grid->count[1] * grid->count[2];
}

/* Divides the box low, size into cells with edges of at least `edge`, as many as there may
 * be, and sorts n bodies at x into them by counting, in linear time and always in the same order; a
 * periodic box takes in the images. */
static void cells_sort(cells *grid, size_t n, double *const x[3], double edge)
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

/* The 13 neighbours that come after a cell, so that each pair of cells is met once. */
enum { LATER_NEIGHBOURS = 13 };

typedef struct neighbour {
    size_t cell;
    double shift[3]; /* what moves its bodies to where they are seen from the cell */
} neighbour;

/* The later ones: above; in the same layer behind; in the same row beyond. */
static const int LATER[LATER_NEIGHBOURS][3] = {
    {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
    {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1},
};

/* The later neighbours of cell c that exist; returns their number. In a periodic grid of fewer than three
 * cells along an edge some are met twice. */
static size_t cells_later(const cells *grid, const size_t c[3], neighbour out[LATER_NEIGHBOURS])
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
            if (below)
                at[k] = last;
            else if (above)
                at[k] = 0;
            else
                at[k] = c[k] + (size_t)LATER[i][k];
            if (below)
                next.shift[k] = -grid->size[k];
            else
                next.shift[k] = above ? grid->size[k] : 0.0;
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
        if (grid->periodic)
            grid->size[k] = box[k];
        else if (high > low)
            grid->size[k] = smaller_or_nan(high - low, DBL_MAX);
        else
            grid->size[k] = 1.0;
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
                *out = (ph_molecules_pair){smaller_size(i, j), larger_size(i, j), d};
        }
    }
}

bool ph_molecules_nearest(ph_molecules *s, double below, ph_molecules_pair *out)
{
    cells *grid = &work_of(s)->grid;
    ph_molecules_pair nearest = {.distance = below};
    enclose(s, grid);
    cells_sort(grid, s->n, s->x, below);
    for (size_t cell = 0; cell < grid->total; cell++) {
        const size_t row = cell / grid->count[0];
        const size_t c[3] = {cell % grid->count[0], row % grid->count[1], row / grid->count[1]};
        neighbour later[LATER_NEIGHBOURS];
        const size_t count = cells_later(grid, c, later);
        search(s, cell, cell, &nearest);
        for (size_t i = 0; i < count; i++)
            search(s, cell, later[i].cell, &nearest);
    }
    if (!(nearest.distance < below))
        return false;
    *out = nearest;
    return true;
}

/* ---- tiles -------------------------------------------------------------------------- */

/* Puts body k of b, moved, behind those that the tile has. */
static void put_in(pair_tile *tile, const pair_bodies *b, size_t k, const double shift[3])
{
    const size_t j = tile->n++;
    for (int a = 0; a < 3; a++) {
        tile->x[a][j] = b->x[a][k] + shift[a];
        tile->F[a][j] = 0.0;
    }
    for (int a = 0; a < b->components; a++) {
        tile->mu[a][j] = b->mu[a][k];
        tile->E[a][j] = 0.0;
    }
}

/* Adds what tile body j got to body k. */
static void take_out(const pair_tile *tile, size_t j, const pair_bodies *b, size_t k)
{
    for (int a = 0; a < 3; a++)
        b->F[a][k] += tile->F[a][j];
    for (int a = 0; a < b->components; a++)
        b->E[a][k] += tile->E[a][j];
}

/* Bodies first <= i < end with the bodies from <= j < to, at most a tile of them; or each
 * pair of them, where the two ranges are one. */
static pair_sums tile_pairs(const molecules_work *w, const pair_bodies *b, size_t first, size_t end,
                            size_t from, size_t to)
{
    static const double here[3] = {0, 0, 0};
    pair_tile tile;
    tile.n = 0;
    for (size_t j = from; j < to; j++)
        put_in(&tile, b, j, here);
    const pair_sums sums = w->kernel(&w->law, b, first, end, &tile, first == from);
    for (size_t j = from; j < to; j++)
        take_out(&tile, j - from, b, j);
    return sums;
}

/* ---- blocks in rounds --------------------------------------------------------------- */

/* Fewer bodies are done before other threads have woken. */
static bool worth_threads(const ph_molecules *s)
{
    enum { DIPOLES = 512, SITES = 128 };
    return s->n > (s->law->set != NULL ? SITES : DIPOLES);
}

static void block_pairs(const ph_molecules *s, size_t a, size_t b)
{
    const molecules_work *w = work_of(s);
    const size_t n = s->n, i = a * TILE, j = b * TILE;
    if (j < n) /* else block a is the one left over in this round */
        add_sums(&w->sums[a], tile_pairs(w, &w->bodies, i, smaller_size(n, i + TILE), j,
                                         smaller_size(n, j + TILE)));
}

/* Round `now` of a tournament of tiles: each meets each other once, and in a round none
 * meets two. The last one stays, the others move round it. */
typedef struct tile_round {
    const ph_molecules *s;
    size_t now, others;
} tile_round;

static void same_tile(void *context, size_t a)
{
    block_pairs(context, a, a);
}

static void two_tiles(void *context, size_t k)
{
    const tile_round *r = context;
    const size_t a = (r->now + k) % r->others;
    block_pairs(r->s, a, k == 0 ? r->others : (r->now + r->others - k) % r->others);
}

/* The potential and the virial from the first sums. */
static void take_sums(ph_molecules *s, size_t count)
{
    molecules_work *w = work_of(s);
    pair_sums all = {0};
    for (size_t i = 0; i < count; i++)
        add_sums(&all, w->sums[i]);
    s->potential = all.energy;
    w->virial = all.virial;
}

static void all_pairs(ph_molecules *s)
{
    const bool worth = worth_threads(s);
    const size_t blocks = (s->n + TILE - 1) / TILE;
    pair_sums *sums = work_of(s)->sums;
    for (size_t a = 0; a < blocks; a++)
        sums[a] = (pair_sums){0};
    ph_parallel_for(blocks, worth, same_tile, s);
    tile_round round = {s, 0, (blocks + 1) / 2 * 2 - 1};
    for (; round.now < round.others; round.now++)
        ph_parallel_for(round.others / 2 + 1, worth, two_tiles, &round);
    take_sums(s, blocks);
}

/* ---- cells in colours --------------------------------------------------------------- */

/* The pairs within a cell, tile by tile. */
static pair_sums within(const molecules_work *w, size_t first, size_t end)
{
    pair_sums sums = {0};
    for (size_t j = first; j < end; j += TILE) {
        const size_t to = smaller_size(end, j + TILE);
        if (j > first)
            add_sums(&sums, tile_pairs(w, &w->sorted, first, j, j, to));
        add_sums(&sums, tile_pairs(w, &w->sorted, j, to, j, to));
    }
    return sums;
}

/* What a tile was filled with. */
typedef struct gathered {
    pair_tile tile;
    size_t from[TILE];
} gathered;

static pair_sums flush(const molecules_work *w, gathered *g, size_t first, size_t end)
{
    const pair_bodies *b = &w->sorted;
    if (g->tile.n == 0)
        return (pair_sums){0};
    const pair_sums sums = w->kernel(&w->law, b, first, end, &g->tile, false);
    for (size_t j = 0; j < g->tile.n; j++)
        take_out(&g->tile, j, b, g->from[j]);
    g->tile.n = 0;
    return sums;
}

static pair_sums cell_pairs(const molecules_work *w, const size_t c[3])
{
    const cells *grid = &w->grid;
    const size_t cell = c[0] + grid->count[0] * (c[1] + grid->count[1] * c[2]);
    const size_t first = grid->first[cell], end = grid->first[cell + 1];
    if (first == end)
        return (pair_sums){0};
    pair_sums sums = within(w, first, end);
    neighbour later[LATER_NEIGHBOURS];
    const size_t count = cells_later(grid, c, later);
    gathered g;
    g.tile.n = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = grid->first[later[i].cell]; j < grid->first[later[i].cell + 1]; j++) {
            g.from[g.tile.n] = j;
            put_in(&g.tile, &w->sorted, j, later[i].shift);
            if (g.tile.n == TILE)
                add_sums(&sums, flush(w, &g, first, end));
        }
    }
    add_sums(&sums, flush(w, &g, first, end));
    return sums;
}

/* Along an axis, cells at least `reach` apart, also round the box, may have one colour: 0
 * ... reach - 1 by turns, and one for each that is left over. */
static size_t colours(size_t count, size_t reach)
{
    return reach + count % reach;
}

static size_t colour(size_t c, size_t count, size_t reach)
{
    const size_t regular = count - count % reach;
    if (c < regular)
        return c % reach;
    return reach + c - regular;
}

/* What a row of cells changes: itself and one on either side, here and above. */
enum { BESIDE = 3, ABOVE = 2 };

typedef struct cell_round {
    const molecules_work *w;
    size_t now, of_side; /* the colour at work, and colours along a side */
} cell_round;

/* A row of cells, if it has the colour at work. */
static void row_pairs(void *context, size_t r)
{
    const cell_round *round = context;
    const molecules_work *w = round->w;
    const size_t *count = w->grid.count, side = count[1];
    size_t c[3] = {0, r % side, r / side};
    if (round->now != colour(c[1], side, BESIDE) + round->of_side * colour(c[2], count[2], ABOVE))
        return;
    w->sums[r] = (pair_sums){0};
    for (c[0] = 0; c[0] < count[0]; c[0]++)
        add_sums(&w->sums[r], cell_pairs(w, c));
}

static void by_cells(ph_molecules *s)
{
    const molecules_work *w = work_of(s);
    const size_t *count = w->grid.count, rows = count[1] * count[2];
    cell_round round = {w, 0, colours(count[1], BESIDE)};
    const size_t all_colours = round.of_side * colours(count[2], ABOVE);
    for (; round.now < all_colours; round.now++)
        ph_parallel_for(rows, worth_threads(s), row_pairs, &round);
    take_sums(s, rows);
}

/* Sorts the bodies, and copies them folded into the box in the order of their cells. */
static void sort(const ph_molecules *s)
{
    molecules_work *w = work_of(s);
    cells *grid = &w->grid;
    grid->periodic = true;
    for (int k = 0; k < 3; k++) {
        grid->low[k] = 0.0;
        grid->size[k] = w->law.box[k];
    }
    cells_sort(grid, s->n, s->x, s->cutoff);
    for (size_t k = 0; k < s->n; k++) {
        const size_t i = grid->order[k];
        for (int a = 0; a < 3; a++) {
            w->sorted.x[a][k] = cells_folded(grid, a, s->x[a][i]);
            w->sorted.F[a][k] = 0.0;
        }
        for (int a = 0; a < w->sorted.components; a++) {
            w->sorted.mu[a][k] = w->bodies.mu[a][i];
            w->sorted.E[a][k] = 0.0;
        }
    }
}

static void unsort(const ph_molecules *s)
{
    const molecules_work *w = work_of(s);
    for (size_t k = 0; k < s->n; k++) {
        const size_t i = w->grid.order[k];
        for (int a = 0; a < 3; a++)
            w->bodies.F[a][i] = w->sorted.F[a][k];
        for (int a = 0; a < w->sorted.components; a++)
            w->bodies.E[a][i] = w->sorted.E[a][k];
    }
}

/* ---- all of it ---------------------------------------------------------------------- */

/* A vector of a body, in its frame: the dipole, or of a molecule of sites an axis. */
static ph_vec3 vector_of(const ph_molecules *s, size_t i, int first)
{
    if (work_of(s)->bodies.components == OF_DIPOLE)
        return vec3_at(s->dipole, i);
    return vec3(first == 3, first == 6, first == 0); /* z, x, y */
}

/* Vectors in space, and empty sums. */
static void begin_forces(const ph_molecules *s)
{
    const pair_bodies *b = &work_of(s)->bodies;
    for (size_t i = 0; i < s->n; i++) {
        set_vec3(s->force, i, vec3(0, 0, 0));
        for (int k = 0; k < b->components; k += 3) {
            set_vec3(b->mu + k, i, rotate(quat_at(s->q, i), vector_of(s, i, k)));
            set_vec3(b->E + k, i, vec3(0, 0, 0));
        }
    }
}

/* The torque mu x E, turned into the body, is d x (R^T E). */
static void turn_fields(const ph_molecules *s)
{
    const pair_bodies *b = &work_of(s)->bodies;
    for (size_t i = 0; i < s->n; i++) {
        ph_vec3 torque = {0, 0, 0};
        for (int k = 0; k < b->components; k += 3) {
            const ph_vec3 E = rotate(inverse(quat_at(s->q, i)), vec3_at(b->E + k, i)),
                          T = cross(vector_of(s, i, k), E);
            if (k == 0)
                torque = T;
            else
                torque = add(torque, T);
        }
        set_vec3(s->torque, i, torque);
    }
}

void ph_molecules_forces(ph_molecules *s)
{
    work_of(s)->fresh = true;
    work_of(s)->evaluations++;
    begin_forces(s);
    if (work_of(s)->law.kind == PAIRS_CUT) {
        sort(s);
        by_cells(s);
        unsort(s);
    } else {
        all_pairs(s);
    }
    turn_fields(s);
}
