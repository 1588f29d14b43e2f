/* ensemble_snapshot.c - the rows of many bodies, in memory or in a file that is mapped.
 *
 *   head      magic, and the sizes of what follows
 *   note      JSON: what was asked for (checkpoint.c)
 *   start     the snapshot of the first body at its start, as src/system/snapshot.c writes it
 *   places    at which words of eight bytes the snapshots of the other bodies differ from it
 *   words     of each body: these words, and the longest step that was found for a tolerance
 *   checksum  of all before
 *   records   of each body, a word: 0 until it is done, then its status and the checksum of its
 *             number, status and rows
 *   rows      of each body
 *
 * The file holds numbers and names: nothing in it is a command. It has all its bytes from the
 * beginning, so that a full disk is known before the run. A record is written when the rows of its
 * body are on the disk; so a body that is done has its rows, however the run was ended.
 */
#define _POSIX_C_SOURCE 200809L
#include "request.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"

static const char MAGIC[8] = "PHensem2", OLD_MAGIC[8] = "PHensem1";
enum { WORD = sizeof(uint64_t), STATUS_BITS = 8 };
#define STATUS_PLACE(code, number, text) PLACE_##code,
enum { PH_STATUS_LIST(STATUS_PLACE) STATUS_COUNT }; /* their numbers are 0, 1, 2, ... */
#undef STATUS_PLACE

typedef struct store_head {
    char magic[WORD];
    uint64_t bodies, numbers; /* bodies, and the numbers of the rows of each */
    uint64_t note, start;     /* bytes, each filled up to a whole number of words */
    uint64_t places;
} store_head;

struct store_file {
    char *map;
    size_t size;
    store_head head;
    const char *note;
    const unsigned char *start;
    const uint64_t *places, *words;
    uint64_t checksum;
    uint64_t *record;
    bool *ready;     /* of each body: its rows are complete, and not yet recorded */
    double recorded; /* when records were written last */
};

static size_t filled_up(size_t bytes)
{
    return (bytes + WORD - 1) / WORD * WORD;
}

/* ---- the starts of all bodies -------------------------------------------------------- */

static void save(const ph_system *s, store_starts *to, uint64_t *room)
{
    const size_t size = ph_system_save(s, NULL, 0);
    to->uneven = to->uneven || size != to->size;
    if (!to->uneven)
        (void)ph_system_save(s, room, size);
}

void store_compare(store_starts *to, size_t body, const ph_system *s)
{
    if (body == 0) {
        to->size = ph_system_save(s, NULL, 0);
        const size_t words = filled_up(to->size) / WORD;
        to->first = memory_new(words, WORD);
        to->room = memory_new(words, WORD);
        to->place = memory_new(words, WORD);
        to->differs = memory_new(words, sizeof *to->differs);
        save(s, to, to->first);
    }
    save(s, to, to->room);
    for (size_t k = 0; k < filled_up(to->size) / WORD; k++) {
        if (to->room[k] != to->first[k] && !to->differs[k]) {
            to->differs[k] = true;
            to->place[to->places++] = k;
        }
    }
}

void store_add(store_starts *to, size_t body, const ph_system *s)
{
    (void)body;
    save(s, to, to->room);
    for (size_t k = 0; k < to->places; k++)
        outfile_write(to->out, &to->room[to->place[k]], WORD);
    outfile_write(to->out, &s->longest, WORD);
}

/* ---- writing a file ----------------------------------------------------------------- */

static void write_filled(outfile *out, const void *bytes, size_t size)
{
    static const char zeros[WORD];
    outfile_write(out, bytes, size);
    outfile_write(out, zeros, filled_up(size) - size);
}

