/* library.cl - functions of the library that are not inline: for fields, and with FINISH what
 * the steps of bodies need that the first program leaves. */
#include "base/elementary.c"
#include "motion/body.c"
#include "motion/rotation.c"
#ifdef FINISH
#include "base/carlson.c"
#include "base/jacobi.c"
#include "motion/motion.c"
#include "motion/state.c"
#endif
