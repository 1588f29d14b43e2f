/* heap.c - which memory of the heap counts as written for MemorySanitizer.
 *
 * MemorySanitizer does not see what libraries write that are not instrumented, such as jansson. So
 * every new block counts as written, whoever allocates it. The linker puts the functions __wrap_
 * in the place of those that the program's own code calls, and these blocks are not written yet.
 */
#include <stddef.h>
#include <stdlib.h>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/msan_interface.h>

/* The functions for texts are not checked: libraries call them with texts on their own stack. */
const char *__msan_default_options(void);
const char *__msan_default_options(void)
{
    return "poison_in_malloc=0:poison_in_free=0:"
           "intercept_strchr=0:intercept_strcmp=0:intercept_strlen=0";
}

/* Called for each new block. */
void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
    __msan_unpoison(block, size);
}

__typeof__(malloc) __real_malloc, __wrap_malloc;
__typeof__(realloc) __real_realloc, __wrap_realloc;

void *__wrap_malloc(size_t size)
{
    void *block = __real_malloc(size);
    if (block != NULL)
        __msan_poison(block, size);
    return block;
}

/* What a block has beyond its old size is not written yet. */
void *__wrap_realloc(void *old, size_t size)
{
    const size_t before = old == NULL ? 0 : __sanitizer_get_allocated_size(old);
    char *block = __real_realloc(old, size);
    if (block != NULL && size > before)
        __msan_poison(block + before, size - before);
    return block;
}