int store_begin(store_starts *from, const char *path, const char *note, size_t bodies,
                size_t numbers)
{
    store_head head = {.bodies = bodies,
                       .numbers = numbers,
                       .note = strlen(note),
                       .start = from->size,
                       .places = from->places};
    memcpy(head.magic, MAGIC, sizeof head.magic);
    if (bodies > SIZE_MAX / WORD / 4 / (numbers + 1))
        return fail_memory();
    REFUSE_IF(from->uneven, "--checkpoint cannot be used, because the initial states of these "
                            "bodies differ in size: remove it");
    REFUSE_IF(file_is_there(path) && !file_is_ordinary(path),
              "--checkpoint " WORDS ": it must be a regular file: name one", path);
    TRY(file_open(path, &from->out));
    outfile_hash_rows(from->out);
    write_filled(from->out, &head, sizeof head);
    write_filled(from->out, note, head.note);
    write_filled(from->out, from->first, from->size);
    write_filled(from->out, from->place, from->places * WORD);
    return 0;
}

uint64_t store_seal(store_starts *from, size_t bodies, size_t numbers)
{
    static const uint64_t none;
    outfile *out = from->out;
    outfile_flush(out);
    const uint64_t checksum = out->hash;
    outfile_write(out, &checksum, WORD);
    for (size_t i = 0; i < bodies; i++)
        outfile_write(out, &none, sizeof none);
    outfile_flush(out);
    if (out->error == 0)
        out->error =
            posix_fallocate(out->fd, (off_t)out->written, (off_t)(bodies * numbers * WORD));
    return checksum;
}

int store_end(store_starts *from, const char *path)
{
    return file_close(from->out, path, "");
}

/* ---- reading it ----------------------------------------------------------------------- */

static int damaged(const char *path)
{
    return fail_usage(WORDS " was truncated or altered: start the run again", path);
}

/* The record of a body that is done. */
static uint64_t record_of(const ensemble_store *s, size_t body, int64_t status)
{
    const uint64_t head[] = {body, (uint64_t)status};
    const uint64_t hash = hash_bytes(hash_bytes(HASH_BEGIN, head, sizeof head),
                                     s->rows + body * s->numbers, s->numbers * sizeof *s->rows);
    return hash << STATUS_BITS | (uint64_t)(status + 1);
}

/* Finds the parts of a mapped file. False if it is not whole. */
static bool find_parts(store_file *f)
{
    const store_head *h = &f->head;
    size_t left = f->size - sizeof *h;
    memcpy(&f->head, f->map, sizeof f->head);
    if (h->bodies == 0 || h->note > left || h->start > left || h->places > h->start ||
        filled_up(h->note) + filled_up(h->start) > left)
        return false;
    f->note = f->map + sizeof *h;
    f->start = (const unsigned char *)f->note + filled_up(h->note);
    left = (left - filled_up(h->note) - filled_up(h->start)) / WORD;
    const size_t others = 2; /* words of each body: the longest step, the record */
    if (h->numbers > left || h->places >= left ||
        h->bodies > left / (h->places + others + h->numbers))
        return false;
    f->places = (const uint64_t *)(f->start + filled_up(h->start));
    f->words = f->places + h->places;
    uint64_t *end = (uint64_t *)f->words + h->bodies * (h->places + 1);
    f->record = (uint64_t *)(end + 1);
    if (left != h->places + 1 + h->bodies * (h->places + others + h->numbers) ||
        f->size % WORD != 0)
        return false;
    for (size_t k = 0; k < h->places; k++)
        if (f->places[k] >= filled_up(h->start) / WORD)
            return false;
    f->checksum = *end;
    return f->checksum == hash_bytes(HASH_BEGIN, f->map, (size_t)((const char *)end - f->map));
}

static void unmap(void *file)
{
    store_file *f = file;
    (void)munmap(f->map, f->size);
}

/* Takes the bodies that are done. False if the rows of one were altered. */
static bool take_bodies(ensemble_store *s)
{
    const uint64_t statuses = (1 << STATUS_BITS) - 1;
    for (size_t i = 0; i < s->bodies; i++) {
        const uint64_t done = s->file->record[i];
        const int64_t status = (int64_t)(done & statuses) - 1;
        s->status[i] = status;
        if (done != 0 &&
            (status < PH_OK || status >= STATUS_COUNT || done != record_of(s, i, status)))
            return false;
    }
    return true;
}

bool store_is(const char *path)
{
    return file_begins(path, MAGIC, sizeof MAGIC) || file_begins(path, OLD_MAGIC, sizeof OLD_MAGIC);
}

