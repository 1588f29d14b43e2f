/* test_cli_hostile.c - snapshots, names of files and columns of others: nothing of them is
 * executed, nothing of others' files is touched, pictures are XML. */
/* Needs extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "polhode/system.h"
#include "support/resign.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "support/snapshot_note.h"
#include "tool/files/file_text.h"

#define TOP     "run", "--problem", "heavy_top", "--method", "s6_10+exact", "--step", "0.01"
#define COMMAND "a\nset print 'made'\nprint 1\n#"

#define EURO "\xE2\x82\xAC"

static int leave(void **state)
{
    (void)system("rm -rf -- * .*.tmp 2>/dev/null");
    return folder_leave(state);
}

/* ---- notes ------------------------------------------------------------------------- */

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    unsigned char *bytes = malloc(*size);
    rewind(f);
    assert_true(bytes != NULL && fread(bytes, 1, *size, f) == *size);
    (void)fclose(f);
    return bytes;
}

/* Everything in a note that the system cannot have is refused. */
static void notes(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"method", "\"x\\nset print 'made'\\nprint 1\\n#\""},
        {"method", "\"sr2\""},
        {"method", "null"},
        {"problem", "\"x\\nset print 'made'\\nprint 1\\n#\""},
        {"problem", "\"free\""},
        {"step", "0.02"},
        {"step", "0.0"},
        {"time", "-1.0"},
        {"time", "1e300"},
        {"steps", "\"18446744073709551615\""},
        {"steps", "\"99999999999999999999999\""},
        {"steps", "\"-1\""},
        {"steps", "\"50\""},
        {"every", "\"0\""},
        {"every", "\"18446744073709551615\""},
        {"order", "1e300"},
        {"order", "4"},
        {"rows", "-5"},
        {"rows", "1e300"},
        {"bytes", "1e300"},
        {"bytes", "0.5"},
        {"seconds", "-1.0"},
        {"checkpoint_seconds", "0.0"},
        {"checkpoint_seconds", "-1.0"},
        {"out", "\"-\""},
        {"out", "\"r.csv\""},
        {"out", "\"/a\\u001b[2J.csv\""},
        {"rows_in", "null"},
        {"until", "7"},
        {"until", "\"w1 > 1\\n\""},
        {"file", "\"r.c\""},
        {"file", "7"},
        {"file", "\"/no/such/file.so\""},
        {"show", "{\"columns\": 3}"},
        {"show", "{\"columns\": null, \"epoch\": \"never\"}"},
        {"show", "{\"columns\": null, \"epoch\": null, \"frames\": [[\"a,b\",1,0,0,0]]}"},
        {"show", "{\"columns\": null, \"epoch\": null, \"frames\": [[\"a\",0,0,0,0]]}"},
        {"run", "2"},
    };
    tool_run run = RUN(TOP, "--time", "1", "--out", "r.csv", "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        snapshot_alter("s", "t", wrong[i][0], wrong[i][1]);
        assert_refused(RUN("resume", "t"), ": ");
        assert_refused(RUN("plot", "t", "--out", "a.svg"), ": ");
        assert_no_file("made");
    }
    snapshot_alter("s", "t", NULL, NULL); /* it is the value that is refused */
    run = RUN("resume", "t", "--time", "2");
    assert_done(&run);
    tool_run_free(&run);
}

