/* text.h - words in messages. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The user's own words in a message, cut to a readable length. */
#define WORDS "%.100s"

/* The text if it is wanted, otherwise an empty one: text_if(n != 1, "s"), text_if(i > 0, ", "). */
static inline const char *text_if(bool wanted, const char *text)
{
    return wanted ? text : "";
}

static inline const char *text_or_empty(const char *text)
{
    return text_if(text != NULL, text);
}

/* Adds a word to a list of words, "a, b, c", in `size` bytes; one that does not fit is cut. */
static inline void text_add(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", text_if(used > 0, ", "), word);
}

/* A text, or another one in the place of NULL. */
static inline const char *text_or(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

static inline const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "no";
}

/* The end of a noun after a number. */
static inline const char *plural(unsigned long long count)
{
    return count == 1 ? "" : "s";
}

/* What stands before an item of a list: nothing before the first, number 0. */
static inline const char *before_item(size_t number, const char *separator)
{
    return number == 0 ? "" : separator;
}
