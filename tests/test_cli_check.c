/* test_cli_check.c - the command `check`: sheets, JSON, markdown, and what it refuses. */
/* Needs kinds, lab. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/quick.h"
#include "support/run_tool.h"
#include "support/skip.h"

static void assert_text(const json_t *object, const char *key, const char *right)
{
    assert_string_equal(right, json_string_value(json_object_get(object, key)));
}

static void json(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    tool_run run = RUN("check", "vlv", "eln", "dmv4", "exact", "--json");
    assert_done(&run);
    json_t *array = parse_json(run.out);
    tool_run_free(&run);
    assert_int_equal(4, json_array_size(array));

    const json_t *vlv = json_array_get(array, 0), *c = json_object_get(vlv, "free");
    assert_text(vlv, "name", "vlv");
    assert_true(json_is_integer(json_object_get(vlv, "order")));
    assert_int_equal(2, (int)json_at(vlv, "order", 0));
    assert_true(json_is_true(json_object_get(vlv, "symmetric")));
    assert_true(json_is_true(json_object_get(c, "symplectic")));
    assert_text(c, "energy", "bounded");
    assert_text(c, "momentum", "exact");
    c = json_object_get(vlv, "field");
    assert_true(json_is_true(json_object_get(c, "symplectic")));
    assert_text(c, "energy", "bounded");
    assert_text(c, "momentum", "exact");
    assert_true(json_at(vlv, "symplectic_defect", 0) < 2e-11);
    assert_true(json_is_real(json_object_get(vlv, "drift")));
    assert_text(c, "verdict", "bounded");
    assert_true(fabs(json_at(c, "slope", 0)) < 1e-11 && json_at(c, "slope_error", 0) > 0);
    assert_true(json_at(c, "horizon", 0) > 4000);

    const json_t *eln = json_array_get(array, 1);
    c = json_object_get(eln, "field");
    assert_true(json_is_false(json_object_get(c, "symplectic")));
    assert_text(c, "energy", "drift");
    assert_text(c, "verdict", "drifts");
    assert_true(fabs(json_at(c, "slope", 0)) > 6 * json_at(c, "slope_error", 0));
    assert_text(c, "momentum", "no");
    assert_true(json_at(eln, "symplectic_defect", 0) > 1e-3);
    assert_true(json_at(eln, "drift", 0) < -1e-6);

    const json_t *dmv4 = json_array_get(array, 2);
    assert_int_equal(4, (int)json_at(dmv4, "order", 0));
    c = json_object_get(dmv4, "free");
    assert_true(json_is_false(json_object_get(c, "symplectic")));
    assert_true(json_is_true(json_object_get(c, "poisson")));
    assert_text(c, "energy", "exact");
    c = json_object_get(dmv4, "field");
    assert_true(json_is_null(json_object_get(c, "symplectic")));
    assert_true(json_is_null(json_object_get(c, "energy")));
    assert_true(json_is_null(json_object_get(dmv4, "drift")));

    assert_true(json_is_null(json_object_get(json_array_get(array, 3), "order")));
    json_decref(array);
}

/* Orders of the truncations of modified Hamiltonians, as JSON and as text. */
static void modified(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    tool_run run = RUN("check", "sr2", "imr2", "--modified", "--json");
    assert_done(&run);
    json_t *array = parse_json(run.out);
    tool_run_free(&run);
    assert_int_equal(2, json_array_size(array));
    static const char *const kinds[] = {"energy", "motion"};
    for (size_t n = 0; n < 2; n++) {
        const json_t *m = json_object_get(json_array_get(array, n), "modified"),
                     *all = json_object_get(m, "truncations");
        assert_text(m, "kind", kinds[n]);
        assert_int_equal(3, json_array_size(all));
        for (size_t k = 0; k < 3; k++) {
            const json_t *one = json_array_get(all, k);
            assert_int_equal(2 * (int)k, (int)json_at(one, "power", 0));
            assert_true(fabs(json_at(one, "order", 0) - 2 * (double)k - 2) < 0.1);
            assert_int_equal(json_array_size(json_object_get(m, "steps")),
                             json_array_size(json_object_get(one, "errors")));
        }
        assert_true(n == 1 || json_object_get(m, "bracket") == NULL);
        assert_true(n == 0 || json_array_size(json_object_get(m, "bracket")) == 3);
    }
    json_decref(array);
    run = RUN("check", "imr2", "--modified");
    assert_done(&run);
    assert_contains(run.out, "distance from the solution of the modified equation");
    assert_contains(run.out, "the bracket that it conserves");
    assert_narrow(run.out);
    tool_run_free(&run);
    assert_refused(RUN("check", "vlv", "--modified"), "no modified Hamiltonian is known");
    assert_refused(RUN("check", "sr2", "--modified", "--lyapunov"), "cannot be used with");
    assert_refused(RUN("check", "sr2", "--modified", "--markdown"), "cannot be used with");
}

