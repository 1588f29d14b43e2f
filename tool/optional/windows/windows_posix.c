/* windows_posix.c - functions of POSIX on Windows, as far as the tool uses them: posix.h, which is included
 * before this file too. */
#include <process.h>
#include <stdarg.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* ---- at the start: bytes are written as they are -------------------------------- */

__attribute__((constructor)) static void binary_files(void)
{
    _fmode = O_BINARY;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)_setmode(fd, O_BINARY);
}

/* ---- files ----------------------------------------------------------------------- */

/* The error of the last call of Windows, as errno. */
static int fail(void)
{
    const DWORD error = GetLastError();
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ||
        error == ERROR_INVALID_NAME)
        errno = ENOENT;
    else if (error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS)
        errno = EEXIST;
    else if (error == ERROR_DISK_FULL)
        errno = ENOSPC;
    else if (error == ERROR_NOT_ENOUGH_MEMORY)
        errno = ENOMEM;
    else
        errno = EACCES;
    return -1;
}

static int describe(HANDLE file, struct windows_stat *out)
{
    BY_HANDLE_FILE_INFORMATION facts;
    *out = (struct windows_stat){0};
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    if (GetFileType(file) != FILE_TYPE_DISK) {
        out->st_mode = GetFileType(file) == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR;
        return 0;
    }
    if (!GetFileInformationByHandle(file, &facts))
        return fail();
    out->st_dev = facts.dwVolumeSerialNumber;
    out->st_ino = (uint64_t)facts.nFileIndexHigh << 32 | facts.nFileIndexLow;
    out->st_size = (int64_t)((uint64_t)facts.nFileSizeHigh << 32 | facts.nFileSizeLow);
    out->st_mode = facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG;
    return 0;
}

static const char *name_of(const char *path)
{
    return strcmp(path, "/dev/null") == 0 ? "NUL" : path;
}

