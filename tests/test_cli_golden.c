/* test_cli_golden.c - what commands print: each file of tests/golden has a command line, then
 * its standard output, the seconds of a run left out; numbers agree to round-off.
 *
 *     test_cli_golden write     writes those anew whose output is another one
 */
/* Needs kinds, device, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/run_tool.h"

static bool writing;

/* Takes out the number after "seconds". */
static void hide_seconds(char *text)
{
    static const char key[] = "\"seconds\": ";
    char *at = strstr(text, key);
    if (at == NULL)
        return;
    at += strlen(key);
    const char *rest = at + strspn(at, "0123456789.e+-");
    memmove(at, rest, strlen(rest) + 1);
}

static bool starts_number(const char *text)
{
    return isdigit((unsigned char)text[*text == '-']);
}

/* Where a text differs from another, but for round-off in their numbers, which differs between
 * mathematical libraries and processors; NULL: nowhere. */
static const char *difference(const char *a, const char *b)
{
    const double relative = 1e-9, absolute = 1e-11;
    while (*a != '\0' && *b != '\0') {
        if (starts_number(a) && starts_number(b)) {
            char *after_a, *after_b;
            const double x = strtod(a, &after_a), y = strtod(b, &after_b);
            if (!(fabs(x - y) <= relative * fabs(x) + absolute))
                return a;
            a = after_a;
            b = after_b;
        } else if (*a != *b) {
            return a;
        } else {
            a++;
            b++;
        }
    }
    return *a == *b ? NULL : a;
}

/* Prints the line of the difference, as it is and as it was. */
static void report(const char *path, const char *out, const char *at, const char *before)
{
    size_t line = 1;
    for (const char *end = strchr(out, '\n'); end != NULL && end < at;
         end = strchr(out, '\n'), line++) {
        out = end + 1;
        const size_t length = strcspn(before, "\n");
        before += length + (before[length] == '\n');
    }
    print_error("%s: line %zu of the output is\n%.*s\nand was\n%.*s\nFirst look for a fault in "
                "what you changed. Only if another output is intended, run make regenerate.\n",
                path, line, (int)strcspn(out, "\n"), out, (int)strcspn(before, "\n"), before);
}

/* Compares, or writes; false if the output is another one. */
static bool check_file(const char *path)
{
    char line[1000], *rest, *text = file_text(path);
    const char *words[64] = {NULL};
    size_t count = 0;
    assert_non_null(text);
    const size_t length = strcspn(text, "\n");
    assert_true(text[length] == '\n' && length < sizeof line);
    (void)snprintf(line, sizeof line, "%.*s", (int)length, text);
    for (char *word = strtok_r(line, " ", &rest); word != NULL && count < COUNT(words) - 1;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    tool_run run = tool_run_words(NULL, words);
    assert_done(&run);
    hide_seconds(run.out);
    const char *before = text + length + 1, *at = difference(run.out, before);
    if (writing && at != NULL) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        (void)fprintf(f, "%.*s\n%s", (int)length, text, run.out);
        assert_int_equal(fclose(f), 0);
    } else if (at != NULL) {
        report(path, run.out, at, before);
    }
    tool_run_free(&run);
    free(text);
    return at == NULL || writing;
}

static void outputs(void **state)
{
    (void)state;
    glob_t files;
    size_t different = 0;
    assert_int_equal(glob(TEST_DATA "/../golden/*.txt", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        different += !check_file(files.gl_pathv[i]);
    globfree(&files);
    assert_int_equal(different, 0);
}

int main(int argc, char **argv)
{
    writing = argc > 1 && strcmp(argv[1], "write") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs)};
    return cmocka_run_group_tests_name("golden", tests, folder_enter, folder_leave);
}
