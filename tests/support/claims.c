#include "support/claims.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const NAMES[PH_KEEPS_COUNT] = {
#define NAME(code, text) [PH_INDEX_##code] = (text),
    PH_KEEPS_LIST(NAME)
#undef NAME
};

static const char *name_of(unsigned bit)
{
    int index = 0;
    while (index < PH_KEEPS_COUNT - 1 && !(bit & 1U << index))
        index++;
    return NAMES[index];
}

void check_property(measured_properties *measured, const char *integrator, const char *problem,
                    unsigned claimed, property_defects p)
{
    measured->bits |= p.bit;
    if ((claimed & p.bit) && !(p.defect < p.kept))
        fail_msg("%s on %s: claims %s, defect %g", integrator, problem, name_of(p.bit), p.defect);
    if (!(claimed & p.bit) && !(p.of_long_step > p.plain))
        fail_msg("%s on %s: does not claim %s, which it keeps to %g", integrator, problem,
                 name_of(p.bit), p.of_long_step);
}

void check_only_measured(const measured_properties *measured, const char *integrator,
                         unsigned claimed)
{
    const unsigned others = claimed & ~measured->bits;
    if (others != 0)
        fail_msg("%s: claims %s, which is measured of no integrator of its kind", integrator,
                 name_of(others));
}
