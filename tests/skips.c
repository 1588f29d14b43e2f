/* skips.c - a program that leaves out parts, for results.py: one with a reason, one without. With an
 * argument one test fails too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/skip.h"

static bool is_failing;

static void passes(void **state)
{
    (void)state;
    assert_false(is_failing);
}

static void with_reason(void **state)
{
    (void)state;
    skip_because("a reason");
    fail();
}

static void without_reason(void **state)
{
    (void)state;
    skip();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes),
        cmocka_unit_test(with_reason),
        cmocka_unit_test(without_reason),
    };
    (void)argv;
    is_failing = argc > 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
