/* test_ensemble_sequences.c - calls of ensembles in any order, with right and wrong arguments: what is
 * promised holds after each, and the same calls give the same bits by one thread and by two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"

static int sequence; /* that is played */

#define SEQUENCE_REQUIRE(holds, words)                                                             \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fail_msg("sequence %d: not so: %s (%s)", sequence, words, #holds);                     \
    } while (0)
#include "support/ensemble_sequence.h"

static void test_sequences(void **state)
{
    (void)state;
    enum { SEQUENCES = 3000, BYTES = 300 };
    uint64_t seed = 1;
    for (sequence = 0; sequence < SEQUENCES; sequence++) {
        uint8_t input[BYTES];
        uint64_t hash[2];
        for (int k = 0; k < BYTES; k++)
            input[k] = (uint8_t)(random_bits(&seed) >> 40);
        if (sequence % 4 > 0) { /* settings of which an ensemble can be made */
            static const uint8_t good[][4] = {{0, 0, 0, 0}, {0, 1, 1, 0}, {0, 2, 3, 1},
                                              {1, 3, 3, 2}, {2, 2, 3, 1}, {3, 0, 0, 0},
                                              {1, 4, 2, 0}, {4, 6, 0, 0}};
            memcpy(input, good[sequence / 4 % 8], 4);
            input[5] = (uint8_t)(sequence % 4 == 1); /* each has this */
            input[6] = 1, input[7] = 0, input[8] = 2;
        }
        for (int k = 0; k < 2; k++) {
            ph_set_threads(1 + k);
            hash[k] = ensemble_play(input, BYTES);
        }
        SEQUENCE_REQUIRE(hash[0] == hash[1], "the same calls give the same bits");
    }
    assert_true(ensemble_runs > SEQUENCES && ensemble_refused > SEQUENCES);
    ph_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
