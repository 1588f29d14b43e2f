/* resign.h - a snapshot with another note, and a checksum that is right: as one would write who
 * means ill. */
#ifndef TESTS_SUPPORT_RESIGN_H
#define TESTS_SUPPORT_RESIGN_H

#include <stddef.h>

/* The bytes, to be freed, and how many; NULL without memory, or if it is no snapshot. */
unsigned char *resign(const void *snapshot, size_t size, const char *note, size_t length,
                      size_t *signed_size);

/* The same of the snapshot of many bodies, of tool/run/ensemble_snapshot.c; `note` is NULL for that
 * which it has. The rows and what is said of them stay. */
unsigned char *resign_ensemble(const void *snapshot, size_t size, const char *note, size_t length,
                               size_t *signed_size);

/* Its note, and how long that is; NULL if it is no such snapshot. */
const char *ensemble_note_in(const void *snapshot, size_t size, size_t *length);

#endif
