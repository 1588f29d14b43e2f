/* skip.c - see skip.h. CMake compiles the tests with macros by which they call the two functions below instead of those
 * of cmocka with these names. */
#undef _skip
#undef _cmocka_run_group_tests
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/skip.h"

enum { SKIPPED = 77 };

void counted_skip(const char *file, int line);
int run_counted_group(const char *name, const struct CMUnitTest *tests, size_t count,
                      CMFixtureFunction before, CMFixtureFunction after);

static bool is_skipped;

void report_skip(const char *reason)
{
    static const char *said;
    is_skipped = true;
    if (said == NULL || strcmp(said, reason) != 0)
        print_message("SKIPPED: %s\n", reason);
    said = reason;
}

int skip_all(const char *reason)
{
    report_skip(reason);
    return SKIPPED;
}

void skip_because(const char *reason)
{
    report_skip(reason);
    _skip(__FILE__, __LINE__);
}

bool has_gnuplot(void)
{
    static int status = -1;
    if (status == -1)
        status = system("gnuplot -V >/dev/null 2>&1");
    if (status != 0)
        report_skip("gnuplot is not installed");
    return status == 0;
}

void need_gnuplot(void)
{
    if (!has_gnuplot())
        _skip(__FILE__, __LINE__);
}

/* In place of skip(). */
void counted_skip(const char *file, int line)
{
    report_skip("no reason given");
    _skip(file, line);
}

/* In place of cmocka_run_group_tests(). */
int run_counted_group(const char *name, const struct CMUnitTest *tests, size_t count,
                      CMFixtureFunction before, CMFixtureFunction after)
{
    const int failed = _cmocka_run_group_tests(name, tests, count, before, after);
    if (failed == 0 && is_skipped)
        return SKIPPED;
    return failed;
}
