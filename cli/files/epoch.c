/* epoch.c - dates of the calendar, and seconds between them. */
#include "cli/files/epoch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"

#define DAY 86400.0 /* seconds */

enum { MONTHS = 12, FIRST_YEAR = 1, EPOCH_YEAR = 1970 };

static bool is_leap(long year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(long year, int month)
{
    static const int days[MONTHS] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to the first day of a year. */
static long days_to_year(long year)
{
    const long before = year - 1, base = EPOCH_YEAR - 1;
    return 365 * (year - EPOCH_YEAR) + (before / 4 - before / 100 + before / 400) -
           (base / 4 - base / 100 + base / 400);
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

/* MM-DD or DDD: the day of the year, from 0; negative if it is none. */
static long day_of_year(const char **text, long year)
{
    const char *at = *text;
    const long day = digits(&at, 3);
    if (day >= 0 && *at == 'T') {
        *text = at;
        return day >= 1 && day <= (is_leap(year) ? 366 : 365) ? day - 1 : -1;
    }
    at = *text;
    const long month = digits(&at, 2);
    if (month < 1 || month > MONTHS || !take(&at, '-'))
        return -1;
    const long of_month = digits(&at, 2);
    if (of_month < 1 || of_month > days_of_month(year, (int)month))
        return -1;
    long before = 0;
    for (int m = 1; m < month; m++)
        before += days_of_month(year, m);
    *text = at;
    return before + of_month - 1;
}

bool epoch_read(epoch *e, const char *text)
{
    const long year = digits(&text, 4);
    if (year < FIRST_YEAR || !take(&text, '-'))
        return false;
    const long day = day_of_year(&text, year);
    if (day < 0 || !take(&text, 'T'))
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
    *e = (epoch){days_to_year(year) + day,
                 60.0 * (60.0 * (double)hour + (double)minute) + seconds};
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
    return e.day >= days_to_year(1000) && e.day < days_to_year(10000);
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
    long year = EPOCH_YEAR + (long)floor((double)day / 365.2425);
    while (days_to_year(year) > day)
        year--;
    while (days_to_year(year + 1) <= day)
        year++;
    long rest = day - days_to_year(year);
    int month = 1;
    while (rest >= days_of_month(year, month))
        rest -= days_of_month(year, month++);
    const int minutes = (int)(second / 60.0);
    double left = second - 60.0 * minutes;
    if (round(left * unit) / unit >= 60.0) /* by the rounding of the subtraction */
        left = 60.0 - 1.0 / unit;
    (void)snprintf(text, EPOCH_TEXT, "%04d-%02d-%02dT%02d:%02d:%0*.*f", (int)year, month,
                   (int)rest + 1, minutes / 60, minutes % 60,
                   decimals > 0 ? decimals + 3 : 2, decimals, left);
    return text;
}
