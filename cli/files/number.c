/* number.c - numbers as people type them, read strictly. */
#define _POSIX_C_SOURCE 200809L
#include "cli/files/number.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

number_status duration_read(const char **text, double *x)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
    const char *at = *text;
    double value;
    const number_status status = number_read(&at, &value);
    if (status != NUMBER_OK)
        return status;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t length = strlen(units[i].name);
        if (strncmp(at, units[i].name, length) != 0 || isalnum((unsigned char)at[length]))
            continue;
        value *= units[i].seconds;
        at = skip_spaces(at + length);
        break;
    }
    if (!isfinite(value))
        return NUMBER_TOO_LARGE;
    *text = at;
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
