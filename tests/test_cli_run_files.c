/* test_cli_run_files.c - the files of `polhode run`: NumPy arrays, full disks, Ctrl-C,
 * and what a terminal shows. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/run_tool.h"
#include "support/skip.h"

#define RUN_FREE "run", "--problem", "free", "--method", "sr2"

/* ---- NumPy arrays ---------------------------------------------------------------- */

enum { COLUMNS = 12 };

/* Reads an array and checks its header byte by byte; the numbers are to be freed. */
static double *read_array(const char *path, size_t *rows)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    unsigned char begin[10];
    assert_int_equal(fread(begin, 1, sizeof begin, f), sizeof begin);
    assert_memory_equal(begin, "\x93NUMPY\x01\x00", 8);
    const size_t rest = begin[8] + 256U * begin[9];
    assert_int_equal((sizeof begin + rest) % 64, 0);
    char *header = calloc(rest + 1, 1);
    assert_non_null(header);
    assert_int_equal(fread(header, 1, rest, f), rest);
    assert_int_equal(header[rest - 1], '\n');
    int end = 0;
    assert_int_equal(sscanf(header,
                            "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, 12), "
                            "} %n",
                            rows, &end),
                     1);
    assert_int_equal(end, rest); /* blanks up to its end */
    free(header);

    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal((size_t)file.st_size, sizeof begin + rest + *rows * COLUMNS * 8);
    double *x = malloc((*rows * COLUMNS + 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < *rows * COLUMNS; i++) {
        unsigned char bytes[8];
        uint64_t bits = 0;
        assert_int_equal(fread(bytes, 1, sizeof bytes, f), sizeof bytes);
        for (int k = 0; k < 8; k++)
            bits |= (uint64_t)bytes[k] << (8 * k);
        memcpy(&x[i], &bits, sizeof bits);
    }
    assert_int_equal(fclose(f), 0);
    return x;
}

/* The numbers of an array are those of the CSV. */
static void assert_same_numbers(const char *csv, const double *x, size_t rows)
{
    assert_whole_rows(csv, CSV_HEADER);
    assert_int_equal(count_lines(csv), rows + 1);
    const char *at = strchr(csv, '\n') + 1;
    for (size_t i = 0; i < rows * COLUMNS; i++) {
        double written;
        at = next_numbers(at, 1, &written);
        assert_true(written == x[i]);
    }
}

