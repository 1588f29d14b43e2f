/* test_cli_scenario.c - scenario files: what they mean, and what is said about wrong
 * ones. */
/* Needs kinds. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/run_tool.h"

/* ---- right ones ------------------------------------------------------------------ */

static void assert_same(tool_run a, tool_run b)
{
    assert_done(&a);
    assert_done(&b);
    assert_string_equal(a.out, b.out);
    assert_true(count_lines(a.out) > 1);
    tool_run_free(&a);
    tool_run_free(&b);
}

static const char scenario[] = "# a book\n"
                               "problem: free\n"
                               "parameters: {}\n"
                               "inertia: [0.376, 0.627, 1]\n"
                               "rotvec: [0.1, 0.05, 0]\n"
                               "velocity: [0, -1, 0.01]   # body frame\n"
                               "method: sr2:suzuki4\n"
                               "step: 0.25\n"
                               "time: 5\n"
                               "output: {file: '-', every: 4}\n";

#define SAME_WORDS                                                                                 \
    "run", "--problem", "free", "--inertia", "0.376,0.627,1", "--rotvec", "0.1,0.05,0",            \
        "--method", "sr2:suzuki4", "--step", "0.25", "--time", "5"

static void says_what_options_say(void **state)
{
    (void)state;
    file_write("s.yaml", scenario);
    assert_same(RUN("run", "s.yaml"),
                RUN(SAME_WORDS, "--velocity", "0,-1,0.01", "--every", "4", "--out", "-"));
    assert_same(RUN("run", "s.yaml"), RUN_WITH(scenario, "run", "-"));

    /* options override, also the other way to say the same, in any order */
    assert_same(RUN("run", "s.yaml", "--momentum", "1,0.2,0.3", "--every", "1"),
                RUN(SAME_WORDS, "--momentum", "1,0.2,0.3", "--out", "-"));
    assert_same(RUN("run", "--tensor", "1,2,2.5,0.1,0,0", "s.yaml", "--method", "dmv2",
                    "--attitude", "1,1,0,0", "--step", "0.5", "--time", "10"),
                RUN("run", "--problem", "free", "--tensor", "1,2,2.5,0.1,0,0", "--attitude",
                    "1,1,0,0", "--velocity", "0,-1,0.01", "--method", "dmv2", "--step", "0.5",
                    "--time", "10", "--every", "4", "--out", "-"));
    file_write("s.yaml", "problem: free\nmethod: exact\nstep: 0.25\ntime: 5\n"
                         "tensor: [3, 2, 1.5, 0, 0, 0]\nattitude: [0, 1, 0, 0]\n"
                         "momentum: [0.7, 0.8, 0.9]\noutput: {file: '-', every: 4}\n");
    assert_same(RUN("run", "s.yaml", "--inertia", "0.376,0.627,1", "--rotvec", "0.1,0.05,0",
                    "--velocity", "0,-1,0.01", "--method", "sr2:suzuki4"),
                RUN(SAME_WORDS, "--velocity", "0,-1,0.01", "--every", "4", "--out", "-"));
    tool_run json = RUN("run", "s.yaml", "--out", "rows.csv", "--json");
    assert_done(&json);
    json_t *document = parse_json(json.out);
    assert_int_equal((long)json_at(document, "steps", 0), 20);
    json_decref(document);
    tool_run_free(&json);
    char *text = file_text("rows.csv");
    assert_int_equal(count_lines(text), 1 + 6);
    free(text);
    assert_int_equal(unlink("rows.csv"), 0);
    assert_int_equal(unlink("s.yaml"), 0);
}

/* The same in other words. */
static void other_ways_to_write(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "problem: free\nmethod: exact\nstep: 0.5\ntime: 2\nvelocity: [1, 2, 3]\n"
        "output: {file: '-'}\n",
        "\xEF\xBB\xBFproblem: free\r\nmethod: exact\r\nstep: 0.5\r\ntime: 2\r\n"
        "velocity: [1, 2, 3]\r\noutput: {file: '-'}\r\n",
        "---\nproblem: \"free\"\nmethod: 'exact'\nstep: 0x1p-1\ntime: +2.0e0\n"
        "velocity:\n  - 1\n  - 0x2\n  - 3.\noutput:\n  file: \"-\"\n  every: 1\n...\n",
        "{\"problem\": \"free\", \"method\": \"exact\", \"step\": 0.5, \"time\": 2,\n"
        " \"velocity\": [1, 2, 3], \"output\": {\"file\": \"-\"}}\n",
        "# Trägheit\ntime: 2 # später\noutput: {every: 1.0, file: \"-\"}\nstep: .5\n"
        "parameters: {}\nvelocity: [\n 1,\n 2,\n 3 ]\nmethod: exact\nproblem: free",
    };
    for (size_t i = 1; i < COUNT(ways); i++)
        assert_same(RUN_WITH(ways[0], "run", "-"), RUN_WITH(ways[i], "run", "-"));
}

