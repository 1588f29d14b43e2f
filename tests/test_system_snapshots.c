/* test_system_snapshots.c - what is no snapshot of a system is refused, and changes nothing. */
#include <math.h>
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
#include "support/molecules.h"
#include "support/random.h"
#include "support/sphere_runs.h"
#include "support/stepping.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/kind.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { VERSION_AT = 8, LENGTH_AT = 12, NOTE_AT = 20 };

static void assert_refused(ph_status status, ph_system *s, bytes kept_state, const void *from,
                           size_t size)
{
    size_t length;
    ph_system *opened = NULL;
    assert_int_equal(status, ph_system_restore(s, from, size));
    assert_as_saved("a refused snapshot changes the system", kept_state, s);
    if (status == PH_BAD_SNAPSHOT || status == PH_NEWER_SNAPSHOT) {
        assert_int_equal(status, ph_system_from_snapshot(from, size, &opened));
        assert_null(ph_snapshot_note(from, size, &length));
    }
    assert_null(opened);
}

/* Eight bytes more, counted and signed: whole, but no snapshot of such a system. */
static void test_longer(void **state)
{
    (void)state;
    ph_system *s = system_named("heavy_top", "verlet+exact", 0.1);
    const bytes now = snapshot_of(s);
    const bytes longer = {calloc(1, now.size + SNAPSHOT_CHECKSUM), now.size + SNAPSHOT_CHECKSUM};
    assert_non_null(longer.at);
    memcpy(longer.at, now.at, now.size);
    for (size_t i = 0; i < NOTE_AT - LENGTH_AT; i++)
        longer.at[LENGTH_AT + i] = (unsigned char)((uint64_t)longer.size >> (8 * i));
    sign_snapshot(longer);
    assert_refused(PH_OTHER_SNAPSHOT, s, now, longer.at, longer.size);
    free(longer.at);
    free(now.at);
    ph_system_destroy(s);
}

