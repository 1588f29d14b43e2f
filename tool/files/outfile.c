/* outfile.c - an output file that is whole or not there. */
#define _GNU_SOURCE /* asprintf */
#include "tool/files/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/hash.h"
#include "tool/files/file_text.h"

#define PERMISSIONS 0777
#define NEW_FILE    0666 /* less what umask takes away */
#define ATTEMPTS    100  /* at a name beside the file that is not taken */
#define MOST_LINKS  40   /* that lead to each other, as in Linux */
#define LONGEST     4096 /* bytes of what a link says */
#define BESIDE      ".tmp-"
#define PARTIAL     ".partial"
#define ROW_COUNT   "0123456789, )}\n" /* what the head of an array has where it says how many */

/* The length of the folder's part of a path, its last slash counted. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return 0;
    return (size_t)(slash - path) + 1;
}

/* Two texts as one, to be freed; NULL without memory. */
static char *joined(const char *one, size_t length, const char *other)
{
    char *all;
    if (asprintf(&all, "%.*s%s", (int)length, one, other) < 0)
        return NULL;
    return all;
}

/* Follows the links that a path ends in, also to what is not there yet. */
static bool follow_links(char **path)
{
    char link_text[LONGEST];
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t length = readlink(*path, link_text, sizeof link_text - 1);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT; /* no link; nothing */
        link_text[length] = '\0';
        const size_t before = link_text[0] == '/' ? 0 : folder_length(*path);
        char *target = joined(*path, before, link_text);
        if (target == NULL)
            return false;
        free(*path);
        *path = target;
    }
    errno = ELOOP;
    return false;
}

/* Whether two files that are there are one. */
static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether two paths, of which nothing is there, have one name in one folder. */
static bool same_name(const char *one, const char *other)
{
    struct stat a, b;
    const size_t length = folder_length(one), other_length = folder_length(other);
    if (strcmp(one + length, other + other_length) != 0)
        return false;
    char *folder = joined(one, length, "."), *other_folder = joined(other, other_length, ".");
    const bool same = folder != NULL && other_folder != NULL && stat(folder, &a) == 0 &&
                      stat(other_folder, &b) == 0 && same_file(&a, &b);
    free(folder);
    free(other_folder);
    return same;
}

bool outfile_same_place(const char *one, const char *other)
{
    struct stat a, b;
    if (strcmp(one, other) == 0)
        return true;
    const bool one_is_there = stat(one, &a) == 0, other_is_there = stat(other, &b) == 0;
    if (one_is_there && other_is_there)
        return same_file(&a, &b);
    if (one_is_there || other_is_there)
        return false;
    char *target = strdup(one), *other_target = strdup(other);
    const bool same = target != NULL && other_target != NULL && follow_links(&target) &&
                      follow_links(&other_target) && same_name(target, other_target);
    free(target);
    free(other_target);
    return same;
}