#define WATER "problem: water\nmethod: verlet+exact\noutput: {file: '-'}\n"
#define FEW   "step: 0.001\ntime: 0.002\n"

/* Parameters by a word, and by its number, from 0 on; times in the unit of the problem; tabs. */
static void words_and_units(void **state)
{
    (void)state;
    static const char *const models[] = {"spce", "tip3p", "tip4p"};
    char *before = NULL;
    for (size_t i = 0; i < COUNT(models); i++) {
        char word[200], number[200];
        (void)snprintf(word, sizeof word, WATER FEW "parameters: {model: %s}\n", models[i]);
        (void)snprintf(number, sizeof number, WATER FEW "parameters: {model: %zu}\n", i);
        tool_run a = RUN_WITH(word, "run", "-"), b = RUN_WITH(number, "run", "-");
        assert_done(&a);
        assert_done(&b);
        assert_string_equal(a.out, b.out);
        assert_true(before == NULL || strcmp(before, a.out) != 0);
        free(before);
        before = strdup(a.out);
        tool_run_free(&a);
        tool_run_free(&b);
    }
    free(before);
    assert_refused(RUN_WITH(WATER FEW "parameters: {model: tip5p}\n", "run", "-"),
                   "model: tip5p: write one of spce|tip3p|tip4p");
    assert_same(RUN_WITH(WATER FEW, "run", "-"),
                RUN_WITH(WATER "step: 1 fs\ntime: 2 fs\n", "run", "-"));
    assert_same(RUN_WITH(WATER FEW, "run", "-"),
                RUN_WITH("problem:\twater\t# w\nmethod:\tverlet+exact\n"
                         "output:\t{file:\t'-'}\nstep:\t0.001\ntime:\t0.002\n",
                         "run", "-"));
}

/* ---- wrong ones ------------------------------------------------------------------ */

#define GOOD "problem: free\nmethod: exact\nstep: 0.5\ntime: 2\n" /* four lines */