/* Truncated at every length, longer, and altered by one bit, each bit in turn. */
static void test_damaged(void **state)
{
    (void)state;
    ph_system *s = system_named("heavy_top", "verlet+exact", 0.1);
    ph_system_watch(s, true);
    ph_system_set_note(s, "a note");
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
    const bytes b = snapshot_of(s);
    assert_int_equal(PH_OK, ph_system_run(s, 1, NULL));
    const bytes now = snapshot_of(s);
    for (size_t size = 0; size < b.size; size++) {
        unsigned char *part = malloc(size + !size); /* nothing lies behind it */
        assert_non_null(part);
        memcpy(part, b.at, size);
        assert_refused(PH_BAD_SNAPSHOT, s, now, part, size);
        free(part);
    }
    unsigned char *more = calloc(1, b.size + 1);
    assert_non_null(more);
    memcpy(more, b.at, b.size);
    assert_refused(PH_BAD_SNAPSHOT, s, now, more, b.size + 1);
    free(more);
    for (size_t bit = 0; bit < 8 * b.size; bit++) {
        b.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_refused(PH_BAD_SNAPSHOT, s, now, b.at, b.size);
        b.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_int_equal(PH_OK, ph_system_restore(s, b.at, b.size));
    assert_int_equal(3, ph_system_steps(s));
    free(b.at);
    free(now.at);
    ph_system_destroy(s);
}

static void test_newer(void **state)
{
    (void)state;
    ph_system *s = system_named("free", "exact", 0.1);
    const bytes b = snapshot_of(s), now = snapshot_of(s);
    b.at[VERSION_AT]++;
    sign_snapshot(b);
    assert_refused(PH_NEWER_SNAPSHOT, s, now, b.at, b.size);
    b.at[VERSION_AT]--;
    b.at[VERSION_AT + 3] = 0x80;
    sign_snapshot(b);
    assert_refused(PH_NEWER_SNAPSHOT, s, now, b.at, b.size);
    free(b.at);
    free(now.at);
    ph_system_destroy(s);
}

/* Bytes that are altered and signed again: each is refused or makes a system that may be
 * saved, and nothing is read or written where it should not be. */
static void check_signed(const char *problem, const char *integrator)
{
    ph_system *s =
        problem ? system_named(problem, integrator, 0.01) : system_of_molecules(9.0, 0.01);
    const bytes right = snapshot_of(s), b = snapshot_of(s);
    static const unsigned char values[] = {0x01, 0xff};
    size_t refused = 0, most = b.size < 1000 ? b.size : 1000;
    for (size_t at = LENGTH_AT; at < most - SNAPSHOT_CHECKSUM; at++) {
        for (size_t k = 0; k < COUNT(values); k++) {
            const unsigned char byte = b.at[at];
            ph_system *opened = NULL;
            size_t length;
            b.at[at] = values[k];
            sign_snapshot(b);
            const ph_status status = ph_system_restore(s, b.at, b.size);
            assert_true(status == PH_OK || status == PH_OTHER_SNAPSHOT ||
                        status == PH_BAD_SNAPSHOT);
            if (status != PH_OK)
                assert_as_saved("a refused snapshot changes the system", right, s);
            refused += status != PH_OK;
            if (ph_system_from_snapshot(b.at, b.size, &opened) == PH_OK)
                free(snapshot_of(opened).at);
            ph_system_destroy(opened);
            const char *note = ph_snapshot_note(b.at, b.size, &length);
            assert_true(note == NULL || length <= b.size - NOTE_AT - 8 - SNAPSHOT_CHECKSUM);
            b.at[at] = byte;
            sign_snapshot(b);
            assert_int_equal(PH_OK, ph_system_restore(s, right.at, right.size));
        }
    }
    assert_true(refused > 100);
    assert_as_saved("a snapshot is not what it was", b, s);
    free(right.at);
    free(b.at);
    ph_system_destroy(s);
}

static void test_signed(void **state)
{
    (void)state;
    check_signed("heavy_top", "vlv");
    check_signed("free", "exact");
    check_signed("pendulum", "rattle");
    check_signed(NULL, NULL);
}

static ph_system *top_with(double strength, ph_vec3 J)
{
    ph_problem p = *find_problem("heavy_top");
    const ph_integrator vlv = integrator_of("vlv");
    ph_system *s = NULL;
    p.value[ph_problem_parameter(&p, "strength")->first] *= strength;
    p.body.J = times(p.body.J, J);
    assert_int_equal(PH_OK, ph_system_from_problem(&p, &vlv, NULL, 0.01, 0, &s));
    return s;
}

static ph_system *chain_of(double count)
{
    ph_spheres_problem p = *find_spheres_problem("chain");
    const ph_integrator eln = {.method = find_spheres_method("eln")};
    ph_system *s = NULL;
    p.value[ph_spheres_problem_parameter(&p, "count")->first] = count;
    assert_int_equal(PH_OK, system_from_spheres(&p, &eln, NULL, NULL, 0.01, &s));
    return s;
}

static ph_system *molecules_with(double edge, double mass, double sigma, const char *name)
{
    ph_molecules *m = unequal_molecules(edge);
    const ph_integrator i = integrator_of(name);
    ph_system *s = NULL;
    m->mass[63] = mass;
    m->constant[0] = sigma;
    assert_int_equal(PH_OK, system_from_molecules(m, &i, 0.01, &s));
    ph_molecules_destroy(m);
    return s;
}

static ph_system *free_body(unsigned options)
{
    const ph_integrator exact = integrator_of("exact");
    ph_system *s = NULL;
    assert_int_equal(PH_OK,
                     ph_system_from_problem(find_problem("free"), &exact, NULL, 0.01, options, &s));
    return s;
}

/* Of another kind, problem, parameter, inertia, integrator, number, mass, law or box. */
static void test_others(void **state)
{
    (void)state;
    const ph_vec3 same = {1, 1, 1}, other = {1, 1, 1.5};
    ph_system *s[] = {
        top_with(1, same),
        top_with(2, same),
        top_with(1, other),
        system_named("heavy_top", "vlv_exp", 0.01),
        system_named("slow_top", "vlv", 0.01),
        free_body(0),
        free_body(PH_SYSTEM_UNCOMPENSATED),
        system_named("pendulum", "rattle", 0.01),
        system_named("pendulum", "eln", 0.01),
        chain_of(2),
        chain_of(3),
        molecules_with(0, 1, 1, "verlet+exact"),
        molecules_with(0, 2, 1, "verlet+exact"),
        molecules_with(0, 1, 1.01, "verlet+exact"),
        molecules_with(0, 1, 1, "verlet+mr"),
        molecules_with(6, 1, 1, "verlet+exact"),
        molecules_with(7, 1, 1, "verlet+exact"),
    };
    for (size_t i = 0; i < COUNT(s); i++) {
        assert_int_equal(PH_OK, ph_system_run(s[i], 2, NULL));
        const bytes now = snapshot_of(s[i]);
        for (size_t k = 0; k < COUNT(s); k++) {
            const bytes from = snapshot_of(s[k]);
            if (k == i)
                assert_int_equal(PH_OK, ph_system_restore(s[i], from.at, from.size));
            else
                assert_refused(PH_OTHER_SNAPSHOT, s[i], now, from.at, from.size);
            free(from.at);
        }
        assert_as_saved("its own snapshot changes a system", now, s[i]);
        free(now.at);
    }
    for (size_t i = 0; i < COUNT(s); i++)
        ph_system_destroy(s[i]);
}

/* A snapshot makes the system again, but not with numbers in a field that no system has there. Destroys
 * the system. */
static void check_numbers(ph_system *s, const char *field, const double *wrong, size_t count)
{
    const bytes b = snapshot_of(s), now = snapshot_of(s);
    const double right = *find_field(s, field)->data[0];
    size_t at = NOTE_AT;
    while (at + strlen(field) < b.size && memcmp(b.at + at, field, strlen(field)) != 0)
        at++;
    while (at + sizeof right < b.size && memcmp(b.at + at, &right, sizeof right) != 0)
        at++;
    assert_true(at + sizeof right < b.size);
    ph_system *opened = NULL;
    assert_int_equal(PH_OK, ph_system_from_snapshot(b.at, b.size, &opened));
    assert_as_saved("a snapshot makes another system", now, opened);
    ph_system_destroy(opened);
    for (size_t k = 0; k < count; k++) {
        opened = NULL;
        memcpy(b.at + at, &wrong[k], sizeof wrong[k]);
        sign_snapshot(b);
        assert_refused(PH_OTHER_SNAPSHOT, s, now, b.at, b.size);
        assert_int_equal(PH_OTHER_SNAPSHOT, ph_system_from_snapshot(b.at, b.size, &opened));
        assert_null(opened);
    }
    free(b.at);
    free(now.at);
    ph_system_destroy(s);
}

static ph_system *with_derivatives(unsigned by)
{
    const ph_system_settings with = {"heavy_top", .integrator = "gbs", .step = 0.1,
                                     .tolerance = 1e-6, .derivatives = by};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    return s;
}

static void test_options(void **state)
{
    (void)state;
    static const double options[] = {2.0, -1.0, 0.5, 0x1p60, INFINITY, NAN},
                        derivatives[] = {-1.0, 0.5, 1.5, 8.0, 1e300, INFINITY, NAN};
    check_numbers(free_body(PH_SYSTEM_UNCOMPENSATED), "options", options, COUNT(options));
    check_numbers(free_body(0), "options", options, COUNT(options));
    for (unsigned by = 1; by < 8; by++)
        check_numbers(with_derivatives(by), "derivatives", derivatives, COUNT(derivatives));
}

/* Nothing is written unless there is room; the size is told; a note is kept. */
static void test_saving(void **state)
{
    (void)state;
    ph_system *s = system_named("pendulum", "rattle", 0.01), *opened = NULL;
    const bytes without = snapshot_of(s);
    size_t length = 1;
    assert_non_null(ph_snapshot_note(without.at, without.size, &length));
    assert_int_equal(0, length);
    ph_system_set_note(s, "method: rattle");
    const size_t size = ph_system_save(s, NULL, 0);
    assert_int_equal(without.size + strlen("method: rattle"), size);
    unsigned char *to = malloc(size + 1);
    assert_non_null(to);
    memset(to, 0xa5, size + 1);
    assert_int_equal(size, ph_system_save(s, to, size - 1));
    assert_true(to[0] == 0xa5 && to[size - 1] == 0xa5);
    assert_int_equal(size, ph_system_save(s, to, size + 1));
    assert_true(to[size] == 0xa5);
    const char *note = ph_snapshot_note(to, size, &length);
    assert_int_equal(strlen("method: rattle"), length);
    assert_memory_equal("method: rattle", note, length);
    assert_int_equal(PH_OK, ph_system_from_snapshot(to, size, &opened));
    assert_as_saved("a note goes on without being asked", without, opened);
    ph_system_destroy(opened);
    ph_system_destroy(s);
    free(without.at);
    free(to);
}

/* A note that is said to be longer than all that is left. */
static void test_length_of_note(void **state)
{
    (void)state;
    ph_system *s = system_named("free", "exact", 0.1);
    const bytes b = snapshot_of(s);
    const uint64_t most = b.size - NOTE_AT - 8 - SNAPSHOT_CHECKSUM,
                   lengths[] = {0,         1,         most,      most + 1,  most + 8,
                                most + 16, most + 20, most + 24, most + 28, most + 36,
                                b.size,    2 * most,  INT64_MAX, UINT64_MAX};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        size_t length = 0;
        for (size_t i = 0; i < 8; i++)
            b.at[NOTE_AT + i] = (unsigned char)(lengths[k] >> (8 * i));
        sign_snapshot(b);
        const char *note = ph_snapshot_note(b.at, b.size, &length);
        assert_true((note != NULL) == (lengths[k] <= most));
        assert_true(note == NULL || length == lengths[k]);
    }
    free(b.at);
    ph_system_destroy(s);
}

