/* tool.c - the tool in this process, and what it promises. */
#define _GNU_SOURCE /* memfd_create */
#define main        tool_main
int tool_main(int argc, char **argv);
#include "../../../tool/main.c"
#undef main

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <jansson.h>

#include "fuzz.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"

#define TEMPORARY    ".tmp-" /* in the name of a file that is not finished */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Processor time after which it is stopped, as by Ctrl-C, in microseconds. */
#define PATIENCE 50000

const command *const *tool_commands(void)
{
    static const command *all[sizeof command_rows / sizeof command_rows[0] + 1];
    memcpy(all, command_rows, sizeof command_rows);
    return all;
}

/* ---- what it says ---------------------------------------------------------------- */

/* A descriptor that is sent to memory. */
typedef struct stream {
    int fd, memory, before;
    char *text; /* what came, with a NUL after it */
    size_t length;
} stream;

static stream output = {.fd = STDOUT_FILENO, .memory = -1},
              errors = {.fd = STDERR_FILENO, .memory = -1};

static void divert(stream *s)
{
    if (s->memory < 0)
        s->memory = memfd_create("stream", MFD_CLOEXEC);
    s->before = fcntl(s->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    require(s->before >= 0 && ftruncate(s->memory, 0) == 0 && lseek(s->memory, 0, SEEK_SET) == 0 &&
                dup2(s->memory, s->fd) >= 0,
            "standard output and error can go to memory");
}

static void restore(stream *s)
{
    const off_t length = lseek(s->memory, 0, SEEK_END);
    (void)dup2(s->before, s->fd);
    (void)close(s->before);
    s->length = (size_t)length;
    s->text = realloc(s->text, s->length + 1);
    require(s->text != NULL && pread(s->memory, s->text, s->length, 0) == length,
            "what was said can be read");
    s->text[s->length] = '\0';
}

/* ---- what is promised ------------------------------------------------------------ */

/* Whether a character is part of a word, and no number's: a file's name or a note may have
 * any, and what cannot be shown of them is printed as a question mark. */
static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '?' || (unsigned char)c >= 0x7F ||
           (iscntrl((unsigned char)c) && !isspace((unsigned char)c) && c != '\0');
}

/* A number that is not finite, as printf writes it. */
static const char *not_finite(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    while (*text != '\0') {
        size_t length = 0;
        while (is_of_word(text[length]))
            length++;
        for (size_t i = 0; i < COUNT(words); i++) {
            if (length == strlen(words[i]) && strncasecmp(text, words[i], length) == 0)
                return text;
        }
        text += length > 0 ? length : 1;
    }
    return NULL;
}

/* A word of the command line, or of a catalogue, whose words pass through, is what must not
 * be there. */
static bool spelled;

static bool input_spells(void)
{
    char text[4096];
    const ssize_t length = pread(STDIN_FILENO, text, sizeof text - 1, 0);
    for (ssize_t i = 0; i < length; i++)
        text[i] = (char)(text[i] == '\0' ? ' ' : text[i]);
    text[length > 0 ? length : 0] = '\0';
    return not_finite(text) != NULL;
}

static void check_finite(const char *where, const char *text)
{
    if (spelled)
        return;
    const char *wrong = not_finite(text);
    require(wrong == NULL, "all numbers in %s are finite: %.80s", where,
            wrong == NULL ? "" : wrong);
}

/* Printable, but for the line's end: neither C0, C1 nor delete. */
static void check_printable(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)line[i], next = (unsigned char)line[i + 1];
        require(c >= ' ' && c != 0x7F && !(c == 0xC2 && next >= 0x80 && next < 0xA0),
                "a message has no control characters: %.*s", (int)length, line);
    }
}

bool failure_is_printed;

static void check_errors(int status)
{
    static const char name[] = "polhode: ", warning[] = "polhode: warning: ";
    size_t lines = 0, length;
    for (const char *line = errors.text; *line != '\0'; line += length + 1, lines++) {
        const char *end = strchr(line, '\n');
        require(end != NULL, "messages are whole lines: %s", line);
        length = (size_t)(end - line);
        check_printable(line, length);
        const bool warns = strncmp(line, warning, strlen(warning)) == 0;
        require(warns == (status == 0), "status %d goes with %s", status, line);
        require(strncmp(line, name, strlen(name)) == 0, "it begins with polhode: %s", line);
        const char *what = line + (warns ? strlen(warning) : strlen(name)),
                   *advice = strstr(what, ": ");
        require(advice != NULL && advice < end, "a message says what to do: %s", line);
    }
    require(strlen(errors.text) == errors.length, "a message has no NUL");
    require(status == 0 || lines == 1 || (lines == 0 && status == EXIT_INTERRUPTED) ||
                (lines == 0 && status == EXIT_FAILED && failure_is_printed),
            "status %d has one line, not %zu: %s", status, lines, errors.text);
}

/* The files that were written, called out.csv or out.xyz; the folder is
 * empty afterwards. */
