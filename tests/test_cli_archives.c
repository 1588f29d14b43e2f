/* test_cli_archives.c - arrays, archives of arrays and HDF5, number by number: what is written is read by
 * means of this test, against the rows of the same run in CSV; and arrays that others write. */
/* Needs kinds, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef POLHODE_HDF5
#include <hdf5.h>
#endif

#include "support/run_tool.h"
#include "tool/files/rows.h"

/* ---- rows in CSV -------------------------------------------------------------------- */

enum { MOST = 64 }; /* columns, and bytes of a name */

typedef struct rows {
    size_t columns, count;
    char name[MOST][MOST];
    double *x;
} rows;

/* The rows of a CSV; free its numbers. */
static rows rows_of(const char *text)
{
    rows r = {0};
    const char *at = text;
    do {
        const size_t length = strcspn(at, ",\n");
        assert_true(r.columns < MOST && length < MOST);
        memcpy(r.name[r.columns++], at, length);
        at += length;
    } while (*at++ == ',');
    r.x = calloc(count_lines(at) * r.columns + 1, sizeof *r.x);
    assert_non_null(r.x);
    for (; *at != '\0'; r.count++)
        at = next_numbers(at, r.columns, r.x + r.count * r.columns);
    return r;
}

static rows rows_of_file(const char *path)
{
    char *text = file_text(path);
    assert_non_null(text);
    const rows r = rows_of(text);
    free(text);
    assert_int_equal(0, unlink(path));
    return r;
}

static size_t column_of(const rows *r, const char *name)
{
    for (size_t i = 0; i < r->columns; i++)
        if (strcmp(r->name[i], name) == 0)
            return i;
    fail_msg("no column %s", name);
    return 0;
}

static double value(const rows *r, size_t row, const char *name)
{
    return r->x[row * r->columns + column_of(r, name)];
}

#define RUN_INTO(file, ...)                                                                        \
    do {                                                                                           \
        tool_run run_ = RUN(__VA_ARGS__, "--out", file);                                           \
        assert_done(&run_);                                                                        \
        tool_run_free(&run_);                                                                      \
    } while (0)

/* ---- arrays, as this test reads them ------------------------------------------------ */

static unsigned char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 20);
    assert_true(f != NULL && bytes != NULL);
    *size = fread(bytes, 1, 1 << 20, f);
    (void)fclose(f);
    return bytes;
}

static void bytes_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(size, fwrite(bytes, 1, size, f));
    assert_int_equal(0, fclose(f));
}

static uint64_t number_at(const unsigned char *at, size_t n)
{
    uint64_t x = 0;
    for (size_t k = 0; k < n; k++)
        x += (uint64_t)at[k] << (8 * k);
    return x;
}

static double double_at(const unsigned char *at)
{
    const uint64_t bits = number_at(at, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The numbers of an array of that type and shape, of so many bytes. */
static const unsigned char *array_at(const unsigned char *at, size_t bytes, const char *type,
                                     const char *shape)
{
    char wanted[200];
    assert_true(bytes >= 128);
    assert_memory_equal("\x93NUMPY\1\0", at, 8);
    assert_int_equal(118, number_at(at + 8, 2));
    const int length =
        snprintf(wanted, sizeof wanted, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                 type, shape);
    assert_memory_equal(wanted, at + 10, (size_t)length);
    for (int k = 10 + length; k < 127; k++)
        assert_int_equal(' ', at[k]);
    assert_int_equal('\n', at[127]);
    return at + 128;
}

/* ---- archives, as this test reads them: APPNOTE 4.3 ---------------------------------- */

/* CRC-32 of IEEE 802.3, bit by bit. */
static uint32_t crc_of(const unsigned char *at, size_t n)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int k = 0; k < 8; k++)
            crc = crc % 2 ? crc / 2 ^ 0xEDB88320 : crc / 2;
    }
    return crc ^ 0xFFFFFFFF;
}

typedef struct archive {
    unsigned char *bytes;
    size_t size, files;
    char name[MOST][MOST];
    const unsigned char *content[MOST];
    size_t length[MOST];
} archive;

/* Reads all of it: every field of every header. */
static archive archive_of(const char *path)
{
    archive a = {.bytes = bytes_of(path, &a.size)};
    assert_true(a.size > 98);
    const unsigned char *end = a.bytes + a.size - 22, *locator = end - 20, *end64 = locator - 56;
    assert_memory_equal("PK\5\6\0\0\0\0", end, 8);
    assert_true(number_at(end + 8, 4) == 0xFFFFFFFF && number_at(end + 12, 8) == UINT64_MAX &&
                number_at(end + 20, 2) == 0);
    assert_memory_equal("PK\6\7\0\0\0\0", locator, 8);
    assert_int_equal(end64 - a.bytes, number_at(locator + 8, 8));
    assert_int_equal(1, number_at(locator + 16, 4));
    assert_memory_equal("PK\6\6", end64, 4);
    assert_int_equal(44, number_at(end64 + 4, 8));
    assert_int_equal(45, number_at(end64 + 12, 2));
    assert_int_equal(45, number_at(end64 + 14, 2));
    assert_int_equal(0, number_at(end64 + 16, 8));
    const uint64_t count = number_at(end64 + 24, 8), size = number_at(end64 + 40, 8),
                   place = number_at(end64 + 48, 8);
    assert_int_equal(count, number_at(end64 + 32, 8));
    assert_int_equal(place + size, end64 - a.bytes);
    const unsigned char *e = a.bytes + place;
    uint64_t next = 0; /* where the next file begins: there is nothing between them */
    for (; a.files < count; a.files++) {
        assert_memory_equal("PK\1\2", e, 4);
        const size_t length = number_at(e + 28, 2), extra = number_at(e + 30, 2);
        assert_true(number_at(e + 4, 2) == 45 && number_at(e + 6, 2) == 45);
        assert_true(number_at(e + 8, 4) == 0 && number_at(e + 12, 2) == 0);
        assert_int_equal(0x21, number_at(e + 14, 2)); /* the first of January 1980 */
        assert_true(number_at(e + 20, 8) == UINT64_MAX);
        assert_true(number_at(e + 32, 8) == 0 && number_at(e + 40, 2) == 0);
        assert_true(number_at(e + 42, 4) == 0xFFFFFFFF);
        assert_int_equal(28, extra);
        const unsigned char *wide = e + 46 + length;
        assert_true(number_at(wide, 2) == 1 && number_at(wide + 2, 2) == 24);
        const uint64_t bytes = number_at(wide + 4, 8);
        assert_int_equal(bytes, number_at(wide + 12, 8));
        assert_int_equal(next, number_at(wide + 20, 8));
        const unsigned char *local = a.bytes + next;
        assert_memory_equal("PK\3\4", local, 4);
        assert_memory_equal(e + 6, local + 4, 24); /* from the version to the lengths */
        assert_int_equal(20, number_at(local + 28, 2));
        assert_memory_equal(e + 46, local + 30, length);
        assert_memory_equal("\1\0\x10\0", local + 30 + length, 4);
        assert_memory_equal(wide + 4, local + 34 + length, 16);
        a.content[a.files] = local + 50 + length;
        a.length[a.files] = bytes;
        assert_int_equal(crc_of(a.content[a.files], bytes), number_at(e + 16, 4));
        assert_true(length < MOST);
        memcpy(a.name[a.files], e + 46, length);
        next += 50 + length + bytes;
        e += 46 + length + extra;
    }
    assert_int_equal(place, next);
    assert_ptr_equal(end64, e);
    return a;
}

