/* test_cli_faults.c - the command-line tool where the system refuses: full disks, limits,
 * closed descriptors, links that lead nowhere, signals at any moment, hostile text. Older
 * files survive, no temporary file stays, and the message is the true one. */
/* Needs kinds, lab, extra. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/quick.h"
#include "support/random.h"
#include "support/run_tool.h"
#include "support/skip.h"
#include "tool/files/rows.h"

#define FREE_RUN "run --problem free --method sr2 --step 0.1"
#define OLD      "an older file\n"

/* Runs lines of a shell, in which $T is the tool. */
static tool_run shell(const char *lines)
{
    assert_int_equal(setenv("T", POLHODE_TOOL_PATH, 1), 0);
    static const char form[] = "{ %s\n} >.out 2>.error";
    char *command = malloc(strlen(lines) + sizeof form);
    assert_non_null(command);
    (void)sprintf(command, form, lines);
    const int status = system(command);
    free(command);
    tool_run run = {.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                    .out = file_text(".out"),
                    .error = file_text(".error")};
    assert_int_equal(unlink(".out"), 0);
    assert_int_equal(unlink(".error"), 0);
    return run;
}

/* The lines fail with that status and one error line with that phrase. */
static void assert_fails(const char *lines, int status, const char *phrase)
{
    tool_run run = shell(lines);
    assert_error_line(&run, status, phrase);
    tool_run_free(&run);
}

static void assert_file(const char *path, const char *content)
{
    char *text = file_text(path);
    assert_non_null(text);
    assert_string_equal(text, content);
    free(text);
}

