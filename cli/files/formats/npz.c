/* npz.c - rows as an archive of NumPy arrays, one for each column, by its name; and
 * polhode.json, what they are about.
 *
 * A zip archive of stored files, PKWARE's APPNOTE 6.3: local headers (4.3.7) with their
 * files, the central directory (4.3.12) and its ends (4.3.14, 4.3.15, 4.3.16); sizes and places
 * in fields of 64 bits (4.5.3). Rows wait in a temporary file until their number is known.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/json.h"
#include "cli/files/record.h"

enum { NUMBER = 8, BYTE = 8, HEADER = 128, CHUNK = 1024, CODES = 256 };

typedef struct archive {
    FILE *rows;  /* doubles, as they are in memory */
    FILE *again; /* the same file, read */
    uint32_t code[CODES];
    char *list; /* the central directory */
    size_t listed, room, entries;
} archive;

static size_t room(const record *r)
{
    return r->columns->count * sizeof(double);
}

static bool begin(record *r)
{
    archive *a = calloc(1, sizeof *a);
    r->own = a;
    if (a == NULL)
        return false;
    for (uint32_t i = 0; i < CODES; i++) {
        uint32_t c = i;
        for (int k = 0; k < BYTE; k++)
            c = (c & 1u) ? c >> 1 ^ 0xEDB88320u : c >> 1; /* CRC-32 of zip, reflected */
        a->code[i] = c;
    }
    a->rows = tmpfile();
    if (a->rows == NULL)
        r->out->error = errno;
    return true;
}

static void write_row(record *r, const double *row)
{
    archive *a = r->own;
    if (r->out->error == 0 &&
        fwrite(row, sizeof *row, r->columns->count, a->rows) != r->columns->count)
        r->out->error = errno == 0 ? ENOSPC : errno;
}

static uint32_t checksum(const archive *a, uint32_t crc, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = a->code[(crc ^ at[i]) & 0xFF] ^ crc >> BYTE;
    return ~crc;
}

static char *put(char *at, uint64_t x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        *at++ = (char)(k < sizeof x ? x >> (BYTE * k) & 0xFF : 0);
    return at;
}

/* What local header and entry of the directory share: from the version needed on, up to the
 * lengths of name and extra field. */
static char *put_common(char *at, uint32_t crc, size_t name, size_t extra)
{
    const unsigned version = 45, stored = 0, time = 0, first_of_1980 = 0x21;
    at = put(at, version, 2);
    at = put(at, 0, 2);
    at = put(at, stored, 2);
    at = put(at, time, 2);
    at = put(at, first_of_1980, 2);
    at = put(at, crc, 4);
    at = put(at, UINT32_MAX, 4); /* the sizes are in the extra field */
    at = put(at, UINT32_MAX, 4);
    at = put(at, name, 2);
    return put(at, extra, 2);
}

enum { LOCAL_EXTRA = 20, LIST_EXTRA = 28, ENTRY = 128 + COLUMN_NAME };

/* The local header of a file of that size, and its entry in the list. */
static void begin_file(record *r, const char *name, uint64_t size, uint32_t crc)
{
    archive *a = r->own;
    char head[ENTRY], *at = head;
    const size_t length = strlen(name);
    const uint64_t place = (uint64_t)(r->out->whole + (long long)r->out->used);
    at = put(at, 0x04034B50u, 4);
    at = put_common(at, crc, length, LOCAL_EXTRA);
    memcpy(at, name, length);
    at = put(at + length, 1, 2);
    at = put(at, LOCAL_EXTRA - 4, 2);
    at = put(at, size, NUMBER);
    at = put(at, size, NUMBER);
    outfile_write(r->out, head, (size_t)(at - head));

    if (a->listed + ENTRY > a->room) {
        char *more = realloc(a->list, 2 * a->room + ENTRY);
        if (more == NULL) {
            r->out->error = ENOMEM;
            return;
        }
        a->list = more;
        a->room = 2 * a->room + ENTRY;
    }
    at = put(a->list + a->listed, 0x02014B50u, 4);
    at = put(at, 45, 2);
    at = put_common(at, crc, length, LIST_EXTRA);
    at = put(at, 0, 2 + 2 + 2 + 4); /* comment, disk, attributes */
    at = put(at, UINT32_MAX, 4);
    memcpy(at, name, length);
    at = put(at + length, 1, 2);
    at = put(at, LIST_EXTRA - 4, 2);
    at = put(at, size, NUMBER);
    at = put(at, size, NUMBER);
    at = put(at, place, NUMBER);
    a->listed = (size_t)(at - a->list);
    a->entries++;
}

