/* test_cli_kinds.c - the tool takes every kind of system, those of the library and one of the
 * tests alone: run, --show, --until, compare, check, every format of files, and resume. */
/* Needs kinds, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/named.h"
#include "system/kind.h"
#include "tests/support/run_tool.h"
#include "tool/files/rows.h"

#define DATE "--epoch", "2026-01-01T00:00:00"

/* The first problem of a kind, small, and what words to run it by. */
typedef struct subject {
    ph_problem_facts problem;
    const char *set, *value;
    char scheme[PH_INTEGRATOR_NAME];
} subject;

#define RUN_OF(x) "run", "--problem", (x)->problem.name, (x)->set, (x)->value
#define STEPS(x)  "--method", (x)->scheme, "--step", "0.01"

static void every_kind(void (*test)(const subject *x))
{
    ph_problem_facts p;
    const char *last = "";
    size_t count = 0, kinds;
    const ph_kind *const *kind = ph_kinds(&kinds);
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        if (strcmp(p.kind, last) == 0)
            continue;
        last = p.kind;
        count++;
        const ph_parameter *first = p.parameters;
        char value[64] = "";
        subject x = {.problem = p, .set = "--every", .value = "1"};
        if (ROW_NAMED(p.parameters, p.parameter_count, "lattice") != NULL) {
            x.set = "--set";
            x.value = "lattice=2";
        } else if (first != NULL && first->count == 1) { /* its default */
            (void)snprintf(value, sizeof value, "%s=%.17g", first->name, p.value[first->first]);
            x.set = "--set";
            x.value = value;
        }
        (void)snprintf(x.scheme, sizeof x.scheme, "verlet+%s", p.drift);
        ph_system *s = NULL;
        if (ph_integrator_suits(x.scheme, p.name) != PH_OK)
            (void)snprintf(x.scheme, sizeof x.scheme, "%s", p.integrator);
        assert_int_equal(PH_OK, ph_integrator_suits(x.scheme, p.name));
        ph_system_destroy(s);
        test(&x);
    }
    for (size_t k = 0; k < kinds; k++) /* those without problems of their own */
        count += kind[k]->method_of_bodies != NULL;
    assert_int_equal(kinds, count);
    assert_no_file("*");
}

static json_t *json_of(tool_run run)
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    tool_run_free(&run);
    return document;
}

/* ---- a run ------------------------------------------------------------------------- */

static void runs_one(const subject *x)
{
    json_t *a = json_of(RUN(RUN_OF(x), STEPS(x), "--time", "0.1", "--json"));
    assert_string_equal(x->problem.name, json_string_value(json_object_get(a, "problem")));
    assert_true(json_is_object(json_object_get(a, "final")));
    json_decref(a);
    tool_run text = RUN(RUN_OF(x), STEPS(x), "--time", "0.1");
    assert_done(&text);
    assert_contains(text.out, "energy");
    assert_narrow(text.out);
    tool_run_free(&text);
    assert_refused(RUN(RUN_OF(x), "--method", "no_such", "--step", "1", "--time", "1"), "no_such");
    assert_refused(RUN(RUN_OF(x), "--set", "no_such=1", "--step", "1", "--time", "1"), "no_such");
}

static void runs(void **state)
{
    (void)state;
    every_kind(runs_one);
}

/* ---- columns and conditions ---------------------------------------------------------- */

/* A body with an attitude of its own takes conditions and the columns of attitudes. */
static bool is_one_body(const subject *x)
{
    ph_system *s = NULL;
    const ph_array *f;
    const ph_system_settings with = {x->problem.name, .step = 0.01};
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    const bool one = ph_system_array_named(s, "attitude", &f) == PH_OK;
    ph_system_destroy(s);
    return one;
}

