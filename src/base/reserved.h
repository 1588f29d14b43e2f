/* reserved.h - the reserved elements of public structures, which are 0 unless the program is newer
 * than the library. */
#pragma once

#include "polhode/body.h"

/* Returns true if all elements are 0. */
static inline bool reserved_are_zero(const uint64_t *reserved, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= reserved[i];
    return any == 0;
}

/* Returns true if the structure at `p` is NULL or has no member that the library does not know. */
#define KNOWN(p)                                                                                   \
    ((p) == NULL || reserved_are_zero((p)->reserved, sizeof(p)->reserved / sizeof(p)->reserved[0]))
