/* problem_file.c - a problem of the user's own in C.
 *
 * FILE.c is compiled by $CC or cc with the headers that were installed beside the tool, or
 * those of the tree it was built from, into $XDG_CACHE_HOME/polhode, where it is found again
 * under the checksum of its preprocessed text; FILE.so is copied there. The problem is the
 * object `problem` of the library. It may call what the tool exports, which is the library.
 */
#define _GNU_SOURCE /* dladdr1 */
#include "tool/input/input.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/hash.h"
#include "tool/base/tool.h"
#include "tool/files/memory.h"
#include "tool/files/posix.h"

enum { LARGEST = 64 << 20, MOST_SHOWN = 300 };

/* ---- the compiler ----------------------------------------------------------------- */

/* Runs a compiler whose words end with NULL, and reports the first error among its
 * complaints, which go into a file of the folder for a while. */
static int run_compiler(const char *const words[], const char *path, const char *folder)
{
    const mode_t mode = 0600;
    pid_t child = -1;
    const char *log_path = memory_text("%s/%ld.log", folder, (long)getpid()), *why;
    const int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    int error = errno, status = 0;
    if (log >= 0) {
        error = child_start(&child, words, (int[]){-1, -1, log});
        (void)close(log);
    }
    if (error == 0)
        status = child_wait(child, &interrupted);
    size_t length = 0;
    const char *text = NULL;
    if (status != 0)
        text = file_whole(log_path, LARGEST, &length, &why);
    (void)unlink(log_path);
    REFUSE_IF(error != 0, "the compiler " WORDS " cannot be started (%s): set CC to a C compiler",
              words[0], strerror(error));
    if (status == 0)
        return 0;
    if (!(text && *text != '\0'))
        text = "no message";
    const char *at = text_or(strstr(text, "error:"), text);
    while (at > text && at[-1] != '\n')
        at--;
    const int shown = smaller_int((int)strcspn(at, "\n"), MOST_SHOWN);
    return fail_usage(WORDS " cannot be compiled by " WORDS " (%.*s): correct it", path, words[0],
                      shown, at);
}