/* Files can be renamed and deleted while they are open. */
static HANDLE open_handle(const char *path, DWORD access, DWORD how)
{
    return CreateFileA(name_of(path), access,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

int windows_stat(const char *path, struct windows_stat *out)
{
    HANDLE file = open_handle(path, 0, OPEN_EXISTING);
    const int status = describe(file, out);
    if (file != INVALID_HANDLE_VALUE)
        (void)CloseHandle(file);
    return status;
}

int windows_fstat(int fd, struct windows_stat *out)
{
    return describe((HANDLE)_get_osfhandle(fd), out);
}

static DWORD access_of(int flags)
{
    const int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    if (way == O_RDWR)
        return GENERIC_READ | GENERIC_WRITE;
    if (way == O_WRONLY)
        return GENERIC_WRITE;
    return GENERIC_READ;
}

static DWORD disposition_of(int flags)
{
    if (!(flags & O_CREAT))
        return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
    if (flags & O_EXCL)
        return CREATE_NEW;
    return flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
}

int windows_open(const char *path, int flags, ...)
{
    HANDLE file = open_handle(path, access_of(flags), disposition_of(flags));
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    return _open_osfhandle((intptr_t)file, flags | O_BINARY);
}

int windows_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return 0;
    return fail();
}

FILE *windows_tmpfile(void)
{
    char folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (GetTempPathA(sizeof folder, folder) == 0 || GetTempFileNameA(folder, "ph", 0, path) == 0) {
        (void)fail();
        return NULL;
    }
    HANDLE file =
        CreateFileA(path, GENERIC_READ | GENERIC_WRITE | DELETE,
                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    return fdopen(_open_osfhandle((intptr_t)file, O_RDWR | O_BINARY), "w+b");
}

ssize_t readlink(const char *path, char *out, size_t size)
{
    if (strcmp(path, "/proc/self/exe") != 0) {
        errno = EINVAL; /* no link */
        return -1;
    }
    const DWORD length = GetModuleFileNameA(NULL, out, (DWORD)size);
    for (DWORD i = 0; i < length; i++) {
        if (out[i] == '\\')
            out[i] = '/';
    }
    return (ssize_t)length;
}

static ssize_t at_place(int fd, void *bytes, size_t size, off_t at, bool writes)
{
    const uint64_t place = (uint64_t)at;
    OVERLAPPED where = {.Offset = (DWORD)place, .OffsetHigh = (DWORD)(place >> 32)};
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    DWORD done = 0;
    const DWORD part = size < 1U << 30 ? (DWORD)size : 1U << 30;
    bool well;
    if (writes)
        well = WriteFile(file, bytes, part, &done, &where);
    else
        well = ReadFile(file, bytes, part, &done, &where);
    if (well || GetLastError() == ERROR_HANDLE_EOF)
        return (ssize_t)done;
    return fail();
}

ssize_t pread(int fd, void *to, size_t size, off_t from)
{
    return at_place(fd, to, size, from, false);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to)
{
    return at_place(fd, (void *)(uintptr_t)bytes, size, to, true);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t from)
{
    (void)at;
    DWORD pages = PAGE_READONLY, view = FILE_MAP_READ;
    if (protection & PROT_WRITE) {
        pages = PAGE_READWRITE;
        view = FILE_MAP_WRITE;
    }
    HANDLE file = INVALID_HANDLE_VALUE;
    if (!(flags & MAP_ANONYMOUS))
        file = (HANDLE)_get_osfhandle(fd);
    HANDLE map =
        CreateFileMappingA(file, NULL, pages, (DWORD)((uint64_t)size >> 32), (DWORD)size, NULL);
    void *place = NULL;
    if (map != NULL) {
        place = MapViewOfFile(map, view, 0, (DWORD)from, size);
        (void)CloseHandle(map); /* the view keeps it */
    }
    if (place != NULL)
        return place;
    (void)fail();
    return MAP_FAILED;
}

int munmap(void *at, size_t size)
{
    (void)size;
    if (UnmapViewOfFile(at))
        return 0;
    return fail();
}

/* ---- texts ----------------------------------------------------------------------- */

/* Memory as a file: a temporary one, read when it is closed. */
static struct {
    FILE *file;
    char **bytes;
    size_t *size;
} streams[16];
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;

FILE *open_memstream(char **bytes, size_t *size)
{
    FILE *f = windows_tmpfile();
    (void)pthread_mutex_lock(&streams_lock);
    size_t i = 0;
    while (i < sizeof streams / sizeof *streams && streams[i].file != NULL)
        i++;
    if (f != NULL && i < sizeof streams / sizeof *streams) {
        streams[i].file = f;
        streams[i].bytes = bytes;
        streams[i].size = size;
    }
    (void)pthread_mutex_unlock(&streams_lock);
    return f;
}

#undef fclose
int windows_fclose(FILE *f)
{
    bool well = true;
    (void)pthread_mutex_lock(&streams_lock);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (streams[i].file != f)
            continue;
        struct windows_stat file;
        (void)fflush(f);
        char *bytes = NULL;
        if (windows_fstat(fileno(f), &file) == 0)
            bytes = malloc((size_t)file.st_size + 1);
        well = bytes != NULL && (file.st_size == 0 ||
                                 pread(fileno(f), bytes, (size_t)file.st_size, 0) == file.st_size);
        *streams[i].bytes = bytes;
        *streams[i].size = 0;
        if (well) {
            bytes[file.st_size] = '\0';
            *streams[i].size = (size_t)file.st_size;
        }
        streams[i].file = NULL;
    }
    (void)pthread_mutex_unlock(&streams_lock);
    if (fclose(f) == 0 && well)
        return 0;
    return EOF;
}

ssize_t getline(char **line, size_t *size, FILE *f)
{
    size_t used = 0;
    for (int c = 0; c != '\n' && (c = getc(f)) != EOF;) {
        if (used + 2 > *size) {
            *size = 2 * (used + 64);
            *line = realloc(*line, *size);
            if (*line == NULL)
                return -1;
        }
        (*line)[used++] = (char)c;
        (*line)[used] = '\0';
    }
    if (used == 0)
        return -1;
    return (ssize_t)used;
}

/* Numbers within names are compared as numbers. */
int strverscmp(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        char *after_a, *after_b;
        const long x = strtol(a, &after_a, 10), y = strtol(b, &after_b, 10);
        const bool numbers = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
        if (numbers && x != y)
            return (x > y) - (x < y);
        if (!numbers && *a != *b)
            return *a - *b;
        if (numbers) {
            a = after_a - 1;
            b = after_b - 1;
        }
    }
    return *a - *b;
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *stpcpy(char *to, const char *from)
{
    const size_t length = strlen(from);
    return (char *)memcpy(to, from, length + 1) + length;
}

char *stpncpy(char *to, const char *from, size_t size)
{
    return strncpy(to, from, size) + strnlen(from, size);
}

/* ---- processes ------------------------------------------------------------------- */

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *files)
{
    *files = (posix_spawn_file_actions_t){{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}};
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *files, int from, int to)
{
    files->fd[to] = from;
    return 0;
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *files, int fd, const char *path,
                                     int flags, int mode)
{
    (void)path, (void)flags, (void)mode; /* /dev/null */
    files->fd[fd] = -1;
    return 0;
}