/* ---- what is written ------------------------------------------------------------------ */

#define TOP                                                                                        \
    "run", "--problem", "heavy_top", "--method", "rattle", "--step", "0.125", "--time", "2",       \
        "--every", "2", "--set", "strength=1.25", "--set", "up=2,3,4", "--set", "centre=0,0,1"

/* The number that the test tries the CRC with, which every text about it gives. */
static void checksums(void **state)
{
    (void)state;
    assert_int_equal(0xCBF43926, crc_of((const unsigned char *)"123456789", 9));
}

static void npy_of_a_run(void **state)
{
    (void)state;
    RUN_INTO("a.csv", TOP);
    RUN_INTO("a.npy", TOP);
    const rows r = rows_of_file("a.csv");
    size_t size;
    unsigned char *bytes = bytes_of("a.npy", &size);
    assert_int_equal(9, r.count);
    assert_int_equal(12, r.columns);
    assert_int_equal(128 + r.count * r.columns * 8, size);
    const unsigned char *x = array_at(bytes, size, "<f8", "9, 12");
    for (size_t i = 0; i < r.count * r.columns; i++)
        assert_true(double_at(x + 8 * i) == r.x[i]);
    free(bytes);
    free(r.x);
    assert_int_equal(0, unlink("a.npy"));
}

/* An array for each column, and what the run is about. */
static void npz_of_a_run(void **state)
{
    (void)state;
    RUN_INTO("a.csv", TOP);
    RUN_INTO("a.npz", TOP);
    const rows r = rows_of_file("a.csv");
    archive a = archive_of("a.npz");
    assert_int_equal(r.columns + 1, a.files);
    for (size_t i = 0; i < r.columns; i++) {
        char name[MOST + 8];
        (void)snprintf(name, sizeof name, "%s.npy", r.name[i]);
        assert_string_equal(name, a.name[i]);
        assert_int_equal(128 + 8 * r.count, a.length[i]);
        const unsigned char *x = array_at(a.content[i], a.length[i], "<f8", "9,");
        for (size_t k = 0; k < r.count; k++)
            assert_true(double_at(x + 8 * k) == r.x[k * r.columns + i]);
    }
    assert_string_equal("polhode.json", a.name[r.columns]);
    json_t *about = json_loadb((const char *)a.content[r.columns], a.length[r.columns], 0, NULL);
    assert_non_null(about);
    assert_string_equal("heavy_top", json_string_value(json_object_get(about, "problem")));
    assert_string_equal("rattle", json_string_value(json_object_get(about, "method")));
    assert_true(json_at(about, "step", 0) == 0.125);
    const json_t *parameters = json_object_get(about, "parameters");
    assert_true(json_at(parameters, "strength", 0) == 1.25);
    for (size_t k = 0; k < 3; k++)
        assert_true(json_at(parameters, "up", k) == (double)(k + 2) &&
                    json_at(parameters, "centre", k) == (k == 2 ? 1.0 : 0.0));
    const json_t *units = json_object_get(about, "units");
    assert_string_equal("rad/t", json_string_value(json_object_get(units, "w2")));
    assert_string_equal("t", json_string_value(json_object_get(units, "t")));
    const json_t *moments = json_object_get(json_object_get(about, "constants"), "moments");
    assert_int_equal(3, json_array_size(moments));
    assert_true(json_number_value(json_array_get(moments, 0)) ==
                value(&r, 0, "m1") / value(&r, 0, "w1"));
    json_decref(about);
    free(a.bytes);
    free(r.x);
    assert_int_equal(0, unlink("a.npz"));
}

