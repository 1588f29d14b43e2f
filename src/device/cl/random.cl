/* random.cl - random numbers with random access. */
#include "device/cl/prelude.cl"
#include "base/random.h"

/* Number k of body i, uniform in [0, 1): splitmix64 begun at 0, its member 16 i + k. */
static inline double random_number(ulong i, uint k)
{
    uint64_t before = (16 * i + k) * 0x9e3779b97f4a7c15UL;
    return uniform(&before);
}
