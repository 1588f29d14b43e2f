/* number.h - numbers as people type them, read strictly.
 *
 * Decimal and hexadecimal floats, read in the C locale whatever the environment says.
 * Spaces and tabs around a number are skipped; what follows it is for the caller to
 * judge.
 */
#pragma once

typedef enum number_status {
    NUMBER_OK,
    NUMBER_MALFORMED,  /* no number starts here */
    NUMBER_NOT_FINITE, /* NaN or infinity spelled out */
    NUMBER_TOO_LARGE,  /* beyond the range of a double */
} number_status;

/* Reads the number at *text into *x and moves *text past it; when that fails, both are as
 * they were. A number below the smallest double is the nearest double, perhaps zero. */
number_status number_read(const char **text, double *x);

/* The same for a duration: a number and perhaps its unit, s, min, h or d, which makes it
 * seconds; without one it is what it is. */
number_status duration_read(const char **text, double *x);

/* The words that follow "this": "is not a number" and the like. A static string. */
const char *number_problem(number_status status);