/* ---- signed again, with a state that comes from no run ------------------------------- */

/* Multiplies each number of a snapshot that a shown field has, those of places, or the others; returns
 * how many there are. */
static size_t multiply(bytes b, const ph_system *s, bool of_places, double factor)
{
    size_t count, found = 0;
    const ph_array *f = ph_system_arrays(s, &count);
    for (; count > 0; count--, f++) {
        if (!(f->use & PH_ARRAY_SHOWN) || (f->use & PH_ARRAY_DERIVED) ||
            ((f->use & PH_ARRAY_PLACE) != 0) != of_places || (of_places && f->width == 1))
            continue;
        for (size_t n = 0; n < field_numbers(f); n++) {
            const double x = *field_number(f, n), other = x * factor;
            for (size_t at = NOTE_AT; at + sizeof x < b.size && x != 0.0; at++) {
                if (memcmp(b.at + at, &x, sizeof x) != 0)
                    continue;
                memcpy(b.at + at, &other, sizeof other);
                found++;
            }
        }
    }
    sign_snapshot(b);
    return found;
}

static void check_impossible(ph_system *s)
{
    const struct {
        bool of_places;
        double factor;
    } wrong[] = {{true, 0.92}, {true, 1.0 + 1e-5}, {true, NAN}, {false, INFINITY}};
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
    const bytes now = snapshot_of(s);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ph_system *opened = NULL;
        const bytes b = snapshot_of(s);
        const size_t found = multiply(b, s, wrong[i].of_places, wrong[i].factor);
        assert_true(found > 0 || !wrong[i].of_places);
        if (found == 0) { /* the momentum of a free body is there in a unit of its own */
            assert_string_equal(ph_system_problem_name(s), "free");
            free(b.at);
            continue;
        }
        assert_int_equal(PH_BAD_SNAPSHOT, ph_system_restore(s, b.at, b.size));
        assert_as_saved("a refused snapshot changes the system", now, s);
        assert_int_not_equal(PH_OK, ph_system_from_snapshot(b.at, b.size, &opened));
        assert_null(opened);
        free(b.at);
    }
    assert_int_equal(PH_OK, ph_system_restore(s, now.at, now.size));
    free(now.at);
    ph_system_destroy(s);
}

