/* epoch.c - dates of the calendar, and seconds between them. */
#define _GNU_SOURCE /* timegm */
#include "tool/files/epoch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/extremes.h"

#define DAY 86400.0 /* seconds */

/* Whether a text begins so, with any digits for zeros. */
static bool has_shape(const char *text, const char *shape)
{
    while (*shape != '\0' && (*shape == '0' ? isdigit((unsigned char)*text) != 0 : *text == *shape))
        text++, shape++;
    return *shape == '\0';
}

static int number_at(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

bool epoch_read(epoch *e, const char *text)
{
    static const char MIDNIGHT[] = "T00:00:00";
    char whole[sizeof "0000-00-00" + sizeof MIDNIGHT];
    const size_t length = strlen(text), day_of_year = strlen("0000-000"),
                 day_of_month = strlen("0000-00-00");
    if (length == day_of_year || length == day_of_month) { /* a date without a time */
        (void)snprintf(whole, sizeof whole, "%s%s", text, MIDNIGHT);
        text = whole;
    }
    const bool month = has_shape(text, "0000-00-00T00:00:00");
    if (!month && !has_shape(text, "0000-000T00:00:00"))
        return false;
    const char *day = text + (month ? 8 : 5), *time_of_day = strchr(text, 'T') + 1,
               *second = time_of_day + 6, *end = second + 2;
    const struct tm said = {.tm_year = number_at(text) - 1900,
                            .tm_mon = month ? number_at(text + 5) - 1 : 0,
                            .tm_mday = number_at(day)};
    struct tm date = said; /* takes days beyond the end of a month into the next */
    const long days = (long)(timegm(&date) / (time_t)DAY);
    const int hour = number_at(time_of_day), minute = number_at(time_of_day + 3);
    *e = (epoch){days, 60.0 * (60.0 * hour + minute) + strtod(second, NULL)};
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    end += *end == 'Z';
    return *end == '\0' && hour < 24 && minute < 60 && number_at(second) < 60 &&
           number_at(text) > 0 && date.tm_year == said.tm_year &&
           (!month || (date.tm_mon == said.tm_mon && date.tm_mday == said.tm_mday));
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

static struct tm date_of(long day)
{
    struct tm date = {0};
    (void)gmtime_r(&(time_t){day * (time_t)DAY}, &date);
    return date;
}

bool epoch_in_range(epoch e)
{
    const int year = 1900 + date_of(e.day).tm_year;
    return year >= 1000 && year <= 9999;
}

double epoch_between(epoch from, epoch to)
{
    return DAY * (double)(to.day - from.day) + (to.second - from.second);
}

const char *epoch_text(char text[EPOCH_TEXT], epoch e, int decimals)
{
    const double unit = pow(10.0, decimals);
    const epoch rounded = epoch_rounded(e, decimals);
    const struct tm date = date_of(rounded.day);
    const int minutes = (int)(rounded.second / 60.0);
    double left = rounded.second - 60.0 * minutes;
    if (round(left * unit) / unit >= 60.0) /* by the rounding of the subtraction */
        left = 60.0 - 1.0 / unit;
    (void)snprintf(text, EPOCH_TEXT, "%04d-%02d-%02dT%02d:%02d:%0*.*f", 1900 + date.tm_year,
                   date.tm_mon + 1, date.tm_mday, minutes / 60, minutes % 60,
                   decimals > 0 ? decimals + 3 : 2, decimals, left);
    return text;
}
