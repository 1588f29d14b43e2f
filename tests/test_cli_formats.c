/* test_cli_formats.c - every format of a file of rows that the build has found: molecules are
 * written in it, a run that is stopped goes on to the same bytes, and a suffix that is no
 * format's is refused with the names of all. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/record.h"
#include "tests/support/run_tool.h"

#define MOLECULES                                                                        \
    "run", "--problem", "dipolar_spheres", "--set", "lattice=2", "--method",             \
        "verlet+exact", "--step", "0.01"

/* The bytes of a file, *size of them. */
static char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1 << 20);
    assert_true(f != NULL && bytes != NULL);
    *size = fread(bytes, 1, 1 << 20, f);
    (void)fclose(f);
    return bytes;
}

/* The runs that formats are tried with. */
#define TOP                                                                              \
    "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01",        \
        "--epoch", "2026-01-01T00:00:00"
#define PENDULUMS                                                                        \
    "run", "--problem", "double_pendulum", "--method", "rattle", "--step", "0.01"

static tool_run run_one(int which, const char *time, const char *out,
                        const char *checkpoint)
{
    const char *last = checkpoint == NULL ? NULL : "--checkpoint";
    switch (which) {
    case 0:
        return RUN(TOP, "--time", time, "--every", "2", "--out", out, last, checkpoint);
    case 1:
        return RUN(PENDULUMS, "--time", time, "--every", "2", "--out", out, last,
                   checkpoint);
    default:
        return RUN(MOLECULES, "--time", time, "--every", "2", "--out", out, last,
                   checkpoint);
    }
}

static void resume_one(const file_format *f, int which, const char *whole)
{
    char part[40];
    size_t size, part_size;
    (void)snprintf(part, sizeof part, "part.%s", f->suffix);
    tool_run begun = run_one(which, "0.1", part, "snapshot");
    assert_done(&begun);
    tool_run again = RUN("resume", "snapshot"); /* printed, and nothing changed */
    assert_done(&again);
    tool_run rest = RUN("resume", "snapshot", "--time", "0.2");
    assert_done(&rest);
    char *one = bytes_of(whole, &size), *other = bytes_of(part, &part_size);
    assert_true(size > 100);
    assert_int_equal(size, part_size);
    assert_memory_equal(one, other, size);
    free(one);
    free(other);
    tool_run_free(&begun);
    tool_run_free(&again);
    tool_run_free(&rest);
    assert_int_equal(unlink(part) + unlink("snapshot"), 0);
}

/* Every format with every kind of system: written, or refused with a line. What can be continued
 * is, to the same bytes; what cannot is refused before the run. */
static void written_and_resumed(void **state)
{
    (void)state;
    const file_format *f;
    size_t i = 0;
    int written = 0, continued = 0;
    for (; (f = file_format_at(i)) != NULL; i++) {
        char whole[40], capitals[40];
        (void)snprintf(whole, sizeof whole, "whole.%s", f->suffix);
        (void)snprintf(capitals, sizeof capitals, "X.%s", f->suffix);
        capitals[2] = (char)(capitals[2] - 'a' + 'A');
        assert_true(file_format_of(whole) == f && file_format_of(capitals) == f);
        for (int which = 0; which < 3; which++) {
            tool_run all = run_one(which, "0.2", whole, NULL);
            if (all.status != 0) {
                assert_error_line(&all, 2, whole);
                assert_contains(all.error, f->text);
                tool_run_free(&all);
                continue;
            }
            assert_done(&all);
            assert_contains(all.out, whole);
            tool_run_free(&all);
            written++;
            if (f->continues)
                resume_one(f, which, whole);
            else
                assert_refused(run_one(which, "0.2", whole, "snapshot"),
                               "cannot be continued");
            continued += f->continues;
            assert_int_equal(unlink(whole), 0);
            assert_no_file("*");
        }
    }
    assert_true(i >= 7 && written >= 3 * 4 + 2 && continued == 7);
}

/* A run that is stopped leaves a file that is in order. */
static void interrupted_runs(void **state)
{
    (void)state;
    static const char *const files[] = {"a.npz", "a.aem", "a.glb", "a.csv"};
    for (size_t i = 0; i < COUNT(files); i++) {
        const pid_t tool =
            START(-1, -1, -1, TOP, "--time", "1e7", "--every", "1000", "--out", files[i]);
        (void)wait_for_file("a.*", 0);
        pause_ms(50);
        assert_stops(tool);
        size_t size;
        char *bytes = bytes_of(files[i], &size);
        assert_true(size > 100);
        free(bytes);
        assert_int_equal(unlink(files[i]), 0);
        assert_no_file("*");
    }
}

/* What no format holds is refused before the run; standard output and devices are no files. */
static void refused_formats(void **state)
{
    (void)state;
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "a.aem"), "--epoch");
    assert_refused(RUN("exact", BOOK, "--time", "2,1", "--out", "a.aem", "--epoch",
                       "2026-01-01T00:00:00"),
                   "grow");
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "a.aem", "--epoch",
                       "2026-01-01T00:00:00", "--show", "t,w"),
                   "show t and q");
    assert_refused(RUN(TOP, "--time", "1", "--out", "a.glb", "--show", "t"), "--show");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--out", "a.glb"),
                   "a.glb");
    assert_refused(RUN_WITH(CASES_HEADER CASE, "exact", "--cases", "-", "--out", "a.aem"),
                   "a.aem");
    assert_int_equal(symlink("/dev/null", "null.npz"), 0);
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "null.npz"),
                   "no regular file");
    assert_int_equal(unlink("null.npz"), 0);
    assert_no_file("*");
}

static void unknown_suffixes(void **state)
{
    (void)state;
    assert_null(file_format_of("x.dat"));
    assert_null(file_format_of("x.csv.gz"));
    assert_ptr_equal(file_format_of("-"), file_format_of("x.csv"));
    assert_ptr_equal(file_format_of("/dev/null"), file_format_of("x.csv"));
    assert_ptr_equal(file_format_of("folder.d/x"), file_format_of("x.csv"));
    const file_format *f;
    tool_run run = RUN(MOLECULES, "--time", "0.1", "--out", "x.dat");
    assert_error_line(&run, 2, "x.dat");
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++)
        assert_contains(run.error, f->suffix);
    tool_run_free(&run);
    assert_refused(RUN("exact", BOOK, "--time", "1", "--out", "x.dat"), "x.dat");
    assert_no_file("*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_resumed), cmocka_unit_test(interrupted_runs),
        cmocka_unit_test(refused_formats), cmocka_unit_test(unknown_suffixes)};
    return cmocka_run_group_tests_name("formats", tests, folder_enter, folder_leave);
}
