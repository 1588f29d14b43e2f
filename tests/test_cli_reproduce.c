/* test_cli_reproduce.c - polhode reproduce: files, page, resuming, stopping, refusals. */
/* Needs lab. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/run_tool.h"
#include "support/skip.h"
#include "tool/files/picture.h"

#define FAST "krysl_figure4", "krysl_figure5" /* a second of work */

static void remove_results(void)
{
    static const char *const endings[] = {"csv", "json", "svg", "png"};
    tool_run run = RUN("list", "figures", "--json");
    json_t *all = parse_json(run.out);
    char path[200];
    for (size_t i = 0; i < json_array_size(all); i++) {
        for (size_t k = 0; k < COUNT(endings); k++) {
            const char *name = json_string_value(json_object_get(json_array_get(all, i), "name"));
            (void)snprintf(path, sizeof path, "out/%s.%s", name, endings[k]);
            (void)unlink(path);
        }
    }
    (void)unlink("out/index.html");
    assert_no_file("out/*");
    (void)rmdir("out");
    json_decref(all);
    tool_run_free(&run);
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(RUN("reproduce", "krysl_figur5"), "did you mean krysl_figure5");
    assert_refused(RUN("reproduce", "--jobs", "0"), "--jobs");
    assert_refused(RUN("reproduce", "--json", "--markdown"), "remove one");
    assert_refused(RUN("reproduce", "--fast"), "there is no option");
    file_write("file", "");
    assert_refused(RUN("reproduce", FAST, "--out", "file"),
                   gnuplot_found() ? "cannot create file" : "gnuplot-nox");
    assert_int_equal(0, unlink("file"));
}

/* The data of figures, without computing them: all agree with what is printed. */
static void ledger(void **state)
{
    (void)state;
    tool_run run = RUN("reproduce", "--data", "--json");
    assert_done(&run);
    assert_non_null(strstr(run.out, "\"datum\": \"second moment\""));
    assert_non_null(strstr(run.out, "\"used\": \"20,200,2000\""));
    assert_null(strstr(run.out, "\"agrees\": false"));
    tool_run_free(&run);
}

/* What cannot be written is found before the work; a figure that cannot be computed does
 * not keep the others from it. */
static void places_that_are_taken(void **state)
{
    (void)state;
    need_gnuplot();
    assert_int_equal(0, mkdir("out", 0777));
    assert_int_equal(0, mkdir("out/index.html", 0777));
    assert_refused(RUN("reproduce", FAST, "--out", "out"), "cannot create out/index.html");
    assert_int_equal(0, rmdir("out/index.html"));

    assert_int_equal(0, mkdir("out/krysl_figure4.csv", 0777));
    tool_run run = RUN("reproduce", "--quick", FAST, "--out", "out");
    assert_error_line(&run, 1, "krysl_figure4 could not be computed");
    assert_contains(run.out, "krysl_figure5            reproduced");
    tool_run_free(&run);
    assert_int_equal(0, rmdir("out/krysl_figure4.csv"));
    remove_results();
}

static void listed(void **state)
{
    (void)state;
    tool_run run = RUN("list", "figures", "--json");
    assert_done(&run);
    json_t *all = parse_json(run.out);
    assert_true(json_array_size(all) >= 5);
    for (size_t i = 0; i < json_array_size(all); i++) {
        const char *name, *kind, *title, *cite;
        assert_int_equal(0, json_unpack(json_array_get(all, i), "{ssssssss}", "name", &name, "kind",
                                        &kind, "title", &title, "cite", &cite));
        assert_string_equal("figure", kind);
    }
    json_decref(all);
    tool_run_free(&run);
}

static void files_and_page(void **state)
{
    (void)state;
    need_gnuplot();
    tool_run run = RUN("reproduce", "--quick", FAST, "--out", "out");
    assert_done(&run);
    assert_contains(run.out, "krysl_figure4            not reproduced");
    assert_contains(run.out, "krysl_figure5            reproduced");
    assert_contains(run.out, "out/index.html written");
    tool_run_free(&run);

    char *csv = file_text("out/krysl_figure5.csv"), *svg = file_text("out/krysl_figure5.svg"),
         *png = file_text("out/krysl_figure5.png"), *page = file_text("out/index.html");
    assert_non_null(csv);
    assert_non_null(png);
    assert_whole_rows(csv, "run,t,low,mean,high\n");
    assert_contains(svg, "</svg>");
    static const char *const parts[] = {
        "krysl_figure4",    "krysl_figure5",  "src=\"krysl_figure5.png\"",
        "2 of 4 claims",    "Set-up.",        "</html>",
        "not reproduced</", "reproduced</sp", "href=\"krysl_figure4.csv\""};
    for (size_t i = 0; i < COUNT(parts); i++)
        assert_contains(page, parts[i]);
    assert_null(strstr(page, "http")); /* it needs nothing from elsewhere */
    free(svg);
    free(png);
    free(page);

    /* again: what is finished is kept, unless asked for */
    run = RUN("reproduce", "--quick", FAST, "--out", "out");
    assert_contains(run.out, "kept");
    tool_run_free(&run);
    run = RUN("reproduce", "--quick", FAST, "--out", "out", "--fresh", "--jobs", "1");
    assert_null(strstr(run.out, "kept"));
    tool_run_free(&run);
    char *again = file_text("out/krysl_figure5.csv");
    assert_string_equal(csv, again); /* the same bits */
    free(csv);
    free(again);
    remove_results();
}

