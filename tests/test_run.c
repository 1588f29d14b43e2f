/* test_run.c - the run loop: round-off over 10^5 steps, the observer, frames,
 * failures. */
#include "support/run_tests.h"

int main(void)
{
    return run_loop_tests(100000);
}
