/* bits.h - checksums of what the library computes, to compare machines and compilers by. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Is told a name and its checksum, and returns whether to go on. */
typedef bool ph_bits_seen(void *context, const char *name, uint64_t sum);

/* The checksums of all flows, schemes, methods, compositions, problems, of spheres, molecules
 * and batches, and of elementary and elliptic functions, over that many steps or arguments
 * each, or a fixed part of them where they are long; returned is one over all. */
uint64_t ph_bits(uint64_t steps, ph_bits_seen *seen, void *context);

enum { PH_BITS_STEPS = 10000, PH_BITS_FEW_STEPS = 100 };