/* Opens a new file next to out->path and sets out->beside to its name. */
static int open_beside(outfile *out)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        free(out->beside);
        out->beside = NULL;
        if (asprintf(&out->beside, "%s" BESIDE "%ld-%d", out->path, (long)getpid(), i) < 0)
            return -1;
        const int fd = open(out->beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Opens the place of an existing file: in place if it is no regular one; beside, with the
 * same permissions, if it is. */
static int open_existing(outfile *out, const struct stat *there)
{
    if (S_ISDIR(there->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!S_ISREG(there->st_mode))
        return open(out->path, O_WRONLY | O_CLOEXEC);
    if (access(out->path, W_OK) != 0)
        return -1;
    const int fd = open_beside(out);
    if (fd >= 0)
        (void)fchmod(fd, there->st_mode & PERMISSIONS); /* if not, the default will do */
    return fd;
}

static outfile *all_open;

static void outfile_free(outfile *out)
{
    for (outfile **at = &all_open; *at != NULL; at = &(*at)->next) {
        if (*at == out) {
            *at = out->next;
            break;
        }
    }
    free(out->path);
    free(out->beside);
    free(out);
}

bool outfile_is_open(const char *path)
{
    for (const outfile *at = all_open; at != NULL; at = at->next) {
        if (at->beside != NULL && outfile_same_place(at->path, path))
            return true;
    }
    return false;
}

outfile *outfile_open(const char *path)
{
    struct stat there;
    outfile *out = calloc(1, sizeof *out);
    if (out == NULL)
        return NULL;
    out->head = out->fd = -1;
    out->path = strdup(path);
    if (out->path != NULL && follow_links(&out->path)) {
        if (stat(out->path, &there) == 0)
            out->fd = open_existing(out, &there);
        else
            out->fd = open_beside(out);
    }
    if (out->fd < 0) {
        const int error = errno;
        outfile_free(out);
        errno = error;
        return NULL;
    }
    out->live = isatty(out->fd) == 1;
    out->next = all_open;
    all_open = out;
    return out;
}

outfile *outfile_standard(void)
{
    outfile *out = calloc(1, sizeof *out);
    if (out == NULL)
        return NULL;
    out->head = -1;
    out->fd = STDOUT_FILENO;
    out->live = isatty(out->fd) == 1;
    return out;
}

/* The end of the last whole piece within the first bytes of the buffer. */
static size_t last_end(const outfile *out, size_t bytes)
{
    while (bytes > 0 && (out->ends[bytes / 8] >> bytes % 8 & 1) == 0)
        bytes--;
    return bytes;
}

void outfile_begin_piece(outfile *out)
{
    out->within = true;
}

void outfile_end_piece(outfile *out)
{
    out->within = false;
    out->ends[out->used / 8] |= (unsigned char)(1U << out->used % 8);
    if (out->live)
        outfile_flush(out);
}

/* Writes bytes, at a place unless that is negative; returns how many, and sets *error if these
 * are not all. A signal does not stop it, so that rows stay whole, but the third one in vain does: the
 * reader of a pipe may never read. timeout(1) sends two at once. */
static size_t write_bytes(int fd, long long place, const char *bytes, size_t length, int *error)
{
    enum { MOST_SIGNALS = 2 };
    size_t done = 0;
    int woken = 0;
    while (done < length && *error == 0) {
        ssize_t n;
        if (place < 0)
            n = write(fd, bytes + done, length - done);
        else
            n = pwrite(fd, bytes + done, length - done, (off_t)(place + (long long)done));
        if (n < 0 && errno == EINTR)
            woken = woken + 1;
        else
            woken = 0;
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR || woken > MOST_SIGNALS)
            *error = errno;
    }
    return done;
}

/* Writes out the buffer, or takes note of the error and cuts the file back to whole pieces. */
static void put(outfile *out)
{
    if (out->hashing)
        out->hash = hash_bytes(out->hash, out->buffer, out->used);
    const size_t done = write_bytes(out->fd, -1, out->buffer, out->used, &out->error),
                 end = last_end(out, done);
    if (end > 0 || (out->ends[0] & 1) != 0)
        out->whole = out->written + (long long)end;
    out->written += (long long)done;
    if (out->error != 0 && out->beside != NULL && ftruncate(out->fd, (off_t)out->whole) != 0)
        out->whole = -1; /* cannot be cut: not to be kept */
}

void outfile_flush(outfile *out)
{
    if (out->error == 0)
        put(out);
    out->used = 0;
    memset(out->ends, 0, sizeof out->ends);
}

void outfile_write(outfile *out, const void *piece, size_t length)
{
    const char *at = piece;
    out->asked += (long long)length;
    while (out->error == 0 && length > 0) {
        const size_t n = smaller_size(length, OUTFILE_CAPACITY - out->used);
        memcpy(out->buffer + out->used, at, n);
        out->used += n;
        at += n;
        length -= n;
        if (length > 0)
            outfile_flush(out);
    }
    if (!out->within)
        outfile_end_piece(out);
}

void outfile_print(outfile *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    outfile_vprint(out, format, values);
    va_end(values);
}

void outfile_vprint(outfile *out, const char *format, va_list values)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        const size_t room = OUTFILE_CAPACITY - out->used;
        va_list again;
        va_copy(again, values);
        const int length = vsnprintf(out->buffer + out->used, room, format, again);
        va_end(again);
        if (length >= 0 && (size_t)length < room) {
            if (out->path == NULL)
                text_clean(out->buffer + out->used, (size_t)length, true);
            out->used += (size_t)length;
            out->asked += length;
            if (!out->within)
                outfile_end_piece(out);
            return;
        }
        outfile_flush(out);
    }
    if (out->error == 0)
        out->error = EOVERFLOW;
}

void outfile_replace(outfile *out, const void *bytes, size_t length)
{
    int error = 0;
    if (out->whole >= 0 && write_bytes(out->fd, 0, bytes, length, &error) < length) {
        if (out->error == 0)
            out->error = error;
        out->whole = -1; /* half of it is new: not to be kept */
    }
}

