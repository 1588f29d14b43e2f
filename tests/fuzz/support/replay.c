/* replay.c FOLDER|FILE... - calls a fuzz target with the inputs that are kept. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "fuzz.h"

enum { LONGEST = 100 }; /* seconds of processor time for one input */

/* Ends the program by SIGPROF after so many seconds of its own work; 0: no more. */
static void limit_processor_time(long seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    require(setitimer(ITIMER_PROF, &limit, NULL) == 0, "a timer");
}

static size_t replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    require(f != NULL && fseek(f, 0, SEEK_END) == 0, "%s can be read", path);
    const size_t size = (size_t)ftell(f);
    uint8_t *data = malloc(size + (size == 0)); /* a sanitizer sees its end */
    rewind(f);
    require(data != NULL && fread(data, 1, size, f) == size, "%s can be read", path);
    (void)fclose(f);
    (void)printf("%s\n", path); /* the last one printed is the one that failed */
    (void)fflush(stdout);
    limit_processor_time(LONGEST);
    (void)LLVMFuzzerTestOneInput(data, size);
    limit_processor_time(0);
    free(data);
    return 1;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static size_t replay(const char *path)
{
    struct dirent **entry;
    const int count = scandir(path, &entry, NULL, by_name);
    if (count < 0)
        return replay_file(path);
    size_t done = 0;
    for (int i = 0; i < count; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s", path, entry[i]->d_name);
        done += entry[i]->d_name[0] == '.' ? 0 : replay_file(file);
        free(entry[i]);
    }
    free(entry);
    return done;
}

int main(int argc, char **argv)
{
    (void)LLVMFuzzerInitialize(&argc, &argv);
    size_t done = 0;
    for (int i = 1; i < argc; i++)
        done += replay(argv[i]);
    require(done > 0, "there is an input");
    (void)printf("%zu inputs\n", done);
    return 0;
}
