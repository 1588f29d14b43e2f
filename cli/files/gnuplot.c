/* gnuplot.c - gnuplot as a child process that draws a picture. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 16384

extern char **environ;

/* Starts gnuplot with these descriptors as its standard input and output, /dev/null where
 * negative; what it complains about is not for the user. -d: no settings of the user's.
 * Returns 0, or errno. */
static int start(pid_t *child, char *const words[], int input, int output)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    const int given[] = {input, output, -1};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; fd++)
        error = given[fd] >= 0 ? posix_spawn_file_actions_adddup2(&files, given[fd], fd)
                               : posix_spawn_file_actions_addopen(&files, fd, "/dev/null",
                                                                  O_RDWR, 0);
    if (error == 0)
        error = posix_spawnp(child, words[0], &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Waits for the end of the child: 0, or GNUPLOT_FAILED. */
static int finish(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return GNUPLOT_FAILED;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : GNUPLOT_FAILED;
}

int gnuplot_start(void)
{
    static char program[] = "gnuplot", version[] = "--version";
    char *const words[] = {program, version, NULL};
    pid_t child;
    const int error = start(&child, words, -1, -1);
    return error == 0 ? finish(child) : error;
}

bool gnuplot_found(void)
{
    return gnuplot_start() == 0;
}

/* Everything from a pipe into the picture. */
static void copy(int from, outfile *picture)
{
    char chunk[CHUNK];
    ssize_t n;
    while ((n = read(from, chunk, sizeof chunk)) != 0) {
        if (n > 0)
            outfile_write(picture, chunk, (size_t)n);
        else if (errno != EINTR)
            return;
    }
}

int gnuplot_draw(FILE *script, outfile *picture)
{
    static char program[] = "gnuplot", defaults[] = "-d", standard_input[] = "-";
    char *const words[] = {program, defaults, standard_input, NULL};
    int ends[2];
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || pipe(ends) != 0)
        return errno;
    pid_t child = -1;
    int error = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                        fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
                    ? start(&child, words, fileno(script), ends[1])
                    : errno;
    (void)close(ends[1]);
    if (error == 0) {
        copy(ends[0], picture);
        error = finish(child);
    }
    (void)close(ends[0]);
    return error;
}
