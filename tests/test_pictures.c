/* test_pictures.c - what pictures are made of: views, curves on an ellipsoid, samples of a
 * motion, styles; the names that a message proposes; files written in small pieces. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "core/extremes.h"
#include "core/vec.h"
#include "io/curves.h"
#include "io/nearest.h"
#include "io/outfile.h"
#include "io/view.h"
#include "io/work_plot.h"
#include "support/run_tool.h"

/* ---- views ----------------------------------------------------------------------- */

static const double DEGREE = 3.14159265358979323846 / 180.0;
static const ph_vec3 SPHERE = {1.0, 1.0, 1.0};

static ph_vec3 direction(double azimuth, double elevation)
{
    const double a = azimuth * DEGREE, e = elevation * DEGREE;
    return vec3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
}

/* The views are from 30 degrees above or below the equator, at 30, 120, 210 or 300
 * degrees. What is just within one of them is all seen from there alone. */
static void test_view_best(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const double azimuth = 30.0 + 90.0 * (k % 4), elevation = k < 4 ? 30.0 : -30.0;
        const ph_vec3 middle = direction(azimuth, elevation),
                      side = direction(azimuth + 90.0, 0.0), up = cross(middle, side);
        ph_vec3 curve[40];
        for (int i = 0; i < 40; i++) {
            const double a = 9.0 * i * DEGREE, r = 85.0 * DEGREE;
            curve[i] = add(scale(cos(r), middle),
                           scale(sin(r), add(scale(cos(a), side), scale(sin(a), up))));
        }
        const ph_vec3 *const one[] = {curve};
        const view v = view_best(one, 1, 40, SPHERE, true);
        assert_true(norm(sub(v.toward, middle)) < 1e-12);
        assert_true(norm(sub(v.right, side)) < 1e-12);
        assert_true(norm(sub(v.up, up)) < 1e-12);
        assert_true(view_facing(&v, v.toward) > 0.99);
        assert_true(view_outline(&v) > 0.99 && view_outline(&v) < 1.01);
        const view above = view_best(one, 1, 40, SPHERE, false);
        assert_true(above.toward.z > 0.49);
    }
}

/* The points of the block of that name, with what interrupts a curve left out; a view
 * along the third axis, so that they are the first two components of u. */
static size_t block(const char *script, const char *name, double (*point)[2])
{
    char begin[64];
    (void)snprintf(begin, sizeof begin, "$%s << EOD\n", name);
    const char *at = strstr(script, begin);
    assert_non_null(at);
    size_t n = 0;
    for (at += strlen(begin); strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) {
        if (sscanf(at, "%lf %lf", &point[n][0], &point[n][1]) == 2 && *at != '\n' &&
            !isnan(point[n][0]))
            n++;
    }
    return n;
}

static const view FROM_ABOVE = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

/* Points of u with J u.u = the middle moment, whichever axis that is; two circles, each
 * half in front. */
static void test_separatrix(void **state)
{
    (void)state;
    static const ph_vec3 moments[] = {{1, 2, 4}, {4, 1, 2}, {2, 4, 1}, {4, 2, 1}};
    for (size_t k = 0; k < COUNT(moments); k++) {
        const ph_vec3 J = moments[k];
        char *script;
        size_t size;
        FILE *f = open_memstream(&script, &size);
        assert_non_null(f);
        assert_true(put_separatrix(f, "s", 3, &FROM_ABOVE, J));
        assert_false(put_separatrix(f, "t", 3, &FROM_ABOVE, vec3(1, 1, 2)));
        (void)fclose(f);
        double point[600][2];
        const char *const sides[] = {"s3_front", "s3_back"};
        for (int side = 0; side < 2; side++) {
            const size_t n = block(script, sides[side], point);
            double widest[2] = {0.0, 0.0};
            assert_true(n >= 96 && n <= 110);
            for (size_t i = 0; i < n; i++) {
                const double x = point[i][0], y = point[i][1], z2 = 1.0 - x * x - y * y;
                assert_true(fabs(J.x * x * x + J.y * y * y + J.z * z2 - 2.0) < 2e-3);
                widest[0] = larger_or_nan(widest[0], fabs(x));
                widest[1] = larger_or_nan(widest[1], fabs(y));
            }
            assert_true(widest[0] > 0.3 && widest[1] > 0.3); /* no point, no line */
        }
        assert_int_equal(0, block(script, "t3_front", point));
        free(script);
    }
}

