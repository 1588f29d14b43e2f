/* parallel.h - passes of a loop that may run at the same time.
 *
 *     ph_parallel_for(blocks, blocks > 1, run_block, &work);
 *
 * calls run_block(&work, pass) for each pass from 0 to blocks - 1, on all threads if it is
 * worth waking them, else one after the other. A pass writes what no other pass touches,
 * and sums are formed afterwards in a fixed order: so the result is the same bits for any
 * number of threads. What must be done by one pass at a time, in no fixed order, stands
 * between ph_parallel_lock() and ph_parallel_unlock().
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
