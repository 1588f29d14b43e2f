/* test_extremes.c - the beginning of what `make test PARTS=extremes` checks, for every flow and
 * method. */
/* Needs lab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/extreme_checks.h"
#include "support/extreme_motions.h"
#include "support/oracle.h"
#include "system/find.h"

static const extreme_search SEARCH = {
    .seed = 13, .parts = 1, .exact = 10000, .others = 1000, .series = 20};

/* Motions that were wrong or refused once, by the flow and in the way each line says. */
static void test_once(void **state)
{
    (void)state;
    char line[1024];
    int lines = 0;
    FILE *file = fopen(TEST_DATA "/extremes.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        uint64_t failed = 1;
        if (!extreme_line(line, &failed) || failed > 0)
            fail_msg("%s", line);
        lines++;
    }
    (void)fclose(file);
    assert_true(lines > 50);
}

static void test_flows(void **state)
{
    (void)state;
    size_t count;
    const ph_flow *const *flows = ph_flows(&count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(0, extreme_flow(flows[i], &SEARCH));
}

static void test_methods(void **state)
{
    (void)state;
    size_t count;
    const ph_method *const *methods = ph_methods(&count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(0, extreme_method(methods[i], &SEARCH));
}

static void test_series(void **state)
{
    (void)state;
    assert_int_equal(0, extreme_series(&SEARCH));
}

/* A seed draws the same motions whatever the compiler and the machine, so that a failure
 * found on one can be repeated on another. */
static void test_seed(void **state)
{
    (void)state;
    enum { MOTIONS = 10000, DOUBLES = 11 };
    uint64_t checksum = 0;
    for (uint64_t i = 0; i < MOTIONS; i++) {
        const oracle_case c = extreme_motion(SEARCH.seed, i, i % 2 == 0);
        double x[DOUBLES];
        assert_int_equal(sizeof x, sizeof c);
        memcpy(x, &c, sizeof x);
        for (int k = 0; k < DOUBLES; k++) {
            uint64_t bits;
            memcpy(&bits, &x[k], sizeof bits);
            checksum = checksum * 3 + bits;
        }
    }
    assert_int_equal(0x5bb3dcb0509b29e4U, checksum);
}

static int close_oracle(void **state)
{
    (void)state;
    oracle_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed),    cmocka_unit_test(test_once),   cmocka_unit_test(test_flows),
        cmocka_unit_test(test_methods), cmocka_unit_test(test_series),
    };
    return cmocka_run_group_tests_name("extremes", tests, NULL, close_oracle);
}
