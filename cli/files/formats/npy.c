/* npy.c - rows as a NumPy array (npy): a two-dimensional one of little-endian doubles, without
 * the names of the columns. And as an archive of arrays (npz), one for each column, by its name,
 * with polhode.json, what they are about.
 *
 * An array begins with "\x93NUMPY", the version 1, 0, the length of the rest of the header as two
 * bytes, low one first, then a Python dictionary, blanks, and a line end
 * (https://numpy.org/neps/nep-0001-npy-format). An archive is a zip of stored files, PKWARE's
 * APPNOTE 6.3: local headers (4.3.7) with their files, the central directory (4.3.12) and its ends
 * (4.3.14, 4.3.15, 4.3.16); sizes and places in fields of 64 bits (4.5.3). Its rows wait in a
 * temporary file until their number is known.
 *
 * Read are arrays of rows, without names, or of records, whose fields are the columns; and archives
 * by numpy.savez of arrays of the same length: one of two dimensions gives columns NAME1, NAME2
 * ..., from NAME0 on where they are four, records give columns of their fields' names.
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
#include "cli/files/rows.h"
#include "cli/files/text.h"

#define MAGIC   "\x93NUMPY"
#define LOCAL   "PK\3\4" /* what local headers, entries of the directory */
#define ENTRY   "PK\1\2" /* and its ends begin with */
#define END     "PK\5\6"
#define END64   "PK\6\6"
#define LOCATOR "PK\6\7"
#define WIDE    0xFFFFFFFFu /* stands for a number of 64 bits elsewhere */

enum {
    NUMBER = 8,   /* bytes */
    BYTE = 8,     /* bits */
    HEADER = 128, /* bytes of an array's, a multiple of 64, as it is written */
    PROLOGUE = sizeof MAGIC - 1 + 2,
    LONGEST = 4096, /* bytes of a header that is read */
    FIELDS = 512,   /* of a record */
    AHEAD = 512,    /* numbers of a column that are read at once */
    CODES = 256,
    LOCAL_SIZE =
        30, /* bytes of the parts of an archive, without names and extra fields */
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    LOCAL_EXTRA = 20, /* of the extra fields that are written */
    ENTRY_EXTRA = 28,
    COMMENT = 65535,  /* after the end, at most */
    LARGEST = 1 << 20 /* central directory that is read */
};

static char *put(char *at, uint64_t x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        *at++ = (char)(k < sizeof x ? x >> (BYTE * k) & 0xFF : 0);
    return at;
}

static uint64_t get(const char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t k = n; k-- > 0;)
        x = x << BYTE | (unsigned char)at[k];
    return x;
}

static char *put_number(char *at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return put(at, bits, NUMBER);
}

/* ---- writing an array ------------------------------------------------------------- */

static size_t room(const record *r)
{
    return r->columns->count * NUMBER;
}

/* The header of an array of rows, of one dimension for no columns. */
static void make_header(char header[HEADER], unsigned long long rows, size_t columns)
{
    char second[24] = "", *at = header;
    if (columns > 0)
        (void)snprintf(second, sizeof second, " %zu", columns);
    memset(header, ' ', HEADER);
    memcpy(at, MAGIC "\1", PROLOGUE);
    at = put(at + PROLOGUE, HEADER - PROLOGUE - 2, 2);
    at += snprintf(at, HEADER - PROLOGUE - 2,
                   "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu,%s), }", rows,
                   second);
    *at = ' ';
    header[HEADER - 1] = '\n';
}

static bool begin_array(record *r)
{
    char header[HEADER];
    make_header(header, 0, r->columns->count);
    outfile_write(r->out, header, HEADER);
    return true;
}

static void write_array_row(record *r, const double *row)
{
    char *at = r->bytes;
    for (size_t i = 0; i < r->columns->count; i++)
        at = put_number(at, row[i]);
    outfile_write(r->out, r->bytes, room(r));
}

static void end_array(record *r)
{
    char header[HEADER];
    outfile_flush(r->out);
    if (r->out->whole < HEADER)
        return;
    r->count = ((unsigned long long)r->out->whole - HEADER) / room(r);
    make_header(header, r->count, r->columns->count);
    outfile_replace(r->out, header, HEADER);
}

