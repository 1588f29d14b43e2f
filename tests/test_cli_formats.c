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

#include "io/record.h"
#include "support/run_tool.h"

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

static void written_and_resumed(void **state)
{
    (void)state;
    const file_format *f;
    size_t i = 0;
    for (; (f = file_format_at(i)) != NULL; i++) {
        char whole[40], part[40], capitals[40];
        size_t size, part_size;
        (void)snprintf(whole, sizeof whole, "whole.%s", f->suffix);
        (void)snprintf(part, sizeof part, "part.%s", f->suffix);
        (void)snprintf(capitals, sizeof capitals, "X.%s", f->suffix);
        capitals[2] = (char)(capitals[2] - 'a' + 'A');
        assert_true(file_format_of(whole) == f && file_format_of(capitals) == f);
        tool_run all = RUN(MOLECULES, "--time", "0.2", "--every", "2", "--out", whole);
        assert_done(&all);
        assert_contains(all.out, whole);
        tool_run begun = RUN(MOLECULES, "--time", "0.1", "--every", "2", "--out", part,
                             "--checkpoint", "snapshot");
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
        tool_run_free(&all);
        tool_run_free(&begun);
        tool_run_free(&again);
        tool_run_free(&rest);
        assert_int_equal(unlink(whole) + unlink(part) + unlink("snapshot"), 0);
    }
    assert_true(i >= 3);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_resumed),
                                       cmocka_unit_test(unknown_suffixes)};
    return cmocka_run_group_tests_name("formats", tests, folder_enter, folder_leave);
}