/* A curve over the edge: the part in front, the part behind, each from its end on. */
static void test_curve(void **state)
{
    (void)state;
    ph_vec3 u[13];
    for (int i = 0; i < 13; i++)
        u[i] = vec3(cos(30.0 * i * DEGREE), 0.0, sin(30.0 * (i + 0.4) * DEGREE));
    char *script;
    size_t size;
    FILE *f = open_memstream(&script, &size);
    assert_non_null(f);
    put_curve(f, "c", 1, &FROM_ABOVE, u, 13);
    put_mark(f, "m", 1, &FROM_ABOVE, u[2]);
    put_mark(f, "n", 1, &FROM_ABOVE, u[8]);
    put_grid(f, "g", 2, &FROM_ABOVE);
    (void)fclose(f);
    double point[3000][2];
    const size_t front = block(script, "c1_front", point);
    assert_true(fabs(point[0][0] - 1.0) < 1e-4);
    const size_t back = block(script, "c1_back", point);
    assert_true(front == 7 && back == 7); /* one more than segments */
    assert_int_equal(1, block(script, "m1_front", point));
    assert_true(fabs(point[0][0] - cos(60.0 * DEGREE)) < 1e-4);
    assert_int_equal(0, block(script, "m1_back", point));
    assert_int_equal(0, block(script, "n1_front", point));
    assert_int_equal(1, block(script, "n1_back", point));
    /* six meridians and five parallels of 96 segments, seen from the pole */
    const size_t grid_front = block(script, "g2_front", point);
    for (size_t i = 0; i < grid_front; i++)
        assert_true(hypot(point[i][0], point[i][1]) < 1.0 + 1e-4);
    const size_t grid_back = block(script, "g2_back", point);
    assert_true(grid_front >= 11 * 48 && grid_front <= 11 * 50 + 97);
    assert_true(grid_back >= 10 * 48 && grid_back <= 11 * 50);
    assert_int_equal(97, block(script, "g2_edge", point));
    for (int i = 0; i < 97; i++)
        assert_true(fabs(hypot(point[i][0], point[i][1]) - 1.0) < 1e-4);
    free(script);
}

/* ---- samples of a motion --------------------------------------------------------- */

static curves sample(ph_vec3 J, ph_vec3 m, double begin, double end)
{
    ph_body body;
    ph_motion motion;
    const ph_state start = {{1, 0, 0, 0}, m};
    curves c = {0};
    assert_int_equal(PH_OK, ph_body_from_moments(&body, J));
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, &body, &start));
    assert_true(curves_sample(&c, &body, &motion, begin, end));
    return c;
}

static void test_samples(void **state)
{
    (void)state;
    const ph_vec3 J = {1, 2, 4}, m = {0.1, 3.0, 0.2};
    const double ends[] = {5.0, -5.0, 1e6};
    for (int k = 0; k < 3; k++) {
        curves c = sample(J, m, 0.5, ends[k]);
        assert_false(c.rest);
        assert_true(c.cut == (k == 2));
        assert_true(k == 2 ? c.end < ends[k] : c.end == ends[k]);
        assert_true(k == 2 ? c.count == 6000 : c.count > 150 && c.count < 600);
        for (size_t i = 1; i < c.count; i++) {
            const double chord = norm(sub(c.polhode[i], c.polhode[i - 1]));
            assert_true(chord <= 0.08 && fabs(norm(c.polhode[i]) - 1.0) < 1e-12);
            for (int a = 0; a < 3; a++)
                assert_true(norm(sub(c.axis[a][i], c.axis[a][i - 1])) <= 0.08);
        }
        assert_true(norm(sub(c.momentum, scale(1 / norm(m), m))) < 1e-12);
        curves_free(&c);
    }
    curves rest = sample(J, vec3(0, 0, 0), 0.0, 1.0);
    assert_true(rest.rest && rest.count == 2 && !rest.cut);
    curves_free(&rest);
    /* so late that no time is left between two samples: it ends, and says so */
    curves late = sample(J, scale(1e3, m), 1e16, 1e16 + 1e3);
    assert_true(late.cut && late.count >= 1 && late.count < 6000 && late.end == 1e16);
    curves_free(&late);
}

/* ---- styles and names ------------------------------------------------------------ */