static void wrong_scenarios(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        /* what it says, with the line, and the file */
        {"s.yaml:5: unknown key \"metod\": did you mean \"method\"?\n", GOOD "metod: exact\n"},
        {"s.yaml:5: unknown key \"xyz\": the keys are problem, method, ", GOOD "xyz: [1, 0, 0]\n"},
        {"s.yaml:6: unknown key \"bax\": did you mean \"box\"?", GOOD "\nbax: [1, 0, 0]\n"},
        {"s.yaml:5: q cannot be used with free", GOOD "q: [[1, 0, 0]]\n"},
        {"s.yaml:6: box cannot be used with free", GOOD "\nbox: [1, 0, 0]\n"},
        {"s.yaml:5: unknown key \"fil\": did you mean \"file\"?", GOOD "output: {fil: x}\n"},
        {"s.yaml:5: unknown key \"file\": did you mean \"time\"?", GOOD "file: x\n"},
        {"s.yaml:5: unknown key \"step\": the keys are file, every", GOOD "output: {step: 2}\n"},
        {"s.yaml:6: this is not YAML (tab", GOOD "output:\n\tfile: x\n"},
        {"s.yaml:7: unknown key \"evry\": did you mean \"every\"?",
         GOOD "output:\n  file: x\n  evry: 3\n"},
        {"s.yaml:5: key \"step\" occurs twice, first in line 3", GOOD "step: 1\n"},
        {"s.yaml:7: key \"file\" occurs twice, first in line 6",
         GOOD "output:\n  file: x\n  file: y\n"},
        {"s.yaml:5: key \"a\" occurs twice", GOOD "parameters: {a: 1, a: 2}\n"},
        {"s.yaml:6: rotvec cannot be used with attitude (line 5)",
         GOOD "attitude: [1, 0, 0, 0]\nrotvec: [1, 0, 0]\n"},
        {"s.yaml:6: inertia cannot be used with tensor (line 5)",
         GOOD "tensor: [1, 1, 1, 0, 0, 0]\ninertia: [1, 1, 1]\n"},
        {"s.yaml:6: velocity cannot be used with momentum (line 5)",
         GOOD "momentum: [1, 0, 0]\nvelocity: [1, 0, 0]\n"},

        {"s.yaml:3: step: \"small\" is not a number", "problem: free\nmethod: x\nstep: small"},
        {"s.yaml:1: step: \"0.5\" is a text", "step: \"0.5\""},
        {"s.yaml:1: step: \".nan\" is not finite", "step: .nan"},
        {"s.yaml:1: step: \"-.Inf\" is not finite", "step: -.Inf"},
        {"s.yaml:1: step: \"nan\" is not finite", "step: nan"},
        {"s.yaml:1: step: \"1e999\" is too large", "step: 1e999"},
        {"s.yaml:1: step: \"1_000\" is not a number", "step: 1_000"},
        {"s.yaml:1: step cannot be in `m`: write one of fs, ", "step: 0.1 m"},
        {"s.yaml:1: step cannot be in `sec`", "step: 0.1 sec"},
        {"s.yaml:1: step has no value", "step:\ntime: 3\n"},
        {"s.yaml:1: step needs one number", "step: [1]"},
        {"s.yaml:1: step: a list or a mapping is not a single value", "step: {a: 1}"},
        {"s.yaml:2: inertia needs 3 numbers, not 2", "problem: free\ninertia: [1, 2]\n"},
        {"s.yaml:1: inertia needs 3 numbers, not 4", "inertia: [1, 2, 3, 4]\n"},
        {"s.yaml:1: inertia needs 3 numbers, not 0", "inertia: []\n"},
        {"s.yaml:1: inertia has more than 6", "inertia: [1, 2, 3, 4, 5, 6, 7]\n"},
        {"s.yaml:1: tensor needs 6 numbers, not 3", "tensor: [1, 2, 3]\n"},
        {"s.yaml:1: attitude needs 4 numbers, not 3", "attitude: [1, 2, 3]\n"},
        {"s.yaml:1: inertia needs a list", "inertia: 3\n"},
        {"s.yaml:4: inertia: \"c\" is not a number", "inertia:\n  - 1\n  - 2\n  - c\n"},
        {"s.yaml:1: inertia: a list or a mapping is not a single", "inertia: [1, [2], 3]\n"},
        {"s.yaml:2: method has no value", "problem: free\nmethod:\n"},
        {"s.yaml:1: problem: a list or a mapping is not a single value", "problem: [free]\n"},
        {"s.yaml:2: *t is an alias", "time: &t 3\nstep: *t\n"},
        {"s.yaml:2: *J is an alias", "momentum: &J [1, 2, 3]\ninertia: *J\n"},
        {"s.yaml:3: *v is an alias", "inertia:\n  - &v 1\n  - *v\n  - 3\n"},
        {"s.yaml:1: *w is an alias", "wheel: [&w {axis: [1, 0, 0]}, *w]\n"},
        {"s.yaml:3: *d is an alias", "x: &d {a: 1}\nparameters:\n  <<: *d\n"},
        {"s.yaml:1: output is not a mapping", "output: x.csv\n"},
        {"s.yaml:1: parameters is not a mapping", "parameters: [1]\n"},
        {"s.yaml:1: strength: \"big\" is not a number", "parameters: {strength: big}\n"},
        {"s.yaml:1: a key: a list or a mapping", "? [a, b]\n: 3\n"},

        {"s.yaml:1: the scenario is empty", ""},
        {"s.yaml:1: the scenario is empty", "# nothing\n"},
        {"s.yaml:1: the scenario is not a mapping", "- problem\n- free\n"},
        {"s.yaml:1: the scenario is not a mapping", "free\n"},
        {"s.yaml:1: this is not YAML (", "problem: free\n  method: [1\n"},
        {"s.yaml:3: this is not YAML (", "problem: free\nmethod: x\nstep: 'x\ntime: 3\n"},
        {"s.yaml:2: this is not YAML (", "problem: free\nmethod\n"},
        {"s.yaml:2: this is not YAML (", "problem: free\nmethod: @x\n"},
        {"s.yaml:1: the file has more than one document", GOOD "---\nstep: 3\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# Tr\xE4gheit\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# \xC0\x80\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# \x01\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# \x0B\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# \x0C\n"},
        {"s.yaml:5: a byte is not valid text", GOOD "# \x7F\n"},

        {"s.yaml:1: there is no problem `fre`: did you mean free?",
         "problem: fre\nmethod: exact\nstep: 0.5\ntime: 2\n"},
        {"s.yaml:2: there is no method `dmv3`: did you mean dmv2",
         "problem: free\nmethod: dmv3\nstep: 0.5\ntime: 2\n"},
        {"s.yaml:2: `sr4:suzuki4`: sr4 does not have order 2",
         "problem: free\nmethod: sr4:suzuki4\nstep: 0.5\ntime: 2\n"},
        {"s.yaml:3: the time 2 is not a whole number of steps of 0.3",
         "problem: free\nmethod: exact\nstep: 0.3\ntime: 2\n"},
        {"s.yaml:3: the step is zero", "problem: free\nmethod: exact\nstep: 0\ntime: 2\n"},
        {"s.yaml:5: inertia 1,-2,3: moments of inertia must be positive",
         GOOD "inertia: [1, -2, 3]\n"},
        {"s.yaml:5: attitude 0,0,0,0: the zero quaternion is not an attitude",
         GOOD "attitude: [0, 0, 0, 0]\n"},
        {"s.yaml:6: problem free has no parameter strength",
         GOOD "parameters:\n  strength: [1, 2]\n"},
        {"s.yaml:5: every 0 is not a whole number from 1", GOOD "output: {every: 0, file: x}\n"},
        {"s.yaml:5: every 2.5 is not a whole number from 1", GOOD "output: {every: 2.5}\n"},
        {"polhode: --step is missing: add --step h", "problem: free\nmethod: exact\ntime: 2\n"},
        {"cannot create no/such/x.csv", GOOD "output: {file: no/such/x.csv}\n"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        file_write("s.yaml", wrong[i][1]);
        assert_refused(RUN("run", "s.yaml"), wrong[i][0]);
    }
    file_write("s.yaml", GOOD "output: {file: '-'}\n");
    assert_refused(RUN("run", "s.yaml", "--json"), "--json cannot be used with --out -");
    assert_int_equal(unlink("s.yaml"), 0);
    assert_refused(RUN("run", "s.yaml"), "s.yaml cannot be read (No such file");
    assert_refused(RUN("run", "."), ". cannot be read (Is a directory)");
    assert_refused(RUN_WITH("stp: 1\n", "run", "-"), "standard input:1: unknown key \"stp\"");
    /* two of three letters may be wrong, not two of two */
    assert_refused(RUN_WITH("stx: 1\n", "run", "-"), "unknown key \"stx\": did you mean");
    assert_refused(RUN_WITH("xx: 1\n", "run", "-"), "unknown key \"xx\": the keys are");
    assert_no_file("*");
}

