/* page.c - what the documentation says. */
#include "support/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/run_tool.h"

/* One blank for blanks and ends of lines in succession. */
static void join_lines(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        const bool blank = isspace((unsigned char)*from) != 0;
        if (!blank || (to > text && to[-1] != ' '))
            *to++ = blank ? ' ' : *from;
    }
    *to = '\0';
}

/* Takes out zeros and the plus of exponents: 1e-05, 1e+03. */
static void shorten_exponents(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        *to++ = *from;
        if (*from != 'e' || to - text < 2 || !isdigit((unsigned char)to[-2]) ||
            (from[1] != '-' && from[1] != '+'))
            continue;
        if (*++from == '-')
            *to++ = '-';
        while (from[1] == '0' && isdigit((unsigned char)from[2]))
            from++;
    }
    *to = '\0';
}

static char *page_text(const char *page)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/../../docs/%s", TEST_DATA, page);
    char *text = file_text(path);
    assert_non_null(text);
    join_lines(text);
    return text;
}

void page_pair(const char *page, const char *before, double x[2])
{
    char *text = page_text(page);
    const char *at = strstr(text, before);
    if (at == NULL || (sscanf(at + strlen(before), " %lf ± %lf", &x[0], &x[1]) != 2 &&
                       sscanf(at + strlen(before), " %lf to %lf", &x[0], &x[1]) != 2))
        fail_msg("docs/%s has no two numbers behind: %s", page, before);
    free(text);
}

void page_says(const char *page, const char *format, ...)
{
    char said[500];
    va_list numbers;
    va_start(numbers, format);
    const int length = vsnprintf(said, sizeof said, format, numbers);
    va_end(numbers);
    assert_true(length > 0 && length < (int)sizeof said);
    shorten_exponents(said);
    char *text = page_text(page);
    if (strstr(text, said) == NULL)
        fail_msg("docs/%s does not say: %s", page, said);
    free(text);
}
