/* file_text.c - text of people: what may be shown of it, numbers and names in it. */
#define _POSIX_C_SOURCE 200809L
#include "tool/files/file_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/choice.h"
#include "base/unit_names.h"
#include "polhode/system.h"
#include "tool/files/memory.h"

/* ---- text of others --------------------------------------------------------------- */

size_t text_character(const char *text, size_t length)
{
    static const struct form {
        unsigned char mask, lead;
        uint32_t least; /* shorter forms are not allowed */
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
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
        if (shown && !surrogate && code >= f->least && code <= largest)
            return n;
        return 0;
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

const char *text_without_mark(const char *text)
{
    const size_t length = strlen(TEXT_MARK);
    if (strncmp(text, TEXT_MARK, length) == 0)
        return text + length;
    return text;
}

bool text_is_plain(const char *text)
{
    size_t length = strlen(text), n = 1;
    for (; length > 0 && n > 0; text += n, length -= n)
        n = text_character(text, length);
    return n > 0;
}

int text_cut(const char *text, int most)
{
    const size_t length = strlen(text);
    size_t cut = smaller_size(length, (size_t)most);
    while (cut < length && cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80)
        cut--;
    return (int)cut;
}

/* ---- numbers as people type them, read strictly ----------------------------------- */

static const char *skip_spaces(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

bool integer_read(const char *text, int64_t *x)
{
    const char *digits = text + (*text == '-');
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] != '\0')
        return false;
    errno = 0;
    *x = strtoll(text, NULL, 10);
    return errno == 0;
}

number_status number_read(const char **text, double *x)
{
    const char *start = skip_spaces(*text);
    const char *digits = start + (*start == '+' || *start == '-');
    const char *word = digits + (*digits == '.'); /* YAML writes .nan */
    if (strncasecmp(word, "inf", 3) == 0 || strncasecmp(word, "nan", 3) == 0)
        return NUMBER_NOT_FINITE;
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return NUMBER_MALFORMED;
    char *end;
    const double value = strtod(start, &end);
    if (end == start)
        return NUMBER_MALFORMED;
    if (!isfinite(value))
        return NUMBER_TOO_LARGE;
    *text = skip_spaces(end);
    *x = value;
    return NUMBER_OK;
}

/* ---- units ------------------------------------------------------------------------ */

/* The unit of time of the problem that is read, in seconds. */
static double unit_of_time = 1.0;

void time_unit_of(const char *problem)
{
    ph_problem_facts p;
    unit_of_time = 1.0;
    for (size_t i = 0; problem != NULL && ph_problem_at(i, &p); i++) {
        if (strcmp(p.name, problem) == 0 && p.time_unit != 0.0)
            unit_of_time = p.time_unit;
    }
}

number_status quantity_read(const char **text, double *x, const char **unit)
{
    const number_status status = number_read(text, x);
    const bool named = status == NUMBER_OK && isalpha((unsigned char)**text);
    *unit = NULL;
    if (named) {
        *unit = *text;
        *text += strcspn(*text, ",:@");
    }
    return status;
}

bool quantity_convert(const char *of, bool degrees, const char *unit, double *x)
{
    const char *name = text_or(unit, text_if(degrees && strcmp(of, "rad") == 0, "deg"));
    const size_t length = strcspn(name, " \t,:@");
    const char *rest = skip_spaces(name + length);
    const ph_unit *u = ph_unit_find(name, length, of);
    if (u != NULL && strchr(",:@", *rest) != NULL) {
        if (strcmp(of, "t") == 0)
            *x *= u->factor / unit_of_time;
        else
            *x *= u->factor;
        return isfinite(*x);
    }
    return *name == '\0';
}

/* Those of a quantity, "m, km". */
static const char *list_units(const char *of)
{
    const char *text = "";
    const ph_unit *u;
    for (size_t i = 0; (u = ph_unit_at(i)) != NULL; i++) {
        if (ph_unit_is_of(u, of))
            text = memory_list(text, u->name);
    }
    return text;
}

const char *unit_problem(const char *of, const char *unit)
{
    const int length = (int)strcspn(unit, ",:@");
    const char *names = list_units(of);
    if (names[0] == '\0')
        return "cannot have a unit: write the number alone";
    return memory_text("cannot be in `%.*s`: write one of %s", smaller_int(length, 20), unit,
                       names);
}

number_status duration_read(const char **text, double *x)
{
    const char *at = *text, *unit;
    double value;
    const number_status status = quantity_read(&at, &value, &unit);
    if (status != NUMBER_OK)
        return status;
    if (!quantity_convert("t", false, unit, &value))
        return isfinite(value) ? NUMBER_NO_TIME : NUMBER_TOO_LARGE;
    *text = at;
    *x = value;
    return NUMBER_OK;
}

const char *number_problem(number_status status)
{
    if (status == NUMBER_NOT_FINITE)
        return "is not finite";
    if (status == NUMBER_TOO_LARGE)
        return "is too large for a double";
    if (status == NUMBER_NO_TIME)
        return memory_text("does not have a unit of time (%s)", list_units("t"));
    return "is not a number";
}

/* ---- what may help against an error of the system --------------------------------- */

const char *advice(int error, const char *otherwise)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "free some disk space and run the command again";
    case EFBIG:
        return "raise the limit on the file size (ulimit -f) and run the command again";
    case EMFILE:
        return "raise the limit on open files (ulimit -n) and run the command again";
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
        return "close other programs and run the command again";
    default:
        return otherwise;
    }
}
