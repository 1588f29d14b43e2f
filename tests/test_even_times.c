/* test_even_times.c - the time after so many steps is that which a reader of the decimal number gets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/even_times.h"
#include "support/random.h"

/* The double nearest to units/10^power, by way of its text. */
static double decimal(long long units, int power)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%llde-%d", units, power);
    return strtod(text, NULL);
}

/* Starts and steps of up to six digits, forward and back, and many steps. */
static void times_are_decimal(void **state)
{
    (void)state;
    uint64_t seed = 5;
    assert_true(even_time(0.0, 3.0, 0.1) == 0.3);
    assert_true(even_time(0.0, 3.0, 0.1) != 3.0 * 0.1);
    for (int trial = 0; trial < 20000; trial++) {
        const int power = (int)between(&seed, 0.0, 12.0);
        const long long step = (long long)between(&seed, -1e6, 1e6),
                        start = (long long)between(&seed, -1e6, 1e6),
                        n = (long long)between(&seed, 0.0, 1e6);
        const double h = decimal(step, power), from = decimal(start, power);
        assert_true(even_time(0.0, (double)n, h) == decimal(n * step, power));
        assert_true(even_time(from, (double)n, h) == decimal(start + n * step, power));
    }
}

/* Others are a multiple of the double: of fractions, of numbers with all digits, where whole numbers
 * are no more exact, beyond the range and where nothing is a number. */
static void others_are_multiples(void **state)
{
    (void)state;
    static const double others[] = {1.0 / 3.0, 0x1.921fb54442d18p1, 0x1.123456789abcdp-300, 1e-30,
                                    1e300};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        for (double n = 0.0; n < 100.0; n++)
            assert_true(even_time(0.0, n, others[i]) == n * others[i]);
    }
    assert_true(even_time(0.0, 0x1p53, 0.1) == 0x1p53 * 0.1);
    /* from 2^53 on, of the multiple and of the sum, whichever comes first */
    uint64_t seed = 7;
    int differ = 0;
    for (int trial = 0; trial < 200; trial++) {
        const double n = 0x1p53 + 2.0 * floor(between(&seed, 1.0, 0x1p51)),
                     third = floor(0x1p53 / 3.0 + between(&seed, 1.0, 1e12)),
                     less = floor(0x1p53 / 3.0 - between(&seed, 1.0, 1e12)), start = -9e13;
        assert_true(even_time(0.0, n, 0.1) == n * 0.1);
        assert_true(even_time(0.0, -n, 0.1) == -n * 0.1);
        assert_true(even_time(start, third, 0.3) == start + third * 0.3);
        assert_true(even_time(-start, less, 0.3) == less * 0.3 - start);
        differ += n * 0.1 != n / 10.0;
        differ += start + third * 0.3 != (third * 3.0 + start * 10.0) / 10.0;
    }
    assert_true(differ > 100); /* the other way has other numbers */
    assert_true(even_time(1.0 / 3.0, 2.0, 0.1) == 1.0 / 3.0 + 0.2);
    assert_true(isinf(even_time(0.0, 1e300, 1e300)));
    assert_true(isnan(even_time(0.0, 1.0, NAN)) && isnan(even_time(NAN, 1.0, 0.1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_decimal),
        cmocka_unit_test(others_are_multiples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
