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
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < whole - WORD; i++)
        hash = (hash ^ to[i]) * 0x100000001b3u;
    put(to + whole - WORD, hash);
    *signed_size = whole;
    return to;
}
