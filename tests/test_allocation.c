/* test_allocation.c - no step allocates: malloc and its relatives count their calls (the
 * linker puts ours in their place), and every integrator, the exact motion and the run
 * loop leave the count alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "catalog/find.h"
#include "polhode/molecules.h"
#include "polhode/polhode.h"
#include "support/sphere_runs.h"

static volatile long calls; /* the compiler believes that malloc leaves it alone */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    calls++;
    return __real_realloc(old, size);
}

static void check_run(const ph_integrator *i, const ph_problem *p)
{
    ph_state s = {{1, 0, 0, 0}, {0.3, -0.4, 0.5}};
    const long before = calls;
    const ph_status status = ph_run_problem(i, p, &s, 0.05, 200, NULL, NULL, NULL);
    const long after = calls;
    assert_int_equal(PH_OK, status);
    assert_int_equal(before, after);
}

/* The count counts. */
static void test_counting(void **state)
{
    (void)state;
    const long before = calls;
    void *volatile block = malloc(1);
    free(block);
    assert_int_equal(before + 1, calls);
}

static void test_integrators(void **state)
{
    (void)state;
    size_t flows, schemes, methods;
    const ph_flow *const *flow = ph_flows(&flows);
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_method *const *method = ph_methods(&methods);
    ph_problem field = *find_problem("heavy_top");
    const ph_problem *rest = find_problem("free");
    for (size_t i = 0; i < flows; i++)
        check_run(&(ph_integrator){.flow = flow[i]}, rest);
    for (size_t i = 0; i < schemes; i++)
        check_run(&(ph_integrator){.flow = flow[0], .scheme = scheme[i]}, &field);
    for (size_t i = 0; i < methods; i++)
        check_run(&(ph_integrator){.method = method[i]}, &field);
    field.derivative = NULL; /* then by differences */
    for (size_t i = 0; i < methods; i++)
        check_run(&(ph_integrator){.method = method[i]}, &field);
}

static void test_motion(void **state)
{
    (void)state;
    ph_body b;
    ph_motion motion;
    const ph_state start = {{1, 0, 0, 0}, {0.3, -0.4, 0.5}};
    const ph_mat3 tensor = {{{2, 0.1, 0}, {0.1, 3, 0.2}, {0, 0.2, 4}}};
    const long before = calls;
    ph_status status = ph_body_from_tensor(&b, tensor);
    if (status == PH_OK)
        status = ph_motion_prepare(&motion, &b, &start);
    double sum = 0.0;
    for (int i = 0; i < 1000 && status == PH_OK; i++)
        sum += ph_motion_at(&motion, 0.37 * i).m.x;
    const long after = calls;
    assert_int_equal(PH_OK, status);
    assert_int_equal(before, after);
    assert_true(sum == sum);
}

/* Spheres: the workspace is made before. */
static void check_spheres(const char *name, const ph_sphere_integrator *i,
                          const ph_sphere_problem *p)
{
    (void)i;
    sphere_run r = sphere_run_new(name, p);
    const long before = calls;
    const ph_status status = ph_spheres_run(r.s, r.q, r.w, 0.01, 20, NULL, NULL, NULL);
    const double energy = ph_spheres_energy(r.s, r.q, r.w);
    const long after = calls;
    assert_int_equal(PH_OK, status);
    assert_int_equal(before, after);
    assert_true(energy == energy);
    sphere_run_free(&r);
}

static void test_spheres(void **state)
{
    (void)state;
    size_t count;
    const ph_sphere_problem *const *all = ph_sphere_problems(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_sphere_problem *const one[] = {all[i], NULL};
        assert_true(sphere_each(one, check_spheres) > 3);
    }
}

/* Many bodies: no step allocates, in open space, by cells and by images. Threads are
 * another matter, hence few bodies. */
static void test_molecules(void **state)
{
    (void)state;
    static const double edges[] = {0.0, 9.0, 6.0};
    ph_integrator i;
    assert_int_equal(PH_OK, ph_integrator_named("srkn4_6b+exact", &i));
    for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
        ph_molecules *s = ph_molecules_lattice(4, 1.5, 0.01, 1);
        assert_non_null(s);
        s->box = (ph_vec3){edges[k], edges[k], edges[k]};
        s->cutoff = 3.0;
        assert_int_equal(PH_OK, ph_molecules_prepare(s, NULL));
        const long before = calls;
        const ph_status status = ph_molecules_run(s, &i, 0.01, 20, NULL, NULL, NULL);
        const double energy = ph_molecules_energies(s).total;
        const long after = calls;
        assert_int_equal(PH_OK, status);
        assert_true(energy == energy);
        assert_int_equal(before, after);
        ph_molecules_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting),  cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_motion),    cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_molecules),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
