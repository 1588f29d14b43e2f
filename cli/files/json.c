/* json.c - JSON as the tool writes it. */
#include "cli/files/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 17 /* every number reads back as it was */

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
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
