/* test_run.c - runs of a free body: round-off over 10^5 steps, frames, failures. */
#include "support/run_tests.h"

int main(void)
{
    return free_run_tests(100000);
}
