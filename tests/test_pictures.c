/* test_pictures.c - what pictures are made of: views, curves on an ellipsoid, samples of a
 * motion, styles, as gnuplot computes them from the templates; the names that a message proposes; files written in small pieces. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "motion/vec.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "tool/files/outfile.h"
#include "tool/files/run_plot.h"

/* ---- what gnuplot answers -------------------------------------------------------- */

static FILE *open_script(void)
{
    FILE *script = tmpfile();
    assert_non_null(script);
    plot_begin(script, PLOT_SVG, "it's a test");
    return script;
}

/* Runs the script and then prints an expression for i = 1, 2 ...: so many numbers in
 * all. */
static void ask(FILE *script, size_t rows, const char *expression, size_t count, double *answer)
{
    (void)fprintf(script,
                  "set print 'answer.txt'\ndo for [i = 1:%zu] { print %s }\n"
                  "unset print\n",
                  rows, expression);
    outfile *picture = outfile_open("picture.svg");
    assert_non_null(picture);
    assert_int_equal(0, gnuplot_draw(script, PLOT_SVG, picture, NULL));
    assert_int_equal(0, outfile_close(picture, NULL));
    (void)fclose(script);
    char *svg = file_text("picture.svg"), *text = file_text("answer.txt");
    assert_contains(svg, "</svg>");
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        answer[i] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
    free(svg);
    free(text);
    assert_int_equal(0, remove("answer.txt"));
    assert_int_equal(0, remove("picture.svg"));
}

/* ---- views ----------------------------------------------------------------------- */

static const double DEGREE = 3.14159265358979323846 / 180.0;

static ph_vec3 direction(double azimuth, double elevation)
{
    const double a = azimuth * DEGREE, e = elevation * DEGREE;
    return vec3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
}

/* A body of equal moments whose momentum goes round `middle`, nearly 90 degrees from it;
 * its attitude does not change. */
static FILE *cone_script(ph_vec3 middle, ph_vec3 side, ph_vec3 up)
{
    FILE *script = open_script();
    plot_text(script, "moments", "1 1 1");
    for (int k = 1; k <= 3; k++)
        (void)fprintf(script, "J%d = 1\n", k);
    plot_number(script, "cut", 0);
    plot_data_begin(script);
    (void)fputs("t,q0,q1,q2,q3,m1,m2,m3\n", script);
    for (int i = 0; i < 40; i++) {
        const double a = 9.0 * i * DEGREE, r = 85.0 * DEGREE;
        const ph_vec3 m =
            add(scale(cos(r), middle), scale(sin(r), add(scale(cos(a), side), scale(sin(a), up))));
        (void)fprintf(script, "%d,1,0,0,0,%.17g,%.17g,%.17g\n", i, m.x, m.y, m.z);
    }
    plot_data_end(script);
    assert_true(plot_end(script, "motion"));
    return script;
}

/* The views are from 30 degrees above or below the equator, at 30, 120, 210 or 300
 * degrees. What is just within one of them is all seen from there alone. */
static void test_view_best(void **state)
{
    (void)state;
    need_gnuplot();
    for (int k = 0; k < 8; k++) {
        const double azimuth = 30.0 + 90.0 * (k % 4), elevation = k < 4 ? 30.0 : -30.0;
        const ph_vec3 middle = direction(azimuth, elevation), side = direction(azimuth + 90.0, 0.0),
                      up = cross(middle, side);
        double x[9];
        ask(cone_script(middle, side, up), 1,
            "sprintf('%g %g %g %g %g 0 %g %g %g', t1, t2, t3, r1, r2, v1, v2, v3)", 9, x);
        assert_true(norm(sub(vec3(x[0], x[1], x[2]), middle)) < 1e-4);
        assert_true(norm(sub(vec3(x[3], x[4], x[5]), side)) < 1e-4);
        assert_true(norm(sub(vec3(x[6], x[7], x[8]), up)) < 1e-4);
    }
}

static ph_motion free_motion(ph_body *body, ph_vec3 J, ph_vec3 m)
{
    ph_motion motion;
    const ph_state start = {{1, 0, 0, 0}, m};
    assert_int_equal(PH_OK, ph_body_from_moments(body, J));
    assert_int_equal(PH_OK, ph_motion_prepare(&motion, body, &start));
    return motion;
}

