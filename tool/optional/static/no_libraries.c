/* no_libraries.c - in the tool that is one file: no library is loaded, so there are no devices
 * and no problems in C. The linker puts these in the place of dlopen and its relatives. */
#include <stddef.h>

void *__wrap_dlopen(const char *path, int mode);
void *__wrap_dlopen(const char *path, int mode)
{
    (void)path, (void)mode;
    return NULL;
}

void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}

int __wrap_dlclose(void *library);
int __wrap_dlclose(void *library)
{
    (void)library;
    return 0;
}

char *__wrap_dlerror(void);
char *__wrap_dlerror(void)
{
    static char words[] = "the static tool cannot load libraries";
    return words;
}
