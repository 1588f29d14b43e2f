/* molecules.c - how the cost of forces grows with the number of bodies, on one thread: for
 * a pair in open space, where every pair counts, and for a body in a box with a cut-off,
 * at the same density. Both should stay what they are.
 */
#include <math.h>
#include <stdio.h>

#include "kinds/molecules/molecule_bodies.h"
#include "polhode/batch.h"

#include "base/extremes.h"
#include "bench.h"
#include "kinds/molecules/system.h"

#define MOST 4 /* sizes */

/* Lattices of so many bodies along an edge. */
static const struct family {
    const char *name, *unit;
    double spacing, cutoff; /* no cut-off: open space */
    size_t side[MOST];
} families[] = {
    {"open", "pair", 1.5, 0.0, {10, 13, 17, 21}},
    {"box", "body", 1.3, 3.0, {10, 22, 34, 46}},
};

#define FAMILIES (sizeof families / sizeof families[0])

static double forces(void *work)
{
    ph_molecules *s = work;
    ph_molecules_forces(s);
    return s->potential;
}

/* NULL if it cannot be. */
static ph_molecules *system_of(const struct family *f, size_t side)
{
    ph_molecules *s = ph_molecules_lattice(side, f->spacing, 0.01, 1);
    if (s == NULL)
        return NULL;
    if (f->cutoff > 0.0) {
        const double edge = f->spacing * (double)side;
        s->box = (ph_vec3){edge, edge, edge};
        s->cutoff = f->cutoff;
    }
    if (ph_molecules_prepare(s, NULL) == PH_OK)
        return s;
    ph_molecules_destroy(s);
    return NULL;
}

/* The largest cost over the smallest, of those of a family. */
static double growth(const bench_contestant *field)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < MOST; i++) {
        least = smaller_or_nan(least, field[i].median);
        most = larger_or_nan(most, field[i].median);
    }
    return most / least;
}

static void run_family(bench *b, const struct family *f)
{
    static char names[MOST][BENCH_NAME], ratio[BENCH_NAME];
    bench_contestant field[MOST] = {{0}};
    bool made = true;
    for (int i = 0; i < MOST; i++) {
        ph_molecules *s = system_of(f, f->side[i]);
        made = made && s != NULL;
        const double n = s ? (double)s->n : 1.0;
        (void)snprintf(names[i], BENCH_NAME, "molecules_%s_%.0f", f->name, n);
        field[i] = (bench_contestant){.name = names[i],
                                      .run = forces,
                                      .work = s,
                                      .units = f->cutoff > 0.0 ? n : 0.5 * n * (n - 1.0)};
    }
    if (made) {
        bench_race(b, f->unit, field, MOST);
        (void)snprintf(ratio, sizeof ratio, "molecules_%s_growth", f->name);
        bench_value(b, ratio, growth(field));
    } else {
        bench_note(b, "no memory for the molecules");
    }
    for (int i = 0; i < MOST; i++)
        ph_molecules_destroy(field[i].work);
}

static void run(bench *b)
{
    ph_set_threads(1);
    for (size_t i = 0; i < FAMILIES; i++)
        run_family(b, &families[i]);
}

const bench_group bench_group_molecules = {
    .name = "molecules",
    .title = "forces of molecules: cost of a pair in open space, of a body in a box",
    .run = run,
};
