/* epoch.h - dates of the calendar as CCSDS writes them, and seconds between them.
 *
 * Every day has 86400 s: in UTC a leap second is not counted, other time systems have none.
 */
#pragma once

#include <stdbool.h>

enum { EPOCH_TEXT = 64 };

/* An instant: days since 1970-01-01 and seconds of that day, in [0, 86400). */
typedef struct epoch {
    long day;
    double second;
} epoch;

/* Reads YYYY-MM-DDThh:mm:ss[.d...][Z], or with the day of the year, YYYY-DDDT...; years from
 * 1 to 9999. A date without a time is its midnight. False if it is none, or stands for no date. */
bool epoch_read(epoch *e, const char *text);

/* That many seconds later; within a billion days. */
epoch epoch_after(epoch e, double seconds);

/* To so many decimals of a second, perhaps that of the next day. */
epoch epoch_rounded(epoch e, int decimals);

/* Whether it is in the years 1000 to 9999. */
bool epoch_in_range(epoch e);

/* The seconds from one to another. */
double epoch_between(epoch from, epoch to);

/* YYYY-MM-DDThh:mm:ss.ffffffffffff, with as many decimals of the second as asked for. */
const char *epoch_text(char text[EPOCH_TEXT], epoch e, int decimals);