/* Arrays of any shape, of doubles and of integers. */
static void npz_of_arrays(void **state)
{
    (void)state;
    static const double x[] = {1.5, -2.5, 0x1p-1074, 1e308, 5.0, 6.0,
                               7.0, 8.0,  9.0,       10.0,  11., 12.};
    static const int64_t whole[] = {1, -1, INT64_MAX};
    const npz_array arrays[] = {
        {"scalar", x, {0}, false}, {"block", x, {2, 3, 2}, false}, {"whole", whole, {3}, true}};
    outfile *out = outfile_open("a.npz");
    assert_non_null(out);
    npz_write(out, arrays, COUNT(arrays));
    assert_int_equal(0, outfile_close(out, NULL));
    archive a = archive_of("a.npz");
    assert_int_equal(3, a.files);
    assert_string_equal("scalar.npy", a.name[0]);
    assert_string_equal("block.npy", a.name[1]);
    assert_string_equal("whole.npy", a.name[2]);
    assert_true(double_at(array_at(a.content[0], a.length[0], "<f8", "")) == 1.5);
    const unsigned char *at = array_at(a.content[1], a.length[1], "<f8", "2,3,2,");
    for (size_t i = 0; i < COUNT(x); i++)
        assert_true(double_at(at + 8 * i) == x[i]);
    at = array_at(a.content[2], a.length[2], "<i8", "3,");
    for (size_t i = 0; i < COUNT(whole); i++)
        assert_true((int64_t)number_at(at + 8 * i, 8) == whole[i]);
    free(a.bytes);
    assert_int_equal(0, unlink("a.npz"));
}

/* ---- what is read ---------------------------------------------------------------------- */

/* An array with this dictionary, its header filled with blanks up to so many bytes, and these
 * numbers. */
static void array_write(const char *path, const char *dictionary, size_t header, const void *x,
                        size_t bytes)
{
    unsigned char *all = calloc(1, header + bytes);
    assert_non_null(all);
    memset(all, ' ', header);
    memcpy(all, "\x93NUMPY\1\0", 8);
    all[8] = (unsigned char)((header - 10) % 256);
    all[9] = (unsigned char)((header - 10) / 256);
    memcpy(all + 10, dictionary, strlen(dictionary));
    all[header - 1] = '\n';
    memcpy(all + header, x, bytes);
    bytes_write(path, all, header + bytes);
    free(all);
}

static void assert_converted(const char *path, const char *wanted)
{
    tool_run run = RUN("convert", path, "--out", "-");
    assert_done(&run);
    assert_string_equal(wanted, run.out);
    tool_run_free(&run);
}

#define REST "'fortran_order': False, 'shape': "

/* Names of fields and what columns they are; numbers of every type. */
static void records(void **state)
{
    (void)state;
    static const double x[] = {1.5,  2.5,  3.5,  4.5,  5.5,  6.5,  7.5,  8.5,  9.5,  10.5,
                               11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5, 19.5, 20.5};
    array_write("a.npy",
                "{'descr': [('time', '<f8'), ('tim', '<f8'), ('inertia', '<f8', (3,)), "
                "('position', '<f8', (3,)), ('one', '<f8', (1, 3)), "
                "('two', '<f8', (2, 3)), ('v', '<f8', (2,)), ('w', '<f8')], " REST "(1,), }",
                320, x, sizeof x);
    assert_converted("a.npy", "t,tim,I1,I2,I3,x1,x2,x3,one1x,one1y,one1z,two1x,two1y,two1z,two2x,"
                              "two2y,two2z,v1,v2,w\n"
                              "1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,11.5,12.5,13.5,14.5,15.5,"
                              "16.5,17.5,18.5,19.5,20.5\n");

    static const unsigned char types[] = {0,    0,    0,    0,    0,    0,    0xF8, 0x3F, /* 1.5 */
                                          0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, /* -2 */
                                          0,    0,    0x20, 0xC0,                         /* -2.5 */
                                          0xFD, 0xFF, 0xFF, 0xFF,                         /* -3 */
                                          0,    0,    0,    0,    0,    0,    0xF0, 0x3F, /* 1 */
                                          0,    1,    0,    0,    0,    0,    0,    0,    /* 256 */
                                          0,    0,    0x80, 0x3F,                         /* 1 */
                                          0,    0,    1,    0}; /* 65536 */
    array_write("a.npy",
                "{'descr': [('a', '<f8'), ('b', '<i8'), ('c', '<f4'), ('d', '<i4')], " REST
                "(2,), }",
                128, types, sizeof types);
    assert_converted("a.npy", "t,a,b,c,d\n0,1.5,-2,-2.5,-3\n1,1,256,1,65536\n");

    /* a name of 63 bytes is one; a longer one is refused, not cut */
    for (int length = 61; length <= 64; length++) {
        char dictionary[300], wanted[100];
        (void)snprintf(dictionary, sizeof dictionary,
                       "{'descr': [('%0*d', '<f8')], " REST "(1,), }", length, 1);
        (void)snprintf(wanted, sizeof wanted, "t,%0*d\n0,1.5\n", length, 1);
        array_write("a.npy", dictionary, 192, x, 8);
        if (length < 64)
            assert_converted("a.npy", wanted);
        else
            assert_refused(RUN("convert", "a.npy", "--out", "-"), "too long");
    }
    assert_int_equal(0, unlink("a.npy"));
}

/* Headers up to 4096 bytes are read. */
static void long_headers(void **state)
{
    (void)state;
    static const size_t lengths[] = {128, 4095, 4096, 4097, 5000, 60000};
    static const double x[] = {1.5, 2.5, 3.5};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        array_write("a.npy", "{'descr': '<f8', " REST "(1, 3), }", lengths[i], x, sizeof x);
        if (lengths[i] <= 4096)
            assert_converted("a.npy", "t,c1,c2,c3\n0,1.5,2.5,3.5\n");
        else
            assert_refused(RUN("convert", "a.npy", "--out", "-"), "is not an array of rows");
    }
    static const char *const short_ones[] = {"\x93NUMPY", "\x93NUMPY\1", "\x93NUMPY\1\n{"};
    for (size_t i = 0; i < COUNT(short_ones); i++) {
        file_write("a.npy", short_ones[i]);
        assert_refused(RUN("convert", "a.npy", "--out", "-"), "is not an array of rows");
    }
    assert_int_equal(0, unlink("a.npy"));
}

