/* elementary.cl - the elementary functions of src/core/circular.c and elementary.c. */
#include "core/simd.h"
#include "core/simd_atan.h"
#include "core/simd_sincos.h"
#define plus    elementary_plus
#define reduced elementary_reduced
#define rounded elementary_rounded
#define split   elementary_split
#define power   elementary_power
#define times_power elementary_times_power
#define TINY    elementary_TINY
#include "core/circular.c"
#include "core/elementary.c"
#undef plus
#undef reduced
#undef rounded
#undef split
#undef power
#undef times_power
#undef TINY
