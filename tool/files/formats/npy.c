/* npy.c - rows as a NumPy array (npy): a two-dimensional one of little-endian doubles, without
 * the names of the columns. And as an archive of arrays (npz), one for each column, by its name,
 * with polhode.json, what they are about.
 *
 * An array begins with "\x93NUMPY", the version 1, 0, the length of the rest of the header as two
 * bytes, low one first, then a Python dictionary, blanks, and a line end
 * (https://numpy.org/neps/nep-0001-npy-format). An archive is a zip of stored files, PKWARE's
 * APPNOTE 6.3: local headers (4.3.7) with their files, the central directory (4.3.12) and its ends
 * (4.3.14, 4.3.15, 4.3.16); sizes and places in fields of 64 bits (4.5.3).
 *
 * Read are arrays of rows, without names, or of records, whose fields are the columns; and archives
 * by numpy.savez of arrays of the same length. A field of a record, or an array of an archive, that
 * is a vector gives columns NAME1, NAME2 ..., from NAME0 on where they are four; attitude, momentum
 * and the like, as Python names them, have their columns, q0 ... q3, and time is t. A list of
 * vectors in a record gives columns NAME1x, NAME1y ...
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/choice.h"
#include "tool/files/file_text.h"
#include "tool/files/json.h"
#include "tool/files/keys.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

#define MAGIC "\x93NUMPY"
#define ABOUT "polhode.json" /* what the arrays of an archive are about */
#define LOCAL "PK\3\4"       /* what the local header of a file in an archive begins with */
#define WIDE  0xFFFFFFFFu    /* stands for a number of 64 bits elsewhere */

enum {
    NUMBER = 8,   /* bytes */
    BYTE = 8,     /* bits */
    HEADER = 128, /* bytes of an array's, a multiple of 64, as it is written */
    PROLOGUE = sizeof MAGIC - 1 + 2,
    LONGEST = 4096, /* bytes of a header that is read */
    FIELDS = 512,   /* of a record */
    NAME = 256,     /* bytes of a file's name in an archive */
    CODES = 256,
    LOCAL_SIGN = 0x04034b50, /* what the parts of an archive begin with */
    ENTRY_SIGN = 0x02014b50,
    END_SIGN = 0x06054b50,
    END64_SIGN = 0x06064b50,
    LOCATOR_SIGN = 0x07064b50,
    LOCAL_SIZE = 30, /* bytes of them, without names and extra fields */
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    COMMENT = 65535,    /* bytes after the end, at most */
    DIRECTORY = 1 << 20 /* of a directory that is read */
};

static char *put(char *at, uint64_t x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        *at++ = (char)(x >> (BYTE * k) & 0xFF);
    return at;
}

static uint64_t get(const char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t k = n; k-- > 0;)
        x = x << BYTE | (unsigned char)at[k];
    return x;
}

static const char *number_bytes(char bytes[NUMBER], double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    (void)put(bytes, bits, NUMBER);
    return bytes;
}

/* ---- writing an array ------------------------------------------------------------- */

