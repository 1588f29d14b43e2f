/* test_run.c - runs of a free body: round-off over 10^5 steps, frames, failures. */
#include "support/quick.h"
#include "support/run_tests.h"

int main(void)
{
    return free_run_tests(is_quick() ? 20000 : 100000);
}
