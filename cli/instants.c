/* instants.c - instants as people ask for them: a list, or start:end:count. */
#include "instants.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "report.h"

#define MOST_TIMES 9007199254740992ULL /* 2^53: up to here doubles count exactly */

static int bad_range(const char *name)
{
    return fail_usage("%s: `start:end:count` needs two numbers and a whole count from 1: "
                      "write for example %s 0:40:401",
                      name, name);
}

/* start:end:count */
static int range_read(instants *t, const char *name, const char *text)
{
    const char *at = text;
    number_status status = number_read(&at, &t->start);
    if (status == NUMBER_OK && *at++ == ':')
        status = number_read(&at, &t->end);
    if (status == NUMBER_NOT_FINITE || status == NUMBER_TOO_LARGE)
        return fail_usage("%s: a time %s: write finite ones", name,
                          number_problem(status));
    if (status != NUMBER_OK || *at++ != ':' || !isdigit((unsigned char)*at))
        return bad_range(name);
    char *end;
    errno = 0;
    t->count = strtoull(at, &end, 10);
    if (*end != '\0' || t->count < 1)
        return bad_range(name);
    if (errno == ERANGE || t->count > MOST_TIMES)
        return fail_usage("%s: more than 2^53 times: ask for fewer", name);
    return 0;
}

static int list_read(instants *t, const arguments *a, size_t which)
{
    const size_t count = list_length(argument(a, which));
    t->list = malloc(count * sizeof *t->list);
    if (t->list == NULL)
        return fail_memory();
    const int status = argument_numbers(a, which, count, t->list);
    if (status != 0)
        return status;
    t->count = count;
    t->start = t->list[0];
    t->end = t->list[count - 1];
    return 0;
}

int instants_read(instants *t, const arguments *a, size_t which)
{
    const char *text = argument(a, which);
    t->list = NULL;
    if (strchr(text, ':') != NULL)
        return range_read(t, a->options[which].name, text);
    return list_read(t, a, which);
}

void instants_free(instants *t)
{
    free(t->list);
}

double instants_at(const instants *t, unsigned long long i)
{
    if (t->list != NULL)
        return t->list[i];
    if (i == 0)
        return t->start;
    if (i + 1 == t->count)
        return t->end;
    const double steps = (double)(t->count - 1), step = (double)i;
    const double even = t->start + step * (t->end - t->start) / steps;
    if (isfinite(even))
        return even;
    return (1.0 - step / steps) * t->start +
           step / steps * t->end; /* end - start overflows */
}
