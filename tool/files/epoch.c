/* epoch.c - dates of the calendar, and seconds between them.
 *
 * Leap seconds: IERS, Bulletin C; TAI - UTC is 10 s from 1972 on and one second more after each of them.
 * TT is TAI + 32.184 s, and GPS time TAI - 19 s.
 */
#define _GNU_SOURCE /* timegm */
#include "tool/files/epoch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/choice.h"
#include "base/extremes.h"
#include "tool/files/file_text.h"

#define DAY 86400.0 /* seconds */

/* The days of UTC, since 1970, before which there is a leap second, with the day on which TAI - UTC became
 * 10 s first. No further one is announced up to the end of 2026. */
static const long leap_days[] = {730,  912,   1096,  1461,  1826,  2191,  2557,  2922, 3287, 3652,
                                 4199, 4564,  4929,  5660,  6574,  7305,  7670,  8217, 8582, 8947,
                                 9496, 10043, 10592, 13149, 14245, 15522, 16617, 17167};
enum { LEAPS = COUNT(leap_days), FIRST_OFFSET = 10 };

/* TAI - UTC on that day, in seconds; before 1972, when UTC had other seconds, as at its beginning. */
static int leap_offset(long day)
{
    int i = LEAPS - 1;
    while (i > 0 && leap_days[i] > day)
        i--;
    return FIRST_OFFSET + i;
}

/* The length of a day of UTC. */
static double day_length(long day)
{
    return DAY + (leap_offset(day + 1) - leap_offset(day));
}

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
    const char *day = text + strlen("0000-"), *time_of_day = strchr(text, 'T') + 1,
               *second = time_of_day + 6, *end = second + 2;
    struct tm said = {.tm_year = number_at(text) - 1900};
    if (month) {
        said.tm_mon = number_at(day) - 1;
        day += strlen("00-");
    }
    said.tm_mday = number_at(day);
    struct tm date = said; /* takes days beyond the end of a month into the next */
    const long days = (long)(timegm(&date) / (time_t)DAY);
    const int hour = number_at(time_of_day), minute = number_at(time_of_day + 3);
    *e = (epoch){days, 60.0 * (60.0 * hour + minute) + strtod(second, NULL)};
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    end += *end == 'Z';
    const bool leap = hour == 23 && minute == 59 && day_length(days) > DAY;
    return *end == '\0' && hour < 24 && minute < 60 && number_at(second) < 60 + leap &&
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
    while (second >= DAY) { /* twice from a leap second */
        second -= DAY;
        day++;
    }
    return (epoch){day, second};
}

double epoch_between(epoch from, epoch to)
{
    return DAY * (double)(to.day - from.day) + (to.second - from.second);
}

double epoch_elapsed(epoch from, epoch to)
{
    return epoch_between(from, to) + (leap_offset(to.day) - leap_offset(from.day));
}

/* The date of UTC of one of TAI. */
static epoch utc_of_tai(epoch tai)
{
    int i = LEAPS - 1;
    epoch utc = epoch_after(tai, -(double)(FIRST_OFFSET + i));
    for (; i > 0 && utc.day < leap_days[i]; i--) {
        utc = epoch_after(tai, -(double)(FIRST_OFFSET + i - 1));
        if (utc.day >= leap_days[i]) /* within the leap second */
            return (epoch){leap_days[i] - 1, DAY + utc.second};
    }
    return utc;
}

epoch epoch_later(epoch e, double seconds)
{
    const epoch near = epoch_after(e, seconds);
    if (e.second < DAY && leap_offset(near.day) == leap_offset(e.day))
        return near;
    return utc_of_tai(epoch_after(epoch_after(e, leap_offset(e.day)), seconds));
}

bool epoch_to_utc(epoch *e, const char *system)
{
    static const struct {
        const char *name;
        double to_tai;
    } systems[] = {{"TAI", 0.0}, {"TT", -32.184}, {"TDT", -32.184}, {"GPS", 19.0}};
    if (strcmp(system, "UTC") == 0)
        return true;
    for (size_t i = 0; i < COUNT(systems) && e->second < DAY; i++) {
        if (strcmp(system, systems[i].name) == 0) {
            *e = utc_of_tai(epoch_after(*e, systems[i].to_tai));
            return true;
        }
    }
    return false;
}

epoch epoch_rounded(epoch e, int decimals)
{
    const double unit = pow(10.0, decimals), second = round(e.second * unit) / unit;
    if (second < day_length(e.day))
        return (epoch){e.day, second};
    return (epoch){e.day + 1, 0.0};
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

const char *epoch_text(char text[EPOCH_TEXT], epoch e, int decimals)
{
    const double unit = pow(10.0, decimals);
    const epoch rounded = epoch_rounded(e, decimals);
    const struct tm date = date_of(rounded.day);
    const int last = 24 * 60 - 1, minutes = smaller_int((int)(rounded.second / 60.0), last);
    const double most = minutes == last ? day_length(rounded.day) - 60.0 * last : 60.0;
    double left = rounded.second - 60.0 * minutes;
    if (round(left * unit) / unit >= most) /* by the rounding of the subtraction */
        left = most - 1.0 / unit;
    (void)snprintf(text, EPOCH_TEXT, "%04d-%02d-%02dT%02d:%02d:%0*.*f", 1900 + date.tm_year,
                   date.tm_mon + 1, date.tm_mday, minutes / 60, minutes % 60,
                   decimals > 0 ? decimals + 3 : 2, decimals, left);
    return text;
}
