/* resign.h - a snapshot with another note, and a checksum that is right: as one would write who
 * means ill. */
#ifndef TESTS_SUPPORT_RESIGN_H
#define TESTS_SUPPORT_RESIGN_H

#include <stddef.h>

/* The bytes, to be freed, and how many; NULL without memory, or if it is no snapshot. */
unsigned char *resign(const void *snapshot, size_t size, const char *note, size_t length,
                      size_t *signed_size);

#endif