/* The header of an array of a type, "<f8", and a shape, "3, 10". */
static void make_header(char header[HEADER], const char *type, const char *shape)
{
    char *at = header;
    memset(header, ' ', HEADER);
    memcpy(at, MAGIC "\1", PROLOGUE);
    at = put(at + PROLOGUE, HEADER - PROLOGUE - 2, 2);
    at += snprintf(at, HEADER - PROLOGUE - 2,
                   "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    *at = ' ';
    header[HEADER - 1] = '\n';
}

/* That of rows of numbers. */
static void make_rows_header(char header[HEADER], unsigned long long rows, size_t columns)
{
    char shape[48];
    (void)snprintf(shape, sizeof shape, "%llu, %zu", rows, columns);
    make_header(header, "<f8", shape);
}

static void begin_array(record *r)
{
    char header[HEADER];
    make_rows_header(header, 0, r->width);
    outfile_write(r->out, header, HEADER);
}

static void write_row(record *r, const double *row)
{
    char bytes[NUMBER];
    outfile_begin_piece(r->out);
    for (size_t i = 0; i < r->width; i++)
        outfile_write(r->out, number_bytes(bytes, row[i]), NUMBER);
    outfile_end_piece(r->out);
}

static void end_array(record *r)
{
    char header[HEADER];
    outfile_flush(r->out);
    if (r->out->whole < HEADER)
        return;
    r->count = ((unsigned long long)r->out->whole - HEADER) / (r->width * NUMBER);
    make_rows_header(header, r->count, r->width);
    outfile_replace(r->out, header, HEADER);
}

/* ---- writing an archive ----------------------------------------------------------- */

typedef struct archive {
    outfile *out;
    uint32_t code[CODES];
    char *list; /* the central directory */
    size_t length;
    uint64_t entries;
} archive;

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

/* The local header of a file of that size, and its entry in the directory: much the same. Sizes
 * and the place are in the extra field. */
static void begin_file(archive *a, const char *name, uint64_t size, uint32_t crc)
{
    char head[LOCAL_SIZE + ENTRY_SIZE + NAME + NUMBER];
    const uint64_t length = strlen(name), place = (uint64_t)a->out->asked;
    for (unsigned listed = 0; listed < 2; listed++) {
        const uint64_t version = 45, first_of_1980 = 0x21, extra = listed ? 24 : 16,
                       common[] = {version, 0,    0,    0,      first_of_1980,
                                   crc,     WIDE, WIDE, length, extra + 4},
                       wide[] = {1, extra, size, size, place};
        char *at = head;
        if (listed)
            at = put_all(at, "42", (const uint64_t[]){ENTRY_SIGN, version});
        else
            at = put(at, LOCAL_SIGN, 4);
        at = put_all(at, "2222244422", common);
        if (listed) /* comment, disk, attributes, place */
            at = put_all(at, "22244", (const uint64_t[]){0, 0, 0, 0, WIDE});
        memcpy(at, name, length);
        at = put_all(at + length, listed ? "22888" : "2288", wide);
        const size_t bytes = (size_t)(at - head);
        if (!listed) {
            outfile_write(a->out, head, bytes);
            continue;
        }
        a->list = memory_more(a->list, a->length + bytes, 1);
        memcpy(a->list + a->length, head, bytes);
        a->length += bytes;
    }
    a->entries++;
}

/* Numbers of eight bytes, so far apart, as an array of that shape. */
static void write_array(archive *a, const char *name, bool whole, const char *shape,
                        const double *x, size_t count, size_t stride)
{
    char header[HEADER], file[NAME], bytes[NUMBER];
    make_header(header, whole ? "<i8" : "<f8", shape);
    (void)snprintf(file, sizeof file, "%s.npy", name);
    uint32_t crc = checksum(a, 0, header, HEADER);
    for (size_t i = 0; i < count; i++)
        crc = checksum(a, crc, number_bytes(bytes, x[i * stride]), NUMBER);
    begin_file(a, file, HEADER + count * NUMBER, crc);
    outfile_write(a->out, header, HEADER);
    for (size_t i = 0; i < count; i++)
        outfile_write(a->out, number_bytes(bytes, x[i * stride]), NUMBER);
}

/* The directory and what says where it is. */
static void end_archive(const archive *a)
{
    char tail[END64_SIZE + LOCATOR_SIZE + END_SIZE];
    const uint64_t place = (uint64_t)a->out->asked, many = UINT16_MAX, version = 45 | 45 << 16;
    outfile_write(a->out, a->list, a->length);
    char *at = put_all(tail, "48488888",
                       (const uint64_t[]){END64_SIGN, END64_SIZE - 12, version, 0, a->entries,
                                          a->entries, a->length, place});
    at = put_all(at, "4484", (const uint64_t[]){LOCATOR_SIGN, 0, place + a->length, 1});
    (void)put_all(at, "4422442", (const uint64_t[]){END_SIGN, 0, many, many, WIDE, WIDE, 0});
    outfile_write(a->out, tail, sizeof tail);
}

static void begin_archive(archive *a, outfile *out)
{
    *a = (archive){.out = out};
    for (uint32_t i = 0; i < CODES; i++) {
        uint32_t c = i;
        for (int k = 0; k < BYTE; k++) {
            if (c & 1u)
                c = c >> 1 ^ 0xEDB88320u;
            else
                c = c >> 1;
        } /* CRC-32 of zip, reflected */
        a->code[i] = c;
    }
}

static void write_columns(record *r)
{
    archive a;
    char shape[32];
    begin_archive(&a, r->out);
    json_t *about = about_json(r);
    char *text = json_dumps(about, JSON_REAL_PRECISION(17));
    json_decref(about);
    (void)snprintf(shape, sizeof shape, "%llu,", r->count);
    for (size_t i = 0; i < r->width; i++)
        write_array(&a, r->columns->column[i].name, r->columns->column[i].whole, shape, r->kept + i,
                    r->count, r->width);
    begin_file(&a, ABOUT, strlen(text), checksum(&a, 0, text, strlen(text)));
    outfile_write(r->out, text, strlen(text));
    end_archive(&a);
    free(text);
}

void npz_write(outfile *out, const npz_array *array, size_t count)
{
    archive a;
    char shape[80];
    begin_archive(&a, out);
    for (size_t i = 0; i < count; i++) {
        size_t numbers = 1;
        shape[0] = '\0';
        for (const size_t *n = array[i].shape; *n > 0; n++) {
            numbers *= *n;
            (void)snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu,", *n);
        }
        write_array(&a, array[i].name, array[i].whole, shape, array[i].x, numbers, 1);
    }
    end_archive(&a);
}

/* ---- reading an array ------------------------------------------------------------- */

/* A number of an element: little-endian doubles, floats and signed integers. */
typedef enum npy_type { F8, I8, F4, I4, TYPES } npy_type;

/* A column that is read: a number of each row. */
typedef struct npy_column {
    char name[CSV_NAME + 2]; /* one byte more, by which a name is too long */
    npy_type type;
    size_t at;        /* bytes of a row before it */
    size_t stride;    /* bytes of a row */
    const char *rows; /* of an archive, all of them */
} npy_column;

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
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &half, sizeof y);
    if (type == F8)
        return x;
    if (type == F4)
        return (double)y;
    if (type == I8)
        return (double)(int64_t)bits;
    return (double)(int32_t)half;
}