/* The child has the standard files that this process has at the moment. */
int posix_spawnp(pid_t *child, const char *name, posix_spawn_file_actions_t *files,
                 const void *attributes, char *const words[], char **environment)
{
    (void)attributes, (void)environment;
    int saved[3];
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int given = files->fd[fd];
        if (given < 0)
            given = windows_open("NUL", O_RDWR);
        saved[fd] = _dup(fd);
        (void)_dup2(given, fd);
        if (files->fd[fd] < 0)
            (void)close(given);
    }
    *child = (pid_t)_spawnvp(_P_NOWAIT, name, (const char *const *)words);
    int error = 0;
    if (*child == -1)
        error = errno;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        (void)_dup2(saved[fd], fd);
        (void)close(saved[fd]);
    }
    return error;
}

pid_t waitpid(pid_t child, int *status, int options)
{
    DWORD code = 0;
    HANDLE process = (HANDLE)(intptr_t)child;
    if (WaitForSingleObject(process, options & WNOHANG ? 0 : INFINITE) == WAIT_TIMEOUT)
        return 0;
    (void)GetExitCodeProcess(process, &code);
    (void)CloseHandle(process);
    *status = (int)code;
    return child;
}

int kill(pid_t child, int number)
{
    if (TerminateProcess((HANDLE)(intptr_t)child, (UINT)(128 + number)))
        return 0;
    return fail();
}

int fy_term_query_size(int fd, int *rows, int *columns)
{
    (void)fd, (void)rows, (void)columns;
    return -1;
}

long sysconf(int name)
{
    SYSTEM_INFO facts;
    GetSystemInfo(&facts);
    if (name == _SC_PAGESIZE)
        return (long)facts.dwPageSize;
    return (long)facts.dwNumberOfProcessors;
}

/* ---- signals and waiting --------------------------------------------------------- */

int windows_sigaction(int number, const struct sigaction *now, struct sigaction *before)
{
    if (before != NULL)
        *before = (struct sigaction){.sa_handler = SIG_DFL};
    if (now != NULL && (number == SIGINT || number == SIGTERM))
        (void)signal(number, now->sa_handler);
    return 0;
}

int poll(struct pollfd *files, unsigned count, int milliseconds)
{
    for (unsigned i = 0; i < count; i++)
        files[i].revents = files[i].events;
    if (count == 0 && milliseconds > 0)
        Sleep((DWORD)milliseconds);
    return (int)count;
}
