/* memory.h - memory and objects that last until the command ends.
 *
 * A command makes what it needs and frees nothing: memory_free() frees all at the end. No
 * function returns NULL: without memory the handler ends the tool. What is needed again and again
 * while a command runs, a row or a snapshot, is allocated and freed by other means.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* What is called without memory, and does not return; the default is abort(). */
void memory_handler(void (*handler)(void));

/* Zeros; a block with more room, what it had kept and the rest zeros, NULL for the first. */
void *memory_new(size_t count, size_t size);
void *memory_more(void *block, size_t count, size_t size);

/* A text as printf formats it. */
__attribute__((format(printf, 1, 2))) char *memory_text(const char *format, ...);
char *memory_vtext(const char *format, va_list values);

/* Returns a copy of the first word of a list separated by commas, and moves *list to the rest,
 * which is NULL after the last word. Returns NULL if *list is NULL. */
char *memory_word(const char **list);

/* Returns a list, "a, b", with one word more. */
const char *memory_list(const char *list, const char *word);

/* Calls `end` for an object, unless that is NULL, at the end: for what was made last first. */
void memory_at_end(void (*end)(void *object), void *object);

/* Ends those objects; and frees all memory, too. */
void memory_end(void);
void memory_free(void);

/* A block that does not last: it is freed by free(). */
void *memory_block(size_t size);
