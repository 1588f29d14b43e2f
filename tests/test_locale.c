/* test_locale.c - under a locale with a decimal comma the library and the tool read and write
 * what they do without it, byte for byte. */
/* Needs extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "integrators/expression/compiled.h"
#include "polhode/expression.h"
#include "polhode/system.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "system/run_body.h"
#include "tool/files/picture.h"

#define GERMAN "de_DE.UTF-8"

static bool found; /* localedef, and the locale that it made */

static int make_locale(void **state)
{
    char here[3000];
    const int entered = folder_enter(state);
    found = system("localedef -f UTF-8 -i de_DE ./" GERMAN " >/dev/null 2>&1; "
                   "test -e " GERMAN "/LC_NUMERIC") == 0;
    assert_non_null(getcwd(here, sizeof here));
    return entered != 0 || setenv("LOCPATH", here, 1) != 0;
}

static int leave(void **state)
{
    (void)system("rm -rf -- *");
    return folder_leave(state);
}

static void skip_without(void)
{
    if (found)
        return;
    skip_because("the package locales is not installed");
}

/* ---- the library, in a program that has set the locale ------------------------------ */

enum { MOST = 20000 };

/* The snapshot of a run whose potential is a text with numbers, and what is said of a wrong
 * text. */
static size_t saved(unsigned char *bytes, char said[PH_EXPRESSION_MESSAGE])
{
    ph_problem p;
    ph_system *s;
    ph_integrator by;
    ph_expression *none = NULL;
    ph_expression_error why;
    const ph_expressions texts = {.potential = "1.5*R33 + 2.5e-1*R13^2 + 0x1.8p-1*R11"};
    assert_int_equal(ph_problem_from_expressions(&texts, &p, NULL), PH_OK);
    p.body = (ph_body)PH_MOMENTS(1, 1.5, 2.5);
    p.w = (ph_vec3){0.5, -0.5, 0.25};
    assert_int_equal(ph_integrator_named("s6_10+exact", &by), PH_OK);
    assert_int_equal(ph_system_from_problem(&p, &by, NULL, 0.01, 0, &s), PH_OK);
    assert_int_equal(ph_system_run(s, 100, NULL), PH_OK);
    const size_t size = ph_system_save(s, bytes, MOST);
    assert_true(size > 0 && size <= MOST);
    ph_system_destroy(s);
    ph_problem_release(&p);
    assert_int_equal(
        ph_expression_create("1.5*R33 + 1,5", PH_EXPRESSION_POTENTIAL, NULL, 0, &none, &why),
        PH_BAD_EXPRESSION);
    assert_int_equal(why.column, 12);
    memcpy(said, why.text, sizeof why.text);
    return size;
}

static void library(void **state)
{
    (void)state;
    static unsigned char plain[MOST], german[MOST];
    char said[PH_EXPRESSION_MESSAGE], gesagt[PH_EXPRESSION_MESSAGE], half[8];
    skip_without();
    const size_t size = saved(plain, said);
    assert_non_null(setlocale(LC_ALL, GERMAN));
    (void)snprintf(half, sizeof half, "%g", 0.5);
    const size_t again = saved(german, gesagt);
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_string_equal(half, "0,5");
    assert_int_equal(size, again);
    assert_memory_equal(plain, german, size);
    assert_string_equal(said, gesagt);
}

/* ---- the tool, and what it starts --------------------------------------------------- */

static char *said_by(const char *locale, const char *command)
{
    char line[1000];
    (void)snprintf(line, sizeof line,
                   "LC_ALL=%s LANG=%s SOURCE_DATE_EPOCH=0 sh -c 'T=%s; %s' >said 2>&1", locale,
                   locale, POLHODE_TOOL_PATH, command);
    if (system(line) != 0)
        fail_msg("%s fails under %s: %s", command, locale, file_text("said"));
    char *text = file_text("said");
    assert_int_equal(unlink("said"), 0);
    return text;
}

static void tool(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "$T exact --inertia 0.376,0.627,1 --momentum 0,0.6,-0.8 --time 0:40:9",
        "$T run --problem heavy_top --method gbs --step 0.1 --time 2.5 --out -",
        "printf \"problem: {potential: 1.5*R33}\\ninertia: [1, 1.5, 2.5]\\n\" | "
        "$T run - --method verlet+exact --step 0.01 --time 1.5 --until \"w1 > 0.25\" "
        "--out - 2>/dev/null",
        "$T exact --inertia 1,1.5,2 --momentum 0,0.6,-0.8 --time 0:4:9 --out a.csv "
        ">/dev/null; $T convert a.csv --epoch 2026-01-01T00:00:00.5 --out a.aem "
        ">/dev/null; grep -v DATE a.aem; $T convert a.aem --out -; rm a.csv a.aem",
        "$T run --problem free --method sr2 --step 0.5 --time 2.5 --checkpoint s "
        ">/dev/null; $T resume s --time 4.5 --json | sed s/seconds.*invariants//; rm s",
        "$T list methods; $T list problems --json",
        "$T run --problem free --method sr2 --step 0,5 --time 2 || test $? = 2",
    };
    static const char picture[] =
        "$T run --problem heavy_top --method s6_10+exact --step 0.01 --time 2.5 --plot "
        "a.svg >/dev/null; cat a.svg; rm a.svg";
    skip_without();
    const bool draws = has_gnuplot();
    for (size_t i = 0; i < COUNT(commands) + draws; i++) {
        const char *command = i < COUNT(commands) ? commands[i] : picture;
        char *plain = said_by("C", command), *german = said_by(GERMAN, command);
        assert_true(strlen(plain) > 20);
        assert_string_equal(plain, german);
        free(plain);
        free(german);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(library),
        cmocka_unit_test(tool),
    };
    return cmocka_run_group_tests_name("locale", tests, make_locale, leave);
}
