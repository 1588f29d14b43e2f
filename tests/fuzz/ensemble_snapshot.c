/* ensemble_snapshot.c - snapshots of many bodies that were altered and signed again: resumed.
 *
 * If the first byte is even, the note follows, in which ~ is the folder; else bytes to be altered,
 * three for each: where, 16 bits from the end, and the value. All checksums are right then: those of the file, of
 * the starts of the bodies, and of the rows of those that are done.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz.h"
#include "support/resign.h"

enum { WORD = sizeof(uint64_t), BODIES = 3, ROWS = 3, COLUMNS = 7 };
enum { HEAD_WORDS = 6, STATUS_BITS = 8 };

static unsigned char *base;
static size_t base_size;

/* The snapshot of a run, as the tool writes it. */
static void make_base(void)
{
    char path[] = "/tmp/polhode-fuzz-XXXXXX";
    const int fd = mkstemp(path);
    require(fd >= 0 && close(fd) == 0, "there is a file");
    require(RUN_TOOL("run", "--problem", "heavy_top", "--scatter", "velocity=1%", "--samples", "3",
                     "--step", "0.1", "--time", "0:0.2@0.1", "--checkpoint", path, "--out",
                     "out.csv") == 0,
            "there is a snapshot");
    FILE *f = fopen(path, "rb");
    require(f != NULL && fseek(f, 0, SEEK_END) == 0, "it can be read");
    base_size = (size_t)ftell(f);
    base = malloc(base_size);
    rewind(f);
    require(base != NULL && fread(base, 1, base_size, f) == base_size, "it is read");
    (void)fclose(f);
    (void)unlink(path);
}

/* ---- checksums ------------------------------------------------------------------- */

static void sign_system(unsigned char *bytes, size_t size)
{
    const uint64_t hash = hash_bytes(HASH_BEGIN, bytes, size - WORD);
    for (int i = 0; i < WORD; i++)
        bytes[size - WORD + (size_t)i] = (unsigned char)(hash >> (8 * i));
}

/* Signs the starts of all bodies, as far as they can be told in altered bytes; then the rows. */
static void sign_bodies(unsigned char *s, size_t size)
{
    uint64_t head[HEAD_WORDS];
    memcpy(head, s, sizeof head);
    const uint64_t note = (head[3] + WORD - 1) / WORD * WORD, start = head[4],
                   filled = (start + WORD - 1) / WORD * WORD, places = head[5];
    const size_t at = sizeof head + (size_t)note;
    if (head[1] != BODIES || head[2] != ROWS * COLUMNS || note > size || start > size ||
        start < WORD || places > size ||
        size != at + filled + (places + BODIES * (places + 2) + 1) * WORD +
                    sizeof(double) * BODIES * ROWS * COLUMNS)
        return;
    sign_system(s + at, (size_t)start);
    unsigned char *place = s + at + filled, *words = place + places * WORD;
    for (int body = 0; body < BODIES; body++) {
        unsigned char *own = words + (size_t)body * (places + 1) * WORD;
        unsigned char *whole = malloc(filled);
        require(whole != NULL, "there is memory");
        for (int turn = 0; turn < 2; turn++) { /* to sign it, and to keep that */
            if (turn == 0)
                memcpy(whole, s + at, filled);
            for (uint64_t k = 0; k < places; k++) {
                uint64_t where;
                memcpy(&where, place + k * WORD, WORD);
                if (where >= filled / WORD)
                    continue;
                unsigned char *there = whole + where * WORD, *word = own + k * WORD;
                memcpy(turn == 0 ? there : word, turn == 0 ? word : there, WORD);
            }
            if (turn == 0)
                sign_system(whole, (size_t)start);
        }
        free(whole);
    }
    unsigned char *record = words + (BODIES * (places + 1) + 1) * WORD,
                  *rows = record + (size_t)BODIES * WORD;
    for (uint64_t body = 0; body < BODIES; body++) {
        uint64_t done;
        memcpy(&done, record + body * WORD, WORD);
        if (done % (1 << STATUS_BITS) == 0)
            continue;
        const uint64_t status = done % (1 << STATUS_BITS) - 1, by[] = {body, status};
        const size_t bytes = sizeof(double) * ROWS * COLUMNS;
        done = hash_bytes(hash_bytes(HASH_BEGIN, by, sizeof by), rows + body * bytes, bytes)
                   << STATUS_BITS |
               (status + 1);
        memcpy(record + body * WORD, &done, WORD);
    }
}

/* ---- what is altered ------------------------------------------------------------- */

/* The note with the folder in it, and no way out of that. */
static char *note_of(const uint8_t *data, size_t size, size_t *length)
{
    char folder[200];
    require(getcwd(folder, sizeof folder) != NULL, "there is a folder");
    char *note = malloc(size * (strlen(folder) + 1) + 1);
    require(note != NULL, "there is memory");
    *length = 0;
    for (size_t i = 0; i < size; i++) {
        const bool escape =
            data[i] == '\\' && i + 1 < size && (data[i + 1] == 'u' || data[i + 1] == '/');
        if (data[i] == '~')
            *length += (size_t)sprintf(note + *length, "%s/", folder);
        else
            note[(*length)++] = (char)(data[i] == '/' || escape ? '_' : data[i]);
    }
    return note;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { EDIT = 3 };
    if (base == NULL)
        make_base();
    if (size == 0)
        return 0;
    size_t whole = 0, length = 0;
    char *note = data[0] % 2 == 0 ? note_of(data + 1, size - 1, &length) : NULL;
    unsigned char *bytes = resign_ensemble(base, base_size, note, length, &whole), *last;
    require(bytes != NULL, "it is signed");
    for (size_t i = 1; note == NULL && i + EDIT <= size; i += EDIT)
        bytes[whole - 1 - ((size_t)data[i] << 8 | data[i + 1]) % whole] = data[i + 2];
    sign_bodies(bytes, whole);
    last = resign_ensemble(bytes, whole, NULL, 0, &whole);
    static const char *const words[][4] = {
        {"resume", "s"}, {"resume", "s", "--out", "out.csv"}, {"resume", "s", "--json"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        write_file("s", last ? last : bytes, whole);
        (void)run_tool(i == 0 ? 2 : i == 1 ? 4 : 3, words[i]);
    }
    free(note);
    free(bytes);
    free(last);
    empty_folder();
    return 0;
}
