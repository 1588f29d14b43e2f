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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "motion/vec.h"
#include "polhode/polhode.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "tool/files/json.h"

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

/* Two outputs in one place: by a link that leads to nothing yet, and by another name of the folder. Nothing is
 * written. */
static void outputs_in_one_place(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(symlink("x.csv", "link.csv"), 0);
    assert_int_equal(symlink("../x.csv", "d/link.csv"), 0);
    static const char *const names[] = {"x.csv", "./x.csv", "d/../x.csv", "link.csv", "d/link.csv"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_refused(RUN("run", "--problem", "heavy_top", "--step", "0.01", "--time", "1",
                           "--events", "R33 < 0", "--out", "x.csv", "--events-out", names[i]),
                       "named twice as an output");
        assert_refused(RUN("run", "--problem", "heavy_top", "--step", "0.01", "--time", "1",
                           "--out", "x.csv", "--checkpoint", names[i]),
                       "other than the snapshot");
        assert_true(outfile_same_place("link.csv", names[i]));
    }
    assert_false(outfile_same_place("link.csv", "d/x.csv"));
    /* names that lead to one place, whichever option they are of */
    outfile *out = outfile_open("d/link.csv");
    assert_non_null(out);
    assert_true(outfile_is_open("x.csv"));
    assert_false(outfile_is_open("d/x.csv"));
    outfile_discard(out);
    assert_false(outfile_is_open("x.csv"));
    assert_no_file("x.csv*");
    assert_int_equal(unlink("d/link.csv") + unlink("link.csv") + rmdir("d"), 0);
}

/* The folder of the rows goes on the way: the message names no file that is gone, too. */
static void folder_that_goes(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    const tool_talk talk = TALK("run", "--problem", "free", "--method", "sr2", "--step", "0.1",
                                "--time", "1e12", "--out", "d/x.csv");
    (void)wait_for_file("d/x.csv.tmp-*", 1);
    assert_int_equal(system("rm -r d"), 0);
    assert_int_equal(kill(talk.tool, SIGINT), 0);
    assert_int_equal(tool_wait(talk.tool), 1);
    const char *said = pipe_receive(talk.error, 2);
    assert_contains(said, "d/x.csv (No such file or directory)");
    assert_null(strstr(said, "tmp-"));
    talk_end(&talk);
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

/* On a disk that is full after any number of bytes the pieces that are whole are kept, wherever the
 * buffer ends. */
static void whole_pieces(void **state)
{
    (void)state;
    enum { TOTAL = 340000 };
    static const size_t limits[] = {1,      7,      8,      20,     65535,  65536,  65537,
                                    65544,  65545,  100000, 131072, 131073, 200999, 201075,
                                    201076, 201077, 201079, 300000, 332151, 332152};
    static const size_t pieces[] = {7, 1, 65536, 65529, 0, 70000, 3, 131072, 5};
    static char bytes[TOTAL];
    struct rlimit before;
    for (size_t i = 0; i < TOTAL; i++)
        bytes[i] = (char)('a' + i % 26);
    assert_int_equal(0, getrlimit(RLIMIT_FSIZE, &before));
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    for (size_t n = 0; n < 2 * COUNT(limits); n++) {
        const size_t i = n / 2;
        size_t written = 0, whole = 0;
        char *partial = NULL;
        outfile *out = outfile_open("a.txt");
        assert_non_null(out);
        outfile_begin_rows(out);
        const struct rlimit small = {limits[i], before.rlim_max};
        assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &small));
        for (size_t k = 0; k < COUNT(pieces); k++) {
            const size_t part = pieces[k] / 3;
            outfile_begin_piece(out);
            outfile_write(out, bytes + written, part);
            outfile_write(out, bytes + written + part, pieces[k] - part);
            if (n % 2 != 0)
                outfile_flush(out); /* before the end of the piece */
            outfile_end_piece(out);
            written += pieces[k];
            whole = written <= limits[i] ? written : whole;
        }
        const int error = outfile_close(out, &partial);
        assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &before));
        assert_int_equal(EFBIG, error);
        assert_int_equal(whole > 0, partial != NULL);
        if (whole > 0) {
            assert_string_equal("a.txt.partial", partial);
            char *text = file_text(partial);
            assert_int_equal(whole, strlen(text));
            assert_memory_equal(bytes, text, whole);
            free(text);
            assert_int_equal(0, unlink(partial));
        }
        free(partial);
        assert_no_file("*");
    }
    assert_true(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
}