static void remove_file(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

/* ---- disks ----------------------------------------------------------------------- */

static void need_small_disk(void)
{
    tool_run run = shell("unshare -rm sh -c 'mkdir d && mount -t tmpfs -o size=32k none d'");
    const bool can = run.status == 0;
    tool_run_free(&run);
    (void)rmdir("d");
    if (!can) {
        skip_because("no small disk can be mounted");
    }
}

/* Runs the tool on a disk of so many kilobytes, full before it is done: what was at the place of
 * its file stays, and beside it is nothing, or for `partial` a file that begins so, which the
 * message names and `look`, a command of the shell, takes. */
static void assert_full_disk(int size, const char *file, const char *words, const char *partial,
                             const char *look)
{
    char lines[1000], listed[200];
    (void)snprintf(lines, sizeof lines,
                   "export W='%s'; mkdir d; unshare -rm sh -c '"
                   "mount -t tmpfs -o size=%dk none d && cd d && echo old >%s && "
                   "$T $W >../said; s=$?; cat %s; ls; head -c 10 *.partial "
                   "2>/dev/null; %s; exit $s'; "
                   "s=$?; rmdir d; rm said; exit $s",
                   words, size, file, file, look);
    tool_run run = shell(lines);
    assert_error_line(&run, 1, "No space left on device");
    (void)snprintf(listed, sizeof listed, "old\n%s\n%s%s", file, partial == NULL ? "" : file,
                   partial == NULL ? "" : ".partial\n");
    assert_int_equal(strncmp(run.out, listed, strlen(listed)), 0);
    assert_int_equal(strstr(run.error, ".partial\n") != NULL, partial != NULL);
    if (partial != NULL)
        assert_contains(run.out + strlen(listed), partial);
    tool_run_free(&run);
}

/* Every format: rows are kept in a file that is in order. */
static void full_disk_of_formats(void **state)
{
    (void)state;
    static const char *const begins[][2] = {
        {"aem", "CCSDS_AEM"}, {"csv", "t,q0"},  {"glb", "glTF"},        {"gro", "water"},
        {"h5", "HDF"},        {"npy", "NUMPY"}, {"lammpstrj", "ITEM:"}, {"npz", "PK"},
        {"pdb", "CRYST1"},    {"xyz", "8\n"}};
    const file_format *f;
    size_t formats = 0;
    need_small_disk();
    for (; (f = file_format_at(formats)) != NULL; formats++) {
        char file[20], words[300], refused[400], look[200];
        size_t k = 0;
        while (k < COUNT(begins) && strcmp(begins[k][0], f->suffix) != 0)
            k++;
        assert_true(k < COUNT(begins)); /* a new format: say what it begins with */
        (void)snprintf(file, sizeof file, "x.%s", f->suffix);
        (void)snprintf(words, sizeof words, FREE_RUN " --epoch 2026-01-01T00:00:00 --out %s --time",
                       file);
        (void)snprintf(refused, sizeof refused, "$T %s 1; rm -f %s", words, file);
        tool_run run = shell(refused);
        const bool atoms = strstr(run.error, "atoms") != NULL,
                   bodies = !atoms && strstr(run.error, "molecules") != NULL,
                   left_out = strstr(run.error, "not part of this tool") != NULL;
        tool_run_free(&run);
        if (left_out)
            continue;
        if (bodies)
            (void)snprintf(words, sizeof words,
                           "run --problem dipolar_spheres --set lattice=2 --method "
                           "verlet+exact --step 0.01 --out %s --time",
                           file);
        if (atoms)
            (void)snprintf(words, sizeof words,
                           "run --problem water --method verlet+exact --step 0.001 --out %s --time",
                           file);
        /* what the tool can read, it reads */
        (void)snprintf(look, sizeof look,
                       strcmp(f->suffix, "h5") == 0 || f->row == NULL
                           ? "true"
                           : "$T convert %s.partial --out /dev/null || echo bad >&2",
                       file);
        (void)strcat(words, atoms ? " 0.02" : bodies ? " 5" : " 3000");
        assert_full_disk(256, file, words, begins[k][1], look);
    }
    assert_int_equal(formats, COUNT(begins));
    assert_no_file("*");
}

/* Every command that writes, into a disk of 32 KB: what was there stays, rows are kept beside
 * it or were too few, and nothing else is there. */
static void full_disk(void **state)
{
    (void)state;
    need_small_disk();
    static const struct {
        const char *file, *words, *partial;
    } cases[] = {
        {"x.csv", FREE_RUN " --time 1000 --out x.csv", "t,q0"},
        {"x.h5", FREE_RUN " --time 1000 --out x.h5", NULL}, /* no room to close it */
        {"x.csv", "exact --inertia 1,2,3 --momentum 1,1,1 --time 0:9:999 --out x.csv", "t,q0"},
        {"x.csv", "exact --cases ../cases.csv --out x.csv", "m1,m2"},
        {"x.svg", "exact --inertia 1,2,3 --momentum 1,1,1 --time 0:9:99 --plot x.svg", NULL},
    };
    FILE *f = fopen("cases.csv", "w");
    assert_non_null(f);
    (void)fputs(CASES_HEADER, f);
    for (int i = 0; i < 2000; i++)
        (void)fputs(CASE, f);
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (strcmp(cases[i].file, "x.svg") == 0 && !has_gnuplot())
            continue;
        assert_full_disk(32, cases[i].file, cases[i].words, cases[i].partial, "true");
    }
    remove_file("cases.csv");
    assert_no_file("*");
}

/* A limit of a file's size (in blocks of 512 bytes): the signal SIGXFSZ is none for us. */
static void file_size_limit(void **state)
{
    (void)state;
    file_write("x.csv", OLD);
    assert_fails("ulimit -f 32; $T " FREE_RUN " --time 1000 --out x.csv", 1,
                 "(File too large) after step");
    assert_file("x.csv", OLD);
    assert_true(file_rows("x.csv.partial", CSV_HEADER) > 30);
    remove_file("x.csv.partial");
    assert_fails("m=$(ulimit -f 0; $T " FREE_RUN " --time 1 --out x.csv 2>&1); s=$?; "
                 "echo \"$m\" >&2; exit $s",
                 1, "ulimit -f");
    assert_file("x.csv", OLD);
    assert_no_file("x.csv.*"); /* there was room for nothing */
    remove_file("x.csv");
}

