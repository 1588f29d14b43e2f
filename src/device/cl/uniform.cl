/* uniform.cl - the exact motion, right for every body: src/motion/motion.c with what it calls.
 * Names that two of these files, or a field, may have are made different. */
#include "rotation/roles.h"
#include "motion/state.h"
#include "base/simd.h"
#include "motion/motion.h"
#include "base/jacobi.h"

#include "device/cl/elementary.cl"
#include "device/cl/rotation.cl"
#include "base/carlson.c"
#undef SMALL
#undef LARGE
#undef HALF_PI
#define prepare jacobi_prepare
#include "base/jacobi.c"
#undef prepare
#undef TINY
#undef HALF_PI
#define SMALL motion_SMALL
#define compared motion_compared
#define comparison motion_comparison
#define place motion_place
#define place_at motion_place_at
#define momentum motion_momentum
#define turn motion_turn
#define restored motion_restored
#define halve motion_halve
#define state_at motion_state_at
#define scaled_time motion_scaled_time
#include "motion/motion.c"
#undef SMALL
#undef compared
#undef comparison
#undef place
#undef place_at
#undef momentum
#undef turn
#undef restored
#undef halve
#undef state_at
#undef scaled_time
