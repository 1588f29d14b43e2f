/* npz.c - reads an archive of arrays that numpy.savez has made, as a table.
 *
 * A zip archive, PKWARE's APPNOTE 6.3: at its end the number of entries and the place of their
 * list, the central directory (4.3.12, 4.3.16; of large archives 4.3.14); each entry, stored
 * without compression, is the file NAME.npy behind a local header (4.3.7).
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/npz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    END = 22,          /* bytes of the end record, before its comment */
    END64 = 56,        /* of that of a large archive */
    LOCATOR = 20,      /* which has its place */
    COMMENT = 65535,   /* of the end record, at most */
    LOCAL = 30,        /* bytes of a local header */
    CENTRAL = 46,      /* of an entry of the central directory */
    LONGEST = 1 << 20, /* of the central directory */
    AHEAD = 512,       /* numbers of a column that are read at once */
};
#define SMALL 0xFFFFFFFFu /* what stands for a number of 64 bits elsewhere */

/* A column: numbers of a type, `stride` bytes apart. */
typedef struct npz_column {
    char name[NPZ_NAME];
    npy_type type;
    uint64_t place; /* of the first */
    size_t stride;
    unsigned long long first, count; /* rows that are read ahead */
    double ahead[AHEAD];
} npz_column;

struct npz {
    int fd;
    uint64_t size;
    unsigned long long rows;
    size_t columns;
    npz_column *column;
    npy_header header; /* of the entry read last */
};

