#include "support/resign.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As src/system/snapshot.c says. */
enum { LENGTH_AT = 12, NOTE_AT = 20, WORD = 8 };

static uint64_t get(const unsigned char *at)
{
    uint64_t x = 0;
    for (int i = WORD - 1; i >= 0; i--)
        x = x << 8 | at[i];
    return x;
}

static void put(unsigned char *at, uint64_t x)
{
    for (int i = 0; i < WORD; i++)
        at[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t hash_of(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

unsigned char *resign(const void *snapshot, size_t size, const char *note, size_t length,
                      size_t *signed_size)
{
    const unsigned char *from = snapshot;
    const uint64_t old = size < NOTE_AT + 2 * WORD ? size : get(from + NOTE_AT);
    if (old > size - NOTE_AT - 2 * WORD)
        return NULL;
    const size_t whole = size - (size_t)old + length,
                 rest = size - NOTE_AT - 2 * WORD - (size_t)old;
    unsigned char *to = malloc(whole);
    if (to == NULL)
        return NULL;
    memcpy(to, from, NOTE_AT);
    put(to + LENGTH_AT, whole);
    put(to + NOTE_AT, length);
    memcpy(to + NOTE_AT + WORD, note, length);
    memcpy(to + NOTE_AT + WORD + length, from + NOTE_AT + WORD + old, rest);
    put(to + whole - WORD, hash_of(to, whole - WORD));
    *signed_size = whole;
    return to;
}

/* ---- many bodies --------------------------------------------------------------------- */

/* As tool/run/ensemble_snapshot.c says: words of the head, and those of a body. */
enum { MAGIC, BODIES, NUMBERS, NOTE, START, PLACES, HEAD };

static size_t filled_up(size_t bytes)
{
    return (bytes + WORD - 1) / WORD * WORD;
}

/* The bytes after the note up to the checksum; 0 if there are not so many. */
static size_t constant_bytes(const unsigned char *from, size_t size)
{
    uint64_t head[HEAD];
    if (size < sizeof head || memcmp(from, "PHensem2", WORD) != 0)
        return 0;
    memcpy(head, from, sizeof head);
    for (int i = BODIES; i < HEAD; i++)
        if (head[i] > size)
            return 0;
    const size_t bytes =
        filled_up(head[START]) + (head[PLACES] + head[BODIES] * (head[PLACES] + 1)) * WORD;
    return bytes < size && sizeof head + filled_up(head[NOTE]) + bytes + WORD <= size ? bytes : 0;
}

const char *ensemble_note_in(const void *snapshot, size_t size, size_t *length)
{
    uint64_t head[HEAD];
    if (constant_bytes(snapshot, size) == 0)
        return NULL;
    memcpy(head, snapshot, sizeof head);
    *length = (size_t)head[NOTE];
    return (const char *)snapshot + sizeof head;
}

unsigned char *resign_ensemble(const void *snapshot, size_t size, const char *note, size_t length,
                               size_t *signed_size)
{
    const unsigned char *from = snapshot;
    uint64_t head[HEAD];
    const size_t constant = constant_bytes(from, size);
    if (constant == 0)
        return NULL;
    memcpy(head, from, sizeof head);
    const size_t old = filled_up(head[NOTE]);
    if (note == NULL) {
        note = (const char *)from + sizeof head;
        length = (size_t)head[NOTE];
    }
    const size_t whole = size - old + filled_up(length), at = sizeof head + filled_up(length);
    unsigned char *to = calloc(1, whole);
    if (to == NULL)
        return NULL;
    head[NOTE] = length;
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, note, length);
    memcpy(to + at, from + sizeof head + old, size - sizeof head - old);
    const uint64_t hash = hash_of(to, at + constant);
    memcpy(to + at + constant, &hash, sizeof hash);
    *signed_size = whole;
    return to;
}
