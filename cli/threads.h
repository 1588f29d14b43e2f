/* threads.h - no more threads than the system grants. */
#ifndef POLHODE_CLI_THREADS_H
#define POLHODE_CLI_THREADS_H

/* Before work on all cores: has OpenMP use as many threads as can be started, since it ends
 * the tool with words of its own where one cannot be (ulimit -v, ulimit -u). */
void threads_limit(void);

#endif
