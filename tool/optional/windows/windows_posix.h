/* windows_posix.h - what of POSIX the tool uses and Windows has not, under the names of POSIX: included before
 * every file of a build for Windows (CMakeLists.txt), so that none of them knows of it. The
 * headers of POSIX that are missing there are empty files in `include`.
 *
 * Files are binary. Without fork(), `polhode reproduce` says that it cannot start processes; without
 * dlopen() there are no devices and no problems in C. */
#pragma once

#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define NAME_MAX 255
#ifndef EDQUOT
#define EDQUOT 1133
#endif

/* ---- files ----------------------------------------------------------------------- */

#define O_CLOEXEC   O_NOINHERIT
#define O_NONBLOCK  0
#define O_DIRECTORY 0
enum { F_GETFD, F_SETFD, FD_CLOEXEC }; /* what is opened is not inherited */

/* A file is known by its number on the volume, which the C library does not tell. Windows has no numbers of users
 * and no permissions of groups: the only user is 0, whom every file belongs to. */
struct windows_stat {
    uint64_t st_dev, st_ino;
    int64_t st_size;
    unsigned st_mode, st_uid;
};

int windows_stat(const char *path, struct windows_stat *out);
int windows_fstat(int fd, struct windows_stat *out);
int windows_open(const char *path, int flags, ...);
int windows_rename(const char *from, const char *to);
int windows_fclose(FILE *f);
FILE *windows_tmpfile(void);
#undef stat
#undef fstat
#define stat                            windows_stat
#define fstat                           windows_fstat
#define lstat                           windows_stat /* what a link leads to */
#define open                            windows_open
#define rename                          windows_rename
#define fclose                          windows_fclose
#define tmpfile                         windows_tmpfile
#define mkdir(p, mode)                  ((void)(mode), mkdir(p))
#define fchmod(fd, mode)                (0)
#define geteuid()                       (0U)
#define fcntl(fd, ...)                  (-(_get_osfhandle(fd) == -1))
#define fsync(fd)                       _commit(fd)
#define posix_fallocate(fd, from, size) (ftruncate64(fd, size) == 0 ? 0 : errno)
#define pipe(ends)                      _pipe(ends, 65536, O_BINARY | O_NOINHERIT)
#define realpath(path, out)             _fullpath(out, path, 0)
#define timegm(date)                    _mkgmtime64(date)

ssize_t readlink(const char *path, char *out, size_t size); /* of /proc/self/exe alone */
ssize_t pread(int fd, void *to, size_t size, off_t from);
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to);
FILE *open_memstream(char **bytes, size_t *size);
ssize_t getline(char **line, size_t *size, FILE *f);
int strverscmp(const char *a, const char *b);
char *strndup(const char *text, size_t most);
char *stpcpy(char *to, const char *from);
char *stpncpy(char *to, const char *from, size_t size);

#undef gmtime_r
#define gmtime_r(t, out) (_gmtime64_s(out, t) == 0 ? (out) : NULL)

enum {
    PROT_READ = 1,
    PROT_WRITE = 2,
    MAP_PRIVATE = 0,
    MAP_SHARED = 1,
    MAP_ANONYMOUS = 2,
    MS_SYNC = 0
};
#define MAP_FAILED ((void *)-1)
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t from);
int munmap(void *at, size_t size);
#define msync(at, size, how) (0)

/* ---- processes ------------------------------------------------------------------- */

typedef struct {
    int fd[3];
} posix_spawn_file_actions_t;

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *files);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *files, int from, int to);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *files, int fd, const char *path,
                                     int flags, int mode);
int posix_spawnp(pid_t *child, const char *name, posix_spawn_file_actions_t *files,
                 const void *attributes, char *const words[], char **environment);
pid_t waitpid(pid_t child, int *status, int options);
int kill(pid_t child, int number);
#define posix_spawn_file_actions_destroy(files) (0)
#define getppid()                               getpid()
#define fork()                                  (errno = ENOSYS, (pid_t)-1)
#define WNOHANG                                 1
#define WIFEXITED(status)                       ((void)(status), 1)
#define WEXITSTATUS(status)                     (status)

int fy_term_query_size(int fd, int *rows, int *columns); /* of libfyaml: unknown */
enum { _SC_NPROCESSORS_ONLN = 1, _SC_PAGESIZE = 2 };
long sysconf(int name);

/* ---- signals and waiting --------------------------------------------------------- */

enum { SIGHUP = 1, SIGPIPE = 13, SIGXFSZ = 25 }; /* never sent */
enum { SA_RESETHAND = 1 };                       /* always so on Windows */

struct sigaction {
    void (*sa_handler)(int number);
    int sa_flags, sa_mask;
};

int windows_sigaction(int number, const struct sigaction *now, struct sigaction *before);
#define sigaction(number, now, before) windows_sigaction(number, now, before)
#define sigset_t                       int
#define sigemptyset(set)               (*(set) = 0)
#define sigaddset(set, number)         (*(set) |= (number), 0)
#undef sigprocmask
#define sigprocmask(how, set, before) windows_sigprocmask(set, before)
static inline int windows_sigprocmask(const int *set, int *before)
{
    (void)set;
    if (before != NULL)
        *before = 0;
    return 0;
}

/* There is always something to read, so that who reads waits. */
struct pollfd {
    int fd;
    short events, revents;
};
enum { POLLIN = 1 };
int poll(struct pollfd *files, unsigned count, int milliseconds);
#define ppoll(files, count, time, set) ((void)(set), poll(files, count, -1))

/* ---- libraries: none are loaded -------------------------------------------------- */

enum { RTLD_NOW, RTLD_LOCAL, RTLD_NODELETE, RTLD_DL_SYMENT };
typedef struct {
    size_t st_size;
} Dl_info;
#define ElfW(type)                   Dl_info
#define dladdr1(at, info, out, what) ((void)(info), (void)(out), 0)
#define dlopen(path, mode)           ((void)(path), (void *)NULL)
#define dlsym(library, name)         ((void)(library), (void)(name), (void *)NULL)
#define dlclose(library)             ((void)(library), 0)
#define dlerror()                    "on Windows the tool loads no libraries"