/* ---- writing an archive ----------------------------------------------------------- */

typedef struct archive {
    FILE *rows;  /* doubles, as they are in memory */
    FILE *again; /* the same file, read */
    uint32_t code[CODES];
    char *list; /* the central directory */
    size_t listed, room, entries;
} archive;

static bool begin_archive(record *r)
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

static void write_archive_row(record *r, const double *row)
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

/* Numbers of so many bytes each, "4248" for four of them, one after the other. */
static char *put_all(char *at, const char *sizes, const uint64_t *x)
{
    for (size_t i = 0; sizes[i] != '\0'; i++)
        at = put(at, x[i], (size_t)(sizes[i] - '0'));
    return at;
}

/* What local header and entry of the directory share: from the version needed on, up to the
 * lengths of name and extra field. The sizes are in the extra field. */
static char *put_common(char *at, uint32_t crc, size_t name, size_t extra)
{
    const unsigned version = 45, stored = 0, time = 0, first_of_1980 = 0x21;
    return put_all(at, "2222244422",
                   (const uint64_t[]){version, 0, stored, time, first_of_1980, crc, WIDE,
                                      WIDE, name, extra});
}

/* The local header of a file of that size, and its entry in the list. */
static void begin_file(record *r, const char *name, uint64_t size, uint32_t crc)
{
    archive *a = r->own;
    enum { MOST = 128 + COLUMN_NAME };
    char head[MOST];
    const size_t length = strlen(name);
    const uint64_t place = (uint64_t)(r->out->whole + (long long)r->out->used),
                   extra[] = {1, LOCAL_EXTRA - 4, size, size},
                   list_extra[] = {1, ENTRY_EXTRA - 4, size, size, place};
    char *at = put_common(put(head, get(LOCAL, 4), 4), crc, length, LOCAL_EXTRA);
    memcpy(at, name, length);
    at = put_all(at + length, "2288", extra);
    outfile_write(r->out, head, (size_t)(at - head));

    if (a->listed + MOST > a->room) {
        char *more = realloc(a->list, 2 * a->room + MOST);
        if (more == NULL) {
            r->out->error = ENOMEM;
            return;
        }
        a->list = more;
        a->room = 2 * a->room + MOST;
    }
    at = put(put(a->list + a->listed, get(ENTRY, 4), 4), 45, 2);
    at = put_common(at, crc, length, ENTRY_EXTRA);
    at = put(at, 0, 2 + 2 + 2 + 4); /* comment, disk, attributes */
    at = put(at, WIDE, 4);
    memcpy(at, name, length);
    at = put_all(at + length, "22888", list_extra);
    a->listed = (size_t)(at - a->list);
    a->entries++;
}

