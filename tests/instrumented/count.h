/* count.h - makes the library's Newton count its iterations and, by the first of them, the
 * equations that it solves, in each thread its own; every file of the instrumented library
 * includes it first. */
extern _Thread_local long newton_iterations, newton_solves;
#define NEWTON_OBSERVE (newton_iterations++, newton_solves += i == 0)
