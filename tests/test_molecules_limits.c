/* test_molecules_limits.c - molecules that cannot be made, prepared or moved: each number that is
 * out of its range, of each body, is found; and the places of a state after a step that fails. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kinds/molecules/molecule_bodies.h"
#include "motion/vec.h"
#include "polhode/system.h"
#include "system/find.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static ph_molecules *made(void)
{
    ph_molecules *m = ph_molecules_lattice(3, 1.7, 0.05, 4);
    assert_non_null(m);
    return m;
}

static void test_numbers(void **state)
{
    (void)state;
    static const size_t none[] = {0, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 1024 + 1};
    for (size_t k = 0; k < COUNT(none); k++) {
        assert_null(ph_molecules_create(none[k]));
        assert_null(ph_molecules_lattice(none[k], 1.0, 0.0, 1));
    }
    ph_molecules *one = ph_molecules_lattice(1, 1.0, 0.0, 1);
    assert_non_null(one);
    assert_int_equal(one->n, 1);
    ph_molecules_destroy(one);
    ph_molecules_destroy(NULL);
}

/* One number of one body at a time. */
static void test_bodies(void **state)
{
    (void)state;
    const struct {
        ph_status status;
        int array, component;
        double x;
    } bad[] = {
        {PH_BAD_STATE, 0, 0, NAN},       {PH_BAD_STATE, 0, 2, INFINITY},
        {PH_BAD_STATE, 1, 1, NAN},       {PH_BAD_STATE, 2, 0, NAN},
        {PH_BAD_STATE, 2, 3, INFINITY},  {PH_BAD_STATE, 3, 0, INFINITY},
        {PH_BAD_STATE, 6, 2, -INFINITY}, {PH_BAD_INERTIA, 4, 0, 0.0},
        {PH_BAD_INERTIA, 4, 0, -1.0},    {PH_BAD_INERTIA, 4, 0, INFINITY},
        {PH_BAD_INERTIA, 5, 0, 0.0},     {PH_BAD_INERTIA, 5, 2, NAN},
        {PH_BAD_STATE, 1, 0, 1e200}, /* its energy overflows */
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        for (size_t i = 0; i < 27; i += 13) {
            ph_molecules *m = made();
            double *const *const arrays[] = {m->x, m->p, m->q, m->m, &m->mass, m->J, m->dipole};
            arrays[bad[k].array][bad[k].component][i] = bad[k].x;
            const ph_status status = ph_molecules_prepare(m, NULL);
            if (status != bad[k].status)
                fail_msg("number %zu of body %zu: %s", k, i, ph_status_text(status));
            const ph_integrator verlet = {.flow = find_flow("exact"),
                                          .scheme = find_scheme("verlet")};
            assert_int_equal(PH_BAD_STATE, ph_molecules_step(m, &verlet, 0.01));
            ph_molecules_destroy(m);
        }
    }
    assert_int_equal(PH_NULL_ARGUMENT, ph_molecules_prepare(NULL, NULL));
}

static void test_boxes(void **state)
{
    (void)state;
    const struct {
        ph_vec3 box;
        double cutoff, dielectric;
        ph_status status;
    } all[] = {
        {{0, 0, 0}, 0, 0, PH_OK},        {{8, 8, 8}, 2, 0, PH_OK},
        {{8, 8, 8}, 4, 0, PH_OK},        {{8, 8, 8}, 4.001, 0, PH_BAD_BOX},
        {{8, 9, 7}, 3.5, 1, PH_OK},      {{8, 9, 7}, 3.6, 1, PH_BAD_BOX},
        {{8, 8, 8}, 0, 0, PH_BAD_BOX},   {{8, 8, 8}, -1, 0, PH_BAD_BOX},
        {{8, 8, 8}, NAN, 0, PH_BAD_BOX}, {{8, 0, 8}, 2, 0, PH_BAD_BOX},
        {{0, 8, 8}, 2, 0, PH_BAD_BOX},   {{8, 8, -8}, 2, 0, PH_BAD_BOX},
        {{8, NAN, 8}, 2, 0, PH_BAD_BOX}, {{8, 8, INFINITY}, 2, 0, PH_BAD_BOX},
        {{8, 8, 8}, 2, 0.5, PH_BAD_BOX}, {{8, 8, 8}, 2, -1, PH_BAD_BOX},
        {{8, 8, 8}, 2, 1, PH_OK},        {{8, 8, 8}, 2, 78.5, PH_OK},
        {{8, 8, 8}, 2, NAN, PH_BAD_BOX},
    };
    for (size_t k = 0; k < COUNT(all); k++) {
        ph_molecules *m = made();
        m->box = all[k].box;
        m->cutoff = all[k].cutoff;
        m->dielectric = all[k].dielectric;
        const ph_status status = ph_molecules_prepare(m, NULL);
        if (status != all[k].status)
            fail_msg("box %zu: %s", k, ph_status_text(status));
        ph_molecules_destroy(m);
    }
}

