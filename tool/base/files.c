/* files.c - the files that a command reads and writes, none of them both; standard output, and
 * what a closed one means. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/choice.h"
#include "tool/files/file_text.h"
#include "tool/files/memory.h"
#include "tool/files/picture.h"
#include "tool/files/posix.h"

/* The files that this command has read. */
static struct {
    size_t count;
    const char **path;
} inputs;

/* Whether a regular file is at a path, or at that descriptor for "-". */
static bool is_regular(const char *path, int standard, struct stat *there)
{
    const int status = strcmp(path, "-") == 0 ? fstat(standard, there) : stat(path, there);
    return status == 0 && S_ISREG(there->st_mode);
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool file_same(const char *one, const char *other)
{
    return outfile_same_place(one, other);
}

char *file_whole(const char *path, size_t most, size_t *length, const char **why)
{
    struct stat there;
    char *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (!(fd < 0))
        errno = EFBIG; /* unless reading it says something else */
    const bool ordinary = fd >= 0 && fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
    if (!ordinary || !file_bytes(fd, most, &bytes, length))
        bytes = NULL;
    if (fd >= 0 && !ordinary)
        *why = "it is not a regular file";
    else
        *why = strerror(errno);
    if (fd >= 0)
        (void)close(fd);
    return bytes;
}

bool file_is_ordinary(const char *path)
{
    struct stat there;
    return strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

bool file_is_there(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0;
}

bool file_begins(const char *path, const void *with, size_t size)
{
    char head[16] = "";
    const int fd = file_is_ordinary(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool read_all = fd >= 0 && read(fd, head, size) == (ssize_t)size;
    if (fd >= 0)
        (void)close(fd);
    return read_all && memcmp(head, with, size) == 0;
}

bool file_is_text(const char *path, const char *text)
{
    size_t length = 0;
    const char *why, *there = file_whole(path, strlen(text), &length, &why);
    return there != NULL && strcmp(there, text) == 0;
}

bool file_is_snapshot(const char *path)
{
    static const char magic[] = "POLHODE";
    return file_begins(path, magic, sizeof magic);
}

int file_refuse_name(const char *path)
{
    REFUSE_IF(!text_is_plain(path),
              "the name " WORDS " is not UTF-8 or has a control character: rename the file", path);
    return 0;
}

int file_columns(const char *path, const char *first_line, csv **file)
{
    char message[CSV_MESSAGE];
    *file = csv_open(path, &interrupted, message);
    REFUSE_IF(*file == NULL, "%s", message);
    file_read(path);
    (*file)->units = true;
    const csv_status status = csv_header(*file);
    REFUSE_IF(status == CSV_END, WORDS " is empty: its first line %s", (*file)->name, first_line);
    REFUSE_IF(status == CSV_WRONG, "%s", (*file)->message);
    return status == CSV_STOPPED ? EXIT_INTERRUPTED : 0;
}

void files_begin(void)
{
    inputs.count = 0;
    inputs.path = NULL;
}

void file_read(const char *path)
{
    inputs.path = memory_more(inputs.path, inputs.count + 1, sizeof *inputs.path);
    inputs.path[inputs.count++] = path;
}

int file_refuse(const char *path)
{
    struct stat in, out;
    for (size_t i = 0; i < inputs.count && is_regular(path, STDOUT_FILENO, &out); i++) {
        REFUSE_IF(is_regular(inputs.path[i], STDIN_FILENO, &in) && same(&in, &out),
                  WORDS " is an input and would be overwritten: choose another output",
                  text_of_path(path, "standard output"));
    }
    return 0;
}

int file_open(const char *path, outfile **out)
{
    const int status = interrupted ? EXIT_INTERRUPTED : file_refuse(path);
    if (status != 0)
        return status;
    REFUSE_IF(outfile_is_open(path), WORDS " is named twice as an output: give each its own file",
              path);
    *out = outfile_open(path);
    if (*out == NULL)
        return fail_create(path, errno);
    return 0;
}

int file_close(outfile *out, const char *path, const char *when)
{
    char *partial;
    const int error = outfile_close(out, &partial);
    int status = 0;
    if (error != 0)
        status = fail_write(path, error, when, partial);
    free(partial);
    return status;
}

int format_find(const char *path, const file_format **format)
{
    const file_format *known;
    const char *all = "";
    *format = file_format_of(path);
    for (size_t i = 0; (known = file_format_at(i)) != NULL; i++)
        all = memory_list(all, memory_text(".%s", known->suffix));
    REFUSE_IF(*format == NULL, WORDS ": no format has this suffix: end the name in one of %s", path,
              all);
    return 0;
}

/* ---- standard output -------------------------------------------------------------- */

static struct sigaction pipe_action; /* what the tool was started with */

void standard_prepare(void)
{
    /* A closed descriptor would be given to the next file opened: take its place with one
     * on which writing fails. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", O_RDONLY);
    }
    /* A reader that is gone and a file that is too large are errors of writing. */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (sigemptyset(&ignore.sa_mask) == 0) {
        (void)sigaction(SIGPIPE, &ignore, &pipe_action);
        (void)sigaction(SIGXFSZ, &ignore, NULL);
    }
}

int put_json(outfile *out, json_t *value, size_t flags)
{
    const bool whole = json_write(out, value, flags);
    outfile_print(out, "\n");
    if (whole)
        return 0;
    return fail_memory();
}

int standard_close(outfile *out, int status)
{
    const int error = outfile_close(out, NULL);
    if (error == 0)
        return status;
    if (error == EPIPE && pipe_action.sa_handler != SIG_IGN) {
        (void)sigaction(SIGPIPE, &pipe_action, NULL);
        (void)raise(SIGPIPE);
    }
    return fail_write(NULL, error, "", NULL);
}

/* ---- pictures by gnuplot, each a file of its own ---------------------------------- */

/* Says that gnuplot could not be started, or failed; `what` is what needs it. */
static int fail_gnuplot(const char *what, int error)
{
    REFUSE_IF(error == ENOENT,
              WORDS " needs gnuplot, which was not found: install the package gnuplot-nox (or "
                    "gnuplot) and run the command again",
              what);
    if (error == GNUPLOT_INCOMPLETE)
        return fail_run(WORDS " is not whole: gnuplot ended without an error, but did not write a "
                              "picture: free some disk space, or install gnuplot again",
                        what);
    if (error == GNUPLOT_FAILED)
        return fail_run(WORDS " needs gnuplot, which started and failed: check the output of "
                              "`gnuplot --version`, and the free memory",
                        what);
    return fail_run(WORDS " needs gnuplot, which cannot be started (%s): %s", what, strerror(error),
                    advice(error, "check the output of `gnuplot --version`"));
}

const char *picture_title(const char *problem, const char *method)
{
    enum { WIDTH = 60, LEAST = 30 };
    const int by = text_cut(method, WIDTH), room = larger_int(WIDTH - by, LEAST);
    const bool cut = strlen(problem) > (size_t)room;
    return memory_text("%.*s%s by %.*s", text_cut(problem, room), problem, text_if(cut, "..."), by,
                       method);
}

int picture_need_gnuplot(const char *who)
{
    const int error = gnuplot_start();
    if (error == 0)
        return 0;
    if (interrupted)
        return EXIT_INTERRUPTED;
    return fail_gnuplot(who, error);
}

/* The script could not be written: for want of memory if no error is known. */
static int fail_temporary(int error)
{
    if (error == 0 || error == ENOMEM)
        return fail_memory();
    return fail_run("cannot write a temporary file (%s): %s", strerror(error),
                    advice(error, "make /tmp writable"));
}

int picture_draw(picture *p, picture_script *write, const void *context)
{
    FILE *script = tmpfile();
    if (script == NULL)
        return fail_temporary(errno);
    int status = 0;
    errno = 0;
    if (!write(script, plot_format_of(p->path), context)) {
        status = fail_temporary(errno);
    } else {
        const int error = gnuplot_draw(script, plot_format_of(p->path), p->file, &interrupted);
        if (error != 0 && !interrupted)
            status = fail_gnuplot(p->path, error);
    }
    (void)fclose(script);
    if (interrupted)
        return EXIT_INTERRUPTED;
    if (status != 0)
        return status;
    outfile *file = p->file;
    p->file = NULL;
    return file_close(file, p->path, "");
}
