/* number.c - numbers as people type them, read strictly. */
#define _POSIX_C_SOURCE 200809L
#include "io/number.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <strings.h>

static const char *skip_spaces(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static bool spells_no_number(const char *s)
{
    return strncasecmp(s, "inf", 3) == 0 || strncasecmp(s, "nan", 3) == 0;
}

number_status number_read(const char **text, double *x)
{
    const char *start = skip_spaces(*text);
    const char *digits = (*start == '+' || *start == '-') ? start + 1 : start;
    if (spells_no_number(*digits == '.' ? digits + 1 : digits)) /* YAML writes .nan */
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

const char *number_problem(number_status status)
{
    switch (status) {
    case NUMBER_NOT_FINITE:
        return "is not finite";
    case NUMBER_TOO_LARGE:
        return "is too large for a double";
    case NUMBER_OK:
    case NUMBER_MALFORMED:
        break;
    }
    return "is not a number";
}
