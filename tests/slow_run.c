/* slow_run.c - the tests of free runs over 10^7 steps. */
#include "support/run_tests.h"

int main(void)
{
    return free_run_tests(10000000);
}