void outfile_again(outfile *out)
{
    if (out->failure == 0)
        out->failure = out->error;
    out->error = lseek(out->fd, 0, SEEK_SET) == 0 ? 0 : errno;
    out->whole = out->written = out->asked = out->head = 0;
    out->used = 0;
    memset(out->ends, 0, sizeof out->ends);
}

void outfile_begin_rows(outfile *out)
{
    out->head = out->asked;
}

void outfile_hash_rows(outfile *out)
{
    outfile_flush(out);
    out->hashing = true;
    out->hash = HASH_BEGIN;
}

/* Waits until the descriptor's file is on the disk; where that cannot be asked for, it is
 * taken for done. */
static int settle(int fd)
{
    int status;
    do
        status = fsync(fd);
    while (status != 0 && errno == EINTR);
    if (status == 0 || errno == EINVAL)
        return 0;
    return errno;
}

int outfile_sync(outfile *out)
{
    outfile_flush(out);
    if (out->error == 0 && out->beside != NULL)
        out->error = settle(out->fd);
    return out->error;
}

/* Reads bytes at a place, as pread() does; a signal does not stop it. */
static ssize_t read_bytes(int fd, char *bytes, size_t length, long long place)
{
    ssize_t n;
    do
        n = pread(fd, bytes, length, (off_t)place);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Reads the rows of a file and either hashes them or adds them to `out`. */
static bool pass_rows(int fd, long long from, long long bytes, uint64_t *hash, outfile *out)
{
    char piece[4096];
    for (long long done = 0; done < bytes;) {
        const long long left = bytes - done;
        const size_t wanted = left < (long long)sizeof piece ? (size_t)left : sizeof piece;
        const ssize_t n = read_bytes(fd, piece, wanted, from + done);
        if (n <= 0)
            return false;
        if (out != NULL)
            outfile_write(out, piece, (size_t)n);
        else
            *hash = hash_bytes(*hash, piece, (size_t)n);
        done += n;
    }
    return true;
}

bool outfile_is_beside(const char *place, const char *path)
{
    char *target = strdup(place);
    const bool followed = target != NULL && follow_links(&target);
    bool beside = false;
    if (followed) {
        const size_t length = strlen(target);
        beside = strncmp(path, target, length) == 0 &&
                 strncmp(path + length, BESIDE, strlen(BESIDE)) == 0 &&
                 strchr(path + length, '/') == NULL;
    }
    free(target);
    return beside;
}

char *outfile_partial(const char *place)
{
    char *target = strdup(place);
    char *partial = NULL;
    if (target != NULL && follow_links(&target))
        partial = joined(target, strlen(target), PARTIAL);
    free(target);
    return partial;
}

/* Opens an ordinary file to read it; -1 of others. */
static int open_ordinary(const char *path)
{
    struct stat there;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &there) != 0 || !S_ISREG(there.st_mode))) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* Whether two files have the same bytes between two places, or both end before the second. Digits may
 * be others if `digits`. */
static bool same_bytes(int one, int other, long long from, long long bytes, bool digits)
{
    char a[4096], b[sizeof a];
    for (long long at = from; at < bytes;) {
        const size_t wanted = bytes - at < (long long)sizeof a ? (size_t)(bytes - at) : sizeof a;
        const ssize_t n = read_bytes(one, a, wanted, at), m = read_bytes(other, b, wanted, at);
        if (n < 0 || n != m)
            return false;
        if (n == 0)
            return true;
        for (ssize_t i = 0; i < n; i++) {
            const bool both =
                digits && strchr(ROW_COUNT, a[i]) != NULL && strchr(ROW_COUNT, b[i]) != NULL;
            if (a[i] != b[i] && !both)
                return false;
        }
        at += n;
    }
    return true;
}

bool outfile_copy_rows(outfile *out, const char *from, long long bytes, uint64_t hash, bool copy)
{
    const int fd = open_ordinary(from);
    uint64_t found = HASH_BEGIN;
    const bool same = fd >= 0 && bytes > 0 && same_bytes(fd, out->fd, 0, out->head, true) &&
                      pass_rows(fd, out->head, bytes, &found, NULL) && found == hash &&
                      (!copy || pass_rows(fd, out->head, bytes, NULL, out));
    if (fd >= 0)
        (void)close(fd);
    outfile_flush(out);
    return same;
}

