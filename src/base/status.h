/* status.h - the status of a check. */
#pragma once

#include <stdbool.h>

#include "polhode/body.h"

static inline ph_status ok_if(bool holds, ph_status otherwise)
{
    if (holds)
        return PH_OK;
    return otherwise;
}
