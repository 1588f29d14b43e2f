#include "support/snapshot_note.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "polhode/polhode.h"
#include "support/resign.h"

static unsigned char *read_bytes(FILE *f, size_t *size)
{
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    unsigned char *bytes = malloc(*size + 1);
    rewind(f);
    assert_true(bytes != NULL && fread(bytes, 1, *size, f) == *size);
    (void)fclose(f);
    return bytes;
}

void snapshot_alter(const char *from, const char *to, const char *key, const char *value)
{
    size_t size, length, whole;
    FILE *f = fopen(from, "rb");
    assert_non_null(f);
    unsigned char *bytes = read_bytes(f, &size);
    const char *text = ph_snapshot_note(bytes, size, &length);
    json_t *note = json_loadb(text, length, 0, NULL),
           *set = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    assert_true(note != NULL && (set != NULL || value == NULL));
    if (set != NULL)
        (void)json_object_set_new(note, key, set);
    char *words = json_dumps(note, JSON_COMPACT);
    unsigned char *other = resign(bytes, size, words, strlen(words), &whole);
    f = fopen(to, "wb");
    assert_true(other != NULL && f != NULL && fwrite(other, 1, whole, f) == whole &&
                fclose(f) == 0);
    json_decref(note);
    free(words);
    free(other);
    free(bytes);
}

uint64_t snapshot_steps(const char *path)
{
    size_t size;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return 0;
    unsigned char *bytes = read_bytes(f, &size);
    ph_system *s = NULL;
    assert_int_equal(ph_system_from_snapshot(bytes, size, &s), PH_OK);
    const uint64_t steps = ph_system_steps(s);
    ph_system_destroy(s);
    free(bytes);
    return steps;
}