bool outfile_begins_with(const outfile *out, const char *path)
{
    struct stat there;
    const int fd = open_ordinary(path);
    const bool same = fd >= 0 && fstat(fd, &there) == 0 && (long long)there.st_size > out->head &&
                      (long long)there.st_size <= out->written &&
                      same_bytes(fd, out->fd, 0, out->head, true) &&
                      same_bytes(fd, out->fd, out->head, (long long)there.st_size, false);
    if (fd >= 0)
        (void)close(fd);
    return same;
}

bool outfile_ends_in_rows(const char *path, long long bytes, uint64_t hash)
{
    struct stat there;
    const int fd = open_ordinary(path);
    uint64_t found = HASH_BEGIN;
    const bool same = fd >= 0 && fstat(fd, &there) == 0 && (long long)there.st_size >= bytes &&
                      pass_rows(fd, (long long)there.st_size - bytes, bytes, &found, NULL) &&
                      found == hash;
    if (fd >= 0)
        (void)close(fd);
    return same;
}

/* Waits until the name of a file is on the disk; its folder may be none that can be read. */
static void settle_folder(const char *path)
{
    const size_t length = folder_length(path);
    char *folder = joined(path, length, ".");
    int fd = -1;
    if (folder != NULL)
        fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)settle(fd);
        (void)close(fd);
    }
    free(folder);
}

/* Gives what was written beside its name; false, with errno, if that cannot be: what is there now is
 * no ordinary file, or the folder refuses. */
static bool put_in_place(outfile *out, const char *name)
{
    struct stat there;
    if (lstat(name, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = EEXIST;
        return false;
    }
    if (rename(out->beside, name) != 0)
        return false;
    settle_folder(name);
    return true;
}

/* Whether the file in its place has the bytes of this one. */
static bool is_there_already(const outfile *out)
{
    const int fd = open_ordinary(out->path);
    const bool same = fd >= 0 && same_bytes(fd, out->fd, 0, LLONG_MAX, false);
    if (fd >= 0)
        (void)close(fd);
    return same;
}

/* Ends what is written beside: in its place, or of a failed one the rows as a file of their
 * own, whose name is returned; else it goes. */
static char *finish_beside(outfile *out)
{
    if (out->failure != 0) { /* less than there was to write */
        if (out->error != 0 || ftruncate(out->fd, (off_t)out->whole) != 0)
            out->whole = -1;
        out->error = out->failure;
    }
    const int error = settle(out->fd);
    if (error != 0) {
        if (out->error == 0)
            out->error = error;
        out->whole = -1; /* who knows what the disk holds */
    }
    if (out->only_same && out->error == 0 && !is_there_already(out)) {
        out->error = EEXIST;
        out->whole = -1;
    }
    if (close(out->fd) != 0 && out->error == 0)
        out->error = errno;
    if (out->error == 0 && out->only_same) { /* it is in its place already */
        (void)unlink(out->beside);
        return NULL;
    }
    if (out->error == 0 && put_in_place(out, out->path))
        return NULL;
    if (out->error == 0)
        out->error = errno;
    if (!(out->head >= 0 && out->whole > out->head)) {
        (void)unlink(out->beside);
        return NULL;
    }
    char *partial = joined(out->path, strlen(out->path), PARTIAL);
    if (partial != NULL && put_in_place(out, partial))
        return partial;
    free(partial);
    if (access(out->beside, F_OK) != 0) /* somebody has removed it, or its folder */
        return NULL;
    partial = out->beside; /* the rows stay where they are */
    out->beside = NULL;
    return partial;
}

int outfile_close(outfile *out, char **partial)
{
    char *kept = NULL;
    outfile_flush(out);
    if (out->beside != NULL)
        kept = finish_beside(out);
    else if (out->path != NULL && close(out->fd) != 0 && out->error == 0)
        out->error = errno;
    if (partial != NULL)
        *partial = kept;
    else
        free(kept);
    const int error = out->error;
    outfile_free(out);
    return error;
}

void outfile_discard(outfile *out)
{
    if (out == NULL)
        return;
    if (out->path != NULL)
        (void)close(out->fd);
    if (out->beside != NULL)
        (void)unlink(out->beside);
    outfile_free(out);
}

void outfile_discard_all(void)
{
    while (all_open != NULL)
        outfile_discard(all_open);
}
