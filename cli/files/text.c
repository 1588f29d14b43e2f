/* text.c - text of others: what may be shown of it. */
#include "cli/files/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t text_character(const char *text, size_t length)
{
    static const struct form {
        unsigned char mask, lead;
        uint32_t least; /* shorter forms are not allowed */
    } forms[] = {
        {0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const uint32_t largest = 0x10FFFF, delete = 0x7F, control = 0xA0;
    const unsigned char *byte = (const unsigned char *)text;
    for (size_t n = 1; n <= sizeof forms / sizeof forms[0] && n <= length; n++) {
        const struct form *f = &forms[n - 1];
        if ((byte[0] & f->mask) != f->lead)
            continue;
        uint32_t code = byte[0] & (unsigned char)~f->mask;
        for (size_t i = 1; i < n; i++) {
            if ((byte[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (byte[i] & 0x3F);
        }
        const bool shown = code >= ' ' && (code < delete || code >= control);
        const bool surrogate = code >= 0xD800 && code < 0xE000;
        return shown && !surrogate && code >= f->least && code <= largest ? n : 0;
    }
    return 0;
}

void text_clean(char *text, size_t length, bool keep_lines)
{
    for (size_t i = 0; i < length;) {
        const size_t n = text_character(text + i, length - i);
        if (n == 0 && !(keep_lines && (text[i] == '\n' || text[i] == '\t')))
            text[i] = '?';
        i += n == 0 ? 1 : n;
    }
}
