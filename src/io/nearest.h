/* nearest.h - the names nearest to a wrong one. */
#ifndef POLHODE_IO_NEAREST_H
#define POLHODE_IO_NEAREST_H

#include <stddef.h>

#define NEAREST_MOST 3

/* Finds up to NEAREST_MOST names: those at the least distance, then those one further, in
 * the order of the list. Returns their number and sets *distance to the least one:
 * insertions, deletions, replacements and swaps of neighbours. */
size_t nearest_names(const char *wrong, const char *const *names, size_t count,
                     const char *nearest[NEAREST_MOST], size_t *distance);

#endif
