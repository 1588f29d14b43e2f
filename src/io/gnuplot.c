/* gnuplot.c - gnuplot as a child process that draws a picture. */
#define _POSIX_C_SOURCE 200809L
#include "io/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 16384

extern char **environ;

/* Starts gnuplot with these descriptors as its standard input and output, /dev/null where
 * negative; what it complains about is not for the user. -d: no settings of the user's.
 */
static bool start(pid_t *child, char *const words[], int input, int output)
{
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0)
        return false;
    int error = 0;
    if (input >= 0)
        error |= posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    else
        error |= posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                                  O_RDONLY, 0);
    if (output >= 0)
        error |= posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    else
        error |= posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                                  O_WRONLY, 0);
    error |=
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(child, words[0], &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error == 0;
}

/* Waits for the end of the child: whether it ended well. */
static bool finish(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gnuplot_found(void)
{
    static char program[] = "gnuplot", version[] = "--version";
    char *const words[] = {program, version, NULL};
    pid_t child;
    return start(&child, words, -1, -1) && finish(child);
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

bool gnuplot_draw(FILE *script, outfile *picture)
{
    static char program[] = "gnuplot", defaults[] = "-d", standard_input[] = "-";
    char *const words[] = {program, defaults, standard_input, NULL};
    int ends[2];
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || pipe(ends) != 0)
        return false;
    pid_t child;
    const bool started = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                         fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
                         start(&child, words, fileno(script), ends[1]);
    (void)close(ends[1]);
    if (started)
        copy(ends[0], picture);
    (void)close(ends[0]);
    return started && finish(child);
}
