/* ensemble_snapshot.c - the rows of many bodies, in memory or in a file that is mapped.
 *
 * The file: magic, the hash of what the rows follow from, the numbers of bodies and of numbers a
 * body, the bytes of the words; then folder and words, each ended by a zero byte, up to a multiple
 * of eight; the status of each body; the rows. It has all its bytes from the beginning, so that a
 * full disk is known before the run.
 */
#define _POSIX_C_SOURCE 200809L
#include "request.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/memory.h"

static const char MAGIC[8] = "PHensem1";
enum { PATH_BYTES = 4096, WORD = sizeof(uint64_t) };

typedef struct snapshot_head {
    char magic[WORD];
    uint64_t hash, bodies, numbers, words;
} snapshot_head;

/* Adds a word and its zero byte. */
static void add_word(char **text, size_t *size, const char *word)
{
    const size_t length = strlen(word) + 1;
    *text = memory_more(*text, *size + length + WORD, 1);
    memcpy(*text + *size, word, length);
    *size += length;
}

/* The folder and the words of the command, one after the other, of which there are *size bytes. */
static char *command_text(const arguments *given, size_t *size)
{
    char folder[PATH_BYTES] = "", *text = NULL;
    if (getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0'; /* which is not there when the run goes on */
    add_word(&text, size, folder);
    for (size_t i = 0; i < given->count; i++) {
        const option *o = given->given[i].option;
        add_word(&text, size, o->name);
        if (o->value[0] != '\0')
            add_word(&text, size, given->given[i].value);
    }
    for (size_t i = 0; i < given->operands; i++)
        add_word(&text, size, given->operand[i]);
    *size += (WORD - *size % WORD) % WORD; /* zeros */
    return text;
}

static void set_parts(ensemble_store *s, size_t before, size_t bodies)
{
    s->status = (int64_t *)((char *)s->map + before);
    s->rows = (void *)(s->status + bodies);
}

/* The map of a file of so many bytes; those that are not there yet are taken on the disk. */
static int map_file(ensemble_store *s, const char *path, bool make, size_t size)
{
    const int fd = open(
        path, make ? O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC : O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail_create(path, errno);
    const int error = make ? posix_fallocate(fd, 0, (off_t)size) : 0;
    void *map = error == 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                           : MAP_FAILED;
    (void)close(fd);
    if (error != 0 && make)
        (void)unlink(path);
    if (error != 0)
        return fail_write(path, error, "", NULL);
    if (map == MAP_FAILED)
        return fail_memory();
    s->map = map;
    return 0;
}

static int open_file(ensemble_store *s, const run_request *r, const snapshot_head *head,
                     const char *words)
{
    const size_t before = sizeof *head + head->words,
                 size = before + head->bodies * (1 + head->numbers) * WORD;
    struct stat there;
    TRY(file_refuse(r->checkpoint));
    REFUSE_IF(
        r->resumed && (stat(r->checkpoint, &there) != 0 || (size_t)there.st_size != size),
        WORDS ": what the run is made of has changed: start it again", r->checkpoint);
    TRY(map_file(s, r->checkpoint, !r->resumed, size));
    set_parts(s, before, head->bodies);
    if (r->resumed) {
        REFUSE_IF(memcmp(s->map, head, sizeof *head) != 0,
                  WORDS ": what the run is made of has changed: start it again",
                  r->checkpoint);
        return 0;
    }
    memcpy((char *)s->map + sizeof *head, words, head->words);
    for (size_t i = 0; i < head->bodies; i++)
        s->status[i] = -1;
    memcpy(s->map, head, sizeof *head); /* now it is one */
    return 0;
}

int store_open(ensemble_store *s, const run_request *r, size_t bodies, size_t numbers,
               uint64_t hash)
{
    snapshot_head head = {.hash = hash, .bodies = bodies, .numbers = numbers};
    if (bodies > SIZE_MAX / WORD / 4 / (numbers + 1))
        return fail_memory();
    if (r->checkpoint == NULL) {
        s->map = memory_new(bodies, (1 + numbers) * WORD);
        set_parts(s, 0, bodies);
        for (size_t i = 0; i < bodies; i++)
            s->status[i] = -1;
        return 0;
    }
    memcpy(head.magic, MAGIC, sizeof head.magic);
    size_t length = 0;
    const char *words = command_text(r->given, &length);
    head.words = length;
    return open_file(s, r, &head, words);
}

bool store_is(const char *path)
{
    return file_begins(path, MAGIC, sizeof MAGIC);
}

char **store_command(const char *path, int *count)
{
    enum { MOST = 1 << 20 };
    snapshot_head head;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = fd >= 0 && read(fd, &head, sizeof head) == (ssize_t)sizeof head &&
                         head.words > 0 && head.words < MOST
                     ? memory_new(head.words, 1)
                     : NULL;
    char **words = text ? memory_new(head.words, sizeof *words) : NULL;
    const bool whole = words != NULL &&
                       read(fd, text, head.words) == (ssize_t)head.words &&
                       text[head.words - 1] == '\0';
    if (fd >= 0)
        (void)close(fd);
    *count = 0;
    for (size_t at = 0; whole && at < head.words; at += strlen(text + at) + 1)
        words[(*count)++] = text + at;
    while (*count > 1 &&
           words[*count - 1][0] == '\0') /* what fills the last eight bytes */
        --*count;
    if (whole && chdir(words[0]) == 0)
        return words;
    if (!whole)
        (void)fail_usage(WORDS " is damaged: start the run again", path);
    else
        (void)fail_usage(WORDS ": the folder " WORDS " of the run is not there: make it",
                         path, words[0]);
    return NULL;
}
