/* newton.h - makes the library's Newton count its iterations; for newton.sh alone. */
extern long newton_iterations;
#define NEWTON_OBSERVE (newton_iterations++)
