/* test_golden_message.c - a golden test that fails says which value differs. */
/* Needs kinds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/golden.h"

/* Checksums of `count` values that differ in one of them, or in none (0). */
static void assert_says(uint64_t count, uint64_t differs, uint64_t now_count, const char *expected)
{
    checksum now = {0}, before = {0};
    char text[GOLDEN_TEXT];
    for (uint64_t i = 1; i <= count; i++)
        take(&before, 0.25 * (double)i);
    for (uint64_t i = 1; i <= now_count; i++)
        take(&now, 0.25 * (double)i * (i == differs ? -1.0 : 1.0));
    golden_difference(text, &now, &before);
    if (strstr(text, expected) == NULL)
        fail_msg("\"%s\" and not \"%s\"", text, expected);
}

/* To the value up to the eighth, then to a quarter of an octave. */
static void test_places(void **state)
{
    (void)state;
    assert_says(5, 3, 5, "value 3 of 5 differs; value 3 is now -0.75");
    assert_says(1, 1, 1, "value 1 of 1 differs; value 1 is now -0.25");
    assert_says(100, 8, 100, "value 8 of 100 differs; value 8 is now -2");
    assert_says(100, 9, 100, "one of 9 to 10 of 100; value 10 is now 2.5");
    assert_says(100, 10, 100, "one of 9 to 10 of 100; value 10 is now -2.5");
    assert_says(100, 17, 100, "one of 17 to 20 of 100; value 20 is now 5");
    assert_says(100, 99, 100, "one of 97 to 100 of 100");
    assert_says(1000, 600, 1000, "one of 513 to 640 of 1000; value 640 is now 160");
    assert_says(5, 0, 7, "7 values instead of 5");
    assert_says(7, 0, 5, "5 values instead of 7");
}

/* Lines without bytes, and values that are no number. */
static void test_others(void **state)
{
    (void)state;
    checksum now = {0}, before = {0};
    char text[GOLDEN_TEXT];
    take(&now, 1.0);
    golden_difference(text, &now, &before);
    assert_string_equal("a value differs", text);
    take(&before, NAN);
    golden_difference(text, &before, &now);
    assert_non_null(strstr(text, "value 1 of 1 differs; value 1 is now"));
    assert_non_null(strstr(text, "nan"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
