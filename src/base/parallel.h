/* parallel.h - passes of a loop that may run at the same time.
 *
 *     ph_parallel_for(blocks, blocks > 1, run_block, &work);
 *
 * calls run_block(&work, pass) for each pass from 0 to blocks - 1, on all threads if it is
 * worth waking them, else one after the other. A pass writes what no other pass touches,
 * and sums are formed afterwards in a fixed order: so the result is the same bits for any
 * number of threads. What must be done by one pass at a time, in no fixed order, stands
 * between ph_parallel_lock() and ph_parallel_unlock(). There is one such lock in the process, so
 * nothing between the two may wait or call a function of the user: that function may take locks
 * of its own, or start other loops. ph_parallel_go_on() calls it without the lock.
 *
 * Only for files that a flow or a method does not need: one body's step knows no threads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef void parallel_pass(void *context, size_t pass);

void ph_parallel_for(size_t passes, bool worth, parallel_pass *pass, void *context);
void ph_parallel_lock(void);
void ph_parallel_unlock(void);

/* The function of the user that says whether a loop is to go on. */
typedef struct parallel_progress {
    bool (*go_on)(void *context, double done); /* or NULL */
    void *context;
    double done, whole; /* parts of the work */
    bool stopped;       /* the function returned false */
    bool asking;        /* a thread is calling the function */
} parallel_progress;

/* Adds `more` to the work that is done and asks the function, with `part` of the work beside that.
 * Calls of the function do not overlap: while one thread calls it, the others do not, and go on. A
 * loop that does all of its work says so in its last call. Returns false once the loop is to end. */
bool ph_parallel_go_on(parallel_progress *p, double more, double part);
