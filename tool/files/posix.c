/* posix.c - what the operating system offers: other programs, clocks, folders and files. */
#define _GNU_SOURCE /* environ */
#include "tool/files/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/choice.h"
#include "tool/files/memory.h"

/* ---- other programs, which end when the tool is told to --------------------------- */

int child_start(pid_t *child, const char *const words[], const int given[3])
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; fd++) {
        if (given[fd] >= 0)
            error = posix_spawn_file_actions_adddup2(&files, given[fd], fd);
        else
            error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    }
    if (error == 0)
        error = posix_spawnp(child, words[0], &files, NULL, (char *const *)words, environ);
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
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    return -1;
}

/* ---- seconds that only grow ------------------------------------------------------- */

static double seconds_of(clockid_t id)
{
    struct timespec t = {0};
    (void)clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_work(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- folders for output ----------------------------------------------------------- */

#define CHUNK      65536UL
#define NEW_FOLDER 0777 /* less what umask takes away */

static bool is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

int folder_make(const char *path)
{
    char *part = memory_text("%s", path);
    int error = 0;
    for (char *end = part + 1; error == 0; end++) { /* the root is always there */
        const bool last = *end == '\0';
        if (*end != '/' && !last)
            continue;
        *end = '\0';
        if (!is_folder(part) && mkdir(part, NEW_FOLDER) != 0)
            error = errno;
        if (last)
            break;
        *end = '/';
    }
    return error;
}

bool file_bytes(int fd, size_t most, char **bytes, size_t *length)
{
    size_t room = 0;
    ssize_t n = 1;
    for (*bytes = NULL, *length = 0; n > 0;) {
        if (*length == room) {
            if (*length >= most)
                return false;
            room += larger_size(room, CHUNK);
            *bytes = memory_more(*bytes, room + 1, 1);
        }
        n = read(fd, *bytes + *length, room - *length);
        if (n > 0)
            *length += (size_t)n;
    }
    (*bytes)[*length] = '\0';
    return n == 0; /* a signal, too, ends it */
}
