/* npy_header.c - the header of an array that NumPy has saved, and its numbers. */
#include "cli/files/npy_header.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = sizeof NPY_MAGIC - 1, BYTE = 8 };

uint64_t little_endian(const char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t k = n; k-- > 0;)
        x = x << BYTE | (unsigned char)at[k];
    return x;
}

size_t npy_size(npy_type type)
{
    return type == NPY_F8 || type == NPY_I8 ? 8 : 4;
}

double npy_number(npy_type type, const char *at)
{
    const uint64_t bits = little_endian(at, npy_size(type));
    double x;
    float y;
    int64_t n;
    const uint32_t half = (uint32_t)bits;
    switch (type) {
    case NPY_F4:
        memcpy(&y, &half, sizeof y);
        return y;
    case NPY_I8:
        memcpy(&n, &bits, sizeof n);
        return (double)n;
    case NPY_I4:
        return half < 0x80000000u ? (double)half : (double)half - 0x1p32;
    case NPY_F8:
    case NPY_NONE:
        break;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The type that stands quoted at the beginning of a text: '<f8'. */
static npy_type type_at(const char *text)
{
    static const struct {
        const char *name;
        npy_type type;
    } types[] = {
        {"'<f8'", NPY_F8}, {"'<f4'", NPY_F4}, {"'<i8'", NPY_I8}, {"'<i4'", NPY_I4}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strncmp(text, types[i].name, strlen(types[i].name)) == 0)
            return types[i].type;
    }
    return NPY_NONE;
}

size_t npy_header_length(const char *bytes, size_t size)
{
    if (size < NPY_PROLOGUE + 4 || memcmp(bytes, NPY_MAGIC, MAGIC) != 0)
        return 0;
    const size_t width = bytes[MAGIC] == 1 ? 2 : 4, before = NPY_PROLOGUE + width;
    const uint64_t length = little_endian(bytes + NPY_PROLOGUE, width);
    return length <= NPY_LONGEST - before ? before + (size_t)length : 0;
}

/* The fields of a record, [('NAME', '<f8'), ...]; the names live in the text. A name that Python
 * quotes otherwise is none that is read. */
static bool read_fields(npy_header *h, char *text)
{
    h->columns = 0;
    for (char *at = text + 1; *at != ']';) {
        if (h->columns == NPY_FIELDS || strncmp(at, "('", 2) != 0)
            return false;
        char *name = at + 2, *end = strchr(name, '\'');
        if (end == NULL || strncmp(end, "', ", 3) != 0)
            return false;
        const npy_type type = type_at(end + 3);
        if (type == NPY_NONE || end[8] != ')')
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
 * the shape (3,). */
bool npy_header_read(npy_header *h, const char *bytes, size_t length)
{
    static const char descr[] = "'descr': ", by_rows[] = "'fortran_order': False",
                      shape[] = "'shape': (";
    const size_t before = NPY_PROLOGUE + (bytes[MAGIC] == 1 ? 2 : 4);
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
    if (h->records)
        return h->flat && read_fields(h, type);
    h->type[0] = type_at(type);
    if (h->flat)
        h->columns = 1;
    else
        h->columns = (size_t)strtoull(end + 1, &end, 10);
    return h->type[0] != NPY_NONE && (h->flat || *end == ')') && h->columns > 0 &&
           h->columns <= NPY_FIELDS;
}