typedef enum opening { OPENED, OLD_VERSION, UNREADABLE, NO_MEMORY, DAMAGED } opening;

/* Maps a file. UNREADABLE sets errno. */
static opening map_file(store_file *f, const char *path)
{
    struct stat there;
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return UNREADABLE;
    opening done = DAMAGED;
    f->size = 0;
    f->map = MAP_FAILED;
    if (fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > (off_t)sizeof f->head) {
        f->size = (size_t)there.st_size;
        f->map = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        done = NO_MEMORY;
    }
    (void)close(fd);
    if (f->map != MAP_FAILED)
        return OPENED;
    return done;
}

static opening open_store(ensemble_store *s, const char *path)
{
    if (file_begins(path, OLD_MAGIC, sizeof OLD_MAGIC))
        return OLD_VERSION;
    store_file *f = s->file = memory_new(1, sizeof *f);
    const opening mapped = map_file(f, path);
    if (mapped != OPENED)
        return mapped;
    memory_at_end(unmap, f);
    if (!find_parts(f))
        return DAMAGED;
    s->bodies = f->head.bodies;
    s->numbers = f->head.numbers;
    s->status = memory_new(s->bodies, sizeof *s->status);
    f->ready = memory_new(s->bodies, sizeof *f->ready);
    s->rows = (void *)(f->record + s->bodies);
    if (!take_bodies(s))
        return DAMAGED;
    return OPENED;
}

bool store_opens(ensemble_store *s, const char *path)
{
    return open_store(s, path) == OPENED;
}

int store_read(ensemble_store *s, const char *path)
{
    switch (open_store(s, path)) {
    case OLD_VERSION:
        return fail_usage(
            WORDS " was written by an older version and contains a command, which the tool does "
                  "not execute: start the run again",
            path);
    case UNREADABLE:
        return fail_create(path, errno);
    case NO_MEMORY:
        return fail_memory();
    case DAMAGED:
        return damaged(path);
    case OPENED:
        break;
    }
    return 0;
}

void store_open(ensemble_store *s, size_t bodies, size_t numbers)
{
    *s = (ensemble_store){.bodies = bodies,
                          .numbers = numbers,
                          .status = memory_new(bodies, sizeof *s->status),
                          .rows = memory_new(bodies, numbers * sizeof *s->rows)};
    for (size_t i = 0; i < bodies; i++)
        s->status[i] = STORE_NOT_DONE;
}

const char *store_note(const ensemble_store *s, size_t *length)
{
    *length = s->file->head.note;
    return s->file->note;
}

uint64_t store_checksum(const ensemble_store *s)
{
    return s->file->checksum;
}

ph_status store_body(const ensemble_store *s, const ph_problem *own, size_t body, ph_system **out)
{
    const store_file *f = s->file;
    const size_t size = f->head.start, places = f->head.places;
    const uint64_t *words = f->words + body * (places + 1);
    uint64_t *bytes = memory_block(filled_up(size));
    double longest;
    memcpy(bytes, f->start, filled_up(size));
    for (size_t k = 0; k < places; k++)
        bytes[f->places[k]] = words[k];
    memcpy(&longest, &words[places], sizeof longest);
    const ph_status status = ph_system_from_snapshot_of(own, bytes, size, out);
    free(bytes);
    if (status == PH_OK)
        (*out)->longest = longest >= 0.0 ? longest : 0.0;
    return status;
}

void store_commit(ensemble_store *s, double seconds)
{
    store_file *f = s->file;
    if (f == NULL || clock_now() - f->recorded < seconds)
        return;
    bool any = false;
    for (size_t i = 0; i < s->bodies; i++) {
        f->ready[i] = f->record[i] == 0 && s->status[i] != STORE_NOT_DONE;
        any = any || f->ready[i];
    }
    if (any)
        (void)msync(f->map, f->size, MS_SYNC);
    for (size_t i = 0; i < s->bodies && any; i++) {
        if (f->ready[i])
            f->record[i] = record_of(s, i, s->status[i]);
    }
    f->recorded = clock_now();
}
