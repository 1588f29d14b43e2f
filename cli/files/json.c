/* json.c - JSON as the tool writes it. */
#include "cli/files/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/text.h"

#define DIGITS 17 /* every number reads back as it was */

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_text(const char *text)
{
    json_t *value = text == NULL ? NULL : json_string(text);
    char *clean = text == NULL || value != NULL ? NULL : malloc(strlen(text) + 1);
    if (clean != NULL) {
        memcpy(clean, text, strlen(text) + 1);
        text_clean(clean, strlen(clean), true);
        value = json_string(clean);
    }
    free(clean);
    return value;
}

bool json_write(outfile *out, json_t *value, size_t flags)
{
    char *text = json_dumps(value, flags | JSON_REAL_PRECISION(DIGITS));
    json_decref(value);
    if (text == NULL)
        return false;
    outfile_write(out, text, strlen(text));
    free(text);
    return true;
}
