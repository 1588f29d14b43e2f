/* problem_file.c - a problem of the user's own in C.
 *
 * FILE.c is compiled by $CC or cc with the headers that were installed beside the tool, or
 * those of the tree it was built from, into $XDG_CACHE_HOME/polhode, where it is found again
 * under the checksum of its preprocessed text. The problem is the only object of the library
 * that has the size of a ph_problem. It may call what the tool exports, which is the library.
 */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* realpath */
#include "problem_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/files/yaml.h"
#include "cli/tool.h"

extern char **environ;

enum { LARGEST = 64 << 20, LINE = 400 };

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

bool problem_file_is(const char *name)
{
    return ends_in(name, ".c") || ends_in(name, ".so");
}

/* ---- bytes ------------------------------------------------------------------------ */

/* All bytes of a file, with a zero after them, to be freed; NULL if it cannot be read. */
static char *bytes_of(const char *path, size_t *length)
{
    char *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool whole = fd >= 0 && file_bytes(fd, LARGEST, &bytes, length);
    const int error = errno;
    if (fd >= 0)
        (void)close(fd);
    char *more = whole ? realloc(bytes, *length + 1) : NULL;
    if (more == NULL) {
        free(bytes);
        errno = error;
        return NULL;
    }
    more[*length] = '\0';
    return more;
}

