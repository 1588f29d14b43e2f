/* system_list.h - a list of descriptors that the build has written, and names made of parts. */
#pragma once

#include <string.h>

#include "polhode/body.h"

/* A list of descriptors, and look-up by the names that they begin with. */
#define LISTED(kind, rows)                                                                         \
    const ph_##kind *const *ph_##kind##s(size_t *count)                                            \
    {                                                                                              \
        *count = sizeof(rows) / sizeof(rows)[0];                                                   \
        return rows;                                                                               \
    }                                                                                              \
    ph_status ph_##kind##_named(const char *name, const ph_##kind **out)                           \
    {                                                                                              \
        if (name == NULL || out == NULL)                                                           \
            return PH_NULL_ARGUMENT;                                                               \
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows)[0]; i++) {                              \
            if (strcmp((rows)[i]->name, name) == 0) {                                              \
                *out = (rows)[i];                                                                  \
                return PH_OK;                                                                      \
            }                                                                                      \
        }                                                                                          \
        return PH_UNKNOWN_NAME;                                                                    \
    }

enum { LONGEST_PART = 64, LONGEST_NAME = PH_INTEGRATOR_NAME };

/* The part of a name before a mark, copied to `size` bytes; and what follows the mark, NULL
 * without it. */
static inline bool split_at(char *part, size_t size, const char **rest, const char *name, char mark)
{
    const char *at = strchr(name, mark);
    const size_t length = at ? (size_t)(at - name) : strlen(name);
    if (length >= size)
        return false;
    memcpy(part, name, length);
    part[length] = '\0';
    if (at)
        *rest = at + 1;
    else
        *rest = NULL;
    return true;
}

static inline bool split_name(char part[LONGEST_PART], const char **rest, const char *name,
                              char mark)
{
    return split_at(part, LONGEST_PART, rest, name, mark);
}

/* The name of an integrator before `@`, and of the composition of its whole step after it,
 * NULL without one. */
static inline bool split_whole(char step[LONGEST_NAME], const char **composition, const char *name)
{
    return split_at(step, LONGEST_NAME, composition, name, '@');
}
