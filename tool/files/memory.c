/* memory.c - memory that lasts until the command ends. */
#include "tool/files/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A block of the list, and behind it what the caller has. */
typedef struct block {
    struct block *next, *before;
    size_t size;
    max_align_t content[];
} block;

static block *blocks;
static void (*without_memory)(void) = abort;

/* An object that is ended before. */
typedef struct ending {
    struct ending *next;
    void (*end)(void *object);
    void *object;
} ending;

static ending *endings;

void memory_handler(void (*handler)(void))
{
    without_memory = handler;
}

/* A block, unless there is none. */
static void *there(void *b)
{
    if (b != NULL)
        return b;
    without_memory();
    abort();
}

void *memory_block(size_t size)
{
    return there(malloc(size));
}

void *memory_more(void *content, size_t count, size_t size)
{
    block *old = NULL, *b = NULL;
    if (content != NULL)
        old = (block *)((char *)content - offsetof(block, content));
    if (size == 0 || count <= SIZE_MAX / 2 / size)
        b = realloc(old, sizeof *b + count * size);
    b = there(b);
    if (old == NULL)
        *b = (block){.next = blocks};
    if (count * size > b->size)
        memset((char *)b->content + b->size, 0, count * size - b->size);
    b->size = count * size;
    if (b->next != NULL)
        b->next->before = b;
    if (b->before != NULL)
        b->before->next = b;
    else
        blocks = b;
    return b->content;
}

void *memory_new(size_t count, size_t size)
{
    return memory_more(NULL, count, size);
}

char *memory_vtext(const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    const size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = memory_new(size, 1);
    (void)vsnprintf(text, size, format, values);
    return text;
}

char *memory_text(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = memory_vtext(format, values);
    va_end(values);
    return text;
}

const char *memory_list(const char *list, const char *word)
{
    return memory_text("%s%s%s", list, text_if(*list != '\0', ", "), word);
}

char *memory_word(const char **list)
{
    const char *from = *list;
    if (from == NULL)
        return NULL;
    const size_t length = strcspn(from, ",");
    if (from[length] == ',')
        *list = from + length + 1;
    else
        *list = NULL;
    return memory_text("%.*s", (int)length, from);
}

void memory_at_end(void (*end)(void *object), void *object)
{
    ending *e = memory_new(1, sizeof *e);
    *e = (ending){endings, end, object};
    endings = e;
}

void memory_end(void)
{
    for (; endings != NULL; endings = endings->next) {
        if (endings->object != NULL)
            endings->end(endings->object);
    }
}

void memory_free(void)
{
    memory_end();
    while (blocks != NULL) {
        block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}