/* Reads bytes at a place; false unless all are there. */
static bool read_at(const npz *z, uint64_t place, void *to, size_t n)
{
    char *at = to;
    if (place > z->size || n > z->size - place)
        return false;
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(z->fd, at + done, n - done, (off_t)(place + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool begins_with(const char *bytes, const char *signature)
{
    return memcmp(bytes, signature, 4) == 0;
}

/* Where the central directory is, and how long. */
static bool find_directory(const npz *z, uint64_t *place, uint64_t *length)
{
    const size_t room = z->size < END + COMMENT ? (size_t)z->size : END + COMMENT;
    const uint64_t from = z->size - room;
    char *tail = room < END ? NULL : malloc(room);
    bool found = tail != NULL && read_at(z, from, tail, room);
    size_t at = found ? room - END : 0;
    while (found && at > 0 && !begins_with(tail + at, "PK\5\6"))
        at--;
    found = found && begins_with(tail + at, "PK\5\6");
    if (found) {
        *length = little_endian(tail + at + 12, 4);
        *place = little_endian(tail + at + 16, 4);
    }
    if (found && at >= LOCATOR && begins_with(tail + at - LOCATOR, "PK\6\7")) {
        char end[END64];
        found = read_at(z, little_endian(tail + at - LOCATOR + 8, 8), end, END64) &&
                begins_with(end, "PK\6\6");
        if (found) {
            *length = little_endian(end + 40, 8);
            *place = little_endian(end + 48, 8);
        }
    }
    free(tail);
    return found && *length <= LONGEST && *place <= z->size &&
           *length <= z->size - *place;
}

/* A number of an entry, from its extra field (4.5.3) where it does not fit: those that do not
 * stand there in this order. */
static bool widen(uint64_t *x, const char **extra, const char *end)
{
    if (*x != SMALL)
        return true;
    if (end - *extra < 8)
        return false;
    *x = little_endian(*extra, 8);
    *extra += 8;
    return true;
}

static bool add_column(npz *z, const char *name, size_t length, int number, npy_type type,
                       uint64_t place, size_t stride)
{
    npz_column *more = realloc(z->column, (z->columns + 1) * sizeof *more);
    if (more == NULL)
        return false;
    z->column = more;
    npz_column *c = &more[z->columns];
    memset(c, 0, offsetof(npz_column, ahead));
    c->type = type;
    c->place = place;
    c->stride = stride;
    if (number < 0)
        (void)snprintf(c->name, NPZ_NAME, "%.*s", (int)length, name);
    else
        (void)snprintf(c->name, NPZ_NAME, "%.*s%d", (int)length, name, number);
    for (size_t i = 0; i < z->columns; i++) {
        if (strcmp(more[i].name, c->name) == 0)
            return false;
    }
    z->columns++;
    return c->name[0] != '\0';
}

/* The columns of the array NAME.npy whose bytes begin at a place. */
static bool add_array(npz *z, const char *name, size_t length, uint64_t place,
                      uint64_t bytes)
{
    npy_header *h = &z->header;
    char head[NPY_LONGEST];
    const size_t room = bytes < sizeof head ? (size_t)bytes : sizeof head;
    const size_t four = 4, numbered = length > 4 && length < NPZ_NAME ? length - 4 : 0;
    if (numbered == 0 || memcmp(name + numbered, ".npy", four) != 0 ||
        !read_at(z, place, head, room))
        return false;
    const size_t header = npy_header_length(head, room);
    if (header == 0 || header > room || !npy_header_read(h, head, header))
        return false;
    size_t stride = 0;
    for (size_t k = 0; k < h->columns; k++)
        stride += npy_size(h->records ? h->type[k] : h->type[0]);
    if (z->columns > 0 && h->rows != z->rows)
        return false;
    z->rows = h->rows;
    if (stride == 0 || h->rows != (bytes - header) / stride ||
        (bytes - header) % stride != 0)
        return false;
    uint64_t at = place + header;
    for (size_t k = 0; k < h->columns; k++) {
        const npy_type type = h->records ? h->type[k] : h->type[0];
        const char *own = h->records ? h->name[k] : name;
        const int number = h->records || h->flat ? -1 : (int)k + (h->columns != 4);
        if (!add_column(z, own, h->records ? strlen(own) : numbered, number, type, at,
                        stride))
            return false;
        at += npy_size(type);
    }
    return true;
}

/* One entry of the central directory, moved past; what is wrong with it, or NULL. */
static const char *read_entry(npz *z, const char **at, const char *end)
{
    static const char broken[] = "is no archive of arrays, or broken: save it again by "
                                 "numpy.savez";
    const char *e = *at;
    if (end - e < CENTRAL || !begins_with(e, "PK\1\2"))
        return broken;
    const size_t name = (size_t)little_endian(e + 28, 2),
                 extra = (size_t)little_endian(e + 30, 2),
                 comment = (size_t)little_endian(e + 32, 2);
    if ((size_t)(end - e) < CENTRAL + name + extra + comment)
        return broken;
    *at = e + CENTRAL + name + extra + comment;
    uint64_t bytes = little_endian(e + 24, 4), stored = little_endian(e + 20, 4),
             place = little_endian(e + 42, 4);
    const char *field = e + CENTRAL + name, *fields_end = field + extra;
    while (fields_end - field >= 4) {
        const size_t length = (size_t)little_endian(field + 2, 2);
        const char *content = field + 4, *content_end = content + length;
        if (content_end > fields_end)
            return broken;
        if (little_endian(field, 2) == 1 && !(widen(&bytes, &content, content_end) &&
                                              widen(&stored, &content, content_end) &&
                                              widen(&place, &content, content_end)))
            return broken;
        field = content_end;
    }
    if (little_endian(e + 10, 2) != 0)
        return "is compressed: save it by numpy.savez, not savez_compressed";
    char local[LOCAL];
    if (stored != bytes || !read_at(z, place, local, LOCAL) ||
        !begins_with(local, "PK\3\4"))
        return broken;
    place += LOCAL + little_endian(local + 26, 2) + little_endian(local + 28, 2);
    if (place > z->size || bytes > z->size - place)
        return broken;
    if (name < 4 || memcmp(e + CENTRAL + name - 4, ".npy", 4) != 0)
        return NULL; /* another file beside the arrays */
    if (memchr(e + CENTRAL, '\0', name) != NULL)
        return "has an array with a NUL in its name: rename it";
    return add_array(z, e + CENTRAL, name, place, bytes)
               ? NULL
               : "has an array that is no column of numbers, or others of another length "
                 "or the same name: save arrays of doubles or integers, a row a case";
}

npz *npz_open(int fd, unsigned long long size, char message[NPZ_MESSAGE])
{
    npz *z = calloc(1, sizeof *z);
    uint64_t place = 0, length = 0;
    char *list = NULL;
    const char *wrong =
        "is no archive of arrays, or broken: save it again by numpy.savez";
    if (z == NULL) {
        (void)snprintf(message, NPZ_MESSAGE, "cannot be read: no memory is left");
        return NULL;
    }
    z->fd = fd;
    z->size = size;
    if (size == 0)
        wrong = "comes through a pipe, and an archive is read in any order: name a file";
    else if (find_directory(z, &place, &length) && (list = malloc(length + 1)) != NULL &&
             read_at(z, place, list, length)) {
        const char *at = list, *end = list + length;
        wrong = length == 0 ? "is empty: save arrays in it" : NULL;
        while (wrong == NULL && at < end)
            wrong = read_entry(z, &at, end);
        if (wrong == NULL && z->columns == 0)
            wrong = "has no arrays: save some in it";
    }
    free(list);
    if (wrong == NULL)
        return z;
    (void)snprintf(message, NPZ_MESSAGE, "%s", wrong);
    npz_close(z);
    return NULL;
}

void npz_close(npz *z)
{
    if (z != NULL)
        free(z->column);
    free(z);
}

size_t npz_columns(const npz *z)
{
    return z->columns;
}

unsigned long long npz_rows(const npz *z)
{
    return z->rows;
}

const char *npz_name(const npz *z, size_t column)
{
    return z->column[column].name;
}

/* Reads the numbers of a column from a row on. */
static bool read_ahead(npz *z, npz_column *c, unsigned long long row)
{
    char bytes[AHEAD * 8];
    const unsigned long long left = z->rows - row;
    c->first = row;
    c->count = left < AHEAD ? left : AHEAD;
    if (c->stride == npy_size(c->type)) {
        if (!read_at(z, c->place + row * c->stride, bytes, (size_t)c->count * c->stride))
            return false;
        for (size_t i = 0; i < c->count; i++)
            c->ahead[i] = npy_number(c->type, bytes + i * c->stride);
        return true;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!read_at(z, c->place + (row + i) * c->stride, bytes, npy_size(c->type)))
            return false;
        c->ahead[i] = npy_number(c->type, bytes);
    }
    return true;
}

bool npz_row(npz *z, unsigned long long i, double *row)
{
    for (size_t k = 0; k < z->columns; k++) {
        npz_column *c = &z->column[k];
        if ((i < c->first || i >= c->first + c->count) && !read_ahead(z, c, i))
            return false;
        row[k] = c->ahead[i - c->first];
    }
    return true;
}