/* What nobody writes by hand: nothing of it may crash. */
static void odd_scenarios(void **state)
{
    (void)state;
    static const size_t depth = 20000;
    char *text = calloc(depth + 100, 1);
    assert_non_null(text);
    /* marks: as many as are taken, and one more */
    strcpy(text, GOOD "time: 0 # ");
    memset(text + strlen(text), '&', 100);
    assert_refused(RUN_WITH(text, "run", "-"), "standard input:5: key \"time\" occurs twice");
    text[strlen(text)] = '&';
    assert_refused(RUN_WITH(text, "run", "-"), "more than 100 anchors (&)");
    memset(text, 0, depth);
    for (int k = 0; k < 101; k++)
        strcat(text, "%YAML 1.1\n");
    assert_refused(RUN_WITH(text, "run", "-"), "more than 100 directives (%)");
    memset(text, 0, depth);
    strcpy(text, "inertia: ");
    memset(text + strlen(text), '[', depth);
    file_write("s.yaml", text);
    assert_refused(RUN("run", "s.yaml"), "s.yaml:");
    memset(text, 'a', depth);
    strcpy(text + depth, ": 3\n");
    file_write("s.yaml", text);
    assert_refused(RUN("run", "s.yaml"), "s.yaml:1: unknown key \"aaa");
    strcpy(text, "parameters: {");
    memset(text + strlen(text), 'b', 200);
    strcpy(text + 213, ": 3}\n");
    file_write("s.yaml", text);
    assert_refused(RUN("run", "s.yaml"), "s.yaml:1: there are too many parameters for");
    free(text);
    file_write("s.yaml", "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nstep: *c\n");
    assert_refused(RUN("run", "s.yaml"), "is an alias");
    file_write("s.yaml", "problem: \"free\\0er\"\nmethod: x\nstep: 1\ntime: 1\n");
    assert_refused(RUN("run", "s.yaml"),
                   "s.yaml:1: problem: a name cannot contain a NUL character");
    file_write("s.yaml", "problem: \"two\\nlines\"\nmethod: x\nstep: 1\ntime: 1\n");
    assert_refused(RUN("run", "s.yaml"), "there is no problem `two?lines");
    file_write("s.yaml", "<<: {step: 1}\n");
    assert_refused(RUN("run", "s.yaml"), "unknown key \"<<\"");
    assert_int_equal(unlink("s.yaml"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_options_say), cmocka_unit_test(other_ways_to_write),
        cmocka_unit_test(words_and_units),       cmocka_unit_test(wrong_scenarios),
        cmocka_unit_test(odd_scenarios),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
