/* text.h - text of others: what may be shown of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* How many bytes the character at the beginning of the text has; 0 if there is none, or
 * none of UTF-8 (surrogates and longer forms than needed are not), or a control character:
 * U+0000 to U+001F, U+007F to U+009F. */
size_t text_character(const char *text, size_t length);

/* Puts a question mark for every byte that is no such character, so that nothing can steer
 * a terminal; ends of lines and tabs stay if `keep_lines`. */
void text_clean(char *text, size_t length, bool keep_lines);