/* The axis next to the angular velocity, or the axis of symmetry, faces the reader. */
static void test_view_axis(void **state)
{
    (void)state;
    need_gnuplot();
    static const struct {
        ph_vec3 J, m;
        int axis, sign;
    } cases[] = {
        {{1, 2, 2.9}, {3, 0.1, 0.2}, 0, 1},  {{1, 2, 2.9}, {-3, 0.1, 0.2}, 0, -1},
        {{1, 2, 2.9}, {0.02, 4, 0.1}, 1, 1}, {{1, 2, 2.9}, {0.02, -4, -0.1}, 1, -1},
        {{1, 2, 2.9}, {0.2, 0.1, 5}, 2, 1},  {{1, 2, 2.9}, {0.2, 0.1, -5}, 2, -1},
        {{3, 1, 1}, {1, 5, 0}, 0, 1},        {{1, 3, 1}, {0.1, -1, 6}, 1, -1},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        ph_body body;
        const ph_motion motion = free_motion(&body, cases[k].J, cases[k].m);
        double x[3];
        FILE *script = tmpfile();
        assert_non_null(script);
        assert_true(motion_plot(script, PLOT_SVG, &body, &motion, 0.0, 30.0));
        ask(script, 1, "sprintf('%g %g %g', t1, t2, t3)", 3, x);
        assert_true(cases[k].sign * x[cases[k].axis] > 0.7);
    }
}

/* ---- samples of a motion --------------------------------------------------------- */

/* Points of u with J u.u = the middle moment, whichever axis that is, on two circles. */
static void test_separatrix(void **state)
{
    (void)state;
    need_gnuplot();
    static const ph_vec3 moments[] = {{1, 2, 4}, {4, 1, 2}, {2, 4, 1}, {4, 2, 1}};
    for (size_t k = 0; k < COUNT(moments); k++) {
        const ph_vec3 J = moments[k];
        ph_body body;
        const ph_motion motion = free_motion(&body, J, vec3(1, 2, 3));
        double x[3 * 20];
        FILE *script = tmpfile();
        assert_non_null(script);
        assert_true(motion_plot(script, PLOT_SVG, &body, &motion, 0.0, 1.0));
        ask(script, 20,
            "sprintf('%g %g %g', circle(i % 2 ? 1 : -1, 1, i), "
            "circle(i % 2 ? 1 : -1, 2, i), circle(i % 2 ? 1 : -1, 3, i))",
            3 * 20, x);
        double widest = 0.0;
        for (int i = 0; i < 3 * 20; i += 3) {
            const ph_vec3 u = vec3(x[i], x[i + 1], x[i + 2]);
            assert_true(fabs(norm(u) - 1.0) < 1e-4);
            assert_true(fabs(dot(u, times(J, u)) - 2.0) < 1e-4);
            widest = larger_or_nan(widest, smaller_or_nan(fabs(u.x), fabs(u.z)));
        }
        assert_true(widest > 0.3); /* no point, no line */
    }
}

/* J^1/2 w, of length 1. */
static ph_vec3 polhode(ph_vec3 m, ph_vec3 J)
{
    const ph_vec3 u = over(m, vec3(sqrt(J.x), sqrt(J.y), sqrt(J.z)));
    return scale(1.0 / norm(u), u);
}

/* One row of the script after another: how many there are, and how far apart. */
static size_t count_rows(const char *script, ph_vec3 J, double *last_time)
{
    const char *at = strstr(script, "m1,m2,m3\n");
    assert_non_null(at);
    size_t count = 0;
    ph_state last = {0};
    for (at += strlen("m1,m2,m3\n"); strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) {
        ph_state s;
        assert_int_equal(8, sscanf(at, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", last_time, &s.q.w, &s.q.x,
                                   &s.q.y, &s.q.z, &s.m.x, &s.m.y, &s.m.z));
        for (int k = 0; k < 3 && count > 0; k++) {
            const ph_vec3 e = vec3(k == 0, k == 1, k == 2);
            assert_true(norm(sub(rotate(s.q, e), rotate(last.q, e))) <= 0.08001);
        }
        assert_true(fabs(norm(s.m) - 1.0) < 1e-6 || norm(s.m) == 0.0);
        const ph_vec3 u = polhode(s.m, J), before = polhode(last.m, J);
        assert_true(count == 0 || norm(s.m) == 0.0 || norm(sub(u, before)) <= 0.081);
        last = s;
        count++;
    }
    return count;
}

