/* named.h - rows of a table by their names. */
#pragma once

#include <string.h>

/* The row of that name among `count` rows of `size` bytes, structs whose first member points
 * to their name; or NULL. */
static inline const void *row_named(const void *rows, size_t count, size_t size, const char *name)
{
    const char *row = rows;
    for (size_t i = 0; i < count; i++, row += size) {
        const char *own;
        memcpy(&own, row, sizeof own);
        if (strcmp(own, name) == 0)
            return row;
    }
    return NULL;
}

/* The row of that name of an array, whose type says how large a row is. */
#define ROW_NAMED(rows, count, name) row_named(rows, (size_t)(count), sizeof *(rows), name)

/* The members KINDs and KIND_count of a descriptor, an array and its length. */
#define TABLE(kind, rows) .kind##s = (rows), .kind##_count = (int)(sizeof(rows) / sizeof(rows)[0])