/* Goes over a column: its bytes into the file, or into the checksum. */
static uint32_t pass_column(record *r, size_t which, uint32_t crc, bool write)
{
    archive *a = r->own;
    char bytes[LONGEST];
    size_t used = 0;
    rewind(a->again);
    for (unsigned long long i = 0; i < r->count && r->out->error == 0; i++) {
        if (fread(r->numbers, sizeof(double), r->columns->count, a->again) !=
            r->columns->count) {
            r->out->error = EIO;
            break;
        }
        used = (size_t)(put_number(bytes + used, r->numbers[which]) - bytes);
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
    char header[HEADER], name[COLUMN_NAME + sizeof ".npy"];
    make_header(header, r->count, 0);
    (void)snprintf(name, sizeof name, "%s.npy", r->columns->column[which].name);
    const uint32_t crc =
        pass_column(r, which, checksum(r->own, 0, header, HEADER), false);
    begin_file(r, name, HEADER + r->count * NUMBER, crc);
    outfile_write(r->out, header, HEADER);
    (void)pass_column(r, which, 0, true);
}

/* The directory and what says where it is. */
static void write_list(record *r)
{
    const archive *a = r->own;
    char tail[END64_SIZE + LOCATOR_SIZE + END_SIZE], *at = tail;
    const uint64_t place = (uint64_t)(r->out->whole + (long long)r->out->used),
                   end64[] = {END64_SIZE - 12, 45 | 45 << 16, 0,    a->entries,
                              a->entries,      a->listed,     place},
                   locator[] = {0, place + a->listed, 1},
                   end[] = {0, UINT16_MAX, UINT16_MAX, WIDE, WIDE, 0};
    outfile_write(r->out, a->list, a->listed);
    at = put_all(put(at, get(END64, 4), 4), "8488888", end64);
    at = put_all(put(at, get(LOCATOR, 4), 4), "484", locator);
    (void)put_all(put(at, get(END, 4), 4), "422442", end);
    outfile_write(r->out, tail, sizeof tail);
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

static void end_archive(record *r)
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

static void free_archive(record *r)
{
    archive *a = r->own;
    if (a->rows != NULL)
        (void)fclose(a->rows);
    if (a->again != NULL)
        (void)fclose(a->again);
    free(a->list);
    free(a);
}

/* ---- reading an array ------------------------------------------------------------- */

/* A number of an element: little-endian doubles, floats and signed integers. */
typedef enum npy_type { F8, I8, F4, I4, TYPES } npy_type;

typedef struct npy_header {
    size_t length;            /* bytes before the data */
    size_t stride;            /* bytes of a row */
    unsigned long long rows;  /* the first dimension */
    size_t columns;           /* the second, 1 if there is none; or fields of a record */
    bool flat;                /* there is no second */
    bool records;             /* the columns have names */
    npy_type type[FIELDS];    /* of the columns */
    const char *name[FIELDS]; /* within the text */
    char text[LONGEST + 1];
} npy_header;

static size_t size_of(npy_type type)
{
    return type < F4 ? 8 : 4;
}

static double get_number(npy_type type, const char *at)
{
    const uint64_t bits = get(at, size_of(type));
    const uint32_t half = (uint32_t)bits;
    double x;
    float y;
    int64_t n;
    if (type == F4) {
        memcpy(&y, &half, sizeof y);
        return y;
    }
    if (type == I8) {
        memcpy(&n, &bits, sizeof n);
        return (double)n;
    }
    if (type == I4)
        return half < 0x80000000u ? (double)half : (double)half - 0x1p32;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The type that stands quoted at the beginning of a text: '<f8'; or TYPES. */
static npy_type type_at(const char *text)
{
    static const char names[TYPES][6] = {"'<f8'", "'<i8'", "'<f4'", "'<i4'"};
    npy_type type = F8;
    while (type < TYPES && strncmp(text, names[type], strlen(names[type])) != 0)
        type++;
    return type;
}

/* How many bytes of the beginning of a file make its header; 0 if it is none, or too long. `size`
 * bytes are there. */
static size_t header_length(const char *bytes, size_t size)
{
    if (size < PROLOGUE + 4 || memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return 0;
    const size_t width = bytes[strlen(MAGIC)] == 1 ? 2 : 4, before = PROLOGUE + width;
    const uint64_t length = get(bytes + PROLOGUE, width);
    return length <= LONGEST - before ? before + (size_t)length : 0;
}

/* The fields of a record, [('NAME', '<f8'), ...]; the names live in the text. A name that Python
 * quotes otherwise is none that is read. */
static bool read_fields(npy_header *h, char *text)
{
    for (char *at = text + 1; *at != ']';) {
        if (h->columns == FIELDS || strncmp(at, "('", 2) != 0)
            return false;
        char *name = at + 2, *end = strchr(name, '\'');
        if (end == NULL || strncmp(end, "', ", 3) != 0)
            return false;
        const npy_type type = type_at(end + 3);
        if (type == TYPES || end[8] != ')')
            return false;
        *end = '\0';
        for (size_t i = 0; i < h->columns; i++) {
            if (strcmp(h->name[i], name) == 0)
                return false;
        }
        h->type[h->columns] = type;
        h->name[h->columns++] = name;
        at = end + 9;
        if (strncmp(at, ", ", 2) == 0)
            at += 2;
        else if (*at != ']')
            return false;
    }
    return h->columns > 0;
}

/* {'descr': '<f8', 'fortran_order': False, 'shape': (3, 10), }, or a list of fields and
 * the shape (3,). False if the array is none of rows of numbers. */
static bool read_header(npy_header *h, const char *bytes, size_t length)
{
    static const char descr[] = "'descr': ", by_rows[] = "'fortran_order': False",
                      shape[] = "'shape': (";
    const size_t before = PROLOGUE + (bytes[strlen(MAGIC)] == 1 ? 2 : 4);
    memset(h, 0, offsetof(npy_header, text));
    h->length = length;
    memcpy(h->text, bytes + before, length - before);
    h->text[length - before] = '\0';
    char *size = strstr(h->text, shape), *type = strstr(h->text, descr), *end;
    if (size == NULL || type == NULL || strstr(h->text, by_rows) == NULL)
        return false;
    size += strlen(shape);
    type += strlen(descr);
    h->rows = strtoull(size, &end, 10);
    if (end == size || *end != ',')
        return false;
    h->flat = strncmp(end, ",)", 2) == 0;
    h->records = *type == '[';
    if (h->records) {
        if (!h->flat || !read_fields(h, type))
            return false;
    } else {
        h->columns = h->flat ? 1 : (size_t)strtoull(end + 1, &end, 10);
        if ((!h->flat && *end != ')') || h->columns == 0 || h->columns > FIELDS)
            return false;
        for (size_t i = 0; i < h->columns; i++)
            h->type[i] = type_at(type);
    }
    for (size_t i = 0; i < h->columns; i++)
        h->stride += size_of(h->type[i]);
    return h->type[0] != TYPES;
}

static csv_status read_array_head(csv *c)
{
    const char *at;
    npy_header *h = c->own = calloc(1, sizeof *h);
    c->row = "row";
    if (h != NULL && csv_bytes(c, PROLOGUE + 4, &at) == CSV_OK) {
        const size_t length = header_length(at, PROLOGUE + 4);
        if (length > 0 && csv_bytes(c, length, &at) == CSV_OK &&
            read_header(h, at, length) && (h->records || !h->flat)) {
            c->begin += length;
            c->unnamed = !h->records;
            c->rows = h->rows;
            c->columns = h->columns;
            memcpy(c->column, h->name, sizeof h->name);
            return CSV_OK;
        }
    }
    return csv_wrong_file(c, "is no array of rows of doubles, or of records of doubles: "
                             "save numpy.ascontiguousarray(x, '<f8')");
}

static csv_status read_array_row(csv *c, double *row)
{
    const char *at;
    const npy_header *h = c->own;
    const csv_status status = csv_bytes(c, h->stride, &at);
    if (status == CSV_END && c->number == c->rows && c->begin == c->end)
        return CSV_END;
    c->number++;
    if (status == CSV_END || (status == CSV_OK && c->number > c->rows))
        return csv_wrong(c, ": the header has %llu rows: save the array again", c->rows);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++) {
        row[i] = get_number(h->type[i], at);
        at += size_of(h->type[i]);
    }
    c->begin += status == CSV_OK ? h->stride : 0;
    return status;
}

/* ---- reading an archive ----------------------------------------------------------- */

/* A column: numbers of a type, `stride` bytes apart. */
typedef struct npz_column {
    char name[CSV_NAME + 1];
    npy_type type;
    uint64_t place; /* of the first */
    size_t stride;
    unsigned long long first, count; /* rows that are read ahead */
    double ahead[AHEAD];
} npz_column;

static const char broken[] = "is no archive of arrays, or broken: save it again by "
                             "numpy.savez";

/* Reads bytes at a place; false unless all are there. */
static bool read_at(const csv *c, uint64_t place, void *to, size_t n)
{
    char *at = to;
    if (place > c->size || n > c->size - place)
        return false;
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(c->fd, at + done, n - done, (off_t)(place + done));
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
static bool find_directory(const csv *c, uint64_t *place, uint64_t *length)
{
    const size_t tail_size =
        c->size < END_SIZE + COMMENT ? (size_t)c->size : END_SIZE + COMMENT;
    char *tail = tail_size < END_SIZE ? NULL : malloc(tail_size);
    bool found = tail != NULL && read_at(c, c->size - tail_size, tail, tail_size);
    size_t at = found ? tail_size - END_SIZE : 0;
    while (found && at > 0 && !begins_with(tail + at, END))
        at--;
    found = found && begins_with(tail + at, END);
    if (found) {
        *length = get(tail + at + 12, 4);
        *place = get(tail + at + 16, 4);
    }
    if (found && at >= LOCATOR_SIZE && begins_with(tail + at - LOCATOR_SIZE, LOCATOR)) {
        char end[END64_SIZE];
        found = read_at(c, get(tail + at - LOCATOR_SIZE + 8, 8), end, END64_SIZE) &&
                begins_with(end, END64);
        if (found) {
            *length = get(end + 40, 8);
            *place = get(end + 48, 8);
        }
    }
    free(tail);
    return found && *length <= LARGEST && *place <= c->size &&
           *length <= c->size - *place;
}

/* Adds a column, with a number after its name unless that is negative. */
static bool add_column(csv *c, const char *name, int length, int number, npy_type type,
                       uint64_t place, size_t stride)
{
    npz_column *more = c->columns == CSV_COLUMNS
                           ? NULL
                           : realloc(c->own, (c->columns + 1) * sizeof *more);
    if (more == NULL)
        return false;
    c->own = more;
    npz_column *x = &more[c->columns++];
    memset(x, 0, offsetof(npz_column, ahead));
    x->type = type;
    x->place = place;
    x->stride = stride;
    if (number < 0)
        (void)snprintf(x->name, sizeof x->name, "%.*s", length, name);
    else
        (void)snprintf(x->name, sizeof x->name, "%.*s%d", length, name, number);
    for (npz_column *other = more; other < x; other++) {
        if (strcmp(other->name, x->name) == 0)
            return false;
    }
    return x->name[0] != '\0';
}

/* The columns of the array NAME.npy whose bytes begin at a place. */
static bool add_array(csv *c, const char *name, size_t length, uint64_t place,
                      uint64_t bytes)
{
    npy_header h;
    char head[LONGEST];
    const size_t start = bytes < sizeof head ? (size_t)bytes : sizeof head;
    if (length == 0 || length > CSV_NAME - 4 || !read_at(c, place, head, start))
        return false;
    const size_t header = header_length(head, start);
    if (header == 0 || header > start || !read_header(&h, head, header) ||
        (c->columns > 0 && h.rows != c->rows) || h.rows != (bytes - header) / h.stride ||
        (bytes - header) % h.stride != 0)
        return false;
    c->rows = h.rows;
    place += header;
    for (size_t k = 0; k < h.columns; k++) {
        const char *own = h.records ? h.name[k] : name;
        const int shown = h.records ? text_cut(own, CSV_NAME) : (int)length,
                  number = h.records || h.flat ? -1 : (int)k + (h.columns != 4);
        if (!add_column(c, own, shown, number, h.type[k], place, h.stride))
            return false;
        place += size_of(h.type[k]);
    }
    return true;
}

/* A number of an entry, from its extra field (4.5.3) where it does not fit: those that do not
 * stand there in this order. */
static bool widen(uint64_t *x, const char **extra, const char *end)
{
    if (*x != WIDE)
        return true;
    if (end - *extra < 8)
        return false;
    *x = get(*extra, 8);
    *extra += 8;
    return true;
}

/* One entry of the central directory, moved past; what is wrong with it, or NULL. */
static const char *read_entry(csv *c, const char **at, const char *end)
{
    const char *e = *at, *name = e + ENTRY_SIZE;
    if (end - e < ENTRY_SIZE || !begins_with(e, ENTRY))
        return broken;
    const size_t length = (size_t)get(e + 28, 2), extra = (size_t)get(e + 30, 2),
                 comment = (size_t)get(e + 32, 2);
    if ((size_t)(end - e) < ENTRY_SIZE + length + extra + comment)
        return broken;
    *at = name + length + extra + comment;
    uint64_t bytes = get(e + 24, 4), stored = get(e + 20, 4), place = get(e + 42, 4);
    const char *field = name + length, *fields_end = field + extra;
    while (fields_end - field >= 4) {
        const char *content = field + 4, *content_end = content + get(field + 2, 2);
        if (content_end > fields_end)
            return broken;
        if (get(field, 2) == 1 && !(widen(&bytes, &content, content_end) &&
                                    widen(&stored, &content, content_end) &&
                                    widen(&place, &content, content_end)))
            return broken;
        field = content_end;
    }
    if (get(e + 10, 2) != 0)
        return "is compressed: save it by numpy.savez, not savez_compressed";
    char local[LOCAL_SIZE];
    if (stored != bytes || !read_at(c, place, local, LOCAL_SIZE) ||
        !begins_with(local, LOCAL))
        return broken;
    place += LOCAL_SIZE + get(local + 26, 2) + get(local + 28, 2);
    if (place > c->size || bytes > c->size - place)
        return broken;
    if (length < 4 || memcmp(name + length - 4, ".npy", 4) != 0)
        return NULL; /* another file beside the arrays */
    if (memchr(name, '\0', length) != NULL)
        return "has an array with a NUL in its name: rename it";
    return add_array(c, name, length - 4, place, bytes)
               ? NULL
               : "has an array that is no column of numbers, or others of another length "
                 "or the same name: save arrays of doubles or integers, a row a case";
}

static csv_status read_archive_head(csv *c)
{
    uint64_t place = 0, length = 0;
    char *list = NULL;
    const char *wrong = broken;
    c->row = "row";
    if (c->size == 0) {
        wrong = "comes through a pipe, and an archive is read in any order: name a file";
    } else if (find_directory(c, &place, &length) &&
               (list = malloc(length + 1)) != NULL && read_at(c, place, list, length)) {
        const char *at = list;
        wrong = length == 0 ? "is empty: save arrays in it" : NULL;
        while (wrong == NULL && at < list + length)
            wrong = read_entry(c, &at, list + length);
        if (wrong == NULL && c->columns == 0)
            wrong = "has no arrays: save some in it";
    }
    free(list);
    if (wrong != NULL)
        return csv_wrong_file(c, wrong);
    c->ended = true; /* it is read by places */
    c->begin = c->end;
    for (size_t i = 0; i < c->columns; i++)
        c->column[i] = ((npz_column *)c->own)[i].name;
    return CSV_OK;
}

/* Reads the numbers of a column from a row on. */
static bool read_ahead(const csv *c, npz_column *x, unsigned long long row)
{
    char bytes[AHEAD * NUMBER] = {0};
    const unsigned long long left = c->rows - row, most = sizeof bytes / x->stride;
    x->first = row;
    x->count = left < most ? left : most;
    if (!read_at(c, x->place + row * x->stride, bytes,
                 (size_t)(x->count - 1) * x->stride + size_of(x->type)))
        return false;
    for (size_t i = 0; i < x->count; i++)
        x->ahead[i] = get_number(x->type, bytes + i * x->stride);
    return true;
}

static csv_status read_archive_row(csv *c, double *row)
{
    npz_column *x = c->own;
    if (c->number == c->rows)
        return CSV_END;
    if (*c->stop)
        return CSV_STOPPED;
    const unsigned long long i = c->number++;
    c->bytes =
        (unsigned long long)((double)c->size * (double)c->number / (double)c->rows);
    for (size_t k = 0; k < c->columns; k++, x++) {
        if ((i < x->first || i >= x->first + x->count) && !read_ahead(c, x, i))
            return csv_wrong(c, " cannot be read: save the archive again");
        row[k] = x->ahead[i - x->first];
    }
    return CSV_OK;
}

const file_format format_npy = {
    .suffix = "npy",
    .text = "a NumPy array",
    .magic = MAGIC,
    .needs_file = true,
    .continues = true,
    .room = room,
    .begin = begin_array,
    .row = write_array_row,
    .end = end_array,
    .read_head = read_array_head,
    .read_row = read_array_row,
};

const file_format format_npz = {
    .suffix = "npz",
    .text = "an archive of NumPy arrays",
    .magic = LOCAL,
    .needs_file = true,
    .at_end = true,
    .room = room,
    .begin = begin_archive,
    .row = write_archive_row,
    .end = end_archive,
    .free = free_archive,
    .read_head = read_archive_head,
    .read_row = read_archive_row,
};
