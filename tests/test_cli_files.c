/* test_cli_files.c - the files that the command-line tool leaves: whole, in their place,
 * or not there; and the pictures. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/json.h"
#include "cli/files/plot.h"
#include "polhode/polhode.h"
#include "rotation/vec.h"
#include "support/run_tool.h"

/* ---- files ----------------------------------------------------------------------- */

static void csv_file(void **state)
{
    (void)state;
    file_write("real.csv", "old\n");
    assert_int_equal(chmod("real.csv", 0640), 0);
    assert_int_equal(symlink("real.csv", "link.csv"), 0);
    tool_run run = RUN("exact", BOOK, "--time", "0,2.5", "--out", "link.csv");
    assert_done(&run);
    tool_run_free(&run);
    char *text = file_text("real.csv");
    assert_whole_rows(text, CSV_HEADER);
    assert_int_equal(count_lines(text), 3);
    const ph_state s = expected(book_inertia, book_start, 2.5);
    const ph_vec3 w = over(s.m, book_inertia);
    const double row[] = {2.5,   s.q.w, s.q.x, s.q.y, s.q.z, s.m.x,
                          s.m.y, s.m.z, w.x,   w.y,   w.z,   0.5 * dot(s.m, w)};
    double x[COUNT(row)];
    (void)next_numbers(strstr(text, "\n2.5,") + 1, COUNT(row), x);
    for (size_t i = 0; i < COUNT(row); i++)
        assert_true(i == 11 ? fabs(x[i] - row[i]) < 1e-15 : x[i] == row[i]);
    free(text);
    struct stat file;
    assert_int_equal(lstat("link.csv", &file), 0);
    assert_true(S_ISLNK(file.st_mode));
    assert_int_equal(stat("real.csv", &file), 0);
    assert_int_equal(file.st_mode & 0777, 0640);

    /* a run that does not start leaves what is there */
    assert_refused(RUN("exact", BOOK, "--time", "x", "--out", "real.csv"), "not a number");
    assert_refused(RUN_WITH("I1\n", "exact", "--cases", "-", "--out", "real.csv"), "missing");
    assert_int_equal(file_rows("real.csv", CSV_HEADER), 2);
    assert_no_file("real.csv.*");
    assert_int_equal(unlink("link.csv"), 0);
    assert_int_equal(unlink("real.csv"), 0);
}

static void files_that_cannot_be_written(void **state)
{
    (void)state;
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "no/such/x.csv"), "no/such");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "."), "directory");
    assert_refused(RUN_WITH(CASES_HEADER, "exact", "--cases", "-", "--out", "no/x.csv"),
                   "no/x.csv");
    tool_run run = RUN("exact", BOOK, "--time", "1", "--out", "/dev/full");
    assert_error_line(&run, 1, "/dev/full (No space left on device)");
    tool_run_free(&run);

    /* a disk that fills up in the middle of a row */
    run = RUN_ON_SMALL_DISK("exact", BOOK, "--time", "0:1:10000", "--out", "full.csv");
    assert_error_line(&run, 1, "full.csv.partial");
    tool_run_free(&run);
    assert_true(file_rows("full.csv.partial", CSV_HEADER) >= 100);
    assert_int_equal(unlink("full.csv.partial"), 0);
    assert_no_file("*");
}

/* A run that fails half way: the rows so far, in the file and in a whole JSON
 * document. */
static void failed_run(void **state)
{
    (void)state;
    tool_run run = RUN("exact", "--inertia", "1,2,3", "--momentum", "1e10,1,1", "--time",
                       "0,1,1e308,2", "--json", "--out", "failed.csv");
    assert_error_line(&run, 1, "state 3, at t = 1e+308,");
    json_t *document = json_loads(run.out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "states")), 2);
    json_decref(document);
    tool_run_free(&run);
    assert_int_equal(file_rows("failed.csv", CSV_HEADER), 2);
    assert_int_equal(unlink("failed.csv"), 0);
    assert_no_file("*");
}

/* A file that fails leaves its error, which is the first; without rows nothing is kept. */
static void errors_of_files(void **state)
{
    (void)state;
    char *partial = NULL;
    outfile *out = outfile_open("a.txt");
    assert_non_null(out);
    outfile_print(out, "%*d", OUTFILE_CAPACITY + 1, 1);
    assert_int_equal(EOVERFLOW, out->error);
    assert_int_equal(EOVERFLOW, outfile_close(out, &partial));
    assert_null(partial);
    assert_no_file("*");

    out = outfile_open("a.txt");
    assert_non_null(out);
    outfile_begin_rows(out);
    outfile_print(out, "a row\n");
    outfile_print(out, "%*d", OUTFILE_CAPACITY + 1, 1);
    assert_int_equal(EOVERFLOW, outfile_close(out, &partial));
    assert_string_equal("a.txt.partial", partial);
    free(partial);
    char *text = file_text("a.txt.partial");
    assert_string_equal("a row\n", text);
    free(text);
    assert_int_equal(unlink("a.txt.partial"), 0);

    /* an earlier error stays */
    out = outfile_open("a.txt");
    assert_non_null(out);
    out->error = ENOSPC;
    outfile_print(out, "%*d", OUTFILE_CAPACITY + 1, 1);
    assert_int_equal(ENOSPC, outfile_close(out, NULL));

    /* the system says no at the end: of a file beside its place, and of one in it */
    static const char *const paths[] = {"a.txt", "/dev/null"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        out = outfile_open(paths[i]);
        assert_non_null(out);
        assert_int_equal(close(out->fd), 0);
        assert_int_equal(EBADF, outfile_close(out, &partial));
        assert_null(partial);
    }
    assert_no_file("*");

    /* one that must be as the file there is */
    file_write("a.txt", "the same");
    for (int other = 0; other < 2; other++) {
        out = outfile_open("a.txt");
        assert_non_null(out);
        out->only_same = true;
        outfile_print(out, other ? "the SAME" : "the same");
        assert_int_equal(other ? EEXIST : 0, outfile_close(out, &partial));
        assert_null(partial);
        text = file_text("a.txt");
        assert_string_equal("the same", text);
        free(text);
        assert_no_file("a.txt.*");
    }
    assert_int_equal(unlink("a.txt"), 0);
}

