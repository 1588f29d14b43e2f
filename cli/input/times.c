/* times.c - times as options give them: a list, start:end:count, start:end@step, or a number
 * of steps. */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "cli/files/memory.h"
#include "cli/files/text.h"
#include "cli/tool/tool.h"

#define MOST       9007199254740992 /* 2^53: up to here doubles count exactly */
#define TOLERANCE  1e-9             /* of the number of steps, relative from 1 on */
#define MOST_APART 1e-3             /* of a step, however many there are */

static int bad_range(const char *name)
{
    return fail_usage("%s: write start:end:count with a whole count from 1, or "
                      "start:end@step, for example %s 0:40:401 or %s 0:1d@10min",
                      name, name, name);
}

/* The times from start on by the step, up to the end, which need not be one of them. */
static int by_step(time_list *t, const char *name)
{
    const double span = t->end - t->start, ratio = span / t->step;
    REFUSE_IF(t->step == 0.0, "%s: the step after @ is zero: write another", name);
    REFUSE_IF(ratio < 0.0,
              "%s: the step after @ leads away from the end: give it the other sign",
              name);
    REFUSE_IF(!(ratio < (double)MOST), "%s: more than 2^53 times: ask for fewer", name);
    const double whole = round(ratio);
    const bool even = fabs(ratio - whole) <=
                      smaller_or_nan(TOLERANCE * larger_or_nan(1.0, ratio), MOST_APART);
    const double steps = even ? whole : floor(ratio);
    t->count = (unsigned long long)steps + 1;
    if (!even)
        t->end = t->start + steps * t->step;
    return 0;
}

/* start:end:count or start:end@step */
static int range_read(time_list *t, const char *name, const char *text)
{
    const char *at = text;
    t->step = 0.0;
    number_status status = duration_read(&at, &t->start);
    if (status == NUMBER_OK && *at++ == ':')
        status = duration_read(&at, &t->end);
    const bool stepped = status == NUMBER_OK && *at == '@';
    if (stepped) {
        at++;
        status = duration_read(&at, &t->step);
    }
    REFUSE_IF(status != NUMBER_OK && status != NUMBER_MALFORMED,
              "%s: a time %s: write another", name, number_problem(status));
    if (status == NUMBER_OK && stepped && *at == '\0')
        return by_step(t, name);
    if (status != NUMBER_OK || stepped || *at++ != ':' || !isdigit((unsigned char)*at))
        return bad_range(name);
    char *end;
    errno = 0;
    t->count = strtoull(at, &end, 10);
    if (*end != '\0' || t->count < 1)
        return bad_range(name);
    if (errno == ERANGE || t->count > MOST)
        return fail_usage("%s: more than 2^53 times: ask for fewer", name);
    return 0;
}

static int list_read(time_list *t, const arguments *a, const char *name)
{
    const size_t count = list_length(argument(a, name));
    t->list = memory_new(count, sizeof *t->list);
    TRY(argument_durations(a, name, count, t->list));
    t->count = count;
    t->start = t->list[0];
    t->end = t->list[count - 1];
    return 0;
}

int times_read(time_list *t, const arguments *a, const char *name)
{
    const char *text = argument(a, name);
    *t = (time_list){0};
    if (strchr(text, ':') != NULL)
        return range_read(t, name, text);
    return list_read(t, a, name);
}

int times_of_scenario(time_list *t, double step, double end)
{
    *t = (time_list){
        .count = 1, .start = step == 0.0 ? end : 0.0, .end = end, .step = step};
    return step == 0.0 ? 0 : by_step(t, "time");
}

double times_at(const time_list *t, unsigned long long i)
{
    if (t->list != NULL)
        return t->list[i];
    if (i == 0)
        return t->start;
    if (i + 1 == t->count)
        return t->end;
    if (t->step != 0.0)
        return t->start + (double)i * t->step;
    const double steps = (double)(t->count - 1), step = (double)i;
    const double even = t->start + step * (t->end - t->start) / steps;
    if (isfinite(even))
        return even;
    return (1.0 - step / steps) * t->start +
           step / steps * t->end; /* end - start overflows */
}

int times_refuse(const time_list *t, const record *rows)
{
    const unsigned long long most = 10000;
    unsigned long long i = t->list == NULL && t->count > most ? t->count - most : 0;
    double before = i == 0 ? NAN : times_at(t, i - 1);
    for (; i < t->count && rows->format->refuse_time != NULL; i++) {
        const double now = times_at(t, i);
        const char *why = record_refuse_time(rows, times_at(t, 0), before, now);
        REFUSE_IF(why != NULL, REFUSED_ROW, i + 1, now, rows->format->text, why);
        if (interrupted)
            return stopped("interrupted: nothing was written");
        before = now;
    }
    return 0;
}

/* A number with as few digits as read back the same. */
static const char *shortest(double x)
{
    const int most = 17;
    int digits = 6;
    while (digits < most && strtod(memory_text("%.*g", digits, x), NULL) != x)
        digits++;
    return memory_text("%.*g", digits, x);
}

/* The nearest larger and the nearest smaller step; from the whole time on, the two
 * largest. */
static int fail_uneven(const char *place, double step, double time)
{
    const double few = larger_or_nan(1.0, floor(time / step));
    return fail_usage(
        "%sa time of %s is no whole number of steps of %s: take steps of %s or "
        "%s",
        place, shortest(time), shortest(step), shortest(time / few),
        shortest(time / (few + 1.0)));
}

int count_steps(const char *place, double step, double time, uint64_t *steps)
{
    REFUSE_IF(step == 0.0,
              "%sthe step is zero: take a positive one, or a negative one to go "
              "back",
              place);
    REFUSE_IF((step > 0.0 && time < 0.0) || (step < 0.0 && time > 0.0),
              "%sthe time %s is not in the direction of the step: give both the "
              "same sign",
              place, shortest(time));
    const double ratio = time / step, whole = round(ratio);
    REFUSE_IF(!(ratio <= (double)MOST),
              "%sthe step %s is too small, it takes more than 2^53: take a larger "
              "one",
              place, shortest(step));
    if (fabs(ratio - whole) > TOLERANCE * larger_or_nan(1.0, ratio))
        return fail_uneven(place, step, time);
    *steps = (uint64_t)whole;
    return 0;
}

int read_every(const char *name, double x, uint64_t *every)
{
    REFUSE_IF(!(x >= 1.0) || x != floor(x) || x > (double)MOST,
              "%s %g: only every n-th step can be written, n from 1: write a whole "
              "number",
              name, x);
    *every = (uint64_t)x;
    return 0;
}
