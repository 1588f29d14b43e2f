/* rotation.cl - the maps of SO(3) in src/rotation/rotation.c. */
#include "device/cl/elementary.cl"
#define SMALL rotation_SMALL
#include "rotation/rotation.c"
#undef SMALL
