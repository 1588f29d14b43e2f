/* file_text.h - text of people: what may be shown of it, numbers and names in it, what helps
 * against an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* ---- text of others --------------------------------------------------------------- */

/* How many bytes the character at the beginning of the text has; 0 if there is none, or
 * none of UTF-8 (surrogates and longer forms than needed are not), or a control character:
 * U+0000 to U+001F, U+007F to U+009F. */
size_t text_character(const char *text, size_t length);

/* Puts a question mark for every byte that is no such character, so that nothing can steer
 * a terminal; ends of lines and tabs stay if `keep_lines`. */
void text_clean(char *text, size_t length, bool keep_lines);

/* Whether all of it is such characters. */
bool text_is_plain(const char *text);

/* The byte-order mark of UTF-8, and a text without the one that it may begin with. */
#define TEXT_MARK "\xEF\xBB\xBF"
const char *text_without_mark(const char *text);

/* How many bytes of the text are shown where there is room for `most`: whole characters. For
 * "%.*s". */
int text_cut(const char *text, int most);

/* ---- parts of messages ------------------------------------------------------------ */

/* A file's name in messages: `standard` for "-". */
static inline const char *text_of_path(const char *path, const char *standard)
{
    if (strcmp(path, "-") == 0)
        return standard;
    return path;
}

/* ---- numbers as people type them, read strictly ----------------------------------- */

/* Decimal and hexadecimal floats, read in the C locale whatever the environment says. Spaces
 * and tabs around a number are skipped; what follows it is for the caller to judge. */
typedef enum number_status {
    NUMBER_OK,
    NUMBER_MALFORMED,  /* no number starts here */
    NUMBER_NOT_FINITE, /* NaN or infinity spelled out */
    NUMBER_TOO_LARGE,  /* beyond the range of a double */
    NUMBER_NO_TIME,    /* in a unit that is none of time */
} number_status;

/* Reads the number at *text into *x and moves *text past it; when that fails, both are as
 * they were. A number below the smallest double is the nearest double, perhaps zero. */
number_status number_read(const char **text, double *x);

/* Reads a text that is a whole number of 64 bits, and nothing else. Returns false for other texts. */
bool integer_read(const char *text, int64_t *x);

/* The same for a number that may have a unit: *unit is where that begins, up to the next comma,
 * colon or @; NULL: there is none. */
number_status quantity_read(const char **text, double *x, const char **unit);

/* Times with a unit become numbers of the unit of time of this problem, NULL: seconds. */
void time_unit_of(const char *problem);

/* Makes a number with a unit one of a quantity, which the catalog has in "rad", "m" and the like;
 * "t" is a time. Without a unit it stays as it is, unless it is an angle and in degrees. False if
 * the quantity has no such unit, or the number becomes too large. */
bool quantity_convert(const char *of, bool degrees, const char *unit, double *x);

/* The words that follow the name of the quantity then: "has no unit kg: write one of m, km". */
const char *unit_problem(const char *of, const char *unit);

/* A time, in any unit. */
number_status duration_read(const char **text, double *x);

/* The words that follow "this": "is not a number" and the like. */
const char *number_problem(number_status status);

/* ---- how many elements an array has ----------------------------------------------- */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- what may help against an error of the system --------------------------------- */

/* A phrase to end a message with; `otherwise` where the error has none of its own. */
const char *advice(int error, const char *otherwise);
