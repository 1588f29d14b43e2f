/* test_allocation.c - no step allocates: malloc and its relatives count their calls (the
 * linker puts ours in their place), and every system, once it is made, and the exact motion
 * leave the count alone. They also fail when told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/systems.h"

/* The compiler believes that malloc leaves them alone. */
static volatile long calls;
static volatile long fail_at; /* the call that finds no memory; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return ++calls == fail_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return ++calls == fail_at ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++calls == fail_at ? NULL : __real_realloc(old, size);
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

static bool see(void *context, ph_system *s)
{
    size_t count;
    (void)ph_system_observables(s, &count);
    *(double *)context += ph_system_energy(s);
    return true;
}

/* Whatever is asked of a system once it is made. */
static void check_system(const any_system *a)
{
    ph_system *s = system_made(a);
    const bytes b = snapshot_of(s);
    const double times[] = {0.5 * a->h, 7 * a->h, 7.5 * a->h};
    double sum = 0.0;
    const ph_observer o = {see, &sum, 3, times, sizeof times / sizeof times[0]};
    const long before = calls;
    ph_system_watch(s, true);
    ph_status status = ph_system_run(s, 20, &o);
    const size_t size = ph_system_save(s, b.at, b.size);
    if (status == PH_OK)
        status = ph_system_restore(s, b.at, size);
    if (status == PH_OK)
        status = ph_system_changed(s);
    if (status == PH_OK)
        status = ph_system_set_step(s, -a->h);
    if (status == PH_OK)
        status = ph_system_run_until(s, 10 * a->h, NULL);
    const long after = calls;
    if (status != PH_OK || after != before)
        fail_msg("%s: %s, %ld allocations", a->name, ph_status_text(status),
                 after - before);
    assert_true(sum == sum);
    free(b.at);
    ph_system_free(s);
}

static void test_systems(void **state)
{
    (void)state;
    every_system(check_system);
}

/* Each allocation fails in turn until there is a system: no memory, and nothing is lost or
 * freed twice. */
static void check_no_memory(const any_system *a)
{
    ph_system *s = NULL;
    long spared = 0;
    ph_status status = PH_NO_MEMORY;
    for (; status == PH_NO_MEMORY; spared++) {
        fail_at = calls + 1 + spared;
        status = a->make(a, &s, a->h);
        fail_at = 0;
        assert_true((s != NULL) == (status == PH_OK));
    }
    assert_int_equal(PH_OK, status);
    assert_true(spared > 4);
    ph_system_free(s);
}

static void test_no_memory(void **state)
{
    (void)state;
    some_systems(check_no_memory);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting),
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
