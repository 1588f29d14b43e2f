/* rdf.c - the structure of a liquid: radial distribution functions, neighbours, and how dipoles are
 * oriented to each other.
 *
 *   g(r) = V <pairs in a shell> / (all pairs x volume of the shell)
 *
 * The pairs are those of atoms of different molecules, by elements; V is the volume of the box. So g
 * is 1 in an ideal gas of any number of molecules. Bodies without atoms count as one atom at their
 * centre. Distances are those of nearest images, up to half the shortest edge.
 *
 * The second half of the run is divided into blocks as in tool/run/run_averages.h. Standard errors are those
 * of the means of the blocks.
 */
#include <math.h>
#include <string.h>

#include "base/choice.h"
#include "motion/vec.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/optional/formats/atoms.h"
#include "tool/output/loop.h"
#include "tool/run/run_averages.h"

enum {
    BINS = 200,
    KINDS = 4, /* elements of a molecule */
    PAIRS = KINDS * (KINDS + 1) / 2,
    SAMPLES = 64, /* of a block, at most */
};

/* An atom of a sample. */
typedef struct place {
    ph_vec3 at;
    size_t molecule, kind;
    bool first; /* of its molecule */
} place;

typedef struct distribution {
    const char *path;
    outfile *file;
    average_steps steps;
    uint64_t interval;         /* steps between two samples */
    double samples;            /* of each block */
    double edge[3], width;     /* of the box, and of a bin */
    size_t molecules, atoms;   /* of all molecules */
    size_t kinds, each[KINDS]; /* elements, and atoms of each in a molecule */
    const char *element[KINDS];
    place *place;
    ph_vec3 *dipole;                       /* their directions */
    double (*pairs)[AVERAGE_BLOCKS][BINS]; /* pairs of elements */
    double near[AVERAGE_BLOCKS][BINS];     /* pairs of first atoms */
    double cosine[AVERAGE_BLOCKS][BINS];   /* of their dipoles */
} distribution;

static size_t pair_of(size_t a, size_t b)
{
    const size_t high = larger_size(a, b);
    return high * (high + 1) / 2 + smaller_size(a, b);
}

/* ---- what a molecule is made of ---------------------------------------------------- */

/* The number of an element, which is added if it is new; KINDS if there are too many. */
static size_t kind_of(distribution *d, const char *element)
{
    size_t k = 0;
    while (k < d->kinds && strcmp(d->element[k], element) != 0)
        k++;
    if (k == d->kinds && k < KINDS)
        d->element[d->kinds++] = element;
    return k;
}

/* Takes the places of all atoms; sites without mass are none. */
static void take_places(distribution *d, const instant *now)
{
    const ph_array *x = instant_field(now, "positions"), *q = instant_field(now, "attitudes"),
                   *mu = instant_field(now, "dipoles");
    const size_t sites = atoms_count(now) / x->count;
    d->atoms = 0;
    for (size_t i = 0; i < x->count; i++) {
        const ph_vec3 along = rotate(field_quat(q, i), field_vector(mu, i));
        const double length = norm(along);
        if (length > 0.0)
            d->dipole[i] = scale(1.0 / length, along);
        else
            d->dipole[i] = along;
        bool first = true;
        for (size_t s = 0; s < sites; s++) {
            const atom a = atoms_at(now, i * sites + s, false);
            if (a.mass > 0.0) {
                d->place[d->atoms++] = (place){a.at, i, kind_of(d, a.element), first};
                first = false;
            }
        }
        if (sites == 0)
            d->place[d->atoms++] = (place){field_vector(x, i), i, kind_of(d, "X"), true};
    }
}

static int begin_rdf(void *self, loop *l)
{
    distribution *d = self;
    const instant now = instant_of(l->system);
    const ph_array *box = instant_field(&now, "box"), *x = instant_field(&now, "positions");
    REFUSE_IF(box == NULL || x == NULL || instant_field(&now, "dipoles") == NULL ||
                  !(*box->data[0] > 0.0) || x->count < 2,
              "--rdf needs several molecules in a periodic box: use water, or give a box");
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        d->edge[k] = *box->data[k];
        least = smaller_or_nan(least, d->edge[k]);
    }
    d->width = 0.5 * least / BINS;
    d->molecules = x->count;
    const size_t atoms = atoms_count(&now);
    d->place = memory_new(atoms > 0 ? atoms : x->count, sizeof *d->place);
    d->dipole = memory_new(x->count, sizeof *d->dipole);
    d->pairs = memory_new(PAIRS, sizeof *d->pairs);
    take_places(d, &now);
    for (size_t i = 0; i < d->atoms; i++) {
        REFUSE_IF(d->place[i].kind >= KINDS, "--rdf distinguishes at most %d elements: remove it",
                  KINDS);
        d->each[d->place[i].kind] += d->place[i].molecule == 0;
    }
    d->steps = average_blocks(l->steps);
    REFUSE_IF(d->steps.length == 0, "--rdf needs at least %d steps: use a longer time",
              2 * AVERAGE_BLOCKS - 1);
    d->interval = 1 + (d->steps.length - 1) / SAMPLES;
    const uint64_t samples = d->steps.length / d->interval;
    d->samples = (double)samples;
    return file_open(d->path, &d->file);
}

/* ---- samples --------------------------------------------------------------------- */

static double image(double x, double edge)
{
    return x - edge * round(x / edge);
}

