/* test_system_tables.c - what a system tells of itself: fields, observables, parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "kinds/spheres/spheres_list.h"
#include "motion/vec.h"
#include "support/random.h"
#include "support/sphere_runs.h"
#include "support/stepping.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/kind.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int columns_of(const char *columns)
{
    int count = *columns != '\0';
    for (; *columns != '\0'; columns++) {
        count += *columns == ',';
        assert_true(columns[0] != ',' || (columns[1] != ',' && columns[1] != '\0'));
    }
    return count;
}

static void check_fields(const any_system *a, const ph_system *s)
{
    size_t count, state = 0, shown = 0;
    const ph_array *f = ph_system_arrays(s, &count);
    for (size_t i = 0; i < count; i++) {
        const unsigned use = f[i].use;
        if (!(*f[i].name && *f[i].unit && *f[i].text && f[i].count > 0 &&
              columns_of(f[i].columns) == f[i].width && f[i].width <= PH_ARRAY_WIDTH &&
              (f[i].count > 1 || f[i].stride == 1 || (use & PH_ARRAY_LIST))))
            fail_msg("%s: field %s", a->name, f[i].name);
        assert_true(use & (PH_ARRAY_STATE | PH_ARRAY_SHOWN | PH_ARRAY_CONSTANT | PH_ARRAY_DERIVED));
        assert_false((use & PH_ARRAY_CONSTANT) && (use & PH_ARRAY_STATE));
        assert_false((use & PH_ARRAY_DERIVED) && (use & PH_ARRAY_STATE));
        state += (use & PH_ARRAY_STATE) != 0;
        shown += (use & PH_ARRAY_SHOWN) != 0;
        for (int k = 0; k < f[i].width; k++)
            assert_true(isfinite(f[i].data[k][(f[i].count - 1) * f[i].stride]));
    }
    assert_true(state > 0 && shown > 1);
}

/* Rows by their names; what is refused leaves the output as it was. */
static void check_named(ph_system *s)
{
    size_t fields, observables, parameters;
    const double *values, *own;
    const ph_array *f = ph_system_arrays(s, &fields), *field = NULL;
    const ph_observable *o = ph_system_observables(s, &observables), *observable = NULL;
    const ph_parameter *p = ph_system_parameters(s, &parameters, &values), *parameter = NULL;
    static const char *const unknown[] = {"", "no such row"};
    for (size_t i = 0; i < COUNT(unknown); i++) {
        assert_int_equal(PH_UNKNOWN_NAME, ph_system_array_named(s, unknown[i], &field));
        assert_int_equal(PH_UNKNOWN_NAME, ph_system_observable_named(s, unknown[i], &observable));
        assert_int_equal(PH_UNKNOWN_NAME,
                         ph_system_parameter_named(s, unknown[i], &parameter, &own));
    }
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_array_named(NULL, f->name, &field));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_array_named(s, NULL, &field));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_array_named(s, f->name, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_observable_named(NULL, "", &observable));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_observable_named(s, NULL, &observable));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_observable_named(s, o->name, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_parameter_named(NULL, "", &parameter, &own));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_parameter_named(s, NULL, &parameter, &own));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_parameter_named(s, "", NULL, &own));
    assert_int_equal(PH_NULL_ARGUMENT, ph_system_parameter_named(s, "", &parameter, NULL));
    assert_true(field == NULL && observable == NULL && parameter == NULL);
    for (size_t i = 0; i < fields; i++) {
        assert_int_equal(PH_OK, ph_system_array_named(s, f[i].name, &field));
        assert_ptr_equal(&f[i], field); /* the only one */
    }
    for (size_t i = 0; i < observables; i++) {
        assert_int_equal(PH_OK, ph_system_observable_named(s, o[i].name, &observable));
        assert_ptr_equal(&o[i], observable);
    }
    for (size_t i = 0; i < parameters; i++) {
        assert_int_equal(PH_OK, ph_system_parameter_named(s, p[i].name, &parameter, &own));
        assert_ptr_equal(&p[i], parameter);
        assert_ptr_equal(&values[p[i].first], own);
    }
}

/* An observable by its name is that of the state now. */
static void test_observable_now(void **state)
{
    (void)state;
    ph_system *s = system_named("heavy_top", "vlv", 0.1);
    const ph_observable *energy;
    assert_int_equal(PH_OK, ph_system_observable_named(s, "energy", &energy));
    const double before = energy->now[0];
    assert_int_equal(PH_OK, ph_system_run(s, 10, NULL));
    assert_int_equal(PH_OK, ph_system_observable_named(s, "energy", &energy));
    assert_true(energy->now[0] == ph_system_energy(s) && energy->now[0] != before);
    ph_system_destroy(s);
}

