/* test_allocation.c - no step allocates: malloc and its relatives count their calls (the
 * linker puts ours in their place), and every system, once it is made, and the exact motion
 * leave the count alone. They also fail when told to, and what is made and not freed is
 * counted: systems of every kind that are refused leave nothing behind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/systems.h"

/* The compiler believes that malloc leaves them alone. */
static volatile long calls;
static volatile long fail_at; /* the call that finds no memory; 0: none */
static volatile long blocks;  /* allocated, and not freed */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

static void *counted(void *block)
{
    blocks += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return counted(++calls == fail_at ? NULL : __real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(++calls == fail_at ? NULL : __real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (++calls == fail_at)
        return NULL;
    blocks -= old != NULL;
    return counted(__real_realloc(old, size));
}

void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
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

/* Whatever is asked of a system once it is made allocates nothing. Restoring alone may take one
 * block, a copy of the state. */
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
    const long saved = calls;
    if (status == PH_OK)
        status = ph_system_restore(s, b.at, size);
    const long for_copy = calls - saved; /* of the state, for a snapshot that is refused */
    if (status == PH_OK)
        status = ph_system_changed(s);
    if (status == PH_OK)
        status = ph_system_set_step(s, -a->h);
    if (status == PH_OK)
        status = ph_system_run_until(s, 10 * a->h, NULL);
    const long after = calls - for_copy;
    if (status != PH_OK || after != before || for_copy > 1)
        fail_msg("%s: %s, %ld allocations, and %ld to restore", a->name, ph_status_text(status),
                 after - before, for_copy);
    assert_true(sum == sum);
    free(b.at);
    ph_system_destroy(s);
}

static void test_systems(void **state)
{
    (void)state;
    every_system(check_system);
}

/* Each allocation fails in turn until there is a system: no memory, and nothing is lost or
 * freed twice. */
static void fail_in_turn(const char *name, ph_status make(const void *of, ph_system **out),
                         const void *of)
{
    ph_system *s = NULL;
    long spared = 0;
    ph_status status = PH_NO_MEMORY;
    for (; status == PH_NO_MEMORY; spared++) {
        const long before = blocks;
        fail_at = calls + 1 + spared;
        status = make(of, &s);
        fail_at = 0;
        assert_true((s != NULL) == (status == PH_OK));
        if (status != PH_OK && blocks != before)
            fail_msg("%s: %ld blocks are lost", name, blocks - before);
    }
    assert_int_equal(PH_OK, status);
    assert_true(spared > 4);
    ph_system_destroy(s);
}

static ph_status make_any(const void *of, ph_system **out)
{
    const any_system *a = of;
    return a->make(a, out, a->h);
}

static void check_no_memory(const any_system *a)
{
    fail_in_turn(a->name, make_any, a);
}

static ph_status make_by_settings(const void *of, ph_system **out)
{
    return ph_system_create(of, out);
}

/* A tolerance, for which trials look for a step. */
static void test_no_memory_for_a_tolerance(void **state)
{
    (void)state;
    const ph_system_settings with = {"heavy_top", .integrator = "verlet+exact", .tolerance = 1e-3};
    fail_in_turn("heavy_top by a tolerance", make_by_settings, &with);
}

static void test_no_memory(void **state)
{
    (void)state;
    some_systems(check_no_memory);
}

static double above(void *context, ph_system *s)
{
    (void)context;
    return ph_system_state(s).m.x;
}

/* The derivatives of the time of an event, each allocation failing in turn. */
static void test_no_memory_for_an_event(void **state)
{
    (void)state;
    const ph_system_settings with = {"heavy_top", .integrator = "gbs", .tolerance = 1e-6,
                                     .derivatives = PH_DERIVATIVES_START};
    const ph_event event = {.value = above};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    assert_int_equal(PH_OK, ph_system_run_until(s, 0.5, NULL));
    const bytes now = snapshot_of(s);
    ph_status status = PH_NO_MEMORY;
    long spared = 0;
    for (; status == PH_NO_MEMORY; spared++) {
        double by[6];
        const long before = blocks;
        fail_at = calls + 1 + spared;
        status = ph_system_event_derivative(s, &event, by);
        fail_at = 0;
        assert_int_equal(before, blocks);
        assert_as_saved("a derivative changes the system", now, s);
    }
    assert_int_equal(PH_OK, status);
    assert_int_equal(3, spared); /* a snapshot and the columns are allocated */
    free(now.at);
    ph_system_destroy(s);
}

/* ---- settings that are wrong, snapshots that are altered ----------------------------- */

/* A system or none, in which case nothing is left of it. */
static void try_settings(const ph_system_settings *with)
{
    ph_system *s = NULL;
    const long before = blocks;
    const ph_status status = ph_system_create(with, &s);
    assert_true((s != NULL) == (status == PH_OK));
    ph_system_destroy(s);
    if (blocks != before)
        fail_msg("%s, %s %s: %ld blocks are lost", with->problem,
                 with->setting_count > 0 ? with->settings->name : "by",
                 with->integrator ? with->integrator : "", blocks - before);
}

static void try_setting(const char *problem, const char *name, size_t count)
{
    static const double wrong[] = {0, -1, 1e308, 1e-308, NAN};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        double x[8];
        for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
            x[i] = wrong[k];
        const ph_setting one = {name, x, count};
        try_settings(&(ph_system_settings){problem, .step = 1, .settings = &one, .setting_count = 1,
                                           .most_entries = 1000});
    }
}

static void test_wrong_settings(void **state)
{
    (void)state;
    ph_problem_facts p;
    ph_method_facts m;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        for (size_t k = 0; k < p.start_count; k++) {
            const size_t width = (size_t)p.start[k].width;
            try_setting(p.name, p.start[k].name, width);
            try_setting(p.name, p.start[k].name, width + 1);
        }
        for (int k = 0; k < p.parameter_count; k++)
            try_setting(p.name, p.parameters[k].name, (size_t)p.parameters[k].count);
        for (size_t k = 0; ph_method_at(k, &m); k++)
            try_settings(&(ph_system_settings){p.name, .integrator = m.name, .step = 1});
        try_settings(&(ph_system_settings){p.name, .integrator = "none", .step = 1});
        try_settings(&(ph_system_settings){p.name, .step = INFINITY});
        try_settings(&(ph_system_settings){p.name, .step = 1, .tolerance = 1e-6});
    }
}

static void test_altered_snapshots(void **state)
{
    (void)state;
    ph_problem_facts p;
    const char *last = "";
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        if (strcmp(p.kind, last) == 0)
            continue;
        last = p.kind;
        ph_system *s = system_named(p.name, p.integrator, 0.01);
        const bytes b = snapshot_of(s);
        for (size_t at = 0; at + SNAPSHOT_CHECKSUM < b.size; at += 1 + b.size / 400) {
            ph_system *opened = NULL;
            const long before = blocks;
            b.at[at] ^= 0x81;
            sign_snapshot(b);
            (void)ph_system_from_snapshot(b.at, b.size, &opened);
            ph_system_destroy(opened);
            b.at[at] ^= 0x81;
            if (blocks != before)
                fail_msg("%s, byte %zu: %ld blocks are lost", p.kind, at, blocks - before);
        }
        free(b.at);
        ph_system_destroy(s);
    }
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
        cmocka_unit_test(test_wrong_settings),
        cmocka_unit_test(test_altered_snapshots),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_no_memory_for_a_tolerance),
        cmocka_unit_test(test_no_memory_for_an_event),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
