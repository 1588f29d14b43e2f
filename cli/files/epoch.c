/* epoch.c - dates of the calendar, and seconds between them. */
#include "cli/files/epoch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"

#define DAY 86400.0 /* seconds */

enum { MONTHS = 12, FIRST_YEAR = 1 };

/* Days from 1970-01-01 to the first day of a month of a year. Years that begin in March have the
 * leap day last, and months of 153 days in five. */
static long days_to(long year, long month)
{
    const long y = year - (month < 3), m = (month + 9) % MONTHS;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 - 719468;
}

/* Of the month that follows, December's being January. */
static long days_to_next(long year, long month)
{
    return month == MONTHS ? days_to(year + 1, 1) : days_to(year, month + 1);
}

/* A number of exactly so many digits, moved past; negative if it is none. */
static long digits(const char **text, int count)
{
    long x = 0;
    for (int i = 0; i < count; i++, (*text)++) {
        if (!isdigit((unsigned char)**text))
            return -1;
        x = 10 * x + (**text - '0');
    }
    return x;
}

static bool take(const char **text, char c)
{
    const bool there = **text == c;
    *text += there;
    return there;
}

/* MM-DD or DDD: the day since 1970-01-01; false if it is none. */
static bool read_day(const char **text, long year, long *day)
{
    const char *at = *text;
    long month = 1, of_month = digits(&at, 3), end = days_to(year + 1, 1);
    if (of_month < 0 || *at != 'T') {
        at = *text;
        month = digits(&at, 2);
        if (month < 1 || month > MONTHS || !take(&at, '-'))
            return false;
        of_month = digits(&at, 2);
        end = days_to_next(year, month);
    }
    *text = at;
    *day = days_to(year, month) + of_month - 1;
    return of_month >= 1 && *day < end;
}

bool epoch_read(epoch *e, const char *text)
{
    const long year = digits(&text, 4);
    if (year < FIRST_YEAR || !take(&text, '-'))
        return false;
    long day;
    if (!read_day(&text, year, &day) || !take(&text, 'T'))
        return false;
    const long hour = digits(&text, 2);
    const bool colon = take(&text, ':');
    const long minute = digits(&text, 2);
    const bool second_colon = take(&text, ':');
    const char *at = text;
    const long second = digits(&at, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 ||
        !colon || !second_colon)
        return false;
    if (take(&at, '.')) {
        while (isdigit((unsigned char)*at))
            at++;
    }
    const double seconds = strtod(text, NULL);
    (void)take(&at, 'Z');
    *e = (epoch){day, 60.0 * (60.0 * (double)hour + (double)minute) + seconds};
    return *at == '\0';
}

epoch epoch_after(epoch e, double seconds)
{
    const double most = 1e9,
                 days = larger_or_nan(-most, smaller_or_nan(floor(seconds / DAY), most)),
                 rest = larger_or_nan(0.0, smaller_or_nan(seconds - days * DAY, DAY));
    double second = e.second + rest;
    long day = e.day + (long)days;
    if (second >= DAY) {
        second -= DAY;
        day++;
    }
    return (epoch){day, second};
}

epoch epoch_rounded(epoch e, int decimals)
{
    const double unit = pow(10.0, decimals), second = round(e.second * unit) / unit;
    return second < DAY ? (epoch){e.day, second} : (epoch){e.day + 1, 0.0};
}

bool epoch_in_range(epoch e)
{
    return e.day >= days_to(1000, 1) && e.day < days_to(10000, 1);
}

double epoch_between(epoch from, epoch to)
{
    return DAY * (double)(to.day - from.day) + (to.second - from.second);
}

const char *epoch_text(char text[EPOCH_TEXT], epoch e, int decimals)
{
    const double unit = pow(10.0, decimals);
    const epoch rounded = epoch_rounded(e, decimals);
    const double second = rounded.second;
    const long day = rounded.day;
    long year = 1970 + (long)floor((double)day / 365.2425), month = 1;
    while (days_to(year, 1) > day)
        year--;
    while (days_to(year + 1, 1) <= day)
        year++;
    while (days_to_next(year, month) <= day)
        month++;
    const int minutes = (int)(second / 60.0);
    double left = second - 60.0 * minutes;
    if (round(left * unit) / unit >= 60.0) /* by the rounding of the subtraction */
        left = 60.0 - 1.0 / unit;
    (void)snprintf(text, EPOCH_TEXT, "%04d-%02d-%02dT%02d:%02d:%0*.*f", (int)year,
                   (int)month, (int)(day - days_to(year, month)) + 1, minutes / 60,
                   minutes % 60, decimals > 0 ? decimals + 3 : 2, decimals, left);
    return text;
}