/* What is begun again after a failure is kept as a part, and the error is the first one. */
static void begun_again(void **state)
{
    (void)state;
    for (int failures = 1; failures <= 3; failures++) {
        static const int errors[] = {ENOSPC, EFBIG, EDQUOT};
        char *partial = NULL;
        outfile *out = outfile_open("a.txt");
        assert_non_null(out);
        for (int k = 0; k < failures; k++) {
            outfile_print(out, "something that is longer\n");
            outfile_flush(out);
            out->error = errors[k];
            outfile_again(out);
            assert_true(out->error == 0 && out->asked == 0 && out->written == 0);
        }
        outfile_print(out, "a row\n");
        assert_int_equal(ENOSPC, outfile_close(out, &partial));
        assert_string_equal("a.txt.partial", partial);
        free(partial);
        char *text = file_text("a.txt.partial");
        assert_string_equal("a row\n", text);
        free(text);
        assert_int_equal(0, unlink("a.txt.partial"));
    }
    assert_no_file("*");
}

/* Rows of an earlier file are added if its head is the same, but for numbers, and its rows have the
 * hash. */
static void copied_rows(void **state)
{
    (void)state;
    enum { ROWS = 9000 };
    static const struct {
        const char *head, *from;
        long long bytes, alter;
        bool copied;
    } all[] = {
        {"rows 12\n", "old.txt", ROWS, -1, true},   {"rows 34\n", "old.txt", ROWS, -1, true},
        {"rows 12\n", "old.txt", 1, -1, true},      {"rows 12\n", "old.txt", 4097, -1, true},
        {"rows 12\n", "old.txt", 0, -1, false},     {"rows 12\n", "old.txt", ROWS + 1, -1, false},
        {"rows 12\n", "old.txt", ROWS, 0, false},   {"rows 12\n", "old.txt", ROWS, ROWS - 1, false},
        {"rows 12\n", "old.txt", ROWS, ROWS, true}, {"Rows 12\n", "old.txt", ROWS, -1, false},
        {"rows 123\n", "old.txt", ROWS, -1, false}, {"rows 12\n", "none.txt", ROWS, -1, false},
        {"rows 12\n", ".", ROWS, -1, false}};
    static char rows[ROWS + 2];
    for (size_t i = 0; i < COUNT(all); i++) {
        const long long bytes = all[i].bytes;
        for (size_t k = 0; k < ROWS; k++)
            rows[k] = (char)('a' + k % 23);
        const uint64_t hash = hash_bytes(HASH_BEGIN, rows, (size_t)bytes);
        if (all[i].alter >= 0)
            rows[all[i].alter] = 'X';
        char *old = malloc(ROWS + 100);
        assert_non_null(old);
        (void)snprintf(old, ROWS + 100, "rows 12\n%s", rows);
        file_write("old.txt", old);
        free(old);
        for (int copy = 0; copy < 2; copy++) {
            outfile *out = outfile_open("new.txt");
            assert_non_null(out);
            outfile_print(out, "%s", all[i].head);
            outfile_begin_rows(out);
            outfile_flush(out);
            if (all[i].copied != outfile_copy_rows(out, all[i].from, bytes, hash, copy != 0))
                fail_msg("row %zu", i);
            assert_int_equal(0, outfile_close(out, NULL));
            char *text = file_text("new.txt");
            const size_t head = strlen(all[i].head);
            assert_int_equal(head + (copy && all[i].copied ? (size_t)bytes : 0), strlen(text));
            assert_memory_equal(rows, text + head, strlen(text) - head);
            free(text);
        }
        memset(rows, 0, sizeof rows);
    }
    /* a file without rows has none to copy */
    outfile *out = outfile_open("new.txt");
    assert_non_null(out);
    assert_false(outfile_copy_rows(out, "old.txt", 1, HASH_BEGIN, true));
    outfile_discard(out);
    assert_int_equal(0, unlink("old.txt"));
    assert_int_equal(0, unlink("new.txt"));
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
    need_gnuplot();
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
        cmocka_unit_test(csv_file),
        cmocka_unit_test(files_that_cannot_be_written),
        cmocka_unit_test(outputs_in_one_place),
        cmocka_unit_test(folder_that_goes),
        cmocka_unit_test(failed_run),
        cmocka_unit_test(pictures),
        cmocka_unit_test(errors_of_files),
        cmocka_unit_test(json_of_fields),
        cmocka_unit_test(json_of_samples),
        cmocka_unit_test(without_gnuplot),
        cmocka_unit_test(whole_pieces),
        cmocka_unit_test(begun_again),
        cmocka_unit_test(copied_rows),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