/* Families by colour, orders by marks, the highest order of a family the darkest. */
static void test_styles(void **state)
{
    (void)state;
    enum { CROSS = 2, SQUARE = 5, DISC = 7, UP = 9, PENTAGON = 15 };
    static const struct {
        work_curve curve;
        size_t family;
        double pale;
        int mark;
    } all[] = {
        {{"dmv4", 4, 0, NULL}, 0, 0.45 * 2 / 3, SQUARE},
        {{"mr", 2, 0, NULL}, 1, 0.0, DISC},
        {{"dmv2", 2, 0, NULL}, 0, 0.45, DISC},
        {{"dmv6", 6, 0, NULL}, 0, 0.0, UP},
        {{"dmvx", 4, 0, NULL}, 2, 0.0, SQUARE},
        {{"dmv4:a", 4, 0, NULL}, 0, 0.45 / 3, SQUARE - 1}, /* another of that order */
        {{"exact", 0, 0, NULL}, 3, 0.0, CROSS},
        {{"euler1", 1, 0, NULL}, 4, 0.45, PENTAGON},
        {{"euler12", 12, 0, NULL}, 4, 0.0, PENTAGON},
    };
    work_curve list[COUNT(all)];
    for (size_t i = 0; i < COUNT(all); i++)
        list[i] = all[i].curve;
    for (size_t i = 0; i < COUNT(all); i++) {
        const graph_style s = work_style(list, COUNT(all), i);
        if (!(s.hue == all[i].family && s.dash == all[i].family &&
              fabs(s.pale - all[i].pale) < 1e-12 && s.mark == all[i].mark))
            fail_msg("%s: family %zu, pale %g, mark %d", list[i].method, s.hue, s.pale,
                     s.mark);
    }
}

static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *wrong, *name;
        size_t distance;
    } pairs[] = {
        {"exact", "exact", 0},  {"exatc", "exact", 1},    {"eact", "exact", 1},
        {"exxact", "exact", 1}, {"exbct", "exact", 1},    {"", "exact", 5},
        {"exact", "", 5},       {"kitten", "sitting", 3}, {"ab", "ba", 1},
        {"abcd", "badc", 2},    {"ca", "abc", 3},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        nearest n = {.wrong = pairs[i].wrong};
        nearest_add(&n, "%s", pairs[i].name);
        assert_int_equal(1, n.count);
        assert_int_equal(pairs[i].distance, n.distance[0]);
    }
    /* the least distance first, then one more; at most three, in their order */
    const char *const names[] = {"dmv16", "mr", "dmv2", "dmv8", "dmv", "dmv4"};
    nearest n = {.wrong = "dmv"}, r = {.wrong = "r"};
    for (size_t i = 0; i < COUNT(names); i++)
        nearest_add(&n, "%s", names[i]);
    assert_int_equal(3, n.count);
    assert_int_equal(0, n.distance[0]);
    assert_string_equal("dmv", n.name[0]);
    assert_string_equal("dmv2", n.name[1]);
    assert_string_equal("dmv8", n.name[2]);
    for (size_t i = 0; i < 2; i++)
        nearest_add(&r, "%s", names[i]);
    assert_int_equal(1, r.count);
    assert_int_equal(1, r.distance[0]);
    /* names are read up to 63 letters */
    char a[200], b[200];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[63] = b[150] = '\0';
    nearest whole = {.wrong = a}, shorter = {.wrong = a};
    nearest_add(&whole, "%s", b);
    assert_int_equal(0, whole.distance[0]);
    b[60] = '\0';
    nearest_add(&shorter, "%s", b);
    assert_int_equal(3, shorter.distance[0]);
}

/* ---- files written in pieces ----------------------------------------------------- */

/* The system takes three bytes at a time, and a signal comes before every second. */
static bool interrupted;

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __real_pwrite(int fd, const void *bytes, size_t length, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t at);

static size_t piece(size_t length)
{
    const size_t most = 3;
    return length < most ? length : most;
}

static bool signal_comes(void)
{
    errno = EINTR;
    return interrupted = !interrupted;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t length)
{
    return signal_comes() ? -1 : __real_write(fd, bytes, piece(length));
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t at)
{
    return signal_comes() ? -1 : __real_pwrite(fd, bytes, piece(length), at);
}

static void test_pieces(void **state)
{
    (void)state;
    outfile *out = outfile_open("pieces.txt");
    assert_non_null(out);
    outfile_print(out, "%s, %d\n", "the first line", 1);
    outfile_write(out, "the second\n", 11);
    outfile_flush(out);
    outfile_replace(out, "THE FIRST", 9);
    assert_int_equal(0, outfile_close(out, NULL));
    char *text = file_text("pieces.txt");
    assert_string_equal("THE FIRST line, 1\nthe second\n", text);
    free(text);
    assert_int_equal(0, remove("pieces.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_best), cmocka_unit_test(test_separatrix),
        cmocka_unit_test(test_curve),     cmocka_unit_test(test_samples),
        cmocka_unit_test(test_styles),    cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests_name("pictures", tests, folder_enter, folder_leave);
}