static void test_samples(void **state)
{
    (void)state;
    const ph_vec3 J = {1, 2, 4}, thin = {1e-4, 1, 1.00005}, m = {0.1, 3.0, 0.2}, none = {0, 0, 0};
    const struct {
        ph_vec3 J;
        ph_vec3 m;
        double begin, end;
        size_t least, most;
        bool cut;
    } cases[] = {
        {J, m, 0.5, 5.0, 150, 600, false},
        {J, m, 0.5, -5.0, 150, 600, false},
        {J, m, 0.5, 1e6, 6000, 6000, true},
        {thin, {1e-3, 3.0, 0.2}, 0.0, 5.0, 30, 5999, false},
        {J, none, 0.0, 1.0, 2, 2, false},
        /* so late that no time is left between two samples: it ends, and says so */
        {J, scale(1e3, m), 1e16, 1e16 + 1e3, 1, 5999, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_body body;
        const ph_motion motion = free_motion(&body, cases[i].J, cases[i].m);
        char *text;
        size_t size;
        double last;
        FILE *script = open_memstream(&text, &size);
        assert_non_null(script);
        assert_true(motion_plot(script, PLOT_PNG, &body, &motion, cases[i].begin, cases[i].end));
        assert_int_equal(0, fclose(script));
        const size_t count = count_rows(text, cases[i].J, &last);
        assert_true(count >= cases[i].least && count <= cases[i].most);
        assert_true((last != cases[i].end) == cases[i].cut);
        assert_contains(text, cases[i].cut ? "cut = 1\n" : "cut = 0\n");
        free(text);
    }
}

/* The rows of a picture of a free motion, and the time of the last one. */
static size_t rows_drawn(const ph_body *body, const ph_motion *motion, double from, double to,
                         ph_vec3 J, double *last)
{
    char *text;
    size_t size;
    FILE *script = open_memstream(&text, &size);
    assert_non_null(script);
    assert_true(motion_plot(script, PLOT_PNG, body, motion, from, to));
    assert_int_equal(0, fclose(script));
    const size_t rows = count_rows(text, J, last);
    free(text);
    return rows;
}

/* No curve has a step longer than its bound, also if the velocity grows within a step: moments need
 * not be those of a rigid body. The steps are not shorter than they must be. */
static void test_quick_samples(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 5; i < 60; i++) {
            const ph_vec3 moments = {1, 3000, 6000}, velocity = {0, 1, 0.001 * i};
            const double j[] = {moments.x, moments.y, moments.z},
                         u[] = {velocity.x, velocity.y, velocity.z};
            const int x = (3 - axis) % 3, y = (4 - axis) % 3, z = (5 - axis) % 3;
            const ph_vec3 J = {j[x], j[y], j[z]}, w = {u[x], u[y], u[z]};
            ph_body body;
            const ph_motion motion = free_motion(&body, J, times(J, w));
            double last;
            assert_true(rows_drawn(&body, &motion, 0.0, 0.2, J, &last) > 5);
            assert_true(last == 0.2);
        }
    }

    /* at a constant velocity a step is 0.04 over its largest component */
    static const ph_vec3 velocities[] = {{1, 0, 0}, {1, 1, 0}, {0, -1, 1}, {-1, 1, 1}};
    for (size_t i = 0; i < COUNT(velocities); i++) {
        ph_body body;
        const ph_vec3 ball = {2, 2, 2};
        const ph_motion motion = free_motion(&body, ball, times(ball, velocities[i]));
        double last;
        assert_int_equal(27, rows_drawn(&body, &motion, 1.0, 2.02, ball, &last));
    }
}

/* ---- styles and names ------------------------------------------------------------ */

