/* run_tool.c - runs the command-line tool and keeps what it said. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* P_tmpdir, pseudo-terminals */
#include "support/run_tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/extremes.h"
#include "support/random.h"

#define MOST_WORDS 40

const char *tool_path = POLHODE_TOOL_PATH;

/* The tests themselves cannot go on. */
static void give_up(const char *what)
{
    perror(what);
    abort();
}

pid_t tool_start(const char *const *words, int input, int output, int error)
{
    char *argv[MOST_WORDS + 2] = {strdup(tool_path)};
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i == MOST_WORDS)
            give_up("too many words");
        argv[i + 1] = strdup(words[i]);
    }
    const pid_t child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        if (dup2(input < 0 ? nothing : input, STDIN_FILENO) < 0 ||
            dup2(output < 0 ? nothing : output, STDOUT_FILENO) < 0 ||
            dup2(error < 0 ? nothing : error, STDERR_FILENO) < 0)
            _exit(127);
        execv(argv[0], argv);
        _exit(127);
    }
    for (size_t i = 0; argv[i] != NULL; i++)
        free(argv[i]);
    return child;
}

int tool_wait(pid_t tool)
{
    int status;
    if (waitpid(tool, &status, 0) != tool)
        give_up("waitpid");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void assert_stops(pid_t tool)
{
    assert_int_equal(kill(tool, SIGINT), 0);
    assert_int_equal(tool_wait(tool), 130);
}

static char *stream_text(FILE *f)
{
    if (fseek(f, 0, SEEK_END) != 0)
        give_up("fseek");
    const long length = ftell(f);
    char *text = calloc((size_t)length + 1, 1);
    rewind(f);
    if (length < 0 || text == NULL || fread(text, 1, (size_t)length, f) != (size_t)length)
        give_up("fread");
    return text;
}

tool_run tool_run_words(const char *input, const char *const *words)
{
    FILE *in = tmpfile(), *out = tmpfile(), *error = tmpfile();
    if (in == NULL || out == NULL || error == NULL)
        give_up("tmpfile");
    if (input != NULL && fputs(input, in) < 0)
        give_up("fputs");
    rewind(in);
    tool_run run;
    run.status = tool_wait(tool_start(words, fileno(in), fileno(out), fileno(error)));
    run.out = stream_text(out);
    run.error = stream_text(error);
    fclose(in);
    fclose(out);
    fclose(error);
    return run;
}

void tool_run_free(tool_run *run)
{
    free(run->out);
    free(run->error);
}

tool_run tool_run_on_small_disk(const char *const *words)
{
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const tool_run run = tool_run_words(NULL, words);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return run;
}

char *tool_run_to_full(const char *const *words)
{
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    const tool_pipe error = open_pipe();
    const pid_t tool = tool_start(words, -1, full, error.write);
    close(error.write);
    assert_int_equal(tool_wait(tool), 1);
    char *said = pipe_receive(error.read, 2);
    close(full);
    close(error.read);
    return said;
}

char *file_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    char *text = stream_text(f);
    fclose(f);
    return text;
}

void file_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        give_up(path);
}

/* ---- what the tests assert over and over ----------------------------------------- */

size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("`%s` is not in: %s", part, text);
}

void assert_narrow(const char *text)
{
    enum { WIDTH = 80 };
    size_t width = 0;
    for (const char *c = text, *line = text; *c != '\0'; c++) {
        line = width == 0 ? c : line;
        width = *c == '\n' ? 0 : width + ((*c & 0xC0) != 0x80); /* bytes within UTF-8 */
        if (width > WIDTH)
            fail_msg("wider than %d columns: %.*s", WIDTH, (int)strcspn(line, "\n"), line);
    }
}

void assert_whole_rows(const char *text, const char *header)
{
    const size_t length = strlen(text);
    assert_true(length > 0 && text[length - 1] == '\n');
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    size_t columns = 1, commas = 0;
    for (const char *c = header; *c != '\n'; c++)
        columns += *c == ',';
    for (const char *c = text; *c != '\0'; c++) {
        commas += *c == ',';
        if (*c == '\n') {
            assert_int_equal(commas + 1, columns);
            commas = 0;
        }
    }
}

size_t file_rows(const char *path, const char *header)
{
    char *text = file_text(path);
    assert_non_null(text);
    assert_whole_rows(text, header);
    const size_t rows = count_lines(text) - 1;
    free(text);
    return rows;
}

const char *next_numbers(const char *at, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        char *end;
        x[i] = strtod(at, &end);
        at = end + 1;
    }
    return at;
}

void assert_done(const tool_run *run)
{
    /* times that are far away are warned of, and dates that a file does not hold, and answered */
    const bool vague = strstr(run->error, "correct digits: the states") != NULL ||
                       strstr(run->error, "--epoch is not written to ") != NULL;
    if (run->status != 0 || (run->error[0] != '\0' && !vague))
        fail_msg("exit status %d: %s", run->status, run->error);
}

void assert_error_line(const tool_run *run, int status, const char *part)
{
    if (run->status != status)
        fail_msg("exit status %d, not %d: %s", run->status, status, run->error);
    assert_int_equal(count_lines(run->error), 1);
    assert_int_equal(strncmp(run->error, "polhode: ", 9), 0);
    assert_null(strstr(run->error, "warning"));
    assert_contains(run->error, part);
}

void assert_refused(tool_run run, const char *part)
{
    assert_error_line(&run, 2, part);
    assert_string_equal(run.out, "");
    tool_run_free(&run);
}

void assert_no_file(const char *pattern)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

json_t *parse_json(const char *text)
{
    json_error_t error;
    json_t *document = json_loads(text, 0, &error);
    if (document == NULL)
        fail_msg("not JSON: %s", error.text);
    return document;
}

