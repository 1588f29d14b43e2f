/* fuzz.c - files for the fuzz targets, and how they complain. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static FILE *complaints;                               /* standard error as it was at the start */
static char folder[] = "/dev/shm/polhode-fuzz-XXXXXX"; /* in memory, if there is such */

static char *const *told_of; /* words of a command line, up to NULL */

static void print_words(void)
{
    for (char *const *word = told_of; word != NULL && *word != NULL; word++)
        (void)fprintf(complaints, "%s'%s'", word == told_of ? "" : " ", *word);
    (void)fputs("\n", complaints);
    (void)fflush(complaints);
}

void tell_of(char *const *words)
{
    told_of = words;
    if (words != NULL && getenv("FUZZ_SHOW") != NULL)
        print_words();
}

void require(bool holds, const char *format, ...)
{
    if (holds)
        return;
    va_list values;
    va_start(values, format);
    (void)fputs("does not hold: ", complaints);
    (void)vfprintf(complaints, format, values);
    (void)fputc('\n', complaints);
    va_end(values);
    print_words();
    abort();
}

static void leave_folder(void)
{
    empty_folder();
    (void)rmdir(folder);
}

/* Sanitizers report there, too, whatever standard error is by then. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    for (int i = 1; i < *argc; i++) { /* files and folders, seen from where it began */
        char *path = realpath((*argv)[i], NULL);
        (*argv)[i] = path == NULL ? (*argv)[i] : path;
    }
    const int error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
              input = memfd_create("input", MFD_CLOEXEC);
    complaints = fdopen(error, "w");
    if (mkdtemp(folder) == NULL)
        (void)mkdtemp(strcpy(folder, "/tmp/polhode-fuzz-XXXXXX"));
    if (complaints == NULL || dup2(input, STDIN_FILENO) < 0 || chdir(folder) != 0 ||
        atexit(leave_folder) != 0)
        abort();
    (void)close(input);
    if (__sanitizer_set_report_fd != NULL)
        __sanitizer_set_report_fd((void *)(intptr_t)error);
    /* No gnuplot, nor any other program; scripts are checked instead. No driver of a device:
     * one that has to compile aborts where it finds no linker, and drivers leak. */
    return setenv("PATH", folder, 1) | setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
}

const char *input_file(const uint8_t *data, size_t size)
{
    require(ftruncate(STDIN_FILENO, 0) == 0 &&
                pwrite(STDIN_FILENO, data, size, 0) == (ssize_t)size &&
                lseek(STDIN_FILENO, 0, SEEK_SET) == 0,
            "an input of %zu bytes can be written", size);
    return "/dev/stdin";
}

void write_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "w");
    require(f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0, "%s can be written",
            path);
}

void empty_folder(void)
{
    DIR *all = opendir(".");
    const struct dirent *entry;
    while (all != NULL && (entry = readdir(all)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)remove(entry->d_name);
    }
    if (all != NULL)
        (void)closedir(all);
}
