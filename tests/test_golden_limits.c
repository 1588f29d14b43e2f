/* test_golden_limits.c - every system in steps far too long, at rest, and at speeds far from those of
 * its start, against the bits and failures of before. Written anew by
 *
 *     build/tests/test_golden_limits write >tests/vectors/golden_limits.txt
 */
/* Needs kinds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/golden.h"
#include "support/systems.h"

static void take_fields(checksum *c, const ph_system *s)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    for (size_t k = 0; k < count; k++) {
        for (int j = 0; j < f[k].width; j++) {
            for (size_t i = 0; i < f[k].count && (f[k].use & PH_ARRAY_SHOWN); i++)
                take(c, f[k].data[j][i * f[k].stride]);
        }
    }
}

/* Speeds and momenta times a factor. */
static ph_status scale_speeds(ph_system *s, double factor)
{
    size_t count;
    const ph_array *f = ph_system_arrays(s, &count);
    for (size_t k = 0; k < count; k++) {
        if (!(f[k].use & PH_ARRAY_SHOWN) || (f[k].use & (PH_ARRAY_PLACE | PH_ARRAY_DERIVED)))
            continue;
        for (int j = 0; j < f[k].width; j++) {
            for (size_t i = 0; i < f[k].count; i++)
                f[k].data[j][i * f[k].stride] *= factor;
        }
    }
    return ph_system_changed(s);
}

static void check(const any_system *a)
{
    static const double steps[] = {3.0, 100.0, 1e4, 1e9, 1e150, 1e300},
                        factors[] = {0.0, -0.0, 1e-160, 1e-9, 30.0, 1e5, 1e100, 1e200};
    checksum c = {0};
    ph_system *s = system_made(a);
    const bytes start = snapshot_of(s);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        assert_int_equal(PH_OK, ph_system_restore(s, start.at, start.size));
        take(&c, ph_system_set_step(s, steps[k] * a->h));
        take(&c, ph_system_run(s, 1, NULL));
        take_fields(&c, s);
    }
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
        assert_int_equal(PH_OK, ph_system_restore(s, start.at, start.size));
        const ph_status status = scale_speeds(s, factors[k]);
        take(&c, status);
        if (status != PH_OK)
            continue;
        take(&c, ph_system_run(s, 2, NULL));
        take_fields(&c, s);
    }
    const ph_array *longest;
    golden(&c, "%s%s", a->name,
           ph_system_array_named(s, "longest_step", &longest) == PH_OK ? ", with a longest step"
                                                                       : "");
    free(start.at);
    ph_system_destroy(s);
}

static void test_systems(void **state)
{
    (void)state;
    every_system(check);
}

static void test_adaptive(void **state)
{
    (void)state;
    adaptive_systems(check);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems),
                                       cmocka_unit_test(test_adaptive)};
    return golden_main(argc, argv, "golden_limits.txt", tests, sizeof tests / sizeof tests[0]);
}