/* Families by colour, the highest order of a family the darkest, a mark for each curve. */
static void test_styles(void **state)
{
    (void)state;
    need_gnuplot();
    static const struct {
        const char *method;
        int order, family;
        double pale;
        int mark;
    } all[] = {
        {"dmv4", 4, 0, 0.45 * 2 / 3, 7}, {"mr", 2, 1, 0.0, 5},      {"dmv2", 2, 0, 0.45, 9},
        {"dmv6", 6, 0, 0.0, 13},         {"dmvx", 4, 2, 0.0, 11},   {"dmv4:a", 4, 0, 0.45 / 3, 15},
        {"exact", 0, 3, 0.0, 6},         {"euler1", 1, 4, 0.45, 4}, {"euler12", 12, 4, 0.0, 8},
    };
    double x[4 * COUNT(all)];
    FILE *script = open_script();
    (void)fputs("orders = '", script);
    for (size_t i = 0; i < COUNT(all); i++)
        (void)fprintf(script, "%d ", all[i].order);
    (void)fputs("'\n", script);
    plot_number(script, "noise", 1e-13);
    plot_text(script, "error_text", "error");
    plot_data_begin(script);
    (void)fputs("method,step,error,seconds\n", script);
    for (size_t i = 0; i < COUNT(all); i++)
        (void)fprintf(script, "%s,0.1,1e-3,0.1\n%s,0.2,,\n", all[i].method, all[i].method);
    plot_data_end(script);
    assert_true(plot_end(script, "work"));
    ask(script, COUNT(all), "sprintf('%d %d %g %d', hue(i), dash(i), pale(i), mark(i))",
        4 * COUNT(all), x);
    for (size_t i = 0; i < COUNT(all); i++) {
        const double *y = &x[4 * i];
        if (!(y[0] == all[i].family && y[1] == all[i].family && fabs(y[2] - all[i].pale) < 1e-5 &&
              y[3] == all[i].mark))
            fail_msg("%s: family %g, pale %g, mark %g", all[i].method, y[0], y[2], y[3]);
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
        ph_nearest_add(&n, "%s", pairs[i].name);
        assert_int_equal(1, n.count);
        assert_int_equal(pairs[i].distance, n.distance[0]);
    }
    /* the least distance first, then one more; at most three, in their order */
    const char *const names[] = {"dmv16", "mr", "dmv2", "dmv8", "dmv", "dmv4"};
    nearest n = {.wrong = "dmv"}, r = {.wrong = "r"};
    for (size_t i = 0; i < COUNT(names); i++)
        ph_nearest_add(&n, "%s", names[i]);
    assert_int_equal(3, n.count);
    assert_int_equal(0, n.distance[0]);
    assert_string_equal("dmv", n.name[0]);
    assert_string_equal("dmv2", n.name[1]);
    assert_string_equal("dmv8", n.name[2]);
    for (size_t i = 0; i < 2; i++)
        ph_nearest_add(&r, "%s", names[i]);
    assert_int_equal(1, r.count);
    assert_int_equal(1, r.distance[0]);
    /* names are read up to 63 letters */
    char a[200], b[200];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[63] = b[150] = '\0';
    nearest whole = {.wrong = a}, shorter = {.wrong = a};
    ph_nearest_add(&whole, "%s", b);
    assert_int_equal(0, whole.distance[0]);
    b[60] = '\0';
    ph_nearest_add(&shorter, "%s", b);
    assert_int_equal(3, shorter.distance[0]);
}

/* ---- files written in pieces ----------------------------------------------------- */

