/* count.h - makes the library's Newton count its iterations, in each thread its own; every
 * file of the instrumented library includes it first. */
extern _Thread_local long newton_iterations;
#define NEWTON_OBSERVE (newton_iterations++)
