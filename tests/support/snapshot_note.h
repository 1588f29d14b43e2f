/* snapshot_note.h - snapshots of runs as tests change and read them. */
#ifndef TESTS_SUPPORT_SNAPSHOT_NOTE_H
#define TESTS_SUPPORT_SNAPSHOT_NOTE_H

#include <stdint.h>

/* Writes the snapshot `to`, which is `from` with that value, as JSON, in its note. NULL: as it is. */
void snapshot_alter(const char *from, const char *to, const char *key, const char *value);

/* The steps that the system of a snapshot has taken; 0 if there is no such file. */
uint64_t snapshot_steps(const char *path);

#endif
