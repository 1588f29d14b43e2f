/* rotation.cl - the maps of SO(3) in src/core/rotation.c. */
#include "device/cl/elementary.cl"
#define SMALL rotation_SMALL
#include "core/rotation.c"
#undef SMALL