static void lyapunov(void **state)
{
    (void)state;
    if (is_emulated()) /* polhode bits has their numbers */
        skip_because("too slow under emulation");
    tool_run run = RUN("check", "verlet+exact", "exact", "--lyapunov", "--json");
    assert_done(&run);
    json_t *array = parse_json(run.out);
    tool_run_free(&run);
    const json_t *in_field = json_object_get(json_array_get(array, 0), "lyapunov"),
                 *alone = json_object_get(json_array_get(array, 1), "lyapunov"),
                 *well = json_array_get(in_field, 0), *generic = json_array_get(in_field, 2),
                 *free_body = json_array_get(alone, 0);
    assert_int_equal(3, json_array_size(in_field));
    assert_int_equal(1, json_array_size(alone));
    assert_text(well, "problem", "well");
    assert_true(json_is_false(json_object_get(well, "chaotic")));
    assert_text(generic, "problem", "generic");
    assert_true(json_is_true(json_object_get(generic, "chaotic")));
    assert_true(fabs(json_at(generic, "exponent", 0) - 0.19) < 0.05);
    assert_true(json_at(generic, "error", 0) < 0.02);
    assert_true(fabs(json_at(free_body, "exponent", 0)) < json_at(free_body, "error", 0));
    json_decref(array);
    run = RUN("compare", "--problem", "generic", "--methods", "vlv", "--steps", "0.05", "--time",
              "1", "--lyapunov", "--json");
    assert_done(&run);
    array = parse_json(run.out);
    tool_run_free(&run);
    const json_t *row = json_array_get(array, 0);
    assert_true(fabs(json_at(row, "lyapunov", 0) - 0.19) < 0.06);
    assert_true(json_at(row, "lyapunov_time", 0) > 900);
    json_decref(array);
}

static void text(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    tool_run run = RUN("check", "sr2:suzuki4", "verlet+dmv12");
    assert_done(&run);
    assert_narrow(run.out);
    assert_contains(run.out, "sr2:suzuki4 - ");
    assert_contains(run.out, "order              4        slope");
    assert_contains(run.out, "symplectic         yes");
    assert_contains(run.out, "verlet+dmv12 - Kick, drift, kick; ");
    assert_contains(run.out, "\nin a field\n");
    assert_contains(run.out, "  verdict            bounded  ");
    assert_contains(run.out, "not symplectic, and yet bounded");
    assert_contains(run.out, "its claims         hold\n");
    assert_null(strstr(run.out, "do not hold"));
    tool_run_free(&run);
}

