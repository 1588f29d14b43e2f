/* ensemble.c - an ensemble of any settings, and calls of it in any order
 * (tests/support/ensemble_sequence.h). All is done twice, by one thread and by two, to the same
 * bits. */
#include "fuzz.h"

#define SEQUENCE_REQUIRE(holds, words) require(holds, "%s", words)
#include "../support/ensemble_sequence.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_BYTES = 500 };
    uint64_t hash[2];
    if (size > MOST_BYTES)
        return 0;
    for (int k = 0; k < 2; k++) {
        ph_set_threads(1 + k);
        hash[k] = ensemble_play(data, size);
    }
    require(hash[0] == hash[1], "the same calls give the same bits");
    return 0;
}
