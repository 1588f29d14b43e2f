/* test_system_sequences.c - calls in any order over every kind, problem and integrator: after
 * each the system is whole, or there was an error; the same calls give the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"

static const char *of_which; /* system */

#define SEQUENCE_REQUIRE(holds, words)                                                             \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fail_msg("%s: not so: %s (%s)", of_which, words, #holds);                              \
    } while (0)
#include "support/sequence.h"
#include "support/systems.h"

static void check_sequences(const any_system *a, uint64_t seed, int count)
{
    enum { BYTES = 120 };
    for (int n = 0; n < count; n++) {
        uint8_t input[BYTES];
        uint64_t hash[2];
        for (int k = 0; k < BYTES; k++)
            input[k] = (uint8_t)(random_bits(&seed) >> 40);
        char name[300];
        (void)snprintf(name, sizeof name, "%.250s, sequence %d", a->name, n);
        of_which = name;
        for (int k = 0; k < 2; k++) {
            ph_system *s = system_made(a);
            hash[k] = sequence_play(s, a->h, input, BYTES);
            ph_system_destroy(s);
        }
        SEQUENCE_REQUIRE(hash[0] == hash[1], "the same calls give the same bits");
    }
}

static void check_once(const any_system *a)
{
    static uint64_t seed = 1;
    check_sequences(a, seed++, 1);
}

static void check_sometimes(const any_system *a)
{
    static uint64_t seed = 200001;
    check_sequences(a, seed++, 15);
}

static void check_often(const any_system *a)
{
    static uint64_t seed = 100001;
    check_sequences(a, seed++, 40);
}

static void test_adaptive(void **state)
{
    (void)state;
    (void)adaptive_systems(check_sometimes);
}

static void test_every(void **state)
{
    (void)state;
    (void)every_system(check_once);
}

static void test_some(void **state)
{
    (void)state;
    (void)some_systems(check_often);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some),
        cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_every),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
