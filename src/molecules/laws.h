/* laws.h - what the problems of molecules have in common, whatever their law. */
#pragma once

#include "molecules/pairs.h"
#include "system/find.h"

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

#define COMMON_PARAMETERS                                                                \
    {"mass", MASS, 1, "mass", "mass of a body", PH_RANGE_POSITIVE},                      \
        {"dipole",                                                                       \
         DIPOLE,                                                                         \
         3,                                                                              \
         "(energy length^3)^(1/2)",                                                      \
         "dipole of a body, in its frame",                                               \
         PH_RANGE_ANY},                                                                  \
        {"lattice",     LATTICE, 1, "1", "bodies along an edge of the initial lattice",  \
         PH_RANGE_WHOLE},                                                                \
        {"spacing",                                                                      \
         SPACING,                                                                        \
         1,                                                                              \
         "length",                                                                       \
         "distance between neighbours in the lattice",                                   \
         PH_RANGE_POSITIVE},                                                             \
        {"noise",                                                                        \
         NOISE,                                                                          \
         1,                                                                              \
         "1",                                                                            \
         "standard deviation of the positions, over the spacing",                        \
         PH_RANGE_NOT_NEGATIVE},                                                         \
        {"seed",      SEED, 1, "1", "seed of the random positions and attitudes",        \
         PH_RANGE_ANY},                                                                  \
        {"box",                                                                          \
         BOX,                                                                            \
         3,                                                                              \
         "length",                                                                       \
         "edges of the periodic box; 0,0,0: open space",                                 \
         PH_RANGE_NOT_NEGATIVE},                                                         \
        {"cutoff",                                                                       \
         CUTOFF,                                                                         \
         1,                                                                              \
         "length",                                                                       \
         "cut-off distance, in a box; 0: half the shortest edge",                        \
         PH_RANGE_NOT_NEGATIVE},                                                         \
    {                                                                                    \
        "dielectric", DIELECTRIC, 1, "1", "constant beyond the cut-off; 0: a conductor", \
            PH_RANGE_NOT_NEGATIVE                                                        \
    }

#define COMMON_VALUES                                                                    \
    [MASS] = 1, [DIPOLE + 1] = 1,                                                        \
    [DIPOLE + 2] = 1, [LATTICE] = 5, [SPACING] = 3, [NOISE] = 0.01, [SEED] = 1
