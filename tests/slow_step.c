/* slow_step.c - the float version of polhode_step.h over 10^9 steps: the energy is within 1 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/step_energy.h"

static void test_float_energy(void **state)
{
    (void)state;
    for (size_t body = 0; body < step_energy_bodies; body++) {
        const int world = body % 2 == 1;
        const double error = step_energy_float_error(body, world, 1000000000);
        print_message("body %zu, velocity in %s: energy error %.1e\n", body,
                      world ? "space" : "the body", error);
        assert_true(error < 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_float_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