static void check_files(int status)
{
    DIR *all = opendir(".");
    require(all != NULL, "the folder can be read");
    const struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        const char *path = entry->d_name;
        require(spelled || strstr(path, TEMPORARY) == NULL, "no temporary file is left: %s", path);
        const bool text = strcmp(path, "out.csv") == 0 || strcmp(path, "out.xyz") == 0;
        FILE *f = text && status == 0 ? fopen(path, "r") : NULL;
        char *line = NULL;
        size_t size = 0;
        while (f != NULL && getline(&line, &size, f) > 0)
            check_finite(path, line);
        free(line);
        if (f != NULL)
            (void)fclose(f);
    }
    (void)closedir(all);
    empty_folder();
}

/* ---- doing it -------------------------------------------------------------------- */

static volatile sig_atomic_t impatient;

static void lose_patience(int signal_number)
{
    (void)signal_number;
    impatient = 1;
    interrupted = 1;
}

static void set_patience(long microseconds)
{
    const struct itimerval time = {.it_value = {.tv_usec = microseconds}};
    struct sigaction action = {.sa_handler = lose_patience, .sa_flags = SA_RESTART};
    require(sigemptyset(&action.sa_mask) == 0 && sigaction(SIGVTALRM, &action, NULL) == 0 &&
                setitimer(ITIMER_VIRTUAL, &time, NULL) == 0,
            "there is a clock");
}

/* What the tool does to signals that are libFuzzer's is undone. */
static void keep_signals(bool keep)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGXFSZ};
    static struct sigaction before[COUNT(numbers)];
    for (size_t i = 0; i < COUNT(numbers); i++)
        (void)sigaction(numbers[i], keep ? NULL : &before[i], keep ? &before[i] : NULL);
}

static int free_descriptor(void)
{
    const int fd = dup(STDIN_FILENO);
    (void)close(fd);
    return fd;
}

int check_promises(int (*part)(void *context), void *context)
{
    keep_signals(true);
    divert(&output);
    divert(&errors);
    const int unused = free_descriptor();
    report_begin();
    interrupted = 0;
    impatient = 0;
    set_patience(PATIENCE);
    const int status = part(context);
    set_patience(0);
    memory_free();
    const int unused_after = free_descriptor();
    restore(&errors);
    restore(&output);
    keep_signals(false);
    require((status >= 0 && status <= 2) || (status == EXIT_INTERRUPTED && impatient),
            "the exit status is 0, 1 or 2, not %d", status);
    check_errors(status);
    if (status == 0)
        check_finite("standard output", output.text);
    check_files(status);
    require(unused_after == unused, "no descriptor is left open");
    return status;
}

/* ---- whole command lines --------------------------------------------------------- */

typedef struct command_line {
    int count;
    char **word;
} command_line;

static int run_line(void *context)
{
    const command_line *line = context;
    return tool_main(line->count, line->word);
}

/* Attitudes and points of spheres: an array of numbers, or of such arrays. */
static void check_unit(const json_t *array)
{
    const double most = 1e-12;
    double squares = 0.0;
    size_t i;
    const json_t *element;
    json_array_foreach(array, i, element)
    {
        if (json_is_array(element))
            check_unit(element);
        squares += json_number_value(element) * json_number_value(element);
    }
    require(json_is_array(json_array_get(array, 0)) || fabs(squares - 1.0) < most,
            "an attitude is of unit length, off by %g", squares - 1.0);
}

static void check_json(const char *text, size_t length)
{
    static const char *const units[] = {"attitude", "attitudes", "q"};
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    require(document != NULL, "--json prints JSON: %.80s", text);
    const json_t *states = json_object_get(document, "states"),
                 *final = json_object_get(document, "final");
    for (size_t i = 0; i < COUNT(units); i++) {
        const json_t *end = json_object_get(final, units[i]);
        size_t k;
        const json_t *state;
        if (end != NULL)
            check_unit(end);
        json_array_foreach(states, k, state)
        {
            const json_t *there = json_object_get(state, units[i]);
            if (there != NULL)
                check_unit(there);
        }
    }
    json_decref(document);
}

const char *tool_output(size_t *length)
{
    *length = output.length;
    return output.text;
}

/* Each word in memory of its own, where a sanitizer sees its end. */
int run_tool(size_t count, const char *const *words)
{
    command_line line = {(int)count + 1, calloc(count + 2, sizeof *line.word)};
    require(line.word != NULL, "there is memory");
    bool json = false;
    spelled = input_spells();
    for (size_t i = 0; i <= count; i++) {
        line.word[i] = strdup(i == 0 ? "polhode" : words[i - 1]);
        require(line.word[i] != NULL, "there is memory");
        json = json || strcmp(line.word[i], "--json") == 0;
        spelled =
            spelled || not_finite(line.word[i]) != NULL || strstr(line.word[i], TEMPORARY) != NULL;
    }
    tell_of(line.word);
    const int status = check_promises(run_line, &line);
    if (json && status == 0 && strchr("[{", output.text[0]) != NULL) /* not --help */
        check_json(output.text, output.length);
    tell_of(NULL);
    for (size_t i = 0; i <= count; i++)
        free(line.word[i]);
    free(line.word);
    return status;
}