/* Standard output that takes nothing. */
static void full_output(void **state)
{
    (void)state;
    static const char *const words[] = {
        "--help",
        "--version",
        "list",
        "run --help",
        FREE_RUN " --time 1",
        FREE_RUN " --time 1 --json",
        FREE_RUN " --time 1 --out -",
        "exact --inertia 1,2,3 --momentum 1,1,1 --time 1",
        "exact --inertia 1,2,3 --momentum 1,1,1 --time 1 --json",
        "check mr",
        "compare --problem free --methods sr2 --steps 0.5 --time 1",
    };
    for (size_t i = 0; i < COUNT(words); i += is_sanitized() ? 3 : 1) {
        char lines[300];
        (void)snprintf(lines, sizeof lines, "$T %s >/dev/full", words[i]);
        assert_fails(lines, 1, "cannot write standard output (No space left on device)");
        (void)snprintf(lines, sizeof lines, "$T %s >&-", words[i]);
        assert_fails(lines, 1, "cannot write standard output");
        (void)snprintf(lines, sizeof lines, "$T %s >/dev/full 2>&-", words[i]);
        tool_run run = shell(lines);
        assert_int_equal(run.status, 1);
        tool_run_free(&run);
    }
    assert_fails("$T exact --cases - <&-", 2, "standard input is empty");
    assert_fails("$T run - <&-", 2, "empty");
    tool_run run = shell("$T " FREE_RUN " --time 1 --out x.csv <&- >&- 2>&-");
    assert_int_equal(run.status, 1); /* the summary went nowhere; the rows did not */
    tool_run_free(&run);
    assert_int_equal(file_rows("x.csv", CSV_HEADER), 11);
    remove_file("x.csv");
    assert_no_file("*");
}

/* ---- other limits ---------------------------------------------------------------- */

/* Descriptors: with each of them fewer, done or told so. */
static void open_file_limit(void **state)
{
    (void)state;
    static const char *const words[] = {
        FREE_RUN " --time 1 --out x.csv",
        "exact --cases c.csv --out x.csv",
        "exact --inertia 1,2,3 --momentum 1,1,1 --time 0:1:3 --plot x.svg --out x.csv",
        "compare --problem free --methods sr2 --steps 0.5 --time 1 --out x.d",
    };
    const size_t count = has_gnuplot() ? COUNT(words) : 2;
    file_write("c.csv", CASES_HEADER CASE);
    for (size_t i = 0; i < count; i++) {
        bool done = false;
        for (int most = 4; most <= 12; most++) {
            char lines[300];
            (void)snprintf(lines, sizeof lines, "ulimit -n %d; $T %s", most, words[i]);
            tool_run run = shell(lines);
            done = run.status == 0;
            if (!done && run.status != 127) { /* the loader could open the libraries */
                assert_true(run.status == 1 || run.status == 2);
                assert_int_equal(count_lines(run.error), 1);
                assert_contains(run.error, "Too many open files");
                assert_contains(run.error, "ulimit -n");
            }
            tool_run_free(&run);
            assert_no_file("x.*tmp-*");
            assert_no_file("x.d/*tmp-*");
        }
        assert_true(done);
        tool_run run = shell("rm -rf x.*");
        tool_run_free(&run);
    }
    remove_file("c.csv");
    assert_no_file("*");
}

/* Memory: done, or told so, and never with the words of a library. */
static void memory_limit(void **state)
{
    (void)state;
#ifdef POLHODE_CHECKED
    skip_because("the address sanitizer needs all addresses");
#endif
    static const char *const words[] = {
        FREE_RUN " --time 1 --out x.csv",
        "exact --cases c.csv --out x.csv",
        "run --cases b.csv --method exact --step 1 --time 4 --out x.csv",
        "run --problem dipolar_spheres --set lattice=9 --method verlet+exact --step 0.01 "
        "--time 0.02 --out x.csv",
        "check mr",
    };
    file_write("c.csv", CASES_HEADER CASE);
    file_write("b.csv", "I1,I2,I3,m1,m2,m3,q0,q1,q2,q3\n1,2,3,1,1,1,1,0,0,0\n");
    for (size_t i = 0; i < COUNT(words); i++) {
        for (int most = 6000; most <= 48000; most *= 2) { /* KB */
            char lines[300];
            (void)snprintf(lines, sizeof lines, "ulimit -v %d; $T %s", most, words[i]);
            tool_run run = shell(lines);
            const bool linked = run.status != 127; /* there was room for the libraries */
            if (linked && run.status != 0)
                assert_error_line(&run, 1, "memory");
            tool_run_free(&run);
            assert_no_file("x.*tmp-*");
        }
        (void)unlink("x.csv");
    }
    remove_file("b.csv");
    remove_file("c.csv");
    assert_no_file("*");
}

/* ---- links and inputs ------------------------------------------------------------ */

