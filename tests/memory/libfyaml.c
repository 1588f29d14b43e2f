/* libfyaml.c - texts of libfyaml count as written: MemorySanitizer does not see who writes them. */
#include <libfyaml.h>

#include <sanitizer/msan_interface.h>

__typeof__(fy_node_get_scalar0) __real_fy_node_get_scalar0, __wrap_fy_node_get_scalar0;

const char *__wrap_fy_node_get_scalar0(struct fy_node *node)
{
    size_t length = 0;
    const char *text = __real_fy_node_get_scalar0(node);
    (void)fy_node_get_scalar(node, &length);
    __msan_unpoison(&length, sizeof length);
    if (text != NULL)
        __msan_unpoison(text, length + 1);
    return text;
}