/* Takes a number of column k. An integer is kept as it is, too: a double rounds large ones. */
static double take_number(csv *c, size_t k, npy_type type, const char *at)
{
    if (c->whole[k]) {
        if (type == I8)
            c->integer[k] = (int64_t)get(at, 8);
        else
            c->integer[k] = (int32_t)(uint32_t)get(at, 4);
    }
    return get_number(type, at);
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

/* Where the text of a header begins: behind its length, of two or four bytes. */
static size_t text_begin(const char *bytes)
{
    return PROLOGUE + (bytes[strlen(MAGIC)] == 1 ? 2 : 4);
}

/* How many bytes of the beginning of a file make its header; 0 if it is none, or too long. `size`
 * bytes are there. */
static size_t header_length(const char *bytes, size_t size)
{
    if (size < PROLOGUE + 4 || memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return 0;
    const size_t before = text_begin(bytes);
    const uint64_t length = get(bytes + PROLOGUE, before - PROLOGUE);
    if (length <= LONGEST - before)
        return before + (size_t)length;
    return 0;
}

/* Returns the columns, comma-separated, of a part of the state of a body; or NULL. */
static const char *columns_of(const char *name, int length, size_t width)
{
    const char *part = memory_text("%.*s", length, name);
    setting_key k;
    if (width == 0 && strcmp(part, "time") == 0)
        return "t";
    if (width > 0 && key_find_start(part, &k) && k.count == width)
        return k.columns;
    return NULL;
}

/* Adds a column of a name and what is put after it. */
static bool add_column(csv *c, npy_type type, size_t *stride, const char *name, int length,
                       const char *after)
{
    if (type == TYPES || c->columns == CSV_COLUMNS)
        return false;
    npy_column *all = c->own = memory_more(c->own, c->columns + 1, sizeof *all),
               *x = &all[c->columns++];
    *x = (npy_column){.type = type, .at = *stride};
    (void)snprintf(x->name, sizeof x->name, "%.*s%s", length, name, after);
    *stride += size_of(type);
    return true;
}

/* Adds the columns of a number (width 0), a vector, or a list of so many vectors. */
static bool add_columns(csv *c, npy_type type, size_t *stride, const char *name, int length,
                        size_t count, size_t width)
{
    const char *known = NULL;
    const size_t all = larger_size(count, 1) * larger_size(width, 1);
    if (count == 0)
        known = columns_of(name, length, width);
    bool good = all <= FIELDS && (count == 0 || width == 3);
    for (size_t i = 0; i < all && good; i++) {
        char after[24] = "";
        if (known != NULL) {
            const int end = (int)strcspn(known, ",");
            good = add_column(c, type, stride, known, end, "");
            known += end + 1;
            continue;
        }
        if (count > 0)
            (void)snprintf(after, sizeof after, "%zu%c", i / width + 1, "xyz"[i % width]);
        else if (width > 0 && name[0] != '\0')
            (void)snprintf(after, sizeof after, "%zu", i + (width != 4));
        good = add_column(c, type, stride, name, length, after);
    }
    return good;
}

/* The shape of a field, (4,) or (2, 3), past its closing parenthesis; NULL: none that is read. */
static const char *read_shape(const char *text, size_t *count, size_t *width)
{
    char *end;
    *width = strtoul(text + 1, &end, 10);
    if (end[0] != ',' || *width == 0 || *width > FIELDS)
        return NULL;
    if (end[1] == ')')
        return end + 2;
    *count = *width;
    *width = strtoul(end + 1, &end, 10);
    if (*end == ')' && *width > 0 && *width <= FIELDS && *count <= FIELDS)
        return end + 1;
    return NULL;
}

/* The fields of a record, [('NAME', '<f8'), ('NAME', '<f8', (4,)), ...]. A name that Python quotes
 * otherwise is none that is read. */
static bool read_fields(csv *c, const char *text, size_t *stride)
{
    size_t count = 0;
    for (const char *at = text + 1; *at != ']'; count++) {
        const char *name = at + 2, *end = NULL;
        size_t many = 0, width = 0;
        if (strncmp(at, "('", 2) == 0)
            end = strchr(name, '\'');
        if (count == FIELDS || end == NULL || strncmp(end, "', ", 3) != 0 ||
            type_at(end + 3) == TYPES)
            return false;
        at = end + 8;
        if (strncmp(at, ", (", 3) == 0)
            at = read_shape(at + 2, &many, &width);
        if (at == NULL || *at++ != ')' ||
            !add_columns(c, type_at(end + 3), stride, name, (int)(end - name), many, width))
            return false;
        if (strncmp(at, ", ", 2) == 0)
            at += 2;
        else if (*at != ']')
            return false;
    }
    return count > 0;
}

/* {'descr': '<f8', 'fortran_order': False, 'shape': (3, 10), }, or a list of fields and the shape
 * (3,): adds the columns, which are called after the array, or have no names. False if it is no
 * array of rows of numbers. */
static bool read_header(csv *c, const char *bytes, size_t length, const char *array,
                        int array_length, unsigned long long *rows)
{
    static const char descr[] = "'descr': ", by_rows[] = "'fortran_order': False",
                      shape[] = "'shape': (";
    const size_t before = text_begin(bytes), first = c->columns;
    char text[LONGEST + 1], *end;
    memcpy(text, bytes + before, length - before);
    text[length - before] = '\0';
    const char *size = strstr(text, shape), *type = strstr(text, descr);
    if (size == NULL || type == NULL || strstr(text, by_rows) == NULL)
        return false;
    size += strlen(shape);
    type += strlen(descr);
    *rows = strtoull(size, &end, 10);
    if (end == size || *end != ',')
        return false;
    const bool flat = strncmp(end, ",)", 2) == 0, records = *type == '[';
    size_t stride = 0, count = 1;
    bool good = records || array != NULL;
    if (!flat) {
        if (!records)
            count = (size_t)strtoull(end + 1, &end, 10);
        good = *end == ')' && count > 0 && count <= FIELDS && !records;
    }
    if (!good)
        return false;
    c->unnamed = array == NULL && !records;
    if (records)
        good = read_fields(c, type, &stride);
    else
        good = add_columns(c, type_at(type), &stride, text_or(array, ""), array_length, 0,
                           flat ? 0 : count);
    if (!good)
        return false;
    for (size_t i = first; i < c->columns; i++)
        ((npy_column *)c->own)[i].stride = stride;
    return true;
}

/* Says where the names are; the columns do not move any more. */
static void name_columns(csv *c)
{
    const npy_column *x = c->own;
    for (size_t i = 0; i < c->columns; i++) {
        c->column[i] = x[i].name;
        c->whole[i] = x[i].type == I8 || x[i].type == I4;
    }
}

static csv_status read_array_head(csv *c)
{
    const char *at;
    c->row = "row";
    size_t length = PROLOGUE + 4;
    if (csv_bytes(c, length, &at) != CSV_OK || (length = header_length(at, length)) == 0 ||
        csv_bytes(c, length, &at) != CSV_OK || !read_header(c, at, length, NULL, 0, &c->rows))
        return csv_wrong(c, " is not an array of rows of doubles, or of records of doubles: save "
                            "numpy.ascontiguousarray(x, '<f8')");
    c->begin += length;
    name_columns(c);
    return CSV_OK;
}

static csv_status read_array_row(csv *c, double *row)
{
    const char *at;
    const npy_column *x = c->own;
    const csv_status status = csv_bytes(c, x->stride, &at);
    if (status == CSV_END && c->number == c->rows && c->begin == c->end)
        return CSV_END;
    c->number++;
    if (status == CSV_END || (status == CSV_OK && c->number > c->rows))
        return csv_wrong(c, ": the header promises %llu rows: save the array again", c->rows);
    for (size_t i = 0; status == CSV_OK && i < c->columns; i++)
        row[i] = take_number(c, i, x[i].type, at + x[i].at);
    if (status == CSV_OK)
        c->begin += x->stride;
    return status;
}

/* ---- reading an archive ----------------------------------------------------------- */

static const char broken[] =
    "is not an archive of arrays, or is damaged: save it again with numpy.savez";

/* Bytes at a place of the file; NULL unless all are there. */
static const char *bytes_at(const csv *c, uint64_t place, uint64_t n)
{
    if (place <= c->size && n <= c->size - place)
        return c->map + place;
    return NULL;
}

/* A part of the archive with its sign. */
static const char *part_at(const csv *c, uint64_t place, uint64_t n, uint64_t sign)
{
    const char *at = bytes_at(c, place, n);
    if (at != NULL && get(at, 4) == sign)
        return at;
    return NULL;
}

/* The central directory; NULL if there is none. */
static const char *find_directory(const csv *c, uint64_t *length)
{
    const char *end = NULL;
    uint64_t at = c->size < END_SIZE ? 0 : c->size - END_SIZE + 1;
    while (end == NULL && at > 0 && c->size - at < END_SIZE + COMMENT)
        end = part_at(c, --at, END_SIZE, END_SIGN);
    if (end == NULL)
        return NULL;
    uint64_t place = get(end + 16, 4);
    *length = get(end + 12, 4);
    const char *locator = NULL;
    if (at >= LOCATOR_SIZE)
        locator = part_at(c, at - LOCATOR_SIZE, LOCATOR_SIZE, LOCATOR_SIGN);
    if (locator != NULL) {
        end = part_at(c, get(locator + 8, 8), END64_SIZE, END64_SIGN);
        if (end == NULL)
            return NULL;
        *length = get(end + 40, 8);
        place = get(end + 48, 8);
    }
    if (*length <= DIRECTORY)
        return bytes_at(c, place, *length);
    return NULL;
}

/* The columns of the array NAME.npy, of so many bytes. */
static bool add_array(csv *c, const char *name, size_t length, const char *at, uint64_t bytes)
{
    const size_t header = header_length(at, bytes), first = c->columns;
    unsigned long long rows = 0;
    if (length == 0 || length > CSV_NAME - 4 || header == 0 || header > bytes ||
        !read_header(c, at, header, name, (int)length, &rows) || (first > 0 && rows != c->rows))
        return false;
    c->rows = rows;
    npy_column *all = c->own;
    for (size_t i = first; i < c->columns; i++)
        all[i].rows = at + header;
    return rows == (bytes - header) / all[first].stride &&
           (bytes - header) % all[first].stride == 0;
}

/* Numbers of an entry that do not fit stand in its extra field (4.5.3), in this order: its size,
 * what is stored, its place. False if that is broken. */
static bool widen(uint64_t *const x[3], const char *field, const char *end)
{
    while (end - field >= 4) {
        const char *at = field + 4, *field_end = at + get(field + 2, 2);
        if (field_end > end)
            return false;
        for (int i = 0; i < 3 && get(field, 2) == 1; i++) {
            if (*x[i] != WIDE)
                continue;
            if (field_end - at < 8)
                return false;
            *x[i] = get(at, 8);
            at += 8;
        }
        field = field_end;
    }
    return true;
}

/* A text of the file on what it is about, or NULL. */
static const char *about_text(const json_t *about, const char *key)
{
    const char *text = json_string_value(json_object_get(about, key));
    if (text != NULL && text_is_plain(text))
        return memory_text("%s", text);
    return NULL;
}

/* Takes the units of the columns, the date and the origin from polhode.json, as about_json() wrote them. What
 * is no such file is passed over: arrays need none. */
static void take_about(csv *c, const char *text, size_t length)
{
    json_t *about = json_loadb(text, length, 0, NULL), *unit;
    const char *name, *date = about_text(about, "epoch");
    epoch zero;
    json_object_foreach(json_object_get(about, "units"), name, unit)
    {
        if (json_is_string(unit))
            csv_set_unit(c, name, json_string_value(unit));
    }
    if (date != NULL && epoch_read(&zero, date))
        (void)snprintf(c->epoch, EPOCH_TEXT, "%s", date);
    c->origin = (file_origin){.object = about_text(about, "object"),
                              .object_id = about_text(about, "object_id"),
                              .frame = about_text(about, "frame")};
    json_decref(about);
}

/* A file of an archive. */
typedef struct archived {
    const char *bytes;
    size_t length;
} archived;

/* One entry of the central directory, moved past; what is wrong with it, or NULL. */
static const char *read_entry(csv *c, const char **at, const char *end, archived *about)
{
    const char *e = *at, *name = e + ENTRY_SIZE;
    if (end - e < ENTRY_SIZE || get(e, 4) != ENTRY_SIGN)
        return broken;
    const size_t length = (size_t)get(e + 28, 2), extra = (size_t)get(e + 30, 2),
                 comment = (size_t)get(e + 32, 2);
    if ((size_t)(end - e) < ENTRY_SIZE + length + extra + comment)
        return broken;
    *at = name + length + extra + comment;
    uint64_t bytes = get(e + 24, 4), stored = get(e + 20, 4), place = get(e + 42, 4);
    if (!widen((uint64_t *const[]){&bytes, &stored, &place}, name + length, name + length + extra))
        return broken;
    if (get(e + 10, 2) != 0)
        return "is compressed: save it with numpy.savez, not savez_compressed";
    const char *local = part_at(c, place, LOCAL_SIZE, LOCAL_SIGN), *content = NULL;
    if (local != NULL && stored == bytes)
        content = bytes_at(c, place + LOCAL_SIZE + get(local + 26, 2) + get(local + 28, 2), bytes);
    if (content == NULL)
        return broken;
    if (length == strlen(ABOUT) && memcmp(name, ABOUT, length) == 0)
        *about = (archived){content, (size_t)bytes};
    if (length < 4 || memcmp(name + length - 4, ".npy", 4) != 0)
        return NULL; /* another file beside the arrays */
    if (memchr(name, '\0', length) != NULL)
        return "has an array with a NUL character in its name: rename the array";
    if (add_array(c, name, length - 4, content, bytes))
        return NULL;
    return "has an array that is not a column of numbers, or arrays of different lengths: "
           "save arrays of doubles or integers, one row per case";
}

static csv_status read_archive_head(csv *c)
{
    uint64_t length = 0;
    archived about = {NULL, 0};
    c->row = "row";
    if (c->size == 0)
        return csv_wrong(c, " is a pipe, but an archive cannot be read in sequence: name a file");
    void *map = mmap(NULL, c->size, PROT_READ, MAP_PRIVATE, c->fd, 0);
    const char *at = NULL, *end = NULL, *wrong = NULL;
    c->map = NULL;
    if (map != MAP_FAILED) {
        c->map = map;
        at = find_directory(c, &length);
    }
    if (at == NULL)
        wrong = broken;
    else if (length == 0)
        wrong = "is empty: save arrays in the archive";
    else
        end = at + length;
    while (wrong == NULL && at < end)
        wrong = read_entry(c, &at, end, &about);
    if (wrong == NULL && c->columns == 0)
        wrong = "contains no arrays: save arrays in the archive";
    if (wrong != NULL)
        return csv_wrong(c, " %s", wrong);
    c->ended = true; /* it is read by places */
    c->begin = c->end;
    name_columns(c);
    if (about.bytes != NULL)
        take_about(c, about.bytes, about.length);
    return CSV_OK;
}

static csv_status read_archive_row(csv *c, double *row)
{
    const npy_column *x = c->own;
    if (c->number == c->rows)
        return CSV_END;
    if (*c->stop)
        return CSV_STOPPED;
    const unsigned long long i = c->number++;
    c->bytes = (unsigned long long)((double)c->size * (double)c->number / (double)c->rows);
    for (size_t k = 0; k < c->columns; k++)
        row[k] = take_number(c, k, x[k].type, x[k].rows + i * x[k].stride + x[k].at);
    return CSV_OK;
}

const file_format format_npy = {
    .suffix = "npy",
    .text = "a NumPy array",
    .undated = true,
    .magic = MAGIC,
    .needs_file = true,
    .continues = true,
    .begin = begin_array,
    .row = write_row,
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
    .row = record_keep,
    .end = write_columns,
    .read_head = read_archive_head,
    .read_row = read_archive_row,
};
