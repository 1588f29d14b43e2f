/* slow_run.c - the tests of the run loop over 10^7 steps. */
#include "support/run_tests.h"

int main(void)
{
    return run_loop_tests(10000000);
}