static void shows_one(const subject *x)
{
    tool_run all = RUN(RUN_OF(x), STEPS(x), "--time", "0.05", "--out", "-"),
             two = RUN(RUN_OF(x), STEPS(x), "--time", "0.05", "--out", "-", "--show", "t,energy");
    assert_done(&all);
    assert_done(&two);
    assert_true(strncmp(all.out, "t,", 2) == 0);
    assert_whole_rows(two.out, "t,energy\n");
    tool_run_free(&all);
    tool_run_free(&two);
    if (is_one_body(x)) {
        json_t *a =
            json_of(RUN(RUN_OF(x), STEPS(x), "--time", "0.1", "--until", "t > 0.025", "--json"));
        assert_true(fabs(json_at(a, "time", 0) - 0.025) < 1e-12);
        json_decref(a);
        tool_run shown = RUN(RUN_OF(x), STEPS(x), "--time", "0.05", "--out", "-", "--show",
                             "t,euler_zyx,momentum,w3,energy");
        assert_done(&shown);
        assert_whole_rows(shown.out, "t,euler_zyx1,euler_zyx2,euler_zyx3,m1,m2,m3,w3,energy\n");
        tool_run_free(&shown);
    } else {
        assert_refused(RUN(RUN_OF(x), STEPS(x), "--time", "0.1", "--until", "t > 0.025"),
                       "--until");
    }
    assert_refused(RUN(RUN_OF(x), STEPS(x), "--time", "0.1", "--show", "no_such"), "no_such");
}

static void until_and_show(void **state)
{
    (void)state;
    every_kind(shows_one);
}

/* ---- files --------------------------------------------------------------------------- */

/* What a format takes is written, and continued to the same bytes. */
static void writes_one(const subject *x)
{
    const file_format *f;
    int written = 0;
    for (size_t i = 0; (f = file_format_at(i)) != NULL; i++) {
        char name[2][40];
        for (int k = 0; k < 2; k++)
            (void)snprintf(name[k], sizeof name[k], "%d.%s", k, f->suffix);
        tool_run all = RUN(RUN_OF(x), STEPS(x), "--time", "0.2", "--out", name[0], DATE);
        if (all.status != 0) {
            assert_error_line(&all, 2, name[0]);
            tool_run_free(&all);
            continue;
        }
        tool_run_free(&all);
        written++;
        if (f->continues) {
            tool_run begun = RUN(RUN_OF(x), STEPS(x), "--time", "0.1", "--out", name[1], DATE,
                                 "--checkpoint", "snapshot"),
                     rest = RUN("resume", "snapshot", "--time", "0.2");
            assert_done(&begun);
            assert_done(&rest);
            tool_run_free(&begun);
            tool_run_free(&rest);
            char command[100];
            (void)snprintf(command, sizeof command, "cmp -s %s %s", name[0], name[1]);
            assert_int_equal(0, system(command)); // NOLINT(cert-env33-c) ; fixed words
            assert_int_equal(unlink(name[1]) + unlink("snapshot"), 0);
        }
        assert_int_equal(unlink(name[0]), 0);
    }
    assert_true(written >= 4);
}

static void formats(void **state)
{
    (void)state;
    every_kind(writes_one);
}

/* ---- comparing and checking ---------------------------------------------------------- */

static void compares_one(const subject *x)
{
    char methods[2 * PH_INTEGRATOR_NAME];
    (void)snprintf(methods, sizeof methods, "%s,%s", x->scheme, x->problem.integrator);
    tool_run compared = RUN("compare", "--problem", x->problem.name, "--methods", methods,
                            "--steps", "0.02,0.01", "--time", "0.2"),
             checked = RUN("check", x->scheme, "--problem", x->problem.name, "--json");
    assert_done(&compared);
    assert_contains(compared.out, x->scheme);
    assert_done(&checked);
    json_t *sheet = parse_json(checked.out);
    assert_int_equal(1, json_array_size(sheet));
    json_decref(sheet);
    tool_run_free(&compared);
    tool_run_free(&checked);
}

static void compared_and_checked(void **state)
{
    (void)state;
    every_kind(compares_one);
}

/* ---- snapshots of a kind that is not there ------------------------------------------- */

static void unknown_kind(void **state)
{
    (void)state;
    tool_run begun = RUN("run", "--problem", "rotor", "--step", "0.1", "--time", "1",
                         "--checkpoint", "snapshot");
    assert_done(&begun);
    tool_run_free(&begun);
    tool_path = POLHODE_TOOL_PATH;
    assert_refused(RUN("resume", "snapshot", "--time", "2"),
                   "snapshot: the snapshot belongs to another system: this tool does not know its "
                   "problem, method or kind of system");
    tool_path = KINDS_TOOL_PATH;
    assert_int_equal(unlink("snapshot"), 0);
}

int main(void)
{
    tool_path = KINDS_TOOL_PATH;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),         cmocka_unit_test(until_and_show),
        cmocka_unit_test(formats),      cmocka_unit_test(compared_and_checked),
        cmocka_unit_test(unknown_kind),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
