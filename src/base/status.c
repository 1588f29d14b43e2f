/* status.c - the sentence of each status code, and the version. */
#include "polhode/body.h"

const char *ph_status_text(ph_status status)
{
    static const char *const texts[] = {
#define TEXT(code, number, text) [number] = (text),
        PH_STATUS_LIST(TEXT)
#undef TEXT
    };
    const size_t i = (size_t)status, count = sizeof texts / sizeof texts[0];
    if (i < count && texts[i] != NULL)
        return texts[i];
    return "unknown status";
}

#define DIGITS(number)               #number
#define VERSION(major, minor, patch) DIGITS(major) "." DIGITS(minor) "." DIGITS(patch)

const char *ph_version(void)
{
    return VERSION(PH_VERSION_MAJOR, PH_VERSION_MINOR, PH_VERSION_PATCH);
}
