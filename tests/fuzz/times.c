/* times.c - rows at any times, as an attitude ephemeris and as an animation: refused, or read back
 * the same.
 *
 * The first byte says which file, and which epoch; then twelve bytes make a row: a time, and four
 * small numbers that are an attitude.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "fuzz.h"
#include "motion/vec.h"
#include "tool/files/csv.h"
#include "tool/files/json.h"
#include "tool/files/memory.h"
#include "tool/files/rows.h"

enum { MOST = 64, ROW = 12 };

typedef struct taken {
    size_t count; /* that were taken */
    double t[MOST];
    ph_quat q[MOST];
} taken;

static volatile sig_atomic_t never;

/* ---- writing --------------------------------------------------------------------- */

static bool read_row(const uint8_t *data, double *t, ph_quat *q)
{
    memcpy(t, data, sizeof *t);
    const int8_t *x = (const int8_t *)data + sizeof *t;
    *q = (ph_quat){x[0], x[1], x[2], x[3]};
    *q = dot4(*q, *q) == 0.0 ? (ph_quat){1.0, 0.0, 0.0, 0.0} : ph_quat_unit(*q);
    return isfinite(*t);
}

/* Whether any such file has to take a row: its date is of this age, and the times are far enough
 * apart. */
static bool is_plain(const taken *x, double t, bool recent)
{
    const size_t n = x->count;
    return recent && fabs(t) < 1e9 && fabs(n == 0 ? t : x->t[0]) < 1e9 &&
           (n == 0 || (t > x->t[n - 1] && x->t[n - 1] >= x->t[0] &&
                       t - x->t[n - 1] > 1e-6 * (t - x->t[0]) && t - x->t[n - 1] > 1e-6));
}

/* Adds rows up to one that is refused. */
static void write_rows(taken *x, record *r, instant *now, sample *body, const uint8_t *data,
                       size_t size)
{
    const bool recent = r->about->epoch[0] == '2';
    double t;
    for (; size >= ROW && x->count < MOST; data += ROW, size -= ROW) {
        if (!read_row(data, &t, &body->state.q))
            continue;
        now->t = t;
        record_add(r, now);
        if (r->refused != NULL) {
            require(!is_plain(x, t, recent), "t = %.17g is held", t);
            return;
        }
        x->t[x->count] = t;
        x->q[x->count++] = body->state.q;
    }
}

static void write_all(taken *x, const char *path, const char *date, const uint8_t *data,
                      size_t size)
{
    ph_body b = {{1.0, 2.0, 3.0}, {1.0, 0.0, 0.0, 0.0}, true};
    sample body = sample_of(&b, &(ph_state){{1.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 0.0);
    ph_array field[SAMPLE_FIELDS];
    sample_fields(&body, &b, field);
    instant now = {.field = field, .fields = SAMPLE_FIELDS};
    const file_about about = {.command = "", .problem = "free", .method = "exact", .epoch = date};
    column_set columns = {0};
    nearest near_by = {0};
    record r = {0};
    require(columns_choose(&columns, &(column_choice){0}, &now, &near_by) &&
                record_prepare(&r, file_format_of(path), &columns, &now, &about) == NULL,
            "the file holds these columns");
    outfile *out = outfile_open(path);
    require(out != NULL, "the file can be written");
    record_begin(&r, out);
    write_rows(x, &r, &now, &body, data, size);
    record_end(&r);
    record_free(&r);
    require(outfile_close(out, NULL) == 0, "the file can be written");
}

/* ---- reading back ---------------------------------------------------------------- */

static void check_message(const taken *x, const char *path)
{
    char message[CSV_MESSAGE];
    double row[8];
    csv *c = csv_open(path, &never, message);
    require(c != NULL, "the message can be opened: %s", message);
    require(csv_header(c) == CSV_OK, "the message has a head: %s", c->message);
    for (size_t i = 0; i < x->count; i++) {
        require(csv_row(c, row) == CSV_OK, "row %zu can be read: %s", i, c->message);
        const double t = x->t[i] - x->t[0];
        /* two dates, each to half a nanosecond and the rounding of its own time, and the
         * rounding of their difference */
        const double size = fabs(x->t[0]) + fabs(x->t[i]);
        require(fabs(row[0] - t) <= 2e-9 + 4.0 * DBL_EPSILON * size,
                "the time %.17g of row %zu is %.17g", t, i, row[0]);
        require(row[1] == x->q[i].w && row[2] == x->q[i].x && row[3] == x->q[i].y &&
                    row[4] == x->q[i].z,
                "the attitude of row %zu", i);
    }
    require(csv_row(c, row) == CSV_END, "there are %zu rows: %s", x->count, c->message);
    csv_close(c);
}

static uint32_t word_at(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float float_at(const unsigned char *at)
{
    const uint32_t bits = word_at(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Where the numbers of an accessor begin in the binary chunk. */
static size_t place_of(const json_t *scene, json_int_t accessor)
{
    const json_t *a = json_array_get(json_object_get(scene, "accessors"), (size_t)accessor),
                 *view =
                     json_array_get(json_object_get(scene, "bufferViews"),
                                    (size_t)json_integer_value(json_object_get(a, "bufferView")));
    return (size_t)json_integer_value(json_object_get(view, "byteOffset"));
}

static void check_animation(const taken *x, const char *path)
{
    static unsigned char bytes[1 << 16];
    FILE *f = fopen(path, "rb");
    require(f != NULL, "there is a file");
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    (void)fclose(f);
    if (x->count == 0)
        return;
    const size_t head = 20, text = size < head ? 0 : word_at(bytes + 12);
    require(size > head + text + 8 && word_at(bytes + 8) == size, "the file is whole");
    json_t *scene = json_loadb((const char *)bytes + head, text, 0, NULL);
    require(scene != NULL, "its scene is JSON");
    const json_t *sampler = json_array_get(
        json_object_get(json_array_get(json_object_get(scene, "animations"), 0), "samplers"), 0);
    const unsigned char *data = bytes + head + text + 8,
                        *times =
                            data +
                            place_of(scene, json_integer_value(json_object_get(sampler, "input"))),
                        *turns =
                            data +
                            place_of(scene, json_integer_value(json_object_get(sampler, "output")));
    for (size_t i = 0; i < x->count; i++) {
        const float t = float_at(times + 4 * i);
        require(isfinite(t) && t == (float)fabs(x->t[i] - x->t[0]), "time %zu is %g", i, (double)t);
        require(i == 0 || t > float_at(times + 4 * (i - 1)), "time %zu grows", i);
        double q[4];
        for (size_t k = 0; k < 4; k++)
            q[k] = (double)float_at(turns + 16 * i + 4 * k);
        const double same = dot4(x->q[i], (ph_quat){q[3], q[0], q[1], q[2]});
        require(fabs(fabs(same) - 1.0) < 1e-6, "the attitude of frame %zu", i);
    }
    json_decref(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dates[] = {"2026-01-01T00:00:00", "9999-12-31T23:59:59",
                                        "1000-01-01T00:00:00", "0001-01-01T00:00:00"};
    taken x = {0};
    if (size == 0)
        return 0;
    const bool message = data[0] % 2 == 0;
    const char *path = message ? "rows.aem" : "rows.glb";
    write_all(&x, path, dates[data[0] / 2 % 4], data + 1, size - 1);
    (message ? check_message : check_animation)(&x, path);
    memory_free();
    empty_folder();
    return 0;
}