static void markdown(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    tool_run run = RUN("check", "mcg", "mr", "mr:suzuki4", "--markdown");
    assert_done(&run);
    assert_contains(run.out, "## methods\n\n| name | order |");
    assert_contains(run.out, "| `mcg` | 2 | yes | no | no | bounded | exact | exact | no "
                             "| drift | exact | Modified Crouch-Grossman | O11 (4.9) |\n");
    assert_contains(run.out, "| `mr` | 2 | yes | yes | yes | bounded | exact | exact |  |  |  | ");
    assert_contains(run.out,
                    "| `mr:suzuki4` | 4 | yes | yes | yes | bounded | exact | exact |  |  |  |\n");
    tool_run_free(&run);
}

static void refused(void **state)
{
    (void)state;
    assert_refused(RUN("check"), "no method is named");
    assert_refused(RUN("check", "vlx"), "did you mean vlv");
    assert_refused(RUN("check", "vlv", "verlet+exakt"), "verlet+exact");
    assert_refused(RUN("check", "exact:suzuki4"), "is exact");
    assert_refused(RUN("check", "--all", "vlv"), "cannot be used with --all");
    assert_refused(RUN("check", "vlv", "--json", "--markdown"), "cannot be used with");
}

/* ---- Ctrl-C ---------------------------------------------------------------------- */

/* Stops the tool in its first sheets, of which each takes so long that none is finished,
 * even on a fast machine. Nothing is printed but one line. */
static void assert_stopped(int signal_number, const char *said, const char *const *words)
{
    const tool_talk talk = talk_begin(words);
    wait_until_caught(talk.tool, signal_number);
    assert_int_equal(0, kill(talk.tool, signal_number));
    assert_int_equal(130, tool_wait(talk.tool));
    assert_string_equal("", pipe_receive(talk.out, 1));
    const char *line = pipe_receive(talk.error, 2);
    assert_contains(line, said);
    assert_int_equal(1, count_lines(line));
    talk_end(&talk);
}

#define STOPPED(signal_number, said, ...)                                                          \
    assert_stopped((signal_number), (said), (const char *const[]){"check", __VA_ARGS__, NULL})

/* 490 steps of a splitting each: ten seconds and more. */
#define LONG "srkn6_14a+mr:sofroniou10"

static void interrupted(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("the emulator catches all signals under emulation");
    STOPPED(SIGINT, "polhode: interrupted after 0 of 1", LONG);
    STOPPED(SIGTERM, "polhode: interrupted after 0 of 3", LONG, LONG, LONG, "--json");
    STOPPED(SIGINT, "polhode: interrupted after 0 of 1 methods", "--ensemble", "baoab+exact",
            "--problem", "heavy_top", "--temperature", "1", "--samples", "1000000000");
}

static void interrupted_among_all(void **state)
{
    (void)state;
    if (is_emulated())
        skip_because("too slow under emulation");
    const tool_talk talk = TALK("check", "--all");
    wait_until_caught(talk.tool, SIGINT);
    assert_stops(talk.tool);
    assert_string_equal("", pipe_receive(talk.out, 1));
    size_t measured = 0, all = 0;
    const char *said = pipe_receive(talk.error, 2);
    assert_int_equal(
        2, sscanf(said, "polhode: interrupted after %zu of %zu sheets: ", &measured, &all));
    assert_true(measured < all && all > 80);
    assert_int_equal(1, count_lines(said));
    talk_end(&talk);
}

/* ---- where it is written --------------------------------------------------------- */

static void closed_pipe(void **state)
{
    (void)state;
    const tool_pipe out = open_pipe(), error = open_pipe();
    (void)close(out.read);
    const pid_t tool = START(-1, out.write, error.write, "check", "exact");
    (void)close(out.write);
    (void)close(error.write);
    assert_int_equal(128 + SIGPIPE, tool_wait(tool));
    assert_string_equal("", pipe_receive(error.read, 1));
    (void)close(error.read);
}

static void full_disk(void **state)
{
    (void)state;
    static const char *const forms[][4] = {{"check", "exact", NULL},
                                           {"check", "exact", "--json", NULL},
                                           {"check", "exact", "--markdown", NULL}};
    for (size_t i = 0; i < COUNT(forms); i++) {
        const char *said = tool_run_to_full(forms[i]);
        assert_contains(said, "polhode: cannot write standard output (No space left");
        assert_int_equal(1, count_lines(said));
    }
}

