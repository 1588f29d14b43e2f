/* mpi_catalogue.c - a catalogue of any length over MPI: where does the third axis point?
 *
 *     mpirun -np 4 mpi_catalogue BODIES TIME [CHECKPOINT [ROUNDS]]
 *
 * Bodies of random shape and momentum, all with the same attitude at first, are asked for
 * their attitude a random time up to TIME later. A body is drawn from its number alone by a
 * generator with random access, and what is counted are integers, whose sums do not depend
 * on the order: the result has the same bits for any number of ranks.
 *
 * The bodies are done in rounds. After each, rank 0 has the sums of all and, if named, writes
 * the file CHECKPOINT; a run that finds it goes on from there, with any number of ranks.
 * With ROUNDS it stops after so many of them, as a job in a queue with a time limit would.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>
#include <polhode/batch.h>

enum { BLOCK = 2048, BLOCKS_IN_ROUND = 64, BINS = 64 };

static const char MAGIC[8] = "PHMPI01";
static const double FIXED_POINT = 0x1p32; /* of sums: 10^9 bodies leave a factor of two */

/* What is counted, of bodies 0 to done - 1. */
typedef struct counts {
    uint64_t done, failed, inexact; /* inexact: energy not kept to round-off */
    uint64_t bins[BINS];            /* of z, the third axis along space's, from -1 to 1 */
    int64_t sum;                    /* of z, in FIXED_POINT */
} counts;

enum { COUNTS = sizeof(counts) / sizeof(uint64_t) };

/* A checkpoint: which catalogue, and how far. */
typedef struct checkpoint {
    char magic[8];
    uint64_t bodies;
    double time;
    counts counts;
    uint64_t check; /* of all before */
} checkpoint;

/* ---- one block ------------------------------------------------------------------- */

/* Number k of body i, uniform in [0, 1): splitmix64 begun at 0, its member 16 i + k. */
static double draw(uint64_t i, unsigned k)
{
    uint64_t z = (16 * i + k + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct block {
    double q[4][BLOCK], m[3][BLOCK], J[3][BLOCK], h[BLOCK], energy[BLOCK];
} block;

static double energy(const block *b, size_t j)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += 0.5 * b->m[k][j] * b->m[k][j] / b->J[k][j];
    return sum;
}

static void draw_bodies(block *b, uint64_t first, size_t n, double time)
{
    for (size_t j = 0; j < n; j++) {
        const uint64_t i = first + j;
        for (unsigned k = 0; k < 4; k++)
            b->q[k][j] = k == 0;
        for (unsigned k = 0; k < 3; k++) {
            b->m[k][j] = 2.0 * draw(i, k) - 1.0;
            b->J[k][j] = 0.5 + 0.5 * draw(i, 3 + k);
        }
        b->h[j] = time * draw(i, 6);
        b->energy[j] = energy(b, j);
    }
}

static void count_bodies(const block *b, size_t n, counts *c)
{
    const double round_off = 1e-13;
    for (size_t j = 0; j < n; j++) {
        const double z = 1.0 - 2.0 * (b->q[1][j] * b->q[1][j] + b->q[2][j] * b->q[2][j]);
        int bin = (int)floor(0.5 * (z + 1.0) * BINS);
        if (bin < 0)
            bin = 0;
        if (bin >= BINS)
            bin = BINS - 1;
        c->bins[bin]++;
        c->sum += llround(FIXED_POINT * z);
        c->inexact += !(fabs(energy(b, j) - b->energy[j]) <= round_off * b->energy[j]);
    }
}

/* Bodies first to first + n - 1, counted; they have the same bits in any block. */
static void do_block(const ph_flow *flow, uint64_t first, size_t n, double time, counts *c)
{
    static block b;
    const ph_batch batch = {
        n, {b.q[0], b.q[1], b.q[2], b.q[3]}, {b.m[0], b.m[1], b.m[2]}, {b.J[0], b.J[1], b.J[2]}};
    draw_bodies(&b, first, n, time);
    if (ph_batch_step_each(flow, &batch, b.h, NULL) != PH_OK)
        c->failed++;
    count_bodies(&b, n, c);
    c->done += n;
}

/* ---- checkpoints, of rank 0 ------------------------------------------------------ */

static uint64_t check_of(const checkpoint *p)
{
    const unsigned char *bytes = (const unsigned char *)p;
    uint64_t hash = 0xcbf29ce484222325U; /* FNV-1a */
    for (size_t k = 0; k < offsetof(checkpoint, check); k++)
        hash = (hash ^ bytes[k]) * 0x100000001b3U;
    return hash;
}

/* Written beside and renamed: the file is always a whole one. */
static bool save(const char *path, checkpoint *p)
{
    char beside[4096];
    p->check = check_of(p);
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside)
        return false;
    FILE *file = fopen(beside, "wb");
    if (file == NULL)
        return false;
    const bool written = fwrite(p, sizeof *p, 1, file) == 1;
    return fclose(file) == 0 && written && rename(beside, path) == 0;
}

