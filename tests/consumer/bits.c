/* bits.c - prints the checksums of `polhode bits`, for the library alone and any number of
 * steps: bits [STEPS]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "polhode/measure.h"

static bool see(void *context, const char *name, uint64_t sum)
{
    (void)context;
    return printf("%016" PRIx64 "  %s\n", sum, name) > 0 && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    const uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : PH_BITS_FEW_STEPS;
    return printf("%016" PRIx64 "  all\n", ph_bits(steps, see, NULL)) > 0 ? EXIT_SUCCESS
                                                                          : EXIT_FAILURE;
}
