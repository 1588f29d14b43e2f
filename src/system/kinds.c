/* kinds.c - the kinds of system, a list that scripts/lists writes from the folders. */
#include "system/kind.h"

#include "catalog_kind.h"

const ph_kind *const *ph_kinds(size_t *count)
{
    *count = sizeof kind_rows / sizeof kind_rows[0];
    return kind_rows;
}