/* A snapshot removes only what the run had left beside its rows. */
static void others_files(void **state)
{
    (void)state;
    char here[3000], path[4000];
    tool_run run = RUN(TOP, "--time", "1", "--out", "r.csv", "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(0, system("cp r.csv precious"));
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(path, sizeof path, "\"%s/precious\"", here);
    snapshot_alter("s", "t", "rows_in", path);
    run = RUN("resume", "t", "--time", "2");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(access("precious", F_OK), 0);
}

/* Rows go on where they are, and nowhere else unless the user says so. */
static void rows_of_others(void **state)
{
    (void)state;
    char here[3000], path[4000];
    assert_non_null(getcwd(here, sizeof here));
    tool_run run = RUN(TOP, "--time", "1", "--out", "r.csv", "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(0, system("cp r.csv r.csv.tmp-1-0"));

    /* another file would be written over */
    file_write("precious", "mine\n");
    (void)snprintf(path, sizeof path, "\"%s/precious\"", here);
    snapshot_alter("s", "t", "out", path);
    assert_refused(RUN("resume", "t", "--time", "2"), "are no longer in");
    snapshot_alter("t", "t", "bytes", "0");
    snapshot_alter("t", "t", "hash", "\"14695981039346656037\""); /* of no bytes */
    assert_refused(RUN("resume", "t", "--time", "2"), "are no longer in");
    (void)snprintf(path, sizeof path, "\"%s/r.csv\"", here);
    snapshot_alter("s", "t", "rows_in", path);
    (void)snprintf(path, sizeof path, "\"%s/absent.csv\"", here);
    snapshot_alter("t", "t", "out", path);
    assert_refused(RUN("resume", "t", "--time", "2"), "are no longer in");
    assert_no_file("absent.csv*");

    /* a run that was ended left its rows beside those of an older one */
    (void)snprintf(path, sizeof path, "\"%s/r.csv.tmp-1-0\"", here);
    snapshot_alter("s", "t", "rows_in", path);
    file_write("r.csv", "t,u\n0,1\n");
    assert_refused(RUN("resume", "t", "--time", "2"), "this run did not write it: name the output");
    char *text = file_text("r.csv");
    assert_string_equal(text, "t,u\n0,1\n");
    free(text);
    run = RUN("resume", "t", "--time", "2", "--out", "other.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(file_rows("other.csv", CSV_HEADER), 201);
    text = file_text("precious");
    assert_string_equal(text, "mine\n");
    free(text);
    text = file_text("r.csv");
    assert_string_equal(text, "t,u\n0,1\n");
    free(text);
}

/* ---- many bodies ------------------------------------------------------------------- */

/* What a stranger would have executed. */
#define EVIL                                                                                       \
    "#include <polhode/polhode.h>\n"                                                               \
    "#include <stdio.h>\n"                                                                         \
    "__attribute__((constructor)) static void mark(void)\n"                                        \
    "{\n"                                                                                          \
    "    FILE *f = fopen(\"made\", \"w\");\n"                                                      \
    "    if (f) fclose(f);\n"                                                                      \
    "}\n"                                                                                          \
    "static ph_vec3 torque(const ph_problem *p, const ph_instant *now)\n"                          \
    "{\n"                                                                                          \
    "    (void)p, (void)now;\n"                                                                    \
    "    return (ph_vec3){0, 0, 0.1};\n"                                                           \
    "}\n"                                                                                          \
    "const ph_problem problem = {.name = \"mine\", .body = PH_MOMENTS(1, 2, 2.5),\n"               \
    "    .w = {0.5, -0.5, 0.5}, .torque = torque, .nonconservative = true};\n"

#define MANY "run", "--scatter", "velocity=1%", "--samples", "3", "--time", "0:1@0.5"

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_true(f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

/* As snapshot_alter(), of many bodies. */
static void alter_many(const char *from, const char *to, const char *key, const char *value)
{
    size_t size, length, whole;
    unsigned char *bytes = read_bytes(from, &size);
    const char *text = ensemble_note_in(bytes, size, &length);
    json_t *note = json_loadb(text, length, 0, NULL);
    assert_non_null(note);
    (void)json_object_set_new(note, key, json_loads(value, JSON_DECODE_ANY, NULL));
    char *words = json_dumps(note, JSON_COMPACT | JSON_REAL_PRECISION(17));
    unsigned char *other = resign_ensemble(bytes, size, words, strlen(words), &whole);
    assert_non_null(other);
    write_bytes(to, other, whole);
    json_decref(note);
    free(words);
    free(other);
    free(bytes);
}

static void assert_unmade(const char *precious)
{
    char *text = file_text(precious);
    assert_string_equal(text, "mine\n");
    free(text);
    assert_no_file("made");
}

/* The snapshot of somebody else executes nothing and writes over nothing, whatever it says. */
static void many_bodies(void **state)
{
    (void)state;
    char here[3000], path[4000];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(path, sizeof path, "%s/theirs", here);
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
    file_write("mine.c", EVIL);
    tool_run run = RUN(MANY, "--problem", "mine.c", "--tolerance", "1e-9", "--out", "many.csv",
                       "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(access("made", F_OK) | unlink("made"), 0);
    assert_int_equal(0, system("mv many.csv whole.csv"));

    (void)snprintf(path, sizeof path, "%s/ours", here);
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
    file_write("precious", "mine\n");
    assert_refused(RUN("resume", "s"), "was never run here");
    assert_unmade("precious");
    assert_refused(RUN("resume", "s", "--out", "many.csv"), "was never run here");
    assert_unmade("precious");
    assert_refused(RUN("resume", "s", "--problem", "other.c"), "was removed or changed");

    /* named now it is executed, if it is what it was */
    assert_refused(RUN("resume", "s", "--problem", "mine.c"), "name the output with --out");
    run = RUN("resume", "s", "--problem", "mine.c", "--out", "many.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(0, system("cmp many.csv whole.csv"));
    assert_int_equal(unlink("made") | unlink("many.csv"), 0);
    file_write("mine.c", EVIL "/* other */\n");
    assert_refused(RUN("resume", "s", "--out", "many.csv"), "was removed or changed");
    assert_refused(RUN("resume", "s", "--problem", "mine.c", "--out", "many.csv"),
                   "was removed or changed");
    assert_unmade("precious");
    assert_no_file("many.csv*");
    file_write("mine.c", EVIL);

    /* a problem of the catalog */
    run = RUN(MANY, "--problem", "spacecraft", "--tolerance", "1e-9", "--out", "many.csv",
              "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    static const char *const outs[] = {"precious", "absent.csv", "absent", "s"};
    for (size_t i = 0; i < COUNT(outs); i++) {
        (void)snprintf(path, sizeof path, "\"%s/%s\"", here, outs[i]);
        alter_many("s", "t", "out", path);
        run = RUN("resume", "t");
        assert_int_not_equal(run.status, 0);
        tool_run_free(&run);
        assert_unmade("precious");
        assert_no_file("absent*");
    }
    static const char *const wrong[][2] = {
        {"bodies", "2"},
        {"title", "\"a\\nb\""},
        {"title", "null"},
        {"time", "null"},
        {"time", "\"1\""},
        {"time", "0.7"},
        {"times", "[]"},
        {"times", "[0, 0.5]"},
        {"times", "[0, 1, 0.5]"},
        {"times", "[0, \"a\", 1]"},
        {"times", "[0, 0.5, 1, 1]"},
        {"out", "\"many.csv\""},
        {"out", "7"},
        {"file", "\"mine.c\""},
        {"show", "{\"columns\": 3}"},
        {"show", "{\"columns\": \"t\", \"epoch\": null, \"frames\": []}"},
        {"place", "null"},
        {"first", "-1"},
        {"word", "[]"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        alter_many("s", "t", wrong[i][0], wrong[i][1]);
        assert_refused(RUN("resume", "t", "--out", "never.csv"), ": ");
        assert_no_file("never.csv*");
    }
    (void)snprintf(path, sizeof path, "\"%s/mine.c\"", here);
    alter_many("s", "t", "file", path);
    assert_refused(RUN("resume", "t", "--out", "never.csv"), "was removed or changed");
    assert_unmade("precious");

    /* that of an older version holds a command */
    file_write("old", "PHensem1 and what follows\n");
    assert_refused(RUN("resume", "old"), "contains a command, which the tool does not execute");
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
}

/* One altered byte is noticed, wherever it is. */
static void altered_bytes(void **state)
{
    (void)state;
    tool_run run = RUN(MANY, "--problem", "heavy_top", "--step", "0.1", "--out", "bytes.csv",
                       "--checkpoint", "s");
    assert_done(&run);
    tool_run_free(&run);
    size_t size, refused = 0;
    unsigned char *bytes = read_bytes("s", &size);
    for (size_t at = 0; at < size; at += 1 + size / 97) {
        bytes[at] ^= 4;
        write_bytes("t", bytes, size);
        bytes[at] ^= 4;
        run = RUN("resume", "t", "--out", "again.csv");
        assert_error_line(&run, 2, ": ");
        refused++;
    }
    assert_true(refused > 90);
    for (size_t less = 1; less < size; less += 1 + size / 17) {
        write_bytes("t", bytes, size - less);
        assert_refused(RUN("resume", "t", "--out", "again.csv"), ": ");
    }
    assert_no_file("again.csv*");
    free(bytes);
}

/* ---- names ------------------------------------------------------------------------- */

static void names_of_files(void **state)
{
    (void)state;
    need_gnuplot();
    static const char *const names[] = {COMMAND ".csv", "'.system('touch made').'.csv",
                                        "`touch made`.csv", "\xff\x80.csv"};
    for (size_t i = 0; i < COUNT(names); i++) {
        file_write(names[i], "t,u\n0,1\n1,2\n");
        tool_run run = RUN("plot", names[i], "--out", "a.svg");
        assert_done(&run);
        tool_run_free(&run);
        assert_no_file("made");
        assert_int_equal(unlink(names[i]), 0);
    }
}

/* Every byte is a part of a character that XML may hold. */
static void assert_text(const char *path)
{
    char *text = file_text(path);
    assert_non_null(text);
    for (size_t i = 0, n, length = strlen(text); i < length; i += n) {
        n = strchr("\n\t\r", text[i]) ? 1 : text_character(text + i, length - i);
        if (n == 0 || strncmp(text + i, EURO "?", sizeof EURO) == 0)
            fail_msg("%s: byte %zu is not valid text: %.40s", path, i,
                     text + (i < 20 ? 0 : i - 20));
    }
    free(text);
}

/* Names of columns and files that are longer than what is shown, cut at every byte of a
 * character. */
static void cut_names(void **state)
{
    (void)state;
    need_gnuplot();
    for (int before = 0; before < 3; before++) {
        enum { LONG = 50, SHORT = 8 };
        char path[4 * LONG] = "", column[4 * SHORT + 4] = "", text[400];
        for (int i = 0; i < LONG + 4; i++)
            (void)strcat(path, i < before ? "x" : EURO);
        for (int i = 0; i < SHORT; i++)
            (void)strcat(column, i < before ? "x" : EURO);
        (void)strcat(path, ".csv");
        (void)snprintf(text, sizeof text, "t,%s1,%s2,u v\n0,1,2,3\n1,2,3,4\n", column, column);
        file_write(path, text);
        (void)snprintf(text, sizeof text, "%s,u v", column);
        tool_run run = RUN("plot", path, "--show", text, "--out", "a.svg");
        assert_done(&run);
        tool_run_free(&run);
        assert_text("a.svg");
        char *svg = file_text("a.svg");
        assert_contains(svg, "u v");
        assert_contains(svg, EURO EURO);
        free(svg);
        assert_int_equal(unlink(path), 0);
    }
}

/* The command line that a file keeps is read by a shell as it was typed; long names of columns
 * are kept whole. */
static void kept_words(void **state)
{
    (void)state;
    static const char path[] = "a'$(touch made)`touch made`\"\\.csv";
    for (int before = 0; before < 3; before++) {
        char text[400];
        (void)snprintf(text, sizeof text, "t,q0,q1,q2,q3,%.*s", before, "xxx");
        for (int i = 0; i < 20; i++)
            (void)strcat(text, EURO);
        (void)strcat(text, "\n0,1,0,0,0,1\n1,1,0,0,0,1\n");
        file_write(path, text);
        tool_run run = RUN("convert", path, "--out", "a.csv");
        assert_done(&run);
        tool_run_free(&run);
        assert_text("a.csv");
    }
    tool_run run =
        RUN("convert", path, "--show", "t,q", "--epoch", "2026-01-01T00:00:00", "--out", "a.aem");
    assert_done(&run);
    tool_run_free(&run);
    assert_int_equal(0, system("sed -n 's/^COMMENT polhode convert/echo/p' a.aem | "
                               "sed 's/ --show.*//; s/^echo/printf %s/' >words; "
                               "sh ./words >said"));
    char *said = file_text("said");
    assert_string_equal(said, path);
    free(said);
    assert_no_file("made");
}

/* A path that JSON cannot hold is said to be so; a name of a frame is no CSV. */
static void no_text(void **state)
{
    (void)state;
    assert_refused(RUN(TOP, "--time", "1", "--out", "\xff.csv", "--checkpoint", "s"),
                   "is not UTF-8 or has a control character: rename");
    assert_refused(RUN(TOP, "--time", "1", "--out", "a\nb.csv", "--checkpoint", "s"),
                   "is not UTF-8 or has a control character: rename");
    static const char *const frames[] = {"a,b=1,0,0,0", "a\nb=1,0,0,0", "\xff=1,0,0,0",
                                         "a b=1,0,0,0"};
    for (size_t i = 0; i < COUNT(frames); i++)
        assert_refused(RUN(TOP, "--time", "1", "--frame", frames[i]), "use only letters");
    assert_refused(RUN(TOP, "--time", "1", "--until", "w1 > 1\n"), "not valid text");
    assert_refused(RUN("view", "\xff.csv"), "is not UTF-8 or has a control character");
}

/* ---- pipes ------------------------------------------------------------------------- */

static void pipes(void **state)
{
    (void)state;
    need_gnuplot();
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_refused(RUN("resume", "fifo"), "it is not a regular file");
    static const char *const standard[] = {"-", "/dev/stdin"};
    for (size_t i = 0; i < COUNT(standard); i++) {
        char command[1000];
        (void)snprintf(command, sizeof command,
                       "printf 't,u\\n0,1\\n1,2\\n' | %s plot %s --show u --out a.svg "
                       ">/dev/null",
                       POLHODE_TOOL_PATH, standard[i]);
        assert_int_equal(0, system(command));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes),          cmocka_unit_test(others_files),
        cmocka_unit_test(names_of_files), cmocka_unit_test(cut_names),
        cmocka_unit_test(kept_words),     cmocka_unit_test(no_text),
        cmocka_unit_test(pipes),          cmocka_unit_test(rows_of_others),
        cmocka_unit_test(many_bodies),    cmocka_unit_test(altered_bytes),
    };
    return cmocka_run_group_tests_name("hostile", tests, folder_enter, leave);
}
