/* epoch.h - dates of the calendar as CCSDS writes them, and seconds between them.
 *
 * A date is one of UTC, whose days have 86400 s, and one more where a leap second ends them; the leap
 * seconds up to 2026 are known. Other time systems are converted to it.
 */
#pragma once

#include <stdbool.h>

enum { EPOCH_TEXT = 64 };

/* An instant: days since 1970-01-01 and seconds of that day, in [0, 86400), or [0, 86401). */
typedef struct epoch {
    long day;
    double second;
} epoch;

/* Reads YYYY-MM-DDThh:mm:ss[.d...][Z], or with the day of the year, YYYY-DDDT...; years from
 * 1 to 9999. A date without a time is its midnight. False if it is none, or stands for no date. */
bool epoch_read(epoch *e, const char *text);

/* Makes a date of a time system, "UTC", "TAI", "TT", "TDT" or "GPS", one of UTC. False for others, and for
 * a leap second of a system that has none. */
bool epoch_to_utc(epoch *e, const char *system);

/* That many seconds later, within a billion days, and the seconds from one to another: leap seconds are
 * counted. */
epoch epoch_later(epoch e, double seconds);
double epoch_elapsed(epoch from, epoch to);

/* The same by a calendar whose days all have 86400 s, as the system's clock has it, and days from an
 * epoch. */
epoch epoch_after(epoch e, double seconds);
double epoch_between(epoch from, epoch to);

/* To so many decimals of a second, perhaps that of the next day. */
epoch epoch_rounded(epoch e, int decimals);

/* Whether it is in the years 1000 to 9999. */
bool epoch_in_range(epoch e);

/* YYYY-MM-DDThh:mm:ss.ffffffffffff, with as many decimals of the second as asked for. */
const char *epoch_text(char text[EPOCH_TEXT], epoch e, int decimals);