static void links(void **state)
{
    (void)state;
    struct stat there;
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink("sub/link", "far"), 0); /* far -> sub/link -> sub/target */
    assert_int_equal(symlink("target", "sub/link"), 0);
    for (int i = 0; i < 2; i++) { /* the target is not there, and then is */
        tool_run run = shell("$T " FREE_RUN " --time 1 --out far");
        assert_done(&run);
        tool_run_free(&run);
        assert_int_equal(file_rows("sub/target", CSV_HEADER), 11);
        assert_true(lstat("far", &there) == 0 && S_ISLNK(there.st_mode));
        assert_true(lstat("sub/link", &there) == 0 && S_ISLNK(there.st_mode));
    }
    remove_file("sub/target");
    assert_int_equal(rmdir("sub"), -1); /* the link alone */
    assert_int_equal(symlink("round", "about"), 0);
    assert_int_equal(symlink("about", "round"), 0);
    assert_int_equal(symlink("sub", "folder"), 0);
    assert_int_equal(symlink("no/such/file", "nowhere"), 0);
    assert_fails("$T " FREE_RUN " --time 1 --out about", 2, "cannot create about");
    assert_fails("$T " FREE_RUN " --time 1 --out folder", 2, "Is a directory");
    assert_fails("$T " FREE_RUN " --time 1 --out nowhere", 2, "No such file");
    tool_run run = shell("rm -r sub far about round folder nowhere; ls");
    assert_string_equal(run.out, "");
    tool_run_free(&run);
}