/* Rows that do not end where a block of what is read does, and rows that the header does not count. */
static void blocks(void **state)
{
    (void)state;
    enum { COUNT_OF = 7001, WIDTH = 5 };
    static double x[COUNT_OF * WIDTH];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = (double)i + 0.5;
    array_write("a.npy", "{'descr': '<f8', " REST "(7001, 5), }", 128, x, sizeof x);
    RUN_INTO("a.csv", "convert", "a.npy");
    rows r = rows_of_file("a.csv");
    assert_int_equal(COUNT_OF, r.count);
    assert_int_equal(1 + WIDTH, r.columns); /* the time is the number of the row */
    for (size_t i = 0; i < COUNT(x); i++)
        assert_true(r.x[i / WIDTH * (1 + WIDTH) + 1 + i % WIDTH] == x[i]);
    free(r.x);

    /* one row less than the header says, half a row, one more */
    static const size_t bytes[] = {sizeof x - 40, sizeof x - 20};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        array_write("a.npy", "{'descr': '<f8', " REST "(7001, 5), }", 128, x, bytes[i]);
        tool_run run = RUN("convert", "a.npy", "--out", "a.csv");
        assert_error_line(&run, 2, "row 7001: the header promises 7001 rows");
        tool_run_free(&run);
        (void)unlink("a.csv");
    }
    array_write("a.npy", "{'descr': '<f8', " REST "(7000, 5), }", 128, x, sizeof x);
    tool_run run = RUN("convert", "a.npy", "--out", "a.csv");
    assert_error_line(&run, 2, "row 7001: the header promises 7000 rows");
    tool_run_free(&run);
    (void)unlink("a.csv");
    assert_int_equal(0, unlink("a.npy"));
}

/* A file that is begun again has nothing of what was written before, whether that waits or not. */
static void written_again(void **state)
{
    (void)state;
    static const size_t before[] = {0, 5, 100000};
    char *bytes = calloc(100000, 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < COUNT(before); i++) {
        outfile *out = outfile_open("a.bin");
        assert_non_null(out);
        outfile_write(out, bytes, before[i]);
        outfile_again(out);
        outfile_write(out, "abc", 3);
        assert_int_equal(0, outfile_close(out, NULL));
        size_t size;
        unsigned char *written = bytes_of("a.bin", &size);
        assert_true(size >= 3 && memcmp(written, "abc", 3) == 0);
        assert_true(size == 3 || (before[i] == 100000 && size <= before[i]));
        free(written);
        assert_int_equal(0, unlink("a.bin"));
    }
    free(bytes);
}

/* Arrays of an archive: their columns; one that is no array is refused. */
static void archives(void **state)
{
    (void)state;
    static const double t[] = {1.5, 2.5}, q[] = {1, 0, 0, 0, 0, 1, 0, 0}, J[] = {1, 2, 3, 4, 5, 6};
    static const int64_t whole[] = {7, -8};
    const npz_array arrays[] = {{"time", t, {2}, false},
                                {"attitude", q, {2, 4}, false},
                                {"inertia", J, {2, 3}, false},
                                {"n", whole, {2}, true}};
    outfile *out = outfile_open("a.npz");
    assert_non_null(out);
    npz_write(out, arrays, COUNT(arrays));
    assert_int_equal(0, outfile_close(out, NULL));
    archive a = archive_of("a.npz");
    for (size_t i = 1; i < 3; i++) { /* as NumPy writes the shape of rows */
        unsigned char *shape = a.bytes + (a.content[i] - a.bytes) + 10;
        shape = (unsigned char *)strstr((char *)shape, ",), }");
        assert_non_null(shape);
        memcpy(shape, "), } ", 5);
    }
    bytes_write("a.npz", a.bytes, a.size);
    assert_converted("a.npz", "t,q0,q1,q2,q3,I1,I2,I3,n\n"
                              "1.5,1,0,0,0,1,2,3,7\n2.5,0,1,0,0,4,5,6,-8\n");
    unsigned char *magic = a.bytes + (a.content[2] - a.bytes) + 5;
    assert_int_equal('Y', *magic);
    *magic = 'X'; /* "\x93NUMPX" */
    bytes_write("a.npz", a.bytes, a.size);
    assert_refused(RUN("convert", "a.npz", "--out", "-"), "an array that is not a column");
    *magic = 'Y';
    /* each part that is sought by its sign */
    const size_t signs[] = {0, a.size - 22, a.size - 98};
    for (size_t i = 0; i < COUNT(signs); i++) {
        a.bytes[signs[i] + 3] ^= 1;
        bytes_write("a.npz", a.bytes, a.size);
        tool_run run = RUN("convert", "a.npz", "--out", "-");
        assert_true(run.status == 2);
        tool_run_free(&run);
        a.bytes[signs[i] + 3] ^= 1;
    }
    /* the last entry may not be longer than the directory, by a remark that is not there */
    const unsigned char *end64 = a.bytes + a.size - 98;
    size_t last = a.size - 98;
    while (memcmp(a.bytes + last, "PK\1\2", 4) != 0)
        last--;
    a.bytes[last + 32] = 5;
    bytes_write("a.npz", a.bytes, a.size);
    tool_run run = RUN("convert", "a.npz", "--out", "-");
    assert_true(run.status == 2);
    tool_run_free(&run);
    a.bytes[last + 32] = 0;
    /* the end of an archive that is not too large for the older record alone */
    unsigned char end[22] = "PK\5\6";
    end[8] = end[10] = COUNT(arrays);
    memcpy(end + 12, end64 + 40, 4);
    memcpy(end + 16, end64 + 48, 4);
    memcpy(a.bytes + a.size - 98, end, sizeof end);
    bytes_write("a.npz", a.bytes, a.size - 76);
    assert_converted("a.npz", "t,q0,q1,q2,q3,I1,I2,I3,n\n"
                              "1.5,1,0,0,0,1,2,3,7\n2.5,0,1,0,0,4,5,6,-8\n");
    free(a.bytes);
    (void)unlink("a.npz");
}

