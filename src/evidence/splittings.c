/* splittings.c - schemes with the exact free motion and with one of second order. */
#include "evidence/splittings.h"

#include <stdio.h>

#include "catalog/find.h"
#include "polhode/polhode.h"

static const char *const FLOWS[SPLIT_FLOWS] = {
    [SPLIT_EXACT] = "exact", [SPLIT_ROTATIONS] = "mr"};

void split_name(char name[SPLIT_NAME], const char *scheme, size_t flow)
{
    (void)snprintf(name, SPLIT_NAME, "%s+%s", scheme, FLOWS[flow]);
}

int split_kicks(const char *scheme)
{
    const ph_scheme *s = find_scheme(scheme);
    return s == NULL ? 0 : (s->stages - 1) / 2;
}
