/* child.c - other programs, which end when the tool is told to. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int child_start(pid_t *child, const char *const words[], const int given[3])
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; fd++)
        error = given[fd] >= 0 ? posix_spawn_file_actions_adddup2(&files, given[fd], fd)
                               : posix_spawn_file_actions_addopen(&files, fd, "/dev/null",
                                                                  O_RDWR, 0);
    if (error == 0)
        error =
            posix_spawnp(child, words[0], &files, NULL, (char *const *)words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

int child_wait(pid_t child, const volatile sig_atomic_t *stop)
{
    const struct timespec look = {.tv_nsec = CHILD_LOOK * 1000000L};
    int status;
    for (pid_t ended; (ended = waitpid(child, &status, stop ? WNOHANG : 0)) != child;) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (stop != NULL && *stop)
            (void)kill(child, SIGTERM);
        if (stop != NULL)
            (void)nanosleep(&look, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