/* The folder of the headers: beside the tool, or where it was built. */
static const char *headers_folder(void)
{
    char tool[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", tool, sizeof tool - 1);
    tool[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 2 && tool[0] != '\0'; up++) {
        char *slash = strrchr(tool, '/');
        if (slash == NULL)
            slash = tool;
        *slash = '\0';
    }
    const char *header = memory_text("%s/include/polhode/polhode.h", tool);
    if (n > 0 && access(header, R_OK) == 0)
        return memory_text("%s/include", tool);
    return POLHODE_HEADERS;
}

/* A folder that is kept for what was compiled; NULL if there is none. */
static const char *cache_folder(void)
{
    const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const mode_t mode = 0700;
    const char *caches = given;
    if (given == NULL || given[0] != '/') {
        if (home == NULL || home[0] != '/')
            return NULL;
        caches = memory_text("%s/.cache", home);
    }
    (void)mkdir(caches, mode);
    const char *folder = memory_text("%s/polhode", caches);
    (void)mkdir(folder, mode);
    struct stat there; /* what is in it is executed: no one else may write there */
    const bool own = stat(folder, &there) == 0 && there.st_uid == geteuid() &&
                     (there.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (own && access(folder, W_OK | X_OK) == 0)
        return folder;
    return NULL;
}

/* ---- the cache -------------------------------------------------------------------- */

/* A library of the cache ends with the checksum of what is before: one that was cut, or altered,
 * is made anew. */
enum { SEAL = sizeof(uint64_t) };

static bool is_kept(const char *library)
{
    size_t length = 0;
    uint64_t seal;
    const char *why, *bytes = file_whole(library, LARGEST, &length, &why);
    if (bytes == NULL || length <= SEAL)
        return false;
    memcpy(&seal, bytes + length - SEAL, SEAL);
    return seal == hash_bytes(HASH_BEGIN, bytes, length - SEAL);
}

static int keep(const char *library, const char *bytes, size_t length)
{
    const uint64_t seal = hash_bytes(HASH_BEGIN, bytes, length);
    outfile *out = outfile_open(library);
    if (out == NULL)
        return fail_create(library, errno);
    outfile_write(out, bytes, length);
    outfile_write(out, &seal, SEAL);
    return file_close(out, library, "");
}

/* Sets the path in the cache of what has that checksum. Nothing that stands in a snapshot
 * alone is executed: there only what is in the cache will do, and *is_there. */
static int find_library(const char *path, const char *folder, uint64_t sum, bool known,
                        uint64_t *was, const char **library, bool *is_there)
{
    REFUSE_IF(*was != 0 && *was != sum,
              "the problem's file " WORDS
              " is unchanged, but a file that it includes has changed: start the run again",
              path);
    *was = sum;
    *library = memory_text("%s/%016" PRIx64 ".so", folder, sum);
    *is_there = is_kept(*library);
    REFUSE_IF(known && !*is_there,
              "the snapshot would execute " WORDS
              ", which was never run here: if you trust it, start a run with --problem",
              path);
    return 0;
}

static int compile(const char *path, const char *folder, bool known, uint64_t *was,
                   const char **library)
{
    const char *why,
        *cc = text_or_empty(getenv("CC")), *headers = headers_folder(),
        *source = memory_text("%s%s", text_if(strchr("-@", path[0]) != NULL, "./"), path),
        *made = memory_text("%s/%ld.made", folder, (long)getpid());
    if (*cc == '\0')
        cc = "cc";
    size_t length = 0;
    bool is_there;
    int status = run_compiler(
        (const char *const[]){cc, "-std=c11", "-E", "-P", "-I", headers, source, "-o", made, NULL},
        path, folder);
    uint64_t sum = 0;
    if (status == 0)
        sum = problem_file_checksum(made);
    (void)unlink(made);
    TRY(status);
    TRY(find_library(path, folder, sum, known, was, library, &is_there));
    if (is_there)
        return 0;
    status = run_compiler((const char *const[]){cc, "-std=c11", "-O2", "-ffp-contract=off", "-fPIC",
                                                "-shared", "-I", headers, source, "-o", made, "-lm",
                                                NULL},
                          path, folder);
    const char *bytes = NULL;
    if (status == 0)
        bytes = file_whole(made, LARGEST, &length, &why);
    (void)unlink(made);
    TRY(status);
    if (bytes)
        return keep(*library, bytes, length);
    return fail_memory();
}

/* ---- the problem in a library ------------------------------------------------------ */

/* The object of that name, if it has the size of a problem. */
static const ph_problem *problem_named(void *handle, const char *name)
{
    Dl_info info;
    const ElfW(Sym) *of = NULL;
    const void *found = dlsym(handle, name);
    if (found != NULL && dladdr1(found, &info, (void **)&of, RTLD_DL_SYMENT) != 0 && of != NULL &&
        of->st_size == sizeof(ph_problem))
        return found;
    return NULL;
}

/* A file without `problem` may have one of its own name, as older ones do. */
static const ph_problem *find_in(void *handle, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = path;
    if (slash)
        base = slash + 1;
    char name[NAME_MAX + 1];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    const ph_problem *found = problem_named(handle, "problem");
    if (found)
        return found;
    return problem_named(handle, name);
}

/* What would lead outside of the problem's own memory. */
static int check(const ph_problem *p, const char *path)
{
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *a = &p->parameters[i];
        REFUSE_IF(a->name == NULL || !text_is_plain(a->name) || a->count < 1 || a->first < 0 ||
                      a->first > PH_PARAMETER_VALUES - a->count,
                  WORDS ": parameter %d has no name, or is outside the %d values: correct it", path,
                  i, PH_PARAMETER_VALUES);
    }
    REFUSE_IF(p->potential == NULL && p->torque == NULL && p->internal == NULL,
              WORDS ": the problem has no torque: write one", path);
    REFUSE_IF(p->potential != NULL && p->torque == NULL,
              WORDS ": the problem has a potential but no torque: write the torque -dU/dxi", path);
    return 0;
}

static int take_problem(const char *path, const char *library, ph_problem *out)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    REFUSE_IF(handle == NULL, WORDS " cannot be loaded (%.200s): correct it", path, dlerror());
    const ph_problem *found = find_in(handle, path);
    REFUSE_IF(found == NULL,
              WORDS
              " has no `const ph_problem problem` of this version: write one that is not static",
              path);
    *out = *found;
    if (out->name == NULL || out->name[0] == '\0' || !text_is_plain(out->name))
        out->name = "own";
    if (out->q.w == 0.0 && out->q.x == 0.0 && out->q.y == 0.0 && out->q.z == 0.0)
        out->q.w = 1.0;
    return check(out, path);
}

static int load_problem(const char *path, bool known, uint64_t *sum, ph_problem *out)
{
    size_t length = 0;
    const char *library = NULL, *why;
    bool is_there = true;
    TRY(file_refuse_name(path));
    const char *bytes = file_whole(path, LARGEST, &length, &why);
    REFUSE_IF(bytes == NULL, WORDS " cannot be read (%s): name a readable file", path, why);
    file_read(path);
    const char *folder = cache_folder();
    REFUSE_IF(folder == NULL,
              "there is no private folder for the library of " WORDS ": set XDG_CACHE_HOME to one",
              path);
    if (strcmp(strrchr(path, '.'), ".c") == 0)
        TRY(compile(path, folder, known, sum, &library));
    else
        TRY(find_library(path, folder, hash_bytes(HASH_BEGIN, bytes, length), known, sum, &library,
                         &is_there));
    if (!is_there)
        TRY(keep(library, bytes, length));
    return take_problem(path, library, out);
}

const problem_reader problem_reader_c = {load_problem};
