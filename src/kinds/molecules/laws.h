/* laws.h - the law between two bodies, its numbers, and the kernel that sums it up; and what the
 * problems of molecules have in common, whatever their law.
 *
 * A kernel takes rows of bodies i against a tile of bodies j, and adds to the forces F on
 * both, and to the fields E at both: the torque on a body is mu x E, taken later, once. A planar
 * molecule has two vectors mu, another molecule of sites three, and a field E for each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/isa.h"
#include "kinds/molecules/molecule_bodies.h"
#include "system/find.h"

/* Bodies in a tile: their numbers, 12 to 24 for each, fit into the nearest cache. */
enum { TILE = 128 };

/* Components of what a law knows of an attitude: a dipole, or of a molecule of sites its axes z and
 * x and, unless it is planar, y; all in space. */
enum { OF_DIPOLE = 3, OF_PLANAR = 6, OF_SOLID = 9 };

/* Open space; up to a cut-off; the same, between nearest images in the box. */
typedef enum pair_kind { PAIRS_OPEN, PAIRS_CUT, PAIRS_IMAGES } pair_kind;

enum { LAW_NUMBERS = 12 };

/* The sites of a molecule in its axes, and what two of them do to each other. */
typedef struct site_numbers {
    size_t n;
    double at[PH_SITES_MOST][3];
    double charges[PH_SITES_MOST][PH_SITES_MOST]; /* products, in units of energy and length */
    double sigma6[PH_SITES_MOST][PH_SITES_MOST], epsilon4[PH_SITES_MOST][PH_SITES_MOST];
} site_numbers;

typedef struct pair_numbers {
    pair_kind kind;
    double box[3], per_box[3]; /* edges and their inverses */
    double cutoff, cutoff2;
    double c[LAW_NUMBERS]; /* the law's own */
    site_numbers sites;    /* of a law of sites */
} pair_numbers;

/* Arrays of bodies; of mu and E so many are used. */
typedef struct pair_bodies {
    double *x[3], *mu[OF_SOLID], *F[3], *E[OF_SOLID];
    int components;
} pair_bodies;

typedef struct pair_tile {
    VECTOR_ALIGNED double x[3][TILE];
    double mu[OF_SOLID][TILE], F[3][TILE], E[OF_SOLID][TILE];
    size_t n; /* so many are bodies; up to whole vectors the kernel fills it with nothing */
} pair_tile;

/* Sums over pairs: the energy, and the virial of the centres of mass, the sum of d . F with d from
 * body j to body i and F the force on body i. */
typedef struct pair_sums {
    double energy, virial;
} pair_sums;

static inline void add_sums(pair_sums *to, pair_sums more)
{
    to->energy += more.energy;
    to->virial += more.virial;
}

/* Adds what the bodies first <= i < end of b and those of the tile do to each other, and returns
 * the sums over these pairs; a triangle: tile body k is body first + k, and each pair is taken
 * once. The virial is 0 unless the law has a unit of pressure. */
typedef pair_sums pairs_kernel(const pair_numbers *law, const pair_bodies *b, size_t first,
                               size_t end, pair_tile *tile, bool triangle);

/* An atom of a molecule: its atomic number, 0 for a site without mass, its mass, and its place in the
 * axes of the molecule. */
typedef struct molecule_atom {
    double number, mass;
    ph_vec3 at;
} molecule_atom;

/* A law: of its constants whether they can be, how near two bodies overlap, and an energy
 * to measure others by. prepare fills in the law's own numbers, after the others. */
struct ph_pair_law {
    const char *name; /* of its problem */
    int components;   /* of an attitude that the kernels use */
    ph_status (*check)(const ph_molecules *s);
    double (*overlap)(const ph_molecules *s);
    double (*energy)(const ph_molecules *s);
    void (*prepare)(pair_numbers *law, const ph_molecules *s);
    pairs_kernel *kernels[ISA_COUNT];
    /* Of molecules of sites, else NULL: gives all bodies what the constants say, and the
     * box; and their places. */
    void (*set)(ph_molecules *s);
    void (*place)(ph_molecules *s, double noise, double seed);
    /* Writes the atoms of a molecule and returns how many they are. Lengths are in nm and times in
     * ps then. NULL: the bodies have no atoms. */
    size_t (*atoms)(const ph_molecules *s, molecule_atom atom[PH_SITES_MOST]);
    const char *wrong; /* the message for impossible constants */
    double boltzmann;  /* constant in the units of the law; 0: 1 */
    double time_unit;  /* in seconds; 0: the caller's */
    double bar;        /* the law's unit of pressure, in bar; 0: it has no pressure */
};

/* ---- problems ------------------------------------------------------------------------ */

FIND(molecules_problem)

/* Places of a problem's values; the constants of its law follow them. */
enum {
    MASS,
    DIPOLE,
    LATTICE = DIPOLE + 3,
    SPACING,
    NOISE,
    SEED,
    BOX,
    CUTOFF = BOX + 3,
    DIELECTRIC,
    CONSTANTS,
};

#define COMMON_PARAMETERS                                                                            \
    {"mass", MASS, 1, "mass", "mass of a body", PH_RANGE_POSITIVE},                                  \
        {"dipole",    DIPOLE, 3, "(energy length^3)^(1/2)", "dipole of a body, in its frame",        \
         PH_RANGE_ANY},                                                                              \
        {"lattice", LATTICE, 1, "1", "bodies along an edge of the initial lattice", PH_RANGE_WHOLE}, \
        {"spacing",        SPACING, 1, "length", "distance between neighbours in the lattice",       \
         PH_RANGE_POSITIVE},                                                                         \
        {"noise",                                                                                    \
         NOISE,                                                                                      \
         1,                                                                                          \
         "1",                                                                                        \
         "standard deviation of the positions divided by the spacing",                               \
         PH_RANGE_NOT_NEGATIVE},                                                                     \
        {"seed", SEED, 1, "1", "seed of the random positions and attitudes", PH_RANGE_ANY},          \
        {"box",                                                                                      \
         BOX,                                                                                        \
         3,                                                                                          \
         "length",                                                                                   \
         "edges of the periodic box; 0,0,0: open space",                                             \
         PH_RANGE_NOT_NEGATIVE},                                                                     \
        {"cutoff",                                                                                   \
         CUTOFF,                                                                                     \
         1,                                                                                          \
         "length",                                                                                   \
         "cut-off distance, in a box; 0: half the shortest edge",                                    \
         PH_RANGE_NOT_NEGATIVE},                                                                     \
    {                                                                                                \
        "dielectric", DIELECTRIC, 1, "1", "constant beyond the cut-off; 0: a conductor",             \
            PH_RANGE_NOT_NEGATIVE                                                                    \
    }

#define COMMON_VALUES                                                                              \
    [MASS] = 1, [DIPOLE + 1] = 1,                                                                  \
    [DIPOLE + 2] = 1, [LATTICE] = 5, [SPACING] = 3, [NOISE] = 0.01, [SEED] = 1
