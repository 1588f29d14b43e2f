/* jansson.c - texts of jansson count as written, and so do blocks that it allocates with a
 * function of the program: MemorySanitizer does not see who writes them. */
#include <stdarg.h>
#include <string.h>

#include <jansson.h>

#include <sanitizer/msan_interface.h>

__typeof__(json_set_alloc_funcs) __real_json_set_alloc_funcs, __wrap_json_set_alloc_funcs;

static json_malloc_t allocate;

static void *allocate_written(size_t size)
{
    void *block = allocate(size);
    if (block != NULL)
        __msan_unpoison(block, size);
    return block;
}

void __wrap_json_set_alloc_funcs(json_malloc_t new_block, json_free_t release)
{
    allocate = new_block;
    __real_json_set_alloc_funcs(allocate_written, release);
}

__typeof__(json_dumps) __real_json_dumps, __wrap_json_dumps;

char *__wrap_json_dumps(const json_t *value, size_t flags)
{
    char *text = __real_json_dumps(value, flags);
    if (text != NULL)
        __msan_unpoison(text, strlen(text) + 1);
    return text;
}

/* The size of what json_unpack stores for a letter of its format; 0: nothing. */
static size_t stored_size(char letter)
{
    switch (letter) {
    case 's':
    case 'o':
    case 'O':
        return sizeof(void *);
    case 'f':
    case 'F':
        return sizeof(double);
    case 'I':
        return sizeof(json_int_t);
    case 'i':
    case 'b':
        return sizeof(int);
    default:
        return 0;
    }
}

__typeof__(json_unpack) __wrap_json_unpack;

/* In an object each letter `s` of a key, whose text is an argument, comes before that of its
 * value. Formats with other letters, or with objects inside objects, are not used. */
int __wrap_json_unpack(json_t *root, const char *format, ...)
{
    va_list given, stored;
    va_start(given, format);
    va_copy(stored, given);
    const int status = json_vunpack_ex(root, NULL, 0, format, given);
    const int is_object = format[0] == '{';
    int is_key = is_object;
    for (const char *letter = format; status == 0 && *letter != '\0'; letter++) {
        const size_t size = stored_size(*letter);
        if (size == 0)
            continue;
        void *to = va_arg(stored, void *);
        if (!is_key)
            __msan_unpoison(to, size);
        is_key = is_object && !is_key;
    }
    va_end(stored);
    va_end(given);
    return status;
}
