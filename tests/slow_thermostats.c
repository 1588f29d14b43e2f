/* slow_thermostats.c - the density of a body in a field over many samples, against Boltzmann's and
 * Maxwell's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/thermal.h"

static void test_density(void **state)
{
    (void)state;
    check_density("baoab+exact", 10000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_density)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