static void test_steps(void **state)
{
    (void)state;
    const ph_integrator verlet = {.flow = find_flow("exact"), .scheme = find_scheme("verlet")},
                        flow = {.flow = find_flow("exact")};
    ph_molecules *m = made();
    assert_int_equal(PH_OK, ph_molecules_prepare(m, NULL));
    assert_int_equal(PH_NULL_ARGUMENT, ph_molecules_step(NULL, &verlet, 0.1));
    assert_int_equal(PH_NULL_ARGUMENT, ph_molecules_step(m, NULL, 0.1));
    assert_int_equal(PH_NOT_APPLICABLE, ph_molecules_step(m, &flow, 0.1));
    static const double none[] = {NAN, INFINITY, -INFINITY};
    const double x = m->x[1][7], q = m->q[2][8], p = m->p[0][3], L = m->m[0][5];
    for (size_t k = 0; k < COUNT(none); k++)
        assert_int_equal(PH_BAD_STEP, ph_molecules_step(m, &verlet, none[k]));
    static const double far[] = {1.0, 30.0, 1e4, 1e100, 1e300};
    for (size_t k = 0; k < COUNT(far); k++) { /* a failure leaves the state */
        const ph_status status = ph_molecules_step(m, &verlet, far[k]);
        if (status != PH_EXPLODED && status != PH_NOT_FINITE)
            fail_msg("a step of %g: %s", far[k], ph_status_text(status));
        assert_true(m->x[1][7] == x && m->q[2][8] == q && m->p[0][3] == p && m->m[0][5] == L);
    }
    assert_int_equal(PH_OK, ph_molecules_step(m, &verlet, 1e-3));
    assert_true(m->x[1][7] != x && m->q[2][8] != q && m->p[0][3] != p && m->m[0][5] != L);
    ph_molecules_destroy(m);
}

/* Bodies as far apart as doubles can be have no near pair, along any axis. */
static void test_far_apart(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) {
        ph_molecules *m = ph_molecules_create(3);
        assert_non_null(m);
        for (int axis = 0; axis < 3; axis++) {
            if (k & 1 << axis) {
                m->x[axis][0] = 1.7e308;
                m->x[axis][1] = -1.7e308;
            }
        }
        m->x[0][2] = k == 0 ? 0.3 : 5.0;
        ph_molecules_pair pair = {0};
        const ph_status status = ph_molecules_prepare(m, &pair);
        assert_int_equal(k == 0 ? PH_OVERLAP : PH_BAD_STATE, status);
        ph_molecules_destroy(m);
    }
}

/* In open space momentum and angular momentum are kept, to round-off of the sizes that they are sums of. */
static void test_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"momentum", "angular_momentum"};
    const double lattice = 2.0, box[3] = {0.0, 0.0, 0.0};
    const ph_setting list[] = {{"lattice", &lattice, 1}, {"box", box, 3}};
    const ph_system_settings with = {"dipolar_spheres", .integrator = "verlet+exact", .step = 0.01,
                                     .settings = list, .setting_count = 2};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    ph_system_watch(s, true);
    assert_int_equal(PH_OK, ph_system_run(s, 40, NULL));
    for (size_t k = 0; k < 2; k++) {
        const ph_observable *o;
        assert_int_equal(PH_OK, ph_system_observable_named(s, names[k], &o));
        assert_true(o->conserved && o->error > 0.0 && o->error < 1e-12);
    }
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_boxes),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_far_apart), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests_name("limits of molecules", tests, NULL, NULL);
}