static void arrays(void **state)
{
    (void)state;
    tool_run csv = RUN(RUN_FREE, "--step", "0.1", "--time", "50", "--out", "-");
    tool_run npy = RUN(RUN_FREE, "--step", "0.1", "--time", "50", "--out", "x.npy");
    assert_done(&csv);
    assert_done(&npy);
    size_t rows;
    double *x = read_array("x.npy", &rows);
    assert_int_equal(rows, 501);
    assert_same_numbers(csv.out, x, rows);
    free(x);
    tool_run_free(&csv);
    tool_run_free(&npy);

    if (system("PATH=/usr/bin:$PATH python3 -c 'import numpy' 2>/dev/null") != 0)
        report_skip("NumPy is not installed");
    else
        assert_int_equal(system("PATH=/usr/bin:$PATH python3 -c 'import numpy\n"
                                "a = numpy.load(\"x.npy\")\n"
                                "assert a.shape == (501, 12) and a.dtype == \"<f8\"\n"
                                "assert a.flags.c_contiguous and a[3, 0] == 0.3'"),
                         0);
    assert_int_equal(unlink("x.npy"), 0);

    /* `exact` writes them too */
    csv = RUN("exact", BOOK, "--time", "0:1:8", "--out", "-");
    npy = RUN("exact", BOOK, "--time", "0:1:8", "--out", "E.NPY");
    assert_done(&npy);
    x = read_array("E.NPY", &rows);
    assert_int_equal(rows, 8);
    assert_same_numbers(csv.out, x, rows);
    free(x);
    tool_run_free(&csv);
    tool_run_free(&npy);
    assert_int_equal(unlink("E.NPY"), 0);

    /* the shape is written last, so that it needs a file */
    assert_int_equal(mkfifo("pipe.npy", 0600), 0);
    const int reader = open("pipe.npy", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_refused(RUN(RUN_FREE, "--step", "1", "--time", "1", "--out", "pipe.npy"),
                   "not a regular file");
    close(reader);
    assert_int_equal(unlink("pipe.npy"), 0);
    assert_no_file("*");
}

/* ---- disks that fill up ---------------------------------------------------------- */

/* A long run, up to that disk's end. */
static tool_run run_until_full(const char *path)
{
    return RUN_ON_SMALL_DISK(RUN_FREE, "--step", "0.1", "--time", "1e6", "--out", path);
}

static void full_disks(void **state)
{
    (void)state;
    tool_run run = run_until_full("full.csv");
    assert_error_line(&run, 1, "cannot write full.csv (File too large) after step ");
    long step;
    double t;
    assert_int_equal(sscanf(strstr(run.error, "step "), "step %ld, t = %lf", &step, &t), 2);
    assert_true(step > 100 && step < 10000); /* it ends there, not at the end */
    assert_string_equal(run.out, "");
    tool_run_free(&run);
    assert_true(file_rows("full.csv.partial", CSV_HEADER) >= 100);
    assert_int_equal(unlink("full.csv.partial"), 0);

    run = run_until_full("full.npy");
    assert_error_line(&run, 1, "cannot write full.npy (File too large) after step ");
    tool_run_free(&run);
    size_t rows;
    double *x = read_array("full.npy.partial", &rows);
    assert_true(rows > 100);
    for (size_t i = 0; i < rows; i++)
        assert_true(x[i * COLUMNS] == (double)i / 10.0);
    free(x);
    assert_int_equal(unlink("full.npy.partial"), 0);

    run = RUN(RUN_FREE, "--step", "0.1", "--time", "1", "--out", "/dev/full");
    assert_error_line(&run, 1, "/dev/full (No space left on device) after step 10, t = 1");
    tool_run_free(&run);
    assert_contains(RUN_TO_FULL(RUN_FREE, "--step", "0.1", "--time", "1", "--out", "-"),
                    "standard output (No space left on device) after step 10, t = 1");
    assert_no_file("*");
}

/* A reader that goes away ends the run quietly. */
static void closed_pipe(void **state)
{
    (void)state;
    const tool_pipe out = open_pipe(), error = open_pipe();
    close(out.read);
    const pid_t tool =
        START(-1, out.write, error.write, RUN_FREE, "--step", "0.1", "--time", "1e9", "--out", "-");
    close(out.write);
    close(error.write);
    assert_int_equal(tool_wait(tool), 128 + SIGPIPE);
    assert_string_equal(pipe_receive(error.read, 1), "");
    close(error.read);
}

/* ---- Ctrl-C ---------------------------------------------------------------------- */

/* A run without an end, stopped after its file has begun; returns what it said on
 * standard error, and what on standard output. */
static char *stop(const char *path, char *printed, size_t room)
{
    char pattern[60];
    snprintf(pattern, sizeof pattern, "%s.tmp-*", path);
    const tool_talk talk =
        TALK(RUN_FREE, "--step", "0.1", "--time", "1e12", "--every", "5", "--json", "--out", path);
    (void)wait_for_file(pattern, 60000);
    assert_no_file(path);
    assert_stops(talk.tool);
    snprintf(printed, room, "%s", pipe_receive(talk.out, 2));
    char *said = pipe_receive(talk.error, 2);
    talk_end(&talk);
    assert_int_equal(count_lines(said), 1);
    return said;
}

static void interrupted_runs(void **state)
{
    (void)state;
    static const char *const paths[] = {"stopped.csv", "stopped.npy"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        char printed[4000], path[20], word[10];
        long step;
        double t;
        size_t rows, written;
        const char *said = stop(paths[i], printed, sizeof printed);
        assert_int_equal(sscanf(said,
                                "polhode: interrupted at step %ld, t = %lf: %zu %9s are in "
                                "%19s",
                                &step, &t, &rows, word, path),
                         5);
        assert_string_equal(path, paths[i]);
        assert_int_equal(rows, step / 5 + 1);
        if (i == 0)
            written = file_rows(path, CSV_HEADER);
        else
            free(read_array(path, &written));
        assert_int_equal(written, rows);
        json_t *document = parse_json(printed);
        assert_int_equal((long)json_at(document, "steps", 0), step);
        assert_true(json_at(document, "time", 0) == (double)step / 10.0);
        assert_true(json_is_true(json_object_get(document, "interrupted")));
        json_decref(document);
        assert_int_equal(unlink(path), 0);
        assert_no_file("*");
    }
}

/* SIGTERM is taken as Ctrl-C; and two of either, as timeout(1) sends, while the tool waits for
 * a reader who is slow: the rows are whole all the same. */
static void terminate_twice(int number)
{
    const tool_talk talk = TALK(RUN_FREE, "--step", "0.1", "--time", "1e12", "--out", "-");
    wait_until_caught(talk.tool, SIGTERM);
    pause_ms(200); /* until the pipe is full */
    for (int k = 0; k < 2; k++) {
        assert_int_equal(kill(talk.tool, number), 0);
        pause_ms(50);
    }
    char text[4096], last = '\0';
    for (ssize_t n; (n = read(talk.out, text, sizeof text)) > 0;)
        last = text[n - 1];
    assert_int_equal(tool_wait(talk.tool), 130);
    assert_int_equal(last, '\n');
    assert_contains(pipe_receive(talk.error, 2), "polhode: interrupted at step");
    talk_end(&talk);
}

static void terminated_twice(void **state)
{
    (void)state;
    terminate_twice(SIGTERM);
    terminate_twice(SIGINT);
}

/* A Ctrl-C later on ends the tool that still waits. */
static void interrupted_again(void **state)
{
    (void)state;
    const tool_talk talk = TALK(RUN_FREE, "--step", "0.1", "--time", "1e12", "--out", "-");
    wait_until_caught(talk.tool, SIGINT);
    pause_ms(200); /* until the pipe is full */
    assert_int_equal(kill(talk.tool, SIGINT), 0);
    for (int k = 0; k < 3; k++)
        pause_ms(800);
    assert_int_equal(kill(talk.tool, SIGINT), 0);
    assert_int_equal(tool_wait(talk.tool), 128 + SIGINT);
    talk_end(&talk);
}

/* ---- terminals ------------------------------------------------------------------- */

static void progress(void **state)
{
    (void)state;
    const terminal screen = open_terminal();
    const pid_t tool = START(-1, -1, screen.inside, RUN_FREE, "--step", "0.1", "--time", "1e9");
    const char *shown = read_until(screen.outside, "s left");
    assert_contains(shown, "0 %");
    assert_int_equal(kill(tool, SIGINT), 0);
    assert_contains(read_until(screen.outside, "until then"), "interrupted at step");
    assert_int_equal(tool_wait(tool), 130);
    close(screen.inside);
    close(screen.outside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays),           cmocka_unit_test(full_disks),
        cmocka_unit_test(closed_pipe),      cmocka_unit_test(interrupted_runs),
        cmocka_unit_test(terminated_twice), cmocka_unit_test(interrupted_again),
        cmocka_unit_test(progress),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
