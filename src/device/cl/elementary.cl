/* elementary.cl - the elementary functions of src/base/circular.c and elementary.c. */
#include "base/simd.h"
#include "base/simd_atan.h"
#include "base/simd_sincos.h"
#define plus    elementary_plus
#define reduced elementary_reduced
#define rounded elementary_rounded
#define split   elementary_split
#define power   elementary_power
#define times_power elementary_times_power
#define TINY    elementary_TINY
#include "base/circular.c"
#include "base/elementary.c"
#undef plus
#undef reduced
#undef rounded
#undef split
#undef power
#undef times_power
#undef TINY
