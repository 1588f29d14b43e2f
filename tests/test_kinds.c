/* test_kinds.c - what every kind of system has to keep, also one of the tests alone: the energy
 * belongs to the forces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "system/kind.h"

/* The fields of a state that can be written, places or velocities, copied from `from` or to
 * it; returns how many numbers they are. */
static size_t copy(ph_system *s, bool places, double *to, const double *from)
{
    size_t count, n = 0;
    const ph_array *f = ph_system_arrays(s, &count);
    for (; count > 0; f++, count--) {
        if ((f->use & (PH_ARRAY_SHOWN | PH_ARRAY_DERIVED)) != PH_ARRAY_SHOWN ||
            ((f->use & PH_ARRAY_PLACE) != 0) != places)
            continue;
        for (int k = 0; k < f->width; k++) {
            for (size_t i = 0; i < f->count; i++, n++) {
                double *at = &f->data[k][i * f->stride];
                if (from != NULL)
                    *at = from[n];
                else if (to != NULL)
                    to[n] = *at;
            }
        }
    }
    return n;
}

static double *copied(ph_system *s, bool places)
{
    double *x = calloc(copy(s, places, NULL, NULL) + 1, sizeof *x);
    assert_non_null(x);
    (void)copy(s, places, x, NULL);
    return x;
}

static double energy_with(ph_system *s, const double *places, const double *speeds)
{
    (void)copy(s, true, NULL, places);
    (void)copy(s, false, NULL, speeds);
    assert_int_equal(PH_OK, ph_system_changed(s));
    return ph_system_energy(s);
}

/* A short step changes places and velocities: what the energy changes by the one it changes
 * back by the other. Returns whether it changes by each. */
static bool energy_fits(const ph_problem_facts *p)
{
    const double h = 1e-5, enough = 1e-10, accuracy = 1e-3;
    ph_system *s = NULL;
    const ph_system_settings with = {p->name, .step = 0.01};
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
    assert_int_equal(PH_OK, ph_system_set_step(s, h));
    size_t count;
    const bool conserved = ph_system_observables(s, &count)[0].conserved;
    double *x[2], *v[2];
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
        x[k] = copied(s, true);
        v[k] = copied(s, false);
    }
    const double before = energy_with(s, x[0], v[0]),
                 by_places = energy_with(s, x[1], v[0]) - before,
                 by_speeds = energy_with(s, x[0], v[1]) - before,
                 change = fabs(by_places) + fabs(by_speeds);
    const bool changes = conserved && !p->first_order && change > enough * fabs(before);
    if (changes && !(fabs(by_places + by_speeds) < accuracy * change))
        fail_msg("%s: the energy changes by %g with the places, by %g with the velocities", p->name,
                 by_places, by_speeds);
    for (int k = 0; k < 2; k++) {
        free(x[k]);
        free(v[k]);
    }
    ph_system_destroy(s);
    return changes;
}

/* Of every problem; and of each kind with problems of its own one at least has forces that show
 * it. */
static void test_energy(void **state)
{
    (void)state;
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        ph_problem_facts p;
        int changed = 0;
        for (size_t i = 0; ph_problem_at(i, &p); i++) {
            if (strcmp(p.kind, kinds[k]->name) == 0)
                changed += energy_fits(&p);
        }
        if (changed == 0 && kinds[k]->method_of_bodies == NULL)
            fail_msg("%s: the energy of no problem changes", kinds[k]->name);
    }
}

/* The kind of the tests is one of them, after those of the library. */
static void test_list(void **state)
{
    (void)state;
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    assert_string_equal("rotor", kinds[count - 1]->name);
    assert_ptr_equal(kinds[count - 1], ph_kind_named("rotor"));
    assert_null(ph_kind_named("no such kind"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_energy),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
