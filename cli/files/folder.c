/* folder.c - folders for output. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NEW_FOLDER 0777 /* less what umask takes away */

static bool is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

int folder_make(const char *path)
{
    char *part = strdup(path);
    if (part == NULL)
        return ENOMEM;
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
    free(part);
    return error;
}

char *folder_file(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}
