/* hash.h - FNV-1a, 64 bits: Fowler, Noll, Vo, http://www.isthe.com/chongo/tech/comp/fnv. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN 0xcbf29ce484222325u
#define HASH_PRIME 0x100000001b3u

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * HASH_PRIME;
    return hash;
}