/* A number of n bytes, the low one first. */
static void put_at(unsigned char *at, uint64_t x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        at[k] = (unsigned char)(x >> (8 * k) & 0xFF);
}

/* An archive of one stored file, as most programs write small ones: where its parts begin, and its
 * size. */
typedef struct small_archive {
    unsigned char bytes[70000];
    size_t content, entry, end, size;
} small_archive;

static void small_archive_make(small_archive *a, const char *name, size_t length, const void *file,
                               size_t bytes, const unsigned char *extra, size_t extra_length)
{
    memset(a, 0, sizeof *a);
    a->content = 30 + length;
    a->entry = a->content + bytes;
    a->end = a->entry + 46 + length + extra_length;
    a->size = a->end + 22;
    unsigned char *entry = a->bytes + a->entry, *end = a->bytes + a->end;
    memcpy(a->bytes, "PK\3\4", 4);
    put_at(a->bytes + 18, bytes, 4);
    put_at(a->bytes + 22, bytes, 4);
    put_at(a->bytes + 26, length, 2);
    memcpy(a->bytes + 30, name, length);
    memcpy(a->bytes + a->content, file, bytes);
    memcpy(entry, "PK\1\2", 4);
    put_at(entry + 20, bytes, 4);
    put_at(entry + 24, bytes, 4);
    put_at(entry + 28, length, 2);
    put_at(entry + 30, extra_length, 2);
    memcpy(entry + 46, name, length);
    if (extra_length > 0)
        memcpy(entry + 46 + length, extra, extra_length);
    memcpy(end, "PK\5\6", 4);
    put_at(end + 8, 1, 2);
    put_at(end + 10, 1, 2);
    put_at(end + 12, a->end - a->entry, 4);
    put_at(end + 16, a->entry, 4);
}

/* Converts it; a phrase of the message, or NULL: it can be read. */
static void assert_archive(const small_archive *a, size_t size, const char *phrase,
                           const char *text)
{
    bytes_write("a.npz", a->bytes, size);
    if (phrase == NULL)
        assert_converted("a.npz", text);
    else
        assert_refused(RUN("convert", "a.npz", "--out", "-"), phrase);
    assert_int_equal(0, unlink("a.npz"));
}

/* Wrong numbers in each part of an archive. */
static void damaged_archives(void **state)
{
    (void)state;
    enum { LOCAL, ENTRY, END };
    static const char damaged[] = "or is damaged", no_column[] = "an array that is not a column",
                      converted[] = "t,ab\n0,1.5\n1,-2.5\n";
    static const double x[] = {1.5, -2.5};
    static small_archive a;
    unsigned char array[129 + sizeof x];
    size_t size;
    array_write("a.npy", "{'descr': '<f8', " REST "(2,), }", 128, x, sizeof x);
    unsigned char *file = bytes_of("a.npy", &size);
    assert_int_equal(128 + sizeof x, size);
    memcpy(array, file, size);
    array[size] = 0;
    free(file);
    assert_int_equal(0, unlink("a.npy"));
    const uint64_t behind = 46 + 6 + 22; /* bytes after the array */
    const struct {
        int part;
        size_t at, width;
        uint64_t number;
        const char *phrase;
    } all[] = {{LOCAL, 4, 2, 45, NULL},
               {LOCAL, 26, 2, 0xFFFF, damaged},
               {LOCAL, 28, 2, 0xFFFF, damaged},
               {LOCAL, 28, 2, behind + 1, damaged},
               {LOCAL, 28, 2, behind, no_column},
               {LOCAL, 28, 2, 1, no_column},
               {ENTRY, 0, 4, 0x02014b51, damaged},
               {ENTRY, 0, 4, 0x02014b4f, damaged},
               {ENTRY, 10, 2, 8, "is compressed"},
               {ENTRY, 20, 4, size + 1, damaged},
               {ENTRY, 24, 4, size + 1, damaged},
               {ENTRY, 20, 8, size | (uint64_t)size << 32, NULL},
               {ENTRY, 20, 8, (size - 1) | (uint64_t)(size - 1) << 32, no_column},
               {ENTRY, 20, 8, (size + 1) | (uint64_t)(size + 1) << 32, no_column},
               {ENTRY, 20, 8, (size - 8) | (uint64_t)(size - 8) << 32, no_column},
               {ENTRY, 20, 8, (size + 8) | (uint64_t)(size + 8) << 32, no_column},
               {ENTRY, 20, 8, 11 | (uint64_t)11 << 32, no_column},
               {ENTRY, 20, 8, 127 | (uint64_t)127 << 32, no_column},
               {ENTRY, 20, 8, (size + behind + 1) | (uint64_t)(size + behind + 1) << 32, damaged},
               {ENTRY, 28, 2, 5, damaged},
               {ENTRY, 28, 2, 7, damaged},
               {ENTRY, 30, 2, 1, damaged},
               {ENTRY, 32, 2, 1, damaged},
               {ENTRY, 42, 4, 0x40000000, damaged},
               {ENTRY, 42, 4, 0x7FFFFFFF, damaged},
               {ENTRY, 42, 4, 1, damaged},
               {END, 0, 4, 0x06054b51, damaged},
               {END, 0, 4, 0x06054b4f, damaged},
               {END, 12, 4, 0, "is empty"},
               {END, 12, 4, 51, damaged},
               {END, 12, 4, 53, damaged},
               {END, 12, 4, 75, damaged},
               {END, 12, 4, 0x7FFFFFFF, damaged},
               {END, 16, 4, 0, damaged},
               {END, 16, 4, 0x40000000, damaged},
               {END, 20, 2, 3, NULL}};
    for (size_t i = 0; i < COUNT(all); i++) {
        small_archive_make(&a, "ab.npy", 6, array, size, NULL, 0);
        const size_t parts[] = {0, a.entry, a.end};
        put_at(a.bytes + parts[all[i].part] + all[i].at, all[i].number, all[i].width);
        assert_archive(&a, a.size, all[i].phrase, converted);
    }

    /* no bytes at all, at the end of the file and behind it */
    for (uint64_t more = 0; more < 2; more++) {
        small_archive_make(&a, "ab.npy", 6, array, 0, NULL, 0);
        put_at(a.bytes + 28, behind + more, 2);
        assert_archive(&a, a.size, more == 0 ? no_column : damaged, NULL);
    }

    /* names */
    static const struct {
        const char *name;
        size_t length;
        const char *phrase;
    } names[] = {{"ab.txt", 6, "contains no arrays"},
                 {"npy", 3, "contains no arrays"},
                 {".npy", 4, no_column},
                 {"a\0.npy", 6, "a NUL character in its name"},
                 {"ab.npy", 6, NULL}};
    for (size_t i = 0; i < COUNT(names); i++) {
        small_archive_make(&a, names[i].name, names[i].length, array, size, NULL, 0);
        assert_archive(&a, a.size, names[i].phrase, converted);
    }
    for (int length = 59; length <= 60; length++) {
        char name[70], wanted[100];
        (void)snprintf(name, sizeof name, "%0*d.npy", length, 1);
        (void)snprintf(wanted, sizeof wanted, "t,%0*d\n0,1.5\n1,-2.5\n", length, 1);
        small_archive_make(&a, name, strlen(name), array, size, NULL, 0);
        assert_archive(&a, a.size, length == 59 ? NULL : no_column, wanted);
    }

    /* a comment after the end, at most of 65535 bytes; and files that end too soon */
    static const size_t comments[] = {1, 100, 65535, 65536};
    small_archive_make(&a, "ab.npy", 6, array, size, NULL, 0);
    for (size_t i = 0; i < COUNT(comments); i++)
        assert_archive(&a, a.size + comments[i], comments[i] < 65536 ? NULL : damaged, converted);
    const size_t sizes[] = {4, 21, 22, 23, 40, a.content, a.entry, a.end, a.size - 1};
    for (size_t i = 0; i < COUNT(sizes); i++)
        assert_archive(&a, sizes[i], damaged, NULL);
}