/* The system takes and gives three bytes at a time, and a signal comes before every second. */
static bool interrupted, refusing;
static int reads = -1; /* until one fails; negative: none does */

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __real_pwrite(int fd, const void *bytes, size_t length, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t length, off_t at);
ssize_t __real_pread(int fd, void *bytes, size_t length, off_t at);
ssize_t __wrap_pread(int fd, void *bytes, size_t length, off_t at);

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
    if (refusing)
        errno = ENOSPC;
    return refusing || signal_comes() ? -1 : __real_pwrite(fd, bytes, piece(length), at);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t length, off_t at)
{
    if (reads == 0) {
        errno = EIO;
        return -1;
    }
    reads -= reads > 0;
    return signal_comes() ? -1 : __real_pread(fd, bytes, piece(length), at);
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

/* What cannot be written as it should be leaves no file, and says why. */
static void test_lost(void **state)
{
    (void)state;
    outfile *out = outfile_open("lost.txt");
    char *kept = NULL;
    assert_non_null(out);
    outfile_print(out, "head\n");
    outfile_begin_rows(out);
    outfile_print(out, "a row\n");
    outfile_flush(out);
    refusing = true;
    outfile_replace(out, "HEAD", 4); /* the disk is full: the head is neither old nor new */
    refusing = false;
    assert_int_equal(ENOSPC, outfile_close(out, &kept));
    assert_null(kept);
    assert_no_file("*");

    /* meanwhile there is a folder of that name */
    out = outfile_open("lost.txt");
    assert_non_null(out);
    outfile_print(out, "head\n");
    assert_int_equal(0, mkdir("lost.txt", 0700));
    assert_int_equal(EEXIST, outfile_close(out, &kept));
    assert_null(kept);
    assert_int_equal(0, rmdir("lost.txt"));
    assert_no_file("*");
}

/* Whether rows are copied after the head to "rows.txt" from "from.txt", which is written here; these are 13 bytes. */
static bool rows_copied(const char *head, const char *rows, bool copy)
{
    static const char wanted_head[] = "head of 10\n", wanted[] = "1,2\n3,4\n5,60\n";
    FILE *f = fopen("from.txt", "w");
    assert_non_null(f);
    assert_true(fprintf(f, "%s%s", head, rows) > 0 && fclose(f) == 0);
    outfile *out = outfile_open("rows.txt");
    assert_non_null(out);
    outfile_print(out, "%s", wanted_head);
    outfile_begin_rows(out);
    outfile_flush(out);
    const uint64_t hash = hash_bytes(HASH_BEGIN, wanted, strlen(wanted));
    const bool same = outfile_copy_rows(out, "from.txt", (long long)strlen(wanted), hash, copy);
    outfile_print(out, "end\n");
    assert_int_equal(0, outfile_close(out, NULL));
    char *written = file_text("rows.txt"), text[100];
    (void)snprintf(text, sizeof text, "%s%send\n", wanted_head, copy ? wanted : "");
    assert_true(!same || strcmp(text, written) == 0);
    free(written);
    assert_int_equal(0, remove("rows.txt") + remove("from.txt"));
    return same;
}

/* Rows are copied from a file with the same head, but for the number of rows, if their hash is right. */
static void test_copied_rows(void **state)
{
    (void)state;
    static const struct {
        const char *head, *rows;
        bool same;
    } cases[] = {
        {"head of 10\n", "1,2\n3,4\n5,60\n", true},
        {"head of 97\n", "1,2\n3,4\n5,60\n", true},
        {"head of 1x\n", "1,2\n3,4\n5,60\n", false},
        {"haed of 10\n", "1,2\n3,4\n5,60\n", false},
        {"head of 10\n", "1,2\n3,4\n5,60", false},
        {"head of 10\n", "1,2\n3,4\n5,70\n", false},
        {"head of 10\n", "1,2\n3,4\n5,60\n7", true},
        {"head", "", false},
        {"head of 10\n", "1,2\n3,4\n5,60\n7,8\n9,10\n", true},
    };
    for (size_t i = 0; i < 2 * COUNT(cases); i++)
        assert_int_equal(cases[i / 2].same,
                         rows_copied(cases[i / 2].head, cases[i / 2].rows, i % 2 == 0));
    /* whichever read fails */
    int failed = 0;
    for (; reads = failed, !rows_copied(cases[0].head, cases[0].rows, true); failed++)
        assert_int_equal(0, reads);
    reads = -1;
    assert_int_equal(2 * (2 * 4 + 2 * 5), failed); /* both heads, then the rows twice */
    outfile *out = outfile_open("rows.txt");
    assert_non_null(out);
    assert_false(outfile_copy_rows(out, "from.txt", 13, 0, true)); /* there is none */
    outfile_discard(out);
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_best),     cmocka_unit_test(test_view_axis),
        cmocka_unit_test(test_separatrix),    cmocka_unit_test(test_samples),
        cmocka_unit_test(test_quick_samples), cmocka_unit_test(test_styles),
        cmocka_unit_test(test_nearest),       cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_lost),          cmocka_unit_test(test_copied_rows),
    };
    return cmocka_run_group_tests_name("pictures", tests, folder_enter, folder_leave);
}