/* No output takes the place of an input, under whatever name. */
static void inputs(void **state)
{
    (void)state;
    static const char scenario[] = "problem: free\nmethod: sr2\nstep: 0.1\ntime: 1\n"
                                   "output: {file: s.yaml}\n";
    static const char bodies[] = "x,y,z\n0,0,0\n3,0,0\n";
    static const char cases[] = CASES_HEADER CASE;
    file_write("s.yaml", scenario);
    file_write("m.yaml", "problem: dipolar_spheres\nmethod: verlet+exact\nstep: 0.1\n"
                         "time: 0.1\nbodies: b.csv\n");
    file_write("b.csv", bodies);
    file_write("c.csv", cases);
    assert_int_equal(symlink("s.yaml", "l.csv"), 0);
    assert_int_equal(link("c.csv", "hard.csv"), 0);
    static const char *const lines[] = {
        "$T run s.yaml",
        "$T run s.yaml --out ./s.yaml",
        "$T run s.yaml --out l.csv",
        "$T run - --out l.csv <s.yaml",
        "$T run m.yaml --out b.csv",
        "$T exact --cases c.csv --out c.csv",
        "$T exact --cases c.csv --out hard.csv",
        "$T exact --cases - --out c.csv <c.csv",
        "$T exact --cases c.csv >>c.csv",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_fails(lines[i], 2, "is an input and would be overwritten");
    assert_fails("$T exact --inertia 1,2,3 --momentum 1,1,1 --time 1 --plot c.svg "
                 "--plot c.svg",
                 2, "twice");
    assert_file("s.yaml", scenario);
    assert_file("b.csv", bodies);
    assert_file("c.csv", cases);
    tool_run run = shell("$T run m.yaml --out x.csv && $T exact --cases c.csv </dev/null && "
                         "rm s.yaml m.yaml b.csv c.csv l.csv hard.csv x.csv");
    assert_done(&run);
    tool_run_free(&run);
    assert_no_file("*");
}

/* ---- signals --------------------------------------------------------------------- */

/* Commands without an end, each stopped at many moments from its first instruction on: the
 * file is the older one or has whole rows, and nothing else is there. */
static void signals(void **state)
{
    (void)state;
    static const int signals_sent[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const commands[][12] = {
        {"run", "--problem", "free", "--method", "sr2", "--step", "0.1", "--time", "1e12", "--out",
         "x.csv"},
        {"exact", "--inertia", "1,2,3", "--momentum", "1,1,1", "--time", "0:1e6:1000000000",
         "--out", "x.csv"},
        {"check", "--all"},
        {"compare", "--problem", "free", "--methods", "sr2", "--steps", "1e-6", "--time", "1e6",
         "--out", "."},
    };
    const size_t count = has_gnuplot() ? COUNT(commands) : COUNT(commands) - 1;
    const int moments = is_sanitized() ? 3 : 24;
    uint64_t seed = 5;
    for (int i = 0; i < moments * (int)count; i++) {
        const char *const *words = commands[(size_t)i % count];
        const int sent = signals_sent[(size_t)i / count % COUNT(signals_sent)];
        file_write("x.csv", OLD);
        const tool_pipe error = open_pipe();
        const pid_t tool = tool_start(words, -1, -1, error.write);
        close(error.write);
        const double latest = 20.0, moment = between(&seed, 0.0, 1.0);
        if (i % 3 > 0) /* the first instructions, and up to 20 ms after them */
            pause_ms((long)(latest * moment));
        assert_int_equal(kill(tool, sent), 0);
        const int status = tool_wait(tool);
        const char *said = pipe_receive(error.read, 2);
        close(error.read);
        if (status != 130) { /* before main() */
            assert_int_equal(status, 128 + sent);
            assert_string_equal(said, "");
        }
        assert_true(count_lines(said) <= 1);
        if (said[0] != '\0')
            assert_contains(said, "interrupted");
        assert_no_file("*tmp-*");
        char *text = file_text("x.csv");
        if (strcmp(text, OLD) != 0)
            assert_whole_rows(text, CSV_HEADER);
        free(text);
        remove_file("x.csv");
        (void)unlink("compare.csv");
    }
    assert_no_file("*");
}

/* Sends a signal to the tool until it ends, seldom: it may not wait yet for the first one, and
 * a second one stops it at once. Its status. */
static int stop_by(pid_t tool, int number)
{
    enum { POLL_MS = 5, AGAIN = 400 };
    int status = 0;
    for (int i = 0; waitpid(tool, &status, WNOHANG) == 0; i++) {
        if (i % AGAIN == 0)
            (void)kill(tool, number);
        pause_ms(POLL_MS);
    }
    return status;
}

/* Every command, while it works or waits for its input; those that need no time may be done. */
static void signals_of_every_command(void **state)
{
    (void)state;
    static const int sent[] = {SIGINT, SIGTERM, SIGHUP};
    static const struct {
        bool quick;
        const char *words[12];
    } all[] = {
        {false, {"exact", "--cases", "-"}},
        {false,
         {"run", "--problem=free", "--method=gbs", "--step=1e-9", "--time=1e9", "--out=x.csv"}},
        {false, {"resume", "s"}},
        {false, {"check", "--all"}},
        {false,
         {"compare", "--problem", "free", "--methods", "sr2", "--steps", "1e-6", "--time", "1e6"}},
        {false, {"reproduce", "--out", "r"}},
        {true, {"list", "--json"}},
        {false, {"plot", "-", "--out", "a.svg"}},
        {false, {"view", "-", "--out", "a.html"}},
        {false, {"convert", "-", "--out", "x.csv"}},
        {false, {"fit", "-"}},
        {false, {"grade", "-"}},
        {true, {"inertia", "--help"}},
        {true,
         {"enclose", "--inertia=1,2,3", "--velocity=1,2,3", "--time=0:1e4:1000", "--out=x.csv"}},
        {true, {"bits"}},
        {true, {"completion", "bash"}},
        {true, {"man"}},
    };
    char name[TOOL_COMMANDS][TOOL_COMMAND];
    const size_t count = tool_commands(name);
    const bool draws = has_gnuplot();
    tool_run run = shell("$T " FREE_RUN " --time 1e12 --checkpoint s >/dev/null & p=$!; "
                         "until test -e s; do sleep 0.01; done; kill -9 $p; wait $p; :");
    tool_run_free(&run);
    const size_t each = is_sanitized() ? 1 : COUNT(sent); /* signals of each command */
    for (size_t i = 0; i < count * each; i++) {
        size_t k = 0;
        while (k < COUNT(all) && strcmp(all[k].words[0], name[i / each]) != 0)
            k++;
        if (k == COUNT(all))
            fail_msg("%s is stopped by no test: add a line", name[i / each]);
        const int number = sent[i % COUNT(sent)];
        const tool_talk talk = talk_begin(all[k].words);
        pause_ms(60);
        const int status = stop_by(talk.tool, number);
        const int exited = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        const char *said = pipe_receive(talk.error, 2);
        const bool no_page = strstr(said, "polhode.html") != NULL, /* it is not built */
            no_gnuplot = !draws && strstr(said, "needs gnuplot") != NULL;
        if (exited != 130 && exited != -number && !(all[k].quick && exited == 0) && !no_page &&
            !no_gnuplot)
            fail_msg("%s ends with %d after signal %d: %s", all[k].words[0], exited, number, said);
        assert_true(count_lines(said) <= 1);
        talk_end(&talk);
        assert_no_file("*tmp-*");
        (void)unlink("x.csv");
    }
    assert_int_equal(0, system("rm -rf s r"));
    assert_no_file("*");
}

/* A tool that waits for a scenario, a table, cases, or a reader of its output. */
static void signals_while_waiting(void **state)
{
    (void)state;
    file_write("m.yaml", "problem: dipolar_spheres\nmethod: verlet+exact\nstep: 0.1\n"
                         "time: 0.1\nbodies: fifo\n");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    static const char *const commands[][10] = {
        {"run", "-"},
        {"run", "fifo"},
        {"run", "m.yaml"},
        {"exact", "--cases", "-"},
        {"exact", "--cases", "fifo"},
        {"run", "--problem=free", "--inertia=1,2,9", "--method=sr2", "--step=1", "--time=1",
         "--out=fifo"}, /* and warns when it is done */
    };
    for (size_t i = 0; i < COUNT(commands); i++) {
        const tool_talk talk = talk_begin(commands[i]);
        wait_until_caught(talk.tool, SIGTERM);
        const int status = stop_by(talk.tool, SIGTERM);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
        assert_string_equal(pipe_receive(talk.error, 1), "");
        talk_end(&talk);
    }
    remove_file("fifo");
    remove_file("m.yaml");
    assert_no_file("*");
}

/* nohup(1): the signal is ignored, and stays so. */
static void hang_up_ignored(void **state)
{
    (void)state;
    tool_run run = shell("trap '' HUP; $T " FREE_RUN " --time 1e12 --out x.csv & p=$!; "
                         "until ls x.csv.tmp-* >/dev/null 2>&1; do sleep 0.01; done; "
                         "kill -HUP $p; sleep 0.1; kill -0 $p && kill -TERM $p; wait $p");
    assert_error_line(&run, 130, "interrupted at step");
    tool_run_free(&run);
    remove_file("x.csv");
    assert_no_file("*");
}

/* ---- text and numbers ------------------------------------------------------------ */

static void scenarios(void **state)
{
    (void)state;
    static const struct {
        const char *text, *phrase;
    } wrong[] = {
        {"problem: free\n# \xED\xA0\x80\nbad: 1\n", "s.yaml:2: a byte is not valid text"},
        {"%YAML \xED\xA0\x80\n---\nproblem: free\n", "s.yaml:1: a byte is not valid text"},
        {"problem: free\nmethod: \xC0\xAF\n", "s.yaml:2: a byte"},         /* longer than needed */
        {"problem: free\nmethod: \xF4\x90\x80\x80\n", "s.yaml:2: a byte"}, /* > U+10FFFF */
        {"problem: free\nmethod: a\x1B[2J\n", "s.yaml:2: a byte"},
        {"problem: free\nmethod: a\xC2\x9B\n", "s.yaml:2: a byte"},
        {"problem: free\nmethod: sr2\xE2\x82", "s.yaml:2: a byte"}, /* ends within one */
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        file_write("s.yaml", wrong[i].text);
        assert_refused(RUN("run", "s.yaml"), wrong[i].phrase);
    }
    static const struct {
        const char *before, *each, *after, *phrase;
        size_t count;
    } large[] = {
        {"parameters: {", "p%zu: 1, ", "}\n", "parameters has more than 1000 keys", 40000},
        {"q: [", "[1, 0, 0], ", "]\nproblem: pendulum\nmethod: rattle\nstep: 1\ntime: 1\n",
         "q has more than 100000 vectors", 100001},
        {"q: [", "&a%zu 1, ", "]\n", "anchors", 20000},
        {"", "%%TAG !a%zu! x\n", "--- 1\n", "directives", 20000},
        {"", "# a line of text without an end: %zu\n", "", "larger than 16 MiB", 500000},
    };
    for (size_t i = 0; i < (is_sanitized() ? 1 : COUNT(large)); i++) {
        FILE *f = fopen("s.yaml", "w");
        assert_non_null(f);
        (void)fputs(large[i].before, f);
        for (size_t k = 0; k < large[i].count; k++)
            (void)fprintf(f, large[i].each, k);
        (void)fputs(large[i].after, f);
        assert_int_equal(fclose(f), 0);
        assert_refused(RUN("run", "s.yaml"), large[i].phrase);
    }
    file_write("s.yaml", "parameters: {a: 1, b: 2,\n a: 3}\n");
    assert_refused(RUN("run", "s.yaml"), "s.yaml:2: key \"a\" occurs twice, first in line 1");
    remove_file("s.yaml");
}

/* Nothing that a user or a file says reaches the terminal but as text. */
static void assert_text(const char *said)
{
    for (size_t length = strlen(said), n; length > 0; said += n, length -= n) {
        n = *said == '\n' ? 1 : text_character(said, length);
        assert_true(n > 0);
    }
}

static void hostile_words(void **state)
{
    (void)state;
    static const char *const words[] = {
        "a\x1B[2Jb",
        "a\xC2\x9B"
        "2Jb",
        "a\x9B",
        "a\nb",
        "a\xED\xA0\x80",
        "\xE2\x82",
        "a\x7F",
    };
    for (size_t i = 0; i < COUNT(words); i++) {
        tool_run said[] = {
            RUN(words[i]),
            RUN("run", words[i]),
            RUN("run", "--problem", words[i], "--method", "sr2", "--step", "1", "--time", "1"),
            RUN("run", "--problem", "free", "--method", words[i], "--step", "1", "--time", "1"),
            RUN("exact", "--cases", words[i]),
            RUN("reproduce", words[i]),
            RUN_WITH(words[i], "exact", "--cases", "-"),
            RUN("run", "--problem", "free", "--method", "sr2", "--step", "1", "--time", "1",
                "--out", words[i]),
        };
        for (size_t k = 0; k < COUNT(said); k++) {
            assert_int_equal(said[k].status, k + 1 < COUNT(said) ? 2 : 0);
            assert_text(said[k].error);
            assert_text(said[k].out);
            tool_run_free(&said[k]);
        }
        remove_file(words[i]);
    }
}

/* What overflows is refused with its own sentence: nothing that is not finite is printed
 * with success. */
static void overflow(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *phrase, *words;
    } wrong[] = {
        {2, "kinetic energy",
         "exact --tensor 2,3,4,0.1,0.2,0.3 --momentum 1e300,1e300,1 --time 1e-300"},
        {2, "kinetic energy", FREE_RUN " --time 1 --momentum 1e300,1e300,1"},
        {2, "use other units",
         FREE_RUN " --time 1 --inertia 1e308,1e308,1e308 "
                  "--momentum 1.5e308,1.5e308,0"},
        {2, "energy overflows",
         "run --problem heavy_top --method vlv --step 0.1 --time 1 "
         "--set strength=1e300 --set up=0,0,1e300"},
        {2, "energy of the molecules",
         "run --problem dipolar_spheres --method verlet+exact "
         "--step 0.01 --time 1 --set dipole=0,0,1e300"},
        {1, "after step 1, t = -0.1",
         "run --problem heavy_top --method verlet_drift+exact "
         "--step -0.1 --time -1.2 "
         "--set up=0,1e300,7.39e144 --out x.csv"},
        {1, "no reference solution",
         "compare --problem free --methods sr2 --steps 1e300 "
         "--time 1e300 --velocity 1e100,1,1"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char lines[300];
        (void)snprintf(lines, sizeof lines, "$T %s", wrong[i].words);
        assert_fails(lines, wrong[i].status, wrong[i].phrase);
    }
    assert_int_equal(file_rows("x.csv", CSV_HEADER), 1); /* the start */
    remove_file("x.csv");
}

int main(void)
{
    /* The search for leaks needs descriptors, and seconds for each of hundreds of runs: other
     * tests have it. */
    (void)setenv("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_disk),
        cmocka_unit_test(full_disk_of_formats),
        cmocka_unit_test(file_size_limit),
        cmocka_unit_test(full_output),
        cmocka_unit_test(open_file_limit),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(links),
        cmocka_unit_test(inputs),
        cmocka_unit_test(signals),
        cmocka_unit_test(signals_of_every_command),
        cmocka_unit_test(signals_while_waiting),
        cmocka_unit_test(hang_up_ignored),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(hostile_words),
        cmocka_unit_test(overflow),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