static void add_pairs(distribution *d, size_t block)
{
    const double most = d->width * BINS;
    for (size_t i = 0; i < d->atoms; i++) {
        const place *a = &d->place[i];
        for (size_t j = 0; j < i; j++) {
            const place *b = &d->place[j];
            const ph_vec3 s = sub(a->at, b->at),
                          r = vec3(image(s.x, d->edge[0]), image(s.y, d->edge[1]),
                                   image(s.z, d->edge[2]));
            const double r2 = dot(r, r);
            if (a->molecule == b->molecule || !(r2 < most * most))
                continue;
            const size_t bin = (size_t)(sqrt(r2) / d->width);
            if (bin >= BINS)
                continue;
            d->pairs[pair_of(a->kind, b->kind)][block][bin] += 1.0;
            if (a->first && b->first) {
                d->near[block][bin] += 1.0;
                d->cosine[block][bin] += dot(d->dipole[a->molecule], d->dipole[b->molecule]);
            }
        }
    }
}

static bool add_sample(void *self, loop *l)
{
    distribution *d = self;
    const uint64_t step = ph_system_steps(l->system);
    if (step <= d->steps.first)
        return true;
    const uint64_t within = step - d->steps.first - 1, block = within / d->steps.length,
                   number = within % d->steps.length + 1;
    if (block < AVERAGE_BLOCKS && number % d->interval == 0) {
        const instant now = instant_of(l->system);
        take_places(d, &now);
        add_pairs(d, (size_t)block);
    }
    return true;
}

/* ---- the file -------------------------------------------------------------------- */

static void print_mean(const distribution *d, const double block[AVERAGE_BLOCKS])
{
    double error;
    const double mean = average_of(block, &error);
    outfile_print(d->file, ",%.10g,%.3g", mean, error);
}

static void print_head(const distribution *d)
{
    outfile_print(d->file, "r");
    for (size_t b = 0; b < d->kinds; b++) {
        for (size_t a = 0; a <= b; a++)
            outfile_print(d->file, ",g_%s%s,g_%s%s_error", d->element[a], d->element[b],
                          d->element[a], d->element[b]);
    }
    outfile_print(d->file, ",neighbours,neighbours_error,cosine,cosine_error\n");
}

/* `neighbours` are those up to the bin, of each block. */
static void print_bin(const distribution *d, size_t bin, double neighbours[AVERAGE_BLOCKS])
{
    const double r = d->width * (double)bin, end = r + d->width, n = (double)d->molecules,
                 shell = 4.0 / 3.0 * PH_PI * (end * end * end - r * r * r),
                 V = d->edge[0] * d->edge[1] * d->edge[2], of_all = 0.5 * n * (n - 1.0) * shell / V;
    double block[AVERAGE_BLOCKS], pairs = 0.0;
    outfile_print(d->file, "%.10g", r + 0.5 * d->width);
    for (size_t b = 0; b < d->kinds; b++) {
        for (size_t a = 0; a <= b; a++) {
            const double ways = (a == b ? 1.0 : 2.0) * (double)(d->each[a] * d->each[b]);
            for (size_t k = 0; k < AVERAGE_BLOCKS; k++)
                block[k] = d->pairs[pair_of(a, b)][k][bin] / (d->samples * ways * of_all);
            print_mean(d, block);
        }
    }
    double together = 0.0, square = 0.0;
    for (size_t k = 0; k < AVERAGE_BLOCKS; k++) {
        neighbours[k] += 2.0 * d->near[k][bin] / (d->samples * n);
        pairs += d->near[k][bin];
        together += d->cosine[k][bin];
    }
    print_mean(d, neighbours);
    /* A ratio of two sums: its error is that of the sum of cosines less the mean for each pair. */
    const double mean = quotient_or(together, pairs, 0.0);
    for (size_t k = 0; k < AVERAGE_BLOCKS; k++) {
        const double away = d->cosine[k][bin] - mean * d->near[k][bin];
        square += away * away;
    }
    outfile_print(d->file, ",%.10g,%.3g\n", mean,
                  quotient_or(sqrt(square * AVERAGE_BLOCKS / (AVERAGE_BLOCKS - 1)), pairs, 0.0));
}

static int close_rdf(void *self, loop *l, int status)
{
    distribution *d = self;
    outfile *file = d->file;
    double neighbours[AVERAGE_BLOCKS] = {0};
    if (file == NULL)
        return status;
    if (l->status != PH_OK || ph_system_steps(l->system) < l->steps) {
        outfile_discard(file);
        warn("the run ended early: " WORDS " is not written", d->path);
        return status;
    }
    print_head(d);
    for (size_t bin = 0; bin < BINS; bin++)
        print_bin(d, bin, neighbours);
    d->file = NULL;
    const int closed = file_close(file, d->path, "");
    return first_error(status, closed);
}

/* Reads --rdf. */
static int open_rdf(const arguments *given, observer *out)
{
    const char *path = argument(given, "--rdf");
    if (path == NULL)
        return 0;
    TRY(refuse_both(given, "--rdf", "--checkpoint")); /* snapshots do not have the histograms */
    distribution *d = memory_new(1, sizeof *d);
    d->path = path;
    *out = (observer){d, begin_rdf, NULL, add_sample, close_rdf};
    return 0;
}

const run_observer run_observer_rdf = {open_rdf};
