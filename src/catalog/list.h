/* list.h - a list of descriptors that the build has written, and names made of parts. */
#pragma once

#include <string.h>

#include "polhode/polhode.h"

/* A list of descriptors, and look-up by the names that they begin with. */
#define LISTED(kind, rows)                                                               \
    const ph_##kind *const *ph_##kind##s(size_t *count)                                  \
    {                                                                                    \
        *count = sizeof(rows) / sizeof(rows)[0];                                         \
        return rows;                                                                     \
    }                                                                                    \
    ph_status ph_##kind##_named(const char *name, const ph_##kind **out)                 \
    {                                                                                    \
        if (name == NULL || out == NULL)                                                 \
            return PH_NULL_ARGUMENT;                                                     \
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows)[0]; i++) {                    \
            if (strcmp((rows)[i]->name, name) == 0) {                                    \
                *out = (rows)[i];                                                        \
                return PH_OK;                                                            \
            }                                                                            \
        }                                                                                \
        return PH_UNKNOWN_NAME;                                                          \
    }

enum { LONGEST_PART = 64 };

/* The part of a name before a mark, copied; and what follows the mark, NULL without it. */
static inline bool split_name(char part[LONGEST_PART], const char **rest,
                              const char *name, char mark)
{
    const char *at = strchr(name, mark);
    const size_t length = at ? (size_t)(at - name) : strlen(name);
    if (length >= LONGEST_PART)
        return false;
    memcpy(part, name, length);
    part[length] = '\0';
    *rest = at ? at + 1 : NULL;
    return true;
}