/* FNV-1a. */
static uint64_t checksum(const char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

uint64_t problem_file_checksum(const char *path)
{
    size_t length = 0;
    char *bytes = bytes_of(path, &length);
    const uint64_t sum = bytes ? checksum(bytes, length) : 0;
    free(bytes);
    return sum;
}

/* ---- the compiler ----------------------------------------------------------------- */

/* Runs a command whose words end with NULL, its complaints into a file. Returns its exit
 * status, or -1 with errno if it could not be started. */
static int run_command(const char *const words[], const char *complaints)
{
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = 0, error = posix_spawn_file_actions_init(&files);
    if (error == 0) {
        const int mode = 0600;
        (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
                                               O_RDONLY, 0);
        (void)posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                               O_WRONLY, 0);
        (void)posix_spawn_file_actions_addopen(&files, STDERR_FILENO, complaints,
                                               O_WRONLY | O_CREAT | O_TRUNC, mode);
        error =
            posix_spawnp(&child, words[0], &files, NULL, (char *const *)words, environ);
        (void)posix_spawn_file_actions_destroy(&files);
    }
    if (error != 0) {
        errno = error;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first error in the compiler's complaints, or their first line. */
static int fail_compiler(const char *cc, const char *path, const char *complaints)
{
    size_t length = 0;
    char *text = bytes_of(complaints, &length), line[LINE] = "";
    char *at = text ? strstr(text, "error:") : NULL;
    if (at == NULL)
        at = text;
    while (at != NULL && at > text && at[-1] != '\n')
        at--;
    if (at != NULL)
        (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    free(text);
    (void)unlink(complaints);
    for (char *c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ')
            *c = ' ';
    }
    return fail_usage(WORDS " is not compiled by " WORDS " (%.300s): correct it", path,
                      cc, line[0] == '\0' ? "without a message" : line);
}

/* The folder of the headers: beside the tool, or where it was built. */
static void headers_folder(char folder[PATH_MAX])
{
    char tool[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", tool, sizeof tool - 1);
    tool[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 2 && tool[0] != '\0'; up++) {
        char *slash = strrchr(tool, '/');
        *(slash ? slash : tool) = '\0';
    }
    char header[PATH_MAX + 32];
    (void)snprintf(header, sizeof header, "%s/include/polhode/polhode.h", tool);
    if (n > 0 && access(header, R_OK) == 0)
        (void)snprintf(folder, PATH_MAX, "%.*s/include", PATH_MAX - 10, tool);
    else
        (void)snprintf(folder, PATH_MAX, "%s", POLHODE_HEADERS);
}

/* A folder that is kept for what was compiled; false if there is none. */
static bool cache_folder(char folder[PATH_MAX])
{
    const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const mode_t mode = 0700;
    if (given != NULL && given[0] == '/')
        (void)snprintf(folder, PATH_MAX, "%s", given);
    else if (home != NULL && home[0] == '/')
        (void)snprintf(folder, PATH_MAX, "%.*s/.cache", PATH_MAX - 10, home);
    else
        return false;
    (void)mkdir(folder, mode);
    const size_t used = strlen(folder);
    (void)snprintf(folder + used, PATH_MAX - used, "/polhode");
    (void)mkdir(folder, mode);
    return access(folder, W_OK | X_OK) == 0;
}

/* Compiles into the cache, unless it is there; *library is its path. */
static int compile(const char *path, char library[PATH_MAX])
{
    enum { ROOM = PATH_MAX + 64 };
    char folder[PATH_MAX], headers[PATH_MAX], temporary[ROOM], complaints[ROOM];
    const char *given = getenv("CC"),
               *cc = given != NULL && *given != '\0' ? given : "cc";
    REFUSE_IF(!cache_folder(folder),
              "no folder for what " WORDS " is compiled into: set XDG_CACHE_HOME to one",
              path);
    headers_folder(headers);
    (void)snprintf(temporary, sizeof temporary, "%s/%ld.i", folder, (long)getpid());
    (void)snprintf(complaints, sizeof complaints, "%s/%ld.log", folder, (long)getpid());
    const char *const preprocess[] = {cc,      "-std=c11", "-E", "-P",      "-I",
                                      headers, path,       "-o", temporary, NULL};
    const int done = run_command(preprocess, complaints), error = errno;
    if (done < 0) {
        (void)unlink(complaints);
        return fail_usage("the compiler " WORDS " cannot be started (%s): set CC to one",
                          cc, strerror(error));
    }
    size_t length = 0;
    char *text = done == 0 ? bytes_of(temporary, &length) : NULL;
    const uint64_t sum = text ? checksum(text, length) : 0;
    free(text);
    (void)unlink(temporary);
    if (done != 0)
        return fail_compiler(cc, path, complaints);
    (void)snprintf(library, PATH_MAX, "%.*s/%016" PRIx64 ".so", PATH_MAX - 40, folder,
                   sum);
    if (access(library, R_OK) == 0) {
        (void)unlink(complaints);
        return 0;
    }
    (void)snprintf(temporary, sizeof temporary, "%s/%ld.so", folder, (long)getpid());
    const char *const words[] = {
        cc,      "-std=c11", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-I",
        headers, path,       "-o",  temporary,           "-lm",   NULL};
    if (run_command(words, complaints) != 0)
        return fail_compiler(cc, path, complaints);
    (void)unlink(complaints);
    if (rename(temporary, library) != 0) {
        (void)unlink(temporary);
        return fail_create(library, errno);
    }
    return 0;
}

/* ---- the problem in a library ------------------------------------------------------ */

/* Whether a part of a file of `length` bytes lies within it. */
static bool is_within(size_t length, uint64_t offset, uint64_t size)
{
    return offset <= length && size <= length - offset;
}

/* The name of the one object of the size of a problem among the dynamic symbols of an ELF
 * file; *count how many there are. */
static const char *problem_symbol(const char *bytes, size_t length, int *count)
{
    const char *found = NULL;
    ElfW(Ehdr) head;
    *count = 0;
    if (length < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return NULL;
    memcpy(&head, bytes, sizeof head);
    for (unsigned i = 0; i < head.e_shnum; i++) {
        ElfW(Shdr) part, names;
        const uint64_t at = head.e_shoff + (uint64_t)i * sizeof part;
        if (!is_within(length, at, sizeof part))
            return NULL;
        memcpy(&part, bytes + at, sizeof part);
        if (part.sh_type != SHT_DYNSYM || part.sh_link >= head.e_shnum ||
            !is_within(length, part.sh_offset, part.sh_size) ||
            !is_within(length, head.e_shoff, ((uint64_t)part.sh_link + 1) * sizeof names))
            continue;
        memcpy(&names, bytes + head.e_shoff + part.sh_link * sizeof names, sizeof names);
        for (uint64_t k = 0; k < part.sh_size / sizeof(ElfW(Sym)); k++) {
            ElfW(Sym) symbol;
            memcpy(&symbol, bytes + part.sh_offset + k * sizeof symbol, sizeof symbol);
            const uint64_t name = names.sh_offset + symbol.st_name;
            if ((symbol.st_info & 0xf) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF ||
                symbol.st_size != sizeof(ph_problem) || name >= length ||
                memchr(bytes + name, '\0', length - (size_t)name) == NULL)
                continue;
            found = bytes + name;
            ++*count;
        }
    }
    return found;
}

/* What would lead outside of the problem's own memory. */
static int check(const ph_problem *p, const char *path)
{
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        REFUSE_IF(a->name == NULL || a->count < 1 || a->first < 0 ||
                      a->first > PH_PARAMETER_VALUES - a->count,
                  WORDS ": parameter %d has no name, or no place among the %d values: "
                        "correct it",
                  path, i, PH_PARAMETER_VALUES);
    }
    REFUSE_IF(p->potential == NULL && p->torque == NULL && p->internal == NULL,
              WORDS ": the problem has no torque: write one", path);
    REFUSE_IF(p->potential != NULL && p->torque == NULL,
              WORDS ": the problem has a potential and no torque: write -dU/dxi", path);
    return 0;
}

static int take_problem(const char *path, const char *library, ph_problem *out)
{
    size_t length = 0;
    int count = 0;
    char *bytes = bytes_of(library, &length);
    const char *name = bytes ? problem_symbol(bytes, length, &count) : NULL;
    void *handle = count == 1 ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
    const void *symbol = handle ? dlsym(handle, name) : NULL;
    if (symbol != NULL)
        memcpy(out, symbol, sizeof *out);
    free(bytes);
    REFUSE_IF(count == 0,
              WORDS " has no `const ph_problem` of this version: write one, not static",
              path);
    REFUSE_IF(count > 1, WORDS " has %d problems: leave one", path, count);
    REFUSE_IF(symbol == NULL, WORDS " cannot be loaded (%.200s): correct it", path,
              dlerror());
    if (out->name == NULL || out->name[0] == '\0')
        out->name = "own";
    if (out->q.w == 0.0 && out->q.x == 0.0 && out->q.y == 0.0 && out->q.z == 0.0)
        out->q.w = 1.0;
    return check(out, path);
}

int problem_file_load(const char *path, ph_problem *out)
{
    char library[PATH_MAX];
    REFUSE_IF(access(path, R_OK) != 0, WORDS " cannot be read (%s): name a file", path,
              strerror(errno));
    file_read(path);
    if (ends_in(path, ".c"))
        TRY(compile(path, library));
    else
        REFUSE_IF(realpath(path, library) == NULL,
                  WORDS " cannot be read (%s): name a file", path, strerror(errno));
    return take_problem(path, library, out);
}