/* The invariants of a problem on spheres, each under its own name. */
static void test_observables_of_spheres(void **state)
{
    (void)state;
    size_t count, checked = 0;
    const ph_spheres_problem *const *all = ph_spheres_problems(&count);
    for (size_t k = 0; k < count; k++) {
        ph_integrator i;
        ph_system *s = NULL;
        for (size_t n = 0; s == NULL && n < 2; n++) { /* of second order, of first */
            const char *const methods[] = {"eln", "spherical_midpoint"};
            assert_int_equal(PH_OK, ph_spheres_integrator_named(methods[n], &i));
            if (system_from_spheres(all[k], &i, NULL, NULL, 0.01, &s) != PH_OK)
                s = NULL;
        }
        assert_non_null(s);
        const ph_array *q, *w;
        assert_int_equal(PH_OK, ph_system_array_named(s, "q", &q));
        assert_int_equal(PH_OK, ph_system_array_named(s, "w", &w));
        ph_spheres *spheres = NULL;
        assert_int_equal(PH_OK, ph_spheres_create(all[k], &i, &spheres));
        for (int n = 0; n < all[k]->invariant_count; n++, checked++) {
            const ph_observable *o;
            const double expected = ph_spheres_invariant_value(
                spheres, n, (const ph_vec3 *)q->data[0], (const ph_vec3 *)w->data[0]);
            assert_int_equal(PH_OK, ph_system_observable_named(s, all[k]->invariants[n].name, &o));
            assert_true(o->now[0] == expected);
        }
        ph_spheres_destroy(spheres);
        ph_system_destroy(s);
    }
    assert_true(checked > 2);
    ph_spheres_problem many = *find_spheres_problem("pendulum");
    const ph_integrator eln = {.method = find_spheres_method("eln")};
    ph_system *s = NULL;
    const ph_spheres_invariant invariant = find_spheres_problem("pendulum")->invariants[0];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    ph_spheres_invariant invariants[9];
    many.invariants = invariants;
    for (int k = 0; k < 9; k++) {
        invariants[k] = invariant;
        invariants[k].name = names[k];
    }
    many.invariant_count = 9;
    assert_int_equal(PH_BAD_PARAMETER, system_from_spheres(&many, &eln, NULL, NULL, 0.01, &s));
    many.invariant_count = 8; /* the most, beside the energy and two defects */
    assert_int_equal(PH_OK, system_from_spheres(&many, &eln, NULL, NULL, 0.01, &s));
    const ph_observable *o = ph_system_observables(s, &count);
    assert_int_equal(11, count);
    for (int k = 0; k < 8; k++)
        assert_string_equal(names[k], o[1 + k].name);
    assert_string_equal("length", o[9].name);
    assert_string_equal("orthogonality", o[10].name);
    ph_system_destroy(s);
}

static void check_observables(ph_system *s)
{
    size_t count;
    const ph_observable *o = ph_system_observables(s, &count);
    assert_string_equal("energy", o[0].name);
    assert_true(o[0].watched && o[0].width == 1);
    assert_true(o[0].now[0] == ph_system_energy(s));
    for (size_t i = 0; i < count; i++) {
        assert_true(*o[i].name && o[i].unit && *o[i].text && *o[i].label);
        assert_true(o[i].width == 1 || o[i].width == 3);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(o[i].name, o[k].name);
    }
}

/* Those of the problem, with their values; of a system whose constants are fields, none. */
static void check_parameters(const any_system *a, const ph_system *s)
{
    size_t count;
    const double *value;
    const ph_parameter *p = ph_system_parameters(s, &count, &value);
    if (!(count == 0 && ph_kind_of(s)->rows_of_each))
        assert_int_equal(a->parameter_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(&p[i], &a->parameters[i]);
        assert_memory_equal(&a->value[p[i].first], &value[p[i].first],
                            (size_t)p[i].count * sizeof *value);
    }
}

static void has_tables(const any_system *a)
{
    ph_system *s = system_made(a);
    assert_ptr_equal(ph_kind_of(s), ph_kind_named(ph_system_kind(s)));
    assert_true(ph_system_time(s) == 0 && ph_system_steps(s) == 0);
    assert_true(ph_system_step(s) == a->h);
    check_fields(a, s);
    check_observables(s);
    check_parameters(a, s);
    check_named(s);
    assert_int_equal(ph_system_rejected(s), 0);
    const uint64_t before = ph_system_evaluations(s);
    run_system(a, s, 3, NULL);
    assert_true(ph_system_is_adaptive(s) || ph_system_rejected(s) == 0);
    assert_true(a->is_free || ph_system_evaluations(s) >= before + 3);
    check_fields(a, s);
    ph_system_destroy(s);
}

static void test_tables(void **state)
{
    (void)state;
    every_system(has_tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),

        cmocka_unit_test(test_observable_now),
        cmocka_unit_test(test_observables_of_spheres),
    };
    return cmocka_run_group_tests_name("system_tables", tests, NULL, NULL);
}