/* Goes over a column: its bytes into the file, or into the checksum. */
static uint32_t pass_column(record *r, size_t which, uint32_t crc, bool write)
{
    archive *a = r->own;
    char bytes[CHUNK * NUMBER];
    size_t used = 0;
    rewind(a->again);
    for (unsigned long long i = 0; i < r->count && r->out->error == 0; i++) {
        uint64_t bits;
        if (fread(r->numbers, sizeof(double), r->columns->count, a->again) !=
            r->columns->count) {
            r->out->error = EIO;
            break;
        }
        memcpy(&bits, &r->numbers[which], sizeof bits);
        used = (size_t)(put(bytes + used, bits, NUMBER) - bytes);
        if (used < sizeof bytes && i + 1 < r->count)
            continue;
        if (write)
            outfile_write(r->out, bytes, used);
        else
            crc = checksum(a, crc, bytes, used);
        used = 0;
    }
    return crc;
}

static void write_column(record *r, size_t which)
{
    const archive *a = r->own;
    char header[HEADER], name[COLUMN_NAME + sizeof ".npy"];
    const size_t before = sizeof "\x93NUMPY\1" + 2;
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\1", before - 2);
    (void)put(header + before - 2, HEADER - before, 2);
    const int length = snprintf(
        header + before, sizeof header - before,
        "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu,), }", r->count);
    header[before + (size_t)length] = ' ';
    header[HEADER - 1] = '\n';
    (void)snprintf(name, sizeof name, "%s.npy", r->columns->column[which].name);
    const uint32_t crc =
        pass_column(r, which, checksum(a, 0, header, sizeof header), false);
    begin_file(r, name, HEADER + r->count * NUMBER, crc);
    outfile_write(r->out, header, sizeof header);
    (void)pass_column(r, which, 0, true);
}

/* The directory and what says where it is. */
static void write_list(record *r)
{
    const archive *a = r->own;
    enum { END64 = 56, LOCATOR = 20, END = 22 };
    char tail[END64 + LOCATOR + END], *at = tail;
    const uint64_t place = (uint64_t)(r->out->whole + (long long)r->out->used);
    outfile_write(r->out, a->list, a->listed);
    at = put(at, 0x06064B50u, 4);
    at = put(at, END64 - 12, NUMBER);
    at = put(at, 45 | 45 << 16, 4);
    at = put(at, 0, 4 + 4);
    at = put(at, a->entries, NUMBER);
    at = put(at, a->entries, NUMBER);
    at = put(at, a->listed, NUMBER);
    at = put(at, place, NUMBER);
    at = put(at, 0x07064B50u, 4);
    at = put(at, 0, 4);
    at = put(at, place + a->listed, NUMBER);
    at = put(at, 1, 4);
    at = put(at, 0x06054B50u, 4);
    at = put(at, 0, 4);
    at = put(at, UINT16_MAX, 2);
    at = put(at, UINT16_MAX, 2);
    at = put(at, UINT32_MAX, 4);
    at = put(at, UINT32_MAX, 4);
    at = put(at, 0, 2);
    outfile_write(r->out, tail, (size_t)(at - tail));
}

/* Opens the rows for reading, and counts those that are whole: the disk they are on may be full,
 * too. */
static bool open_rows(record *r)
{
    archive *a = r->own;
    struct stat file;
    (void)fflush(a->rows);
    if (a->again == NULL)
        a->again = fdopen(dup(fileno(a->rows)), "rb");
    if (a->again == NULL || fstat(fileno(a->rows), &file) != 0) {
        r->out->error = errno;
        return false;
    }
    const unsigned long long whole = (unsigned long long)file.st_size / room(r);
    r->count = r->count < whole ? r->count : whole;
    return true;
}

static void end(record *r)
{
    archive *a = r->own;
    if (r->out->error != 0 || !open_rows(r))
        return;
    a->listed = a->entries = 0;
    for (size_t i = 0; i < r->columns->count; i++)
        write_column(r, i);
    json_t *about = about_json(r);
    char *text = about == NULL ? NULL : json_dumps(about, JSON_REAL_PRECISION(17));
    json_decref(about);
    if (text == NULL) {
        r->out->error = ENOMEM;
        return;
    }
    begin_file(r, "polhode.json", strlen(text), checksum(a, 0, text, strlen(text)));
    outfile_write(r->out, text, strlen(text));
    free(text);
    write_list(r);
}

static void free_own(record *r)
{
    archive *a = r->own;
    if (a->rows != NULL)
        (void)fclose(a->rows);
    if (a->again != NULL)
        (void)fclose(a->again);
    free(a->list);
    free(a);
}

const file_format format_npz = {
    .suffix = "npz",
    .text = "an archive of NumPy arrays",
    .needs_file = true,
    .at_end = true,
    .room = room,
    .begin = begin,
    .row = write_row,
    .end = end,
    .free = free_own,
};