double json_at(const json_t *object, const char *key, size_t i)
{
    const json_t *x = json_object_get(object, key);
    if (json_is_array(x))
        x = json_array_get(x, i);
    if (!json_is_number(x))
        fail_msg("%s is no number", key);
    return json_number_value(x);
}

void end_of(tool_run run, double x[7])
{
    assert_done(&run);
    json_t *document = parse_json(run.out);
    const json_t *end = json_object_get(document, "final");
    for (size_t k = 0; k < 7; k++)
        x[k] = json_at(end, k < 4 ? "attitude" : "momentum", k < 4 ? k : k - 4);
    json_decref(document);
    tool_run_free(&run);
}

double ends_apart(tool_run a, tool_run b)
{
    double x[7], y[7], apart = 0;
    end_of(a, x);
    end_of(b, y);
    for (size_t k = 0; k < 7; k++)
        apart = larger_or_nan(apart, fabs(x[k] - y[k]));
    return apart;
}

ph_state expected(ph_vec3 J, ph_state start, double t)
{
    ph_body body;
    ph_motion motion;
    assert_int_equal(ph_body_from_moments(&body, J), PH_OK);
    assert_int_equal(ph_motion_prepare(&motion, &body, &start), PH_OK);
    return ph_motion_at(&motion, t);
}

char *random_cases(const char *header, size_t columns, size_t n, double *x)
{
    const size_t digits = 30; /* of a number and what follows it */
    uint64_t seed = 7;
    char *text = malloc(strlen(header) + n * columns * digits + 1);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "%s", header);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < columns; k++, x++) {
            *x = k < 3 ? between(&seed, 1.0, 2.0) : between(&seed, -3.0, 3.0);
            used += (size_t)sprintf(text + used, "%.17g%c", *x, k + 1 < columns ? ',' : '\n');
        }
    }
    return text;
}

const ph_vec3 book_inertia = {0.376, 0.627, 1.0};
const ph_state book_start = {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.6, -0.8}};

/* ---- pipes and terminals --------------------------------------------------------- */

void pause_ms(long milliseconds)
{
    const struct timespec time = {.tv_nsec = milliseconds * 1000000};
    (void)nanosleep(&time, NULL);
}

void wait_until_caught(pid_t tool, int signal_number)
{
    char path[40];
    unsigned long caught = 0; /* a bit for each signal, that of signal 1 the lowest */
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)tool);
    while ((caught >> (signal_number - 1) & 1) == 0) {
        FILE *status = fopen(path, "r");
        assert_non_null(status);
        for (char line[200]; fgets(line, sizeof line, status) != NULL;)
            (void)sscanf(line, "SigCgt: %lx", &caught);
        fclose(status);
        pause_ms(1);
    }
}

tool_pipe open_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0)
        give_up("pipe");
    return (tool_pipe){ends[0], ends[1]};
}

void pipe_send(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

#define RECEIVED 20000 /* bytes */

char *pipe_receive(int fd, size_t lines)
{
    static char text[RECEIVED];
    size_t used = 0;
    text[0] = '\0';
    while (count_lines(text) < lines) {
        const ssize_t n = read(fd, text + used, sizeof text - 1 - used);
        if (n <= 0)
            break;
        used += (size_t)n;
        text[used] = '\0';
    }
    return text;
}

char *read_until(int fd, const char *part)
{
    static char text[RECEIVED];
    size_t used = 0;
    text[0] = '\0';
    while (strstr(text, part) == NULL && used + 1 < sizeof text) {
        const ssize_t n = read(fd, text + used, sizeof text - 1 - used);
        assert_true(n > 0);
        used += (size_t)n;
        text[used] = '\0';
    }
    return text;
}

tool_talk talk_begin(const char *const *words)
{
    const tool_pipe in = open_pipe(), out = open_pipe(), error = open_pipe();
    const pid_t tool = tool_start(words, in.read, out.write, error.write);
    close(in.read);
    close(out.write);
    close(error.write);
    return (tool_talk){tool, in.write, out.read, error.read};
}

void talk_end(const tool_talk *talk)
{
    close(talk->in);
    close(talk->out);
    close(talk->error);
}

void assert_stops_silently(const tool_talk *talk)
{
    assert_stops(talk->tool);
    assert_string_equal(pipe_receive(talk->out, 1), "");
    assert_string_equal(pipe_receive(talk->error, 1), "");
    talk_end(talk);
}

terminal open_terminal(void)
{
    const int outside = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (outside < 0 || grantpt(outside) != 0 || unlockpt(outside) != 0)
        give_up("posix_openpt");
    const int inside = open(ptsname(outside), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (inside < 0)
        give_up("ptsname");
    return (terminal){inside, outside};
}

size_t wait_for_file(const char *pattern, size_t size)
{
    for (;; pause_ms(1)) {
        glob_t found;
        struct stat file;
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        const bool there = stat(found.gl_pathv[0], &file) == 0;
        globfree(&found);
        if (there && (size_t)file.st_size >= size)
            return (size_t)file.st_size;
    }
}

/* ---- a folder to work in --------------------------------------------------------- */

static char folder[] = P_tmpdir "/polhode-test-XXXXXX";

int folder_enter(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : chdir(folder);
}

int folder_leave(void **state)
{
    (void)state;
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

size_t tool_commands(char name[TOOL_COMMANDS][TOOL_COMMAND])
{
    tool_run run = RUN("help");
    assert_done(&run);
    size_t count = 0;
    const char *line = strstr(run.out, "\nCommands:\n") + strlen("\nCommands:\n");
    for (; *line == ' '; line = strchr(line, '\n') + 1)
        assert_int_equal(1, sscanf(line, "%31s", name[count++]));
    tool_run_free(&run);
    assert_true(count >= 12);
    return count;
}