/* Numbers of an entry that stand in its extra field: its size, what is stored, its place. */
static void wide_entries(void **state)
{
    (void)state;
    enum { SIZE = 1, STORED = 2, PLACE = 4, ALL = 7 };
    static const double x[] = {1.5, -2.5};
    static small_archive a;
    size_t size;
    array_write("a.npy", "{'descr': '<f8', " REST "(2,), }", 128, x, sizeof x);
    unsigned char *file = bytes_of("a.npy", &size);
    assert_int_equal(0, unlink("a.npy"));
    const unsigned char s = (unsigned char)size;
#define EIGHT(n) (n), 0, 0, 0, 0, 0, 0, 0
    const struct {
        unsigned char extra[40];
        size_t length;
        int wide;
        bool good;
    } all[] = {{{1, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0)}, 28, ALL, true},
               {{7, 0, 2, 0, 9, 9, 1, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0)}, 34, ALL, true},
               {{1, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0), 9, 9, 9}, 31, ALL, true},
               {{1, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0), 9, 0, 0, 0}, 32, ALL, true},
               {{1, 0, 8, 0, EIGHT(s)}, 12, SIZE, true},
               {{1, 0, 8, 0, EIGHT(s)}, 12, STORED, true},
               {{1, 0, 8, 0, EIGHT(0)}, 12, PLACE, true},
               {{1, 0, 16, 0, EIGHT(s), EIGHT(0)}, 20, SIZE | PLACE, true},
               {{1, 0, 8, 0, EIGHT(s)}, 12, 0, true},
               {{1, 0, 8, 0, EIGHT(1)}, 12, PLACE, false},
               {{1, 0, 16, 0, EIGHT(s), EIGHT(s)}, 20, ALL, false},
               {{1, 0, 23, 0, EIGHT(s), EIGHT(s), EIGHT(0)}, 28, ALL, false},
               {{1, 0, 25, 0, EIGHT(s), EIGHT(s), EIGHT(0)}, 28, ALL, false},
               {{2, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0)}, 28, ALL, false},
               {{1, 0, 24, 0, EIGHT(s), EIGHT(s), EIGHT(0), 9, 0, 1, 0}, 32, ALL, false},
               {{0}, 0, SIZE, false},
               {{0}, 0, PLACE, false}};
    for (size_t i = 0; i < COUNT(all); i++) {
        static const size_t places[] = {24, 20, 42};
        small_archive_make(&a, "ab.npy", 6, file, size, all[i].extra, all[i].length);
        for (int k = 0; k < 3; k++)
            if (all[i].wide >> k & 1)
                put_at(a.bytes + a.entry + places[k], 0xFFFFFFFF, 4);
        assert_archive(&a, a.size, all[i].good ? NULL : "or is damaged", "t,ab\n0,1.5\n1,-2.5\n");
    }
    free(file);
}

/* ---- HDF5 ------------------------------------------------------------------------------ */

#ifdef POLHODE_HDF5

/* The numbers of a dataset of that shape, to be freed. */
static double *dataset(hid_t file, const char *path, int rank, const hsize_t *size)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        fail_msg("no dataset %s", path);
    const hid_t space = H5Dget_space(set);
    hsize_t shape[4] = {0};
    size_t count = 1;
    assert_int_equal(rank, H5Sget_simple_extent_ndims(space));
    assert_int_equal(rank, H5Sget_simple_extent_dims(space, shape, NULL));
    for (int k = 0; k < rank; k++) {
        assert_int_equal(size[k], shape[k]);
        count *= size[k];
    }
    double *x = calloc(count, sizeof *x);
    assert_non_null(x);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    assert_true(H5Sclose(space) >= 0 && H5Dclose(set) >= 0);
    return x;
}