/* What doubles leave open is decided, and as the theory has it: HV, Theorem 4.3. */
static void precision(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool symplectic, energy;
    } right[] = {{"dmv2", true, true},   {"dmv10", false, true},   {"dmv14", false, true},
                 {"dmv16", false, true}, {"gauss10", false, true}, {"mr:sofroniou10", true, false}};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i += is_emulated() ? 4 : 1) {
        tool_run run = RUN("check", "--precision", right[i].name, "--json");
        assert_done(&run);
        json_t *array = parse_json(run.out);
        const json_t *p = json_object_get(json_array_get(array, 0), "precision");
        assert_true(json_is_true(json_object_get(p, "poisson")));
        assert_int_equal(right[i].symplectic, json_is_true(json_object_get(p, "symplectic")));
        assert_int_equal(right[i].energy, json_is_true(json_object_get(p, "energy")));
        json_decref(array);
        tool_run_free(&run);
    }
    assert_refused(RUN("check", "--precision", "exact"), "not a flow with an error of its own");
}

/* The drift of the well is the one that single steps predict, to leading order: within 10 %. A
 * method of order 4 may drift with the fifth power. */
static void drift(void **state)
{
    (void)state;
    static const struct {
        const char *method, *problem, *step;
        int power;
    } of[] = {{"prk", "well", "0.125", 2}, {"rkmk4", "pendulum", "0.03125", 5}};
    for (size_t i = 0; i < sizeof of / sizeof of[0] && !is_emulated(); i++) {
        tool_run run = RUN("check", "--drift", of[i].method, "--problem", of[i].problem, "--step",
                           of[i].step, "--json");
        assert_done(&run);
        json_t *found = parse_json(run.out);
        const json_t *said = json_object_get(found, "predicted"),
                     *seen = json_object_get(found, "measured");
        const double slope = json_at(said, "slope", 0);
        assert_true(fabs(json_at(seen, "slope", 0) / slope - 1) < 0.1);
        assert_true(json_at(said, "error", 0) < 0.01 * fabs(slope));
        assert_int_equal(of[i].power, (int)json_at(said, "power", 0));
        assert_true(fabs(json_at(seen, "power", 0) - of[i].power) < 0.1);
        json_decref(found);
        tool_run_free(&run);
    }
    assert_refused(RUN("check", "--drift", "prk"), "--problem");
    assert_refused(RUN("check", "--drift", "gbs", "--problem", "well"), "no fixed steps");
}

/* The energy of a satellite is as h^2 while a step turns it little, and has resonances beyond. */
static void steps(void **state)
{
    (void)state;
    tool_run run = RUN("check", "--steps", "verlet+exact", "--problem", "satellite", "--json");
    assert_done(&run);
    json_t *found = parse_json(run.out);
    const json_t *rows = json_object_get(found, "steps");
    assert_int_equal(113, json_array_size(rows));
    assert_true(fabs(json_at(json_array_get(rows, 32), "power", 0) - 2) < 0.05);
    assert_true(json_array_size(json_object_get(found, "tongues")) > 0);
    assert_true(json_at(found, "largest_step", 0) > 0.1);
    json_decref(found);
    tool_run_free(&run);
    assert_refused(RUN("check", "--steps", "vlv"), "--problem");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precision),
        cmocka_unit_test(drift),
        cmocka_unit_test(steps),
        cmocka_unit_test(json),
        cmocka_unit_test(modified),
        cmocka_unit_test(lyapunov),
        cmocka_unit_test(text),
        cmocka_unit_test(markdown),
        cmocka_unit_test(refused),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(interrupted_among_all),
        cmocka_unit_test(closed_pipe),
        cmocka_unit_test(full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
