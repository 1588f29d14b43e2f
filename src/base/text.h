/* text.h - words in messages. */
#pragma once

#include <stdio.h>
#include <string.h>

/* The user's own words in a message, cut to a readable length. */
#define WORDS "%.100s"

/* Adds a word to a list of words, "a, b, c", in `size` bytes; one that does not fit is cut. */
static inline void text_add(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", word);
}
