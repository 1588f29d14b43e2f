/* replay.c ARCHIVE [INPUT] - calls a fuzz target with the inputs of tests/corpus/NAME.txt, or with one of them.
 * `scripts/corpus` describes the archive, and writes it. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "fuzz.h"

#define MARK "== " /* before the name of an input */

enum {
    LONGEST = 100, /* seconds of processor time for one input */
    NAME_SIZE = 200,
};

/* Ends the program by SIGPROF after so many seconds of its own work; 0: no more. */
static void limit_processor_time(long seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    require(setitimer(ITIMER_PROF, &limit, NULL) == 0, "a timer");
}

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* The byte that an escape stands for, and its end. */
static char unescape(const char **at)
{
    const char *escape = *at;
    *at += escape[1] == 'x' ? 4 : 2;
    switch (escape[1]) {
    case 'x':
        return (char)(16 * digit(escape[2]) + digit(escape[3]));
    case 't':
        return '\t';
    case 'r':
        return '\r';
    default:
        return escape[1];
    }
}

/* Writes the bytes of a line, which ends at `end`, and returns how many there are. */
static size_t decode_line(const char *line, const char *end, char *data)
{
    size_t size = 0;
    while (line < end && !(*line == '\\' && line + 1 == end))
        data[size++] = *line == '\\' ? unescape(&line) : *line++;
    if (line == end)
        data[size++] = '\n';
    return size;
}

static void try_input(const char *name, const char *bytes, size_t size)
{
    uint8_t *data = malloc(size + (size == 0)); /* a sanitizer sees its end */
    require(data != NULL, "memory");
    memcpy(data, bytes, size);
    (void)printf("%s\n", name); /* the last one printed is the one that failed */
    (void)fflush(stdout);
    limit_processor_time(LONGEST);
    (void)LLVMFuzzerTestOneInput(data, size);
    limit_processor_time(0);
    free(data);
}

/* Tries the input whose name is at `text`, unless another one is `wanted`. Returns where the next one begins. */
static const char *replay_input(const char *text, const char *wanted, char *bytes, size_t *tried)
{
    char name[NAME_SIZE];
    const char *line = strchr(text, '\n');
    (void)snprintf(name, sizeof name, "%.*s", (int)(line - text - (long)strlen(MARK)),
                   text + strlen(MARK));
    size_t size = 0;
    while (*++line != '\0' && strncmp(line, MARK, strlen(MARK)) != 0) {
        const char *end = strchr(line, '\n');
        size += decode_line(line, end, bytes + size);
        line = end;
    }
    if (wanted == NULL || strcmp(wanted, name) == 0) {
        try_input(name, bytes, size);
        *tried += 1;
    }
    return line;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    require(f != NULL && fseek(f, 0, SEEK_END) == 0, "%s can be read", path);
    const size_t size = (size_t)ftell(f);
    char *text = malloc(size + 1);
    rewind(f);
    require(text != NULL && fread(text, 1, size, f) == size, "%s can be read", path);
    (void)fclose(f);
    text[size] = '\0';
    require(size > 0 && text[size - 1] == '\n', "%s ends with a newline", path);
    return text;
}

int main(int argc, char **argv)
{
    (void)LLVMFuzzerInitialize(&argc, &argv);
    require(argc == 2 || argc == 3, "ARCHIVE [INPUT]");
    char *text = read_text(argv[1]), *bytes = malloc(strlen(text));
    require(bytes != NULL, "memory");
    size_t tried = 0;
    for (const char *at = text; *at != '\0';) {
        require(strncmp(at, MARK, strlen(MARK)) == 0, "an input begins");
        at = replay_input(at, argv[2], bytes, &tried);
    }
    free(bytes);
    free(text);
    require(tried > 0, "there is an input");
    (void)printf("%zu inputs\n", tried);
    return 0;
}
