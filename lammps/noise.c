/* noise.c - the noise of fix langevin/polhode. */
#include "base/counter_random.h"

void polhode_noise(uint64_t seed, uint64_t step, uint64_t tag, double out[6]);

/* Streams are those of the thermostats of the library, and this one. */
void polhode_noise(uint64_t seed, uint64_t step, uint64_t tag, double out[6])
{
    enum { STREAM = 3 };
    for (uint64_t pair = 0; pair < 3; pair++)
        normal_pair_of((const uint64_t[]){seed, STREAM},
                       (const uint64_t[]){step, tag << 2 | pair}, out + 2 * pair);
}