static ph_system *system_at_temperature(const char *problem, const char *integrator)
{
    const double one = 1.0;
    const ph_setting settings[] = {{"temperature", &one, 1}, {"seed", &one, 1}};
    const ph_system_settings with = {problem, .integrator = integrator, .step = 0.01,
                                     .settings = settings, .setting_count = 2};
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_system_create(&with, &s));
    return s;
}

static void test_impossible(void **state)
{
    (void)state;
    check_impossible(system_at_temperature("heavy_top", "baoab+exact"));
    check_impossible(system_at_temperature("orbiter", "baoab+exact"));
    check_impossible(system_named("heavy_top", "vlv", 0.01));
    check_impossible(system_named("heavy_top", "gbs", 0.01));
    check_impossible(system_named("spacecraft", "dop853", 0.01));
    check_impossible(system_named("free", "exact", 0.01));
    check_impossible(system_named("orbiter", "s6_10+exact", 0.01));
    check_impossible(system_named("double_pendulum", "rattle", 0.01));
    check_impossible(molecules_with(0, 1, 1, "verlet+exact"));
}

/* A system that goes on from a snapshot has the start of its first run, from which deviations are counted. */
static void test_start_is_kept(void **state)
{
    (void)state;
    static unsigned char saved[1 << 16];
    ph_system *s, *copy;
    const ph_observable *a, *b;
    const ph_system_settings with = {"heavy_top", .integrator = "verlet+exact", .step = 0.1};
    assert_int_equal(ph_system_create(&with, &s), PH_OK);
    assert_int_equal(ph_system_run(s, 20, NULL), PH_OK);
    const size_t size = ph_system_save(s, saved, sizeof saved);
    assert_true(size > 0 && size <= sizeof saved);
    assert_int_equal(ph_system_from_snapshot(saved, size, &copy), PH_OK);
    assert_int_equal(ph_system_run(copy, 20, NULL), PH_OK);
    assert_int_equal(ph_system_observable_named(s, "energy", &a), PH_OK);
    assert_int_equal(ph_system_observable_named(copy, "energy", &b), PH_OK);
    assert_memory_equal(a->start, b->start, sizeof a->start);
    assert_memory_not_equal(a->start, a->now, sizeof a->start[0]);
    ph_system_destroy(copy);
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longer),         cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_newer),          cmocka_unit_test(test_signed),
        cmocka_unit_test(test_others),         cmocka_unit_test(test_options),
        cmocka_unit_test(test_length_of_note), cmocka_unit_test(test_saving),
        cmocka_unit_test(test_impossible),     cmocka_unit_test(test_start_is_kept),
    };
    return cmocka_run_group_tests_name("system_snapshots", tests, NULL, NULL);
}