/* The verdict is that of the numbers in the file. */
static void numbers_decide(void **state)
{
    (void)state;
    need_gnuplot();
    tool_run run = RUN("reproduce", "--quick", "krysl_figure5", "--out", "out", "--json");
    json_t *array = parse_json(run.out), *object = json_array_get(array, 0);
    assert_string_equal("reproduced", json_string_value(json_object_get(object, "verdict")));
    assert_true(json_array_size(json_object_get(object, "findings")) > 3);
    json_decref(array);
    tool_run_free(&run);

    char *csv = file_text("out/krysl_figure5.csv");
    char *row = strstr(csv, "\nimid,");
    assert_non_null(row);
    char *changed = calloc(strlen(csv) + 100, 1);
    assert_non_null(changed);
    memcpy(changed, csv, (size_t)(row - csv));
    strcat(changed, "\nimid,1,-0.9,0,0.9");
    strcat(changed, row);
    file_write("out/krysl_figure5.csv", changed);
    free(changed);
    free(csv);
    run = RUN("reproduce", "--quick", "krysl_figure5", "--out", "out", "--markdown");
    assert_done(&run);
    assert_contains(run.out, "| not reproduced |");
    assert_contains(run.out, "measured 0.9, required 0 to 0.05");
    tool_run_free(&run);
    remove_results();
}

/* Numbers are kept and judged by the judge of today, and so is what the file says. */
static void another_judge(void **state)
{
    (void)state;
    need_gnuplot();
    static const char *const of_another[][2] = {{"\"reproduced\"", "\"corrected\" "},
                                                {"\"upper\": 0.05", "\"upper\": 0.07"},
                                                {"clean", "dirty"}};
    tool_run run = RUN("reproduce", "--quick", "krysl_figure5", "--out", "out");
    assert_done(&run);
    tool_run_free(&run);
    char *json = file_text("out/krysl_figure5.json"), *csv = file_text("out/krysl_figure5.csv");
    for (size_t i = 0; i < COUNT(of_another); i++) {
        char *changed = file_text("out/krysl_figure5.json"),
             *at = strstr(changed, of_another[i][0]);
        assert_non_null(at);
        memcpy(at, of_another[i][1], strlen(of_another[i][1]));
        file_write("out/krysl_figure5.json", changed);
        free(changed);
        run = RUN("reproduce", "--quick", "krysl_figure5", "--out", "out");
        assert_done(&run);
        assert_contains(run.out, "krysl_figure5            reproduced      judged anew");
        tool_run_free(&run);
        char *judged = file_text("out/krysl_figure5.json"),
             *numbers = file_text("out/krysl_figure5.csv");
        assert_string_equal(json, judged);
        assert_string_equal(csv, numbers);
        free(judged);
        free(numbers);
    }
    free(json);
    free(csv);
    remove_results();
}

static void stopped_and_resumed(void **state)
{
    (void)state;
    need_gnuplot();
    const tool_pipe out = open_pipe(), error = open_pipe();
    const pid_t tool = START(-1, out.write, error.write, "reproduce", "--out", "out", "--jobs", "1",
                             "krysl_figure3", "krysl_figure4", "krysl_figure5");
    (void)close(out.write);
    (void)close(error.write);
    (void)wait_for_file("out/index.html.tmp-*", 0);
    assert_int_equal(0, kill(tool, SIGINT));
    assert_int_equal(130, tool_wait(tool));
    char *said = pipe_receive(error.read, 1);
    assert_contains(said, "polhode: interrupted after");
    assert_contains(said, "of 3 figures");
    (void)close(out.read);
    (void)close(error.read);
    char *page = file_text("out/index.html");
    assert_contains(page, "</html>");
    free(page);
    assert_no_file("out/*.tmp-*");
    tool_run run = RUN("reproduce", "--quick", "krysl_figure4", "--out", "out");
    assert_done(&run);
    tool_run_free(&run);
    remove_results();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(ledger),
        cmocka_unit_test(places_that_are_taken),
        cmocka_unit_test(listed),
        cmocka_unit_test(files_and_page),
        cmocka_unit_test(numbers_decide),
        cmocka_unit_test(another_judge),
        cmocka_unit_test(stopped_and_resumed),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