/* False for a file that is not of this catalogue; none is the beginning. */
static bool load(const char *path, checkpoint *p)
{
    checkpoint old;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return true;
    const bool read = fread(&old, sizeof old, 1, file) == 1;
    (void)fclose(file);
    if (!read || old.check != check_of(&old) || memcmp(&old, p, offsetof(checkpoint, counts)) != 0)
        return false;
    *p = old;
    return true;
}

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "mpi_catalogue: %s: %s\n", what, name);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* ---- all ------------------------------------------------------------------------- */

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void print(const checkpoint *p)
{
    for (int k = 0; k < BINS; k++)
        printf("%g %" PRIu64 "\n", (2.0 * k + 1.0) / BINS - 1.0, p->counts.bins[k]);
    printf("bodies %" PRIu64 " mean %.17g failed %" PRIu64 " inexact %" PRIu64 "\n", p->counts.done,
           (double)p->counts.sum / FIXED_POINT / (double)p->counts.done, p->counts.failed,
           p->counts.inexact);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    const ph_flow *exact = NULL;
    checkpoint p = {.bodies = 0};
    if (argc > 2) {
        p.bodies = strtoull(argv[1], NULL, 10);
        p.time = strtod(argv[2], NULL);
    }
    const char *path = argc > 3 ? argv[3] : NULL;
    const long rounds = argc > 4 ? strtol(argv[4], NULL, 10) : -1;
    memcpy(p.magic, MAGIC, sizeof MAGIC);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (p.bodies == 0 || !isfinite(p.time) || ph_flow_named("exact", &exact) != PH_OK)
        stop("usage", "mpi_catalogue BODIES TIME [CHECKPOINT [ROUNDS]]");
    if (rank == 0 && path != NULL && !load(path, &p))
        stop("not a checkpoint of this catalogue", path);
    MPI_Bcast(&p.counts, COUNTS, MPI_UINT64_T, 0, MPI_COMM_WORLD);

    const double start = processor_time();
    const uint64_t first = p.counts.done;
    for (long round = 0; p.counts.done < p.bodies && round != rounds; round++) {
        counts mine = {0}, all = {0};
        for (int k = rank; k < BLOCKS_IN_ROUND; k += ranks) {
            const uint64_t at = p.counts.done + (uint64_t)k * BLOCK;
            if (at < p.bodies)
                do_block(exact, at, p.bodies - at < BLOCK ? p.bodies - at : BLOCK, p.time, &mine);
        }
        MPI_Allreduce(&mine, &all, COUNTS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce_local(&all, &p.counts, COUNTS, MPI_UINT64_T, MPI_SUM);
        if (rank == 0 && path != NULL && !save(path, &p))
            stop("cannot write", path);
    }

    double mine = processor_time() - start, all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        print(&p);
        fprintf(stderr, "%d ranks: %.1f ns of processor time per body\n", ranks,
                1e9 * all / (double)(p.counts.done - first));
    }
    MPI_Finalize();
    return p.counts.failed == 0 && p.counts.inexact == 0 ? 0 : 1;
}