/* A text that an object has as an attribute. */
static void attribute(hid_t file, const char *path, const char *name, char text[200])
{
    const hid_t a = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);
    if (a < 0)
        fail_msg("%s has no %s", path, name);
    const hid_t type = H5Aget_type(a);
    assert_true(H5Tget_size(type) < 200);
    memset(text, 0, 200);
    assert_true(H5Aread(a, type, text) >= 0);
    assert_true(H5Tclose(type) >= 0 && H5Aclose(a) >= 0);
}

static double number_attribute(hid_t file, const char *name)
{
    double x = NAN;
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(a >= 0 && H5Aread(a, H5T_NATIVE_DOUBLE, &x) >= 0 && H5Aclose(a) >= 0);
    return x;
}

static hid_t open_file(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* A dataset for each group of columns, which it names. The step is an attribute where there is one,
 * and a step of 1 is one. */
static void h5_of_a_body(void **state)
{
    (void)state;
    static const struct {
        const char *set, *unit;
        hsize_t width;
    } sets[] = {{"t", "t", 1},
                {"attitude", "1", 4},
                {"momentum", "I/t", 3},
                {"velocity", "rad/t", 3},
                {"energy", "I/t^2", 1}};
    RUN_INTO("a.csv", "run", "--problem", "free", "--method", "dmv2", "--inertia", "1,2,2.5",
             "--momentum", "1,-2,0.5", "--step", "1", "--time", "300");
    RUN_INTO("a.h5", "run", "--problem", "free", "--method", "dmv2", "--inertia", "1,2,2.5",
             "--momentum", "1,-2,0.5", "--step", "1", "--time", "300");
    const rows r = rows_of_file("a.csv");
    assert_int_equal(301, r.count);
    hid_t file = open_file("a.h5");
    char text[200];
    for (size_t i = 0; i < COUNT(sets); i++) {
        const hsize_t size[] = {r.count, sets[i].width};
        double *x = dataset(file, sets[i].set, 1 + (sets[i].width > 1), size);
        attribute(file, sets[i].set, "units", text);
        assert_string_equal(sets[i].unit, text);
        attribute(file, sets[i].set, "columns", text);
        const char *at = text;
        for (hsize_t k = 0; k < sets[i].width; k++) {
            char name[MOST] = "";
            const size_t length = strcspn(at, ",");
            memcpy(name, at, length);
            at += length + (at[length] == ',');
            for (size_t row = 0; row < r.count; row++)
                assert_true(x[row * sets[i].width + k] == value(&r, row, name));
        }
        assert_true(*at == '\0');
        free(x);
    }
    attribute(file, "/", "problem", text);
    assert_string_equal("free", text);
    attribute(file, "/", "method", text);
    assert_string_equal("dmv2", text);
    assert_true(number_attribute(file, "step") == 1.0);
    double *J = dataset(file, "constants/moments", 1, (const hsize_t[]){3});
    assert_true(J[0] == 1.0 && J[1] == 2.0 && J[2] == 2.5);
    free(J);
    assert_true(H5Fclose(file) >= 0);
    RUN_INTO("a.h5", "exact", BOOK, "--time", "0,1");
    file = open_file("a.h5");
    assert_true(H5Aexists(file, "step") == 0);
    assert_true(H5Fclose(file) >= 0);
    free(r.x);
    assert_int_equal(0, unlink("a.h5"));
}

/* Frames of H5MD: each field under its name, with the numbers of the steps and the times. */
static void h5_of_molecules(void **state)
{
    (void)state;
    enum { FRAMES = 3, BODIES = 8 };
    static const struct {
        const char *element, *columns[4];
        hsize_t width;
        bool constant;
    } fields[] = {{"position", {"x", "y", "z"}, 3, false},
                  {"momentum", {"px", "py", "pz"}, 3, false},
                  {"attitude", {"q0", "q1", "q2", "q3"}, 4, false},
                  {"angular_momentum", {"m1", "m2", "m3"}, 3, false},
                  {"mass", {"mass"}, 1, true},
                  {"inertia", {"I1", "I2", "I3"}, 3, true},
                  {"dipole", {"d1", "d2", "d3"}, 3, true}};
    RUN_INTO("a.csv", "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",
             "verlet+exact", "--step", "0.25", "--time", "1", "--every", "2");
    RUN_INTO("a.h5", "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",
             "verlet+exact", "--step", "0.25", "--time", "1", "--every", "2");
    const rows r = rows_of_file("a.csv");
    assert_int_equal(FRAMES * BODIES, r.count);
    const hid_t file = open_file("a.h5");
    for (size_t i = 0; i < COUNT(fields); i++) {
        char path[100];
        const bool constant = fields[i].constant;
        const hsize_t width = fields[i].width, size[] = {FRAMES, BODIES, width};
        (void)snprintf(path, sizeof path, "particles/all/%s%s", fields[i].element,
                       constant ? "" : "/value");
        double *x = dataset(file, path, (constant ? 1 : 2) + (width > 1), size + constant);
        for (size_t k = 0; k < (hsize_t)(constant ? 1 : FRAMES) * BODIES * width; k++)
            assert_true(x[k] == value(&r, k / width, fields[i].columns[k % width]));
        free(x);
        if (constant)
            continue;
        (void)snprintf(path, sizeof path, "particles/all/%s/step", fields[i].element);
        double *step = dataset(file, path, 1, size);
        (void)snprintf(path, sizeof path, "particles/all/%s/time", fields[i].element);
        double *time = dataset(file, path, 1, size);
        for (size_t k = 0; k < FRAMES; k++)
            assert_true(step[k] == 2.0 * (double)k && time[k] == 0.5 * (double)k);
        free(step);
        free(time);
    }
    double *v =
        dataset(file, "particles/all/velocity/value", 3, (const hsize_t[]){FRAMES, BODIES, 3});
    for (size_t k = 0; k < FRAMES * BODIES; k++)
        assert_true(v[3 * k + 1] == value(&r, k, "py") / value(&r, k, "mass"));
    free(v);
    double *energy = dataset(file, "observables/energy/value", 1, (const hsize_t[]){FRAMES});
    assert_true(energy[0] != 0.0 && fabs(energy[2] - energy[0]) < 0.1 * fabs(energy[0]));
    free(energy);
    assert_true(H5Fclose(file) >= 0);
    free(r.x);
    assert_int_equal(0, unlink("a.h5"));
}

/* Velocities are momenta over masses, which may differ. */
static void h5_of_masses(void **state)
{
    (void)state;
    const double p[] = {1, 2, 3, 4, 5, 6}, mass[] = {2, 4};
    FILE *f = fopen("s.yaml", "w");
    assert_non_null(f);
    (void)fputs("problem: dipolar_spheres\nmethod: verlet+exact\nstep: 0.01\ntime: 0.01\n"
                "bodies: {positions: [[0, 0, 0], [0, 0, 3]], masses: [2, 4], "
                "momenta: [[1, 2, 3], [4, 5, 6]]}\n",
                f);
    assert_int_equal(0, fclose(f));
    RUN_INTO("a.h5", "run", "s.yaml");
    const hid_t file = open_file("a.h5");
    double *v = dataset(file, "particles/all/velocity/value", 3, (const hsize_t[]){2, 2, 3});
    for (size_t k = 0; k < 6; k++)
        assert_true(v[k] == p[k] / mass[k / 3]);
    free(v);
    assert_true(H5Fclose(file) >= 0);
    assert_int_equal(0, unlink("a.h5") + unlink("s.yaml"));
}

/* Unit vectors are the places; their velocities keep their name. */
static void h5_of_vectors(void **state)
{
    (void)state;
    RUN_INTO("a.csv", "run", "--problem", "double_pendulum", "--method", "rattle", "--step",
             "0.125", "--time", "0.5");
    RUN_INTO("a.h5", "run", "--problem", "double_pendulum", "--method", "rattle", "--step", "0.125",
             "--time", "0.5");
    const rows r = rows_of_file("a.csv");
    const hid_t file = open_file("a.h5");
    const hsize_t size[] = {r.count, 2, 3};
    double *q = dataset(file, "particles/all/position/value", 3, size),
           *w = dataset(file, "particles/all/w/value", 3, size);
    assert_int_equal(5, r.count);
    for (size_t k = 0; k < r.count * 6; k++) {
        const char letter = (char)('x' + k % 3), body = (char)('1' + k / 3 % 2),
                   place[] = {'q', body, letter, '\0'}, speed[] = {'w', body, letter, '\0'};
        assert_true(q[k] == value(&r, k / 6, place) && w[k] == value(&r, k / 6, speed));
    }
    free(q);
    free(w);
    assert_true(H5Fclose(file) >= 0);
    free(r.x);
    assert_int_equal(0, unlink("a.h5"));
}

/* Where a file may have so many bytes, the rows so far make a whole file. */
static void h5_of_limited_size(void **state)
{
    (void)state;
    static const struct {
        const char *words[16];
        const char *times;
        rlim_t least, more;
        size_t rows; /* that are written at once */
        double interval;
    } cases[] = {
        {{"run", "--problem", "free", "--method", "sr2", "--step", "0.125", "--time", "500",
          "--out", "a.h5"},
         "t",
         200000,
         30000,
         512,
         0.125},
        {{"run", "--problem", "dipolar_spheres", "--set", "lattice=6", "--method", "verlet+exact",
          "--step", "0.0625", "--time", "7.5", "--out", "a.h5"},
         "time",
         1500000,
         200000,
         37,
         0.0625},
    };
    struct rlimit before;
    assert_int_equal(0, getrlimit(RLIMIT_FSIZE, &before));
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *words[17] = {NULL};
        memcpy(words, cases[i].words, sizeof cases[i].words);
        for (int k = 0; k < 8; k++) {
            const struct rlimit small = {cases[i].least + (rlim_t)k * cases[i].more,
                                         before.rlim_max};
            assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &small));
            tool_run run = tool_run_words(NULL, words);
            assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &before));
            assert_error_line(&run, 1, "the rows so far are in a.h5.partial");
            assert_contains(run.error, "File too large");
            tool_run_free(&run);
            const hid_t file = open_file("a.h5.partial"),
                        set = H5Dopen2(file, cases[i].times, H5P_DEFAULT),
                        space = H5Dget_space(set);
            hsize_t count = 0;
            assert_int_equal(1, H5Sget_simple_extent_dims(space, &count, NULL));
            assert_true(count > 0 && count % cases[i].rows == 0);
            double *t = dataset(file, cases[i].times, 1, &count);
            for (size_t n = 0; n < count; n++)
                assert_true(t[n] == cases[i].interval * (double)n);
            free(t);
            assert_true(H5Sclose(space) >= 0 && H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
            assert_int_equal(0, unlink("a.h5.partial"));
        }
    }
    assert_no_file("*");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums),          cmocka_unit_test(npy_of_a_run),
        cmocka_unit_test(written_again),      cmocka_unit_test(npz_of_a_run),
        cmocka_unit_test(npz_of_arrays),      cmocka_unit_test(records),
        cmocka_unit_test(long_headers),       cmocka_unit_test(blocks),
        cmocka_unit_test(archives),           cmocka_unit_test(damaged_archives),
        cmocka_unit_test(wide_entries),
#ifdef POLHODE_HDF5
        cmocka_unit_test(h5_of_a_body),       cmocka_unit_test(h5_of_molecules),
        cmocka_unit_test(h5_of_vectors),      cmocka_unit_test(h5_of_masses),
        cmocka_unit_test(h5_of_limited_size),
#endif
    };
    return cmocka_run_group_tests_name("archives", tests, folder_enter, folder_leave);
}