/* ---- JSON ------------------------------------------------------------------------- */

static void assert_json(json_t *value, const char *wanted)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    assert_non_null(text);
    assert_string_equal(wanted, text);
    free(text);
    json_decref(value);
}

/* Fields: a number, a vector, and lists of both, also of one entry. */
static void json_of_fields(void **state)
{
    (void)state;
    double x[] = {1.5, 2.5}, y[] = {3.5, INFINITY}, z[] = {-5.5, 6.5};
    ph_array f = {.width = 1, .count = 1, .stride = 1, .data = {x, y, z}};
    assert_json(field_json(&f), "1.5");
    f.width = 2;
    assert_json(field_json(&f), "[1.5,3.5]");
    f.width = 3;
    assert_json(field_json(&f), "[1.5,3.5,-5.5]");
    f.count = 2;
    assert_json(field_json(&f), "[[1.5,3.5,-5.5],[2.5,null,6.5]]");
    f.width = 1;
    assert_json(field_json(&f), "[1.5,2.5]");
    f.use = PH_ARRAY_LIST;
    f.count = 1;
    assert_json(field_json(&f), "[1.5]");
    f.width = 3;
    assert_json(field_json(&f), "[[1.5,3.5,-5.5]]");
}

/* The digits of the phase stand there unless they are negative. */
static void json_of_samples(void **state)
{
    (void)state;
    const sample x = {.t = 0.5, .state = {{1, 0, 0, 0}, {1, 2, 3}}, .velocity = {4, 5, 6}};
#define SAMPLE(digits)                                                                             \
    "{\"attitude\":[1.0,0.0,0.0,0.0],\"momentum\":[1.0,2.0,3.0]," digits                           \
    "\"time\":0.5,\"velocity\":[4.0,5.0,6.0]}"
    assert_json(sample_json(&x, 12.5), SAMPLE("\"phase_digits\":12.5,"));
    assert_json(sample_json(&x, 0.0), SAMPLE("\"phase_digits\":0.0,"));
    assert_json(sample_json(&x, -1.0), SAMPLE(""));
}

/* ---- pictures -------------------------------------------------------------------- */

static void pictures(void **state)
{
    (void)state;
    if (!gnuplot_found())
        skip();
    tool_run run =
        RUN("exact", BOOK, "--time", "0:40:41", "--plot", "book.svg", "--plot", "book.PNG");
    assert_done(&run);
    assert_contains(run.out, "book.svg drawn\nbook.PNG drawn\n");
    tool_run_free(&run);
    char *svg = file_text("book.svg");
    assert_non_null(svg);
    assert_contains(svg, "<svg");
    assert_contains(svg, "Paths of the three principal axes in space");
    assert_contains(svg, "Polhode: angular velocity on the energy ellipsoid");
    assert_contains(svg, "separatrix");
    assert_contains(svg, "</svg>");
    free(svg);
    char *png = file_text("book.PNG");
    assert_non_null(png);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    free(png);
    assert_int_equal(unlink("book.svg"), 0);
    assert_int_equal(unlink("book.PNG"), 0);

    static const char *const degenerate[][4] = {
        /* inertia, momentum, times, what the picture says */
        {"1,2,3", "0,0,2", "0:2:3", "t = 0 to 2"},
        {"1,1,1", "1,2,2", "0:5:3", "axis 3, J = 1"},
        {"1e-6,1,1", "1e-6,1,1", "0:4:3", "not to scale"},
        {"1e-46,2e-46,2.5e-46", "1e-46,2e-46,1e-48", "0:9:3", "J = 2.5e-46"},
        {"1,2,3", "1,1,1", "7", "t = 7<"},
        {"1,2,3", "0,0,0", "0:5:2", "at rest"},
        {"1,2,3", "1,1,1", "0:1e9:2", "only the beginning"},
    };
    for (size_t i = 0; i < COUNT(degenerate); i++) {
        run = RUN("exact", "--inertia", degenerate[i][0], "--momentum", degenerate[i][1], "--time",
                  degenerate[i][2], "--plot", "x.svg");
        assert_done(&run);
        tool_run_free(&run);
        svg = file_text("x.svg");
        assert_non_null(svg);
        assert_contains(svg, degenerate[i][3]);
        assert_contains(svg, "</svg>");
        free(svg);
        assert_int_equal(unlink("x.svg"), 0);
    }
    assert_refused(RUN("exact", BOOK, "--time", "1", "--plot", "no/such/x.svg"), "no/such");
    assert_no_file("*");
}

static void without_gnuplot(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    tool_run run = RUN("exact", BOOK, "--time", "1", "--plot", "x.svg", "--out", "x.csv");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_refused(run, "gnuplot-nox");
    assert_no_file("x.*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_file),        cmocka_unit_test(files_that_cannot_be_written),
        cmocka_unit_test(failed_run),      cmocka_unit_test(pictures),
        cmocka_unit_test(errors_of_files), cmocka_unit_test(json_of_fields),
        cmocka_unit_test(json_of_samples), cmocka_unit_test(without_gnuplot),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
