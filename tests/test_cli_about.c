/* test_cli_about.c - what the tool says of itself: version, helps, lists and tables within 80
 * columns, suggestions that are near, completions of shells and the manual page, which have
 * every command and every option. */
/* Needs kinds, lab, extra, device. */
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

#include "support/run_tool.h"

static void same_as(const char *word, tool_run right)
{
    tool_run run = RUN(word);
    assert_done(&run);
    assert_string_equal(run.out, right.out);
    tool_run_free(&run);
}

static void versions_and_helps(void **state)
{
    (void)state;
    char name[TOOL_COMMANDS][TOOL_COMMAND];
    const size_t count = tool_commands(name);
    tool_run version = RUN("--version"), help = RUN("--help");
    assert_int_equal(strncmp(version.out, "polhode ", strlen("polhode ")), 0);
    same_as("-V", version);
    same_as("version", version);
    same_as("help", help);
    same_as("-h", help);
    assert_narrow(help.out);
    tool_run_free(&version);
    tool_run_free(&help);
    for (size_t i = 0; i < count; i++) {
        tool_run one = RUN("help", name[i]), other = RUN(name[i], "--help");
        assert_done(&one);
        assert_string_equal(one.out, other.out);
        assert_narrow(one.out);
        tool_run_free(&one);
        tool_run_free(&other);
    }
}

static void lists_and_tables(void **state)
{
    (void)state;
    static const char *const words[][12] = {
        {"list"},
        {"list", "methods", "--space", "body"},
        {"exact", BOOK, "--time", "0:1e6:5"},
        {"exact", "--inertia", "1e-30,2e-30,3e-30", "--momentum", "1e9,2,3", "--time", "1e-300"},
        {"exact", BOOK, "--time", "0:9:5", "--show", "t,q,m,w,energy,space_momentum"},
        {"exact", BOOK, "--time", "0:9:5", "--show", "space_momentum"},
        {"run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.001", "--time",
         "1"},
        {"run", "--problem", "free", "--method", "dmv6", "--step", "0.1", "--time", "1000"},
        {"run", "--problem", "magnets", "--method", "rattle", "--step", "1e-4", "--time", "1e-3"},
        {"run", "--problem", "dipolar_spheres", "--method", "verlet+exact", "--step", "0.01",
         "--time", "0.1"},
        {"compare", "--problem", "heavy_top", "--methods", "vlv,srkn6_14a+exact", "--steps",
         "0.1,0.05", "--time", "1"},
    };
    for (size_t i = 0; i < COUNT(words); i++) {
        tool_run run = tool_run_words(NULL, words[i]);
        assert_int_equal(run.status, 0);
        assert_true(strlen(run.out) > 80);
        assert_narrow(run.out);
        tool_run_free(&run);
    }
}

/* Names are proposed that are near, and no others; a part of an integrator is told from a name
 * that is wrong. */
static void suggestions(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"verlet", "`verlet` is a scheme: write verlet+exact"},
        {"suzuki4", "`suzuki4` is a composition: write sr2:suzuki4"},
        {"velet+exact", "did you mean verlet+exact"},
        {"a_name_of_another_kind", "`a_name_of_another_kind`: see `polhode list`"},
    };
    for (size_t i = 0; i < COUNT(runs); i++)
        assert_refused(RUN("run", "--problem", "heavy_top", "--method", runs[i][0], "--step", "1",
                           "--time", "1"),
                       runs[i][1]);
    assert_refused(RUN("make_coffee"), "`make_coffee`: see `polhode --help`");
    assert_refused(RUN("versoin"), "did you mean version");
}

/* The options of a command, from its help. */
static size_t options(const char *name, char option[TOOL_COMMANDS][TOOL_COMMAND])
{
    tool_run run = RUN("help", name);
    size_t count = 0;
    const char *line = strstr(run.out, "\nOptions:\n") + strlen("\nOptions:\n");
    for (; *line == ' '; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "    --", 6) == 0)
            assert_int_equal(1, sscanf(line, "%31s", option[count++]));
    }
    tool_run_free(&run);
    return count;
}

static void completions_and_manual(void **state)
{
    (void)state;
    static const struct {
        const char *words[3];
        const char *form; /* of an option in it */
    } texts[] = {{{"completion", "bash"}, " %s"},
                 {{"completion", "zsh"}, "%s"},
                 {{"completion", "fish"}, " -l %s"},
                 {{"man"}, "%s"}};
    char name[TOOL_COMMANDS][TOOL_COMMAND], option[TOOL_COMMANDS][TOOL_COMMAND];
    const size_t count = tool_commands(name);
    for (size_t t = 0; t < COUNT(texts); t++) {
        tool_run run = tool_run_words(NULL, texts[t].words);
        assert_done(&run);
        for (size_t i = 0; i < count; i++) {
            const bool manual = strcmp(texts[t].words[0], "man") == 0;
            if (!manual)
                assert_contains(run.out, name[i]);
            const size_t all = options(name[i], option);
            for (size_t k = 0; k < all; k++) {
                char word[2 * TOOL_COMMAND], dashes[2 * TOOL_COMMAND] = "";
                if (strcmp(option[k], "--help") == 0)
                    continue;
                size_t used = 0;
                for (const char *c = option[k]; manual && *c != '\0'; c++)
                    used += (size_t)snprintf(dashes + used, sizeof dashes - used,
                                             *c == '-' ? "\\%c" : "%c", *c);
                (void)snprintf(word, sizeof word, texts[t].form,
                               manual                                 ? dashes
                               : strcmp(texts[t].form, " -l %s") == 0 ? option[k] + 2
                                                                      : option[k]);
                assert_contains(run.out, word);
            }
        }
        tool_run_free(&run);
    }
    /* names are completed, by the shell that everybody has */
    tool_run bash = RUN("completion", "bash");
    file_write("script", bash.out);
    tool_run_free(&bash);
    FILE *shell = popen("bash -c '. ./script; COMP_WORDS=(polhode run --problem heav); "
                        "COMP_CWORD=3; _polhode; echo ${COMPREPLY[@]}; COMP_WORDS=(polhode run "
                        "--checkp); COMP_CWORD=2; _polhode; echo ${COMPREPLY[@]}'",
                        "r");
    char line[200];
    assert_non_null(shell);
    assert_non_null(fgets(line, sizeof line, shell));
    assert_string_equal(line, "heavy_top\n");
    assert_non_null(fgets(line, sizeof line, shell));
    assert_string_equal(line, "--checkpoint --checkpoint-every\n");
    assert_int_equal(pclose(shell), 0);
    assert_int_equal(unlink("script"), 0);
    assert_refused(RUN("completion", "fihs"), "did you mean fish");
    assert_refused(RUN("completion"), "bash, zsh or fish");
    assert_refused(RUN("man", "run"), "is an unexpected argument");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_helps),
        cmocka_unit_test(lists_and_tables),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(completions_and_manual),
    };
    return cmocka_run_group_tests_name("about", tests, folder_enter, folder_leave);
}
