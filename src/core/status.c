/* status.c - the sentence of each status code, and the version. */
#include "polhode/polhode.h"

const char *ph_status_text(ph_status status)
{
    static const char *const texts[] = {
#define TEXT(code, text) text,
        PH_STATUS_LIST(TEXT)
#undef TEXT
    };
    const size_t i = (size_t)status, count = sizeof texts / sizeof texts[0];
    return i < count ? texts[i] : "unknown status";
}

const char *ph_version(void)
{
    return PH_VERSION;
}
