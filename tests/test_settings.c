/* test_settings.c - systems from settings: every problem of every kind, and what is wrong. */
/* Needs kinds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integrators/range.h"
#include "polhode/spheres.h"
#include "support/skip.h"
#include "system/find.h"
#include "system/kind.h"
#include "tests/support/systems.h"

static const double STEP = 0.001;

static ph_system *made(const ph_system_settings *with)
{
    ph_system *s = NULL;
    const ph_status status = ph_system_create(with, &s);
    if (status != PH_OK)
        fail_msg("%s: %s", with->problem, with->message ? with->message->text : "");
    return s;
}

/* The numbers of a field, entry by entry. */
static double *numbers_of(const ph_array *f)
{
    double *x = calloc(f->count * (size_t)f->width, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < f->count; i++) {
        for (int k = 0; k < f->width; k++)
            x[i * (size_t)f->width + (size_t)k] = f->data[k][i * f->stride];
    }
    return x;
}

/* ---- every problem ------------------------------------------------------------------- */

/* A system that is given its own start goes on as that does which has it by default, to the
 * last digits; the settings are those that its fields hold. */
static void takes_its_own_start(const ph_problem_facts *p, ph_system *s)
{
    enum { MOST = 16 };
    ph_setting list[MOST];
    ph_message why;
    ph_system_settings with = {p->name, .step = STEP, .settings = list, .message = &why};
    for (size_t i = 0; i < p->start_count; i++) {
        const ph_start_array *start = &p->start[i];
        const ph_array *f;
        if (start->field == NULL ||
            (start->other != NULL && ph_settings_find(&with, start->other) >= 0) ||
            (p->first_order && i > 0))
            continue;
        assert_int_equal(PH_OK, ph_system_array_named(s, start->field, &f));
        assert_int_equal(start->width, f->width);
        if (start->list) /* constants have an entry each, too */
            assert_true(f->count == ph_system_arrays(s, &(size_t){0})->count);
        list[with.setting_count++] =
            (ph_setting){start->name, numbers_of(f), f->count * (size_t)f->width};
        assert_true(with.setting_count < MOST);
    }
    ph_system *again = made(&with);
    assert_int_equal(PH_OK, ph_system_run(s, 3, NULL));
    assert_int_equal(PH_OK, ph_system_run(again, 3, NULL));
    const double e = ph_system_energy(s);
    assert_true(fabs(ph_system_energy(again) - e) <= 1e-13 * (1 + fabs(e)));
    ph_system_destroy(again);
    for (size_t i = 0; i < with.setting_count; i++)
        free((double *)list[i].values);
}

/* Numbers out of a parameter's range, too many of them, and names of nothing are refused,
 * each with a message about that setting. */
static void refuses_wrong_settings(const ph_problem_facts *p)
{
    static const double wrong[] = {-1, NAN, INFINITY};
    double many[PH_PARAMETER_VALUES + 2] = {0};
    ph_setting one;
    ph_message why;
    ph_system *s = NULL;
    const ph_system_settings with = {p->name, .step = STEP, .settings = &one, .setting_count = 1,
                                     .message = &why};
    for (int i = 0; i < p->parameter_count; i++) {
        const ph_parameter *of = &p->parameters[i];
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            memcpy(many, &p->value[of->first], (size_t)of->count * sizeof *many);
            many[of->count - 1] = wrong[k];
            one = (ph_setting){of->name, many, (size_t)of->count};
            if (ph_range_has(of->range, wrong[k]))
                continue;
            assert_int_equal(PH_BAD_PARAMETER, ph_system_create(&with, &s));
            assert_int_equal(0, why.setting);
            assert_non_null(strstr(why.text, of->name));
            assert_non_null(strstr(why.text, ": "));
        }
        one.count++;
        assert_int_equal(PH_BAD_PARAMETER, ph_system_create(&with, &s));
    }
    one = (ph_setting){"nothing", many, 1};
    assert_int_equal(PH_UNKNOWN_NAME, ph_system_create(&with, &s));
    assert_non_null(strstr(why.text, "no parameter nothing"));
    for (size_t i = 0; i < p->start_count; i++) {
        const ph_start_array *f = &p->start[i];
        one = (ph_setting){f->name, many, (size_t)f->width + 1};
        assert_int_not_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(0, why.setting);
    }
}

/* What another kind takes, and this does not, is refused by name. */
static void refuses_other_starts(const ph_problem_facts *p)
{
    static const double x[8];
    size_t count;
    const ph_kind *const *kinds = ph_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < kinds[k]->start_count; i++) {
            const ph_start_array *f = &kinds[k]->start[i];
            const ph_setting one = {f->name, x, (size_t)f->width};
            ph_message why;
            ph_system *s = NULL;
            bool own = false;
            for (size_t n = 0; n < p->start_count; n++)
                own = own || strcmp(p->start[n].name, f->name) == 0;
            for (int n = 0; n < p->parameter_count; n++)
                own = own || strcmp(p->parameters[n].name, f->name) == 0;
            if (own)
                continue;
            assert_int_equal(
                PH_UNKNOWN_NAME,
                ph_system_create(&(ph_system_settings){p->name, .step = STEP, .settings = &one,
                                                       .setting_count = 1, .message = &why},
                                 &s));
            assert_non_null(strstr(why.text, "cannot be used with"));
        }
    }
}

/* Methods of its kind, and schemes over its drift, apply or are refused with a message. */
static void says_what_applies(const ph_problem_facts *p)
{
    ph_method_facts m;
    ph_message why;
    ph_system *s = NULL;
    for (size_t i = 0; ph_method_at(i, &m); i++) {
        const ph_system_settings with = {p->name, .integrator = m.name, .step = STEP,
                                         .message = &why};
        const ph_status status = ph_system_create(&with, &s);
        assert_int_equal(status, ph_integrator_suits(m.name, p->name));
        if (status == PH_OK) {
            assert_string_equal(m.name, ph_system_integrator_name(s));
            ph_system_destroy(s);
        } else {
            assert_true(why.setting == PH_SETTING_INTEGRATOR && strstr(why.text, ": "));
        }
    }
}

static void test_every_problem(void **state)
{
    (void)state;
    ph_problem_facts p;
    for (size_t i = 0; ph_problem_at(i, &p); i++) {
        ph_message why;
        const ph_system_settings with = {p.name, .step = STEP, .message = &why};
        ph_system *s = made(&with);
        assert_string_equal(p.kind, ph_system_kind(s));
        assert_string_equal(p.name, ph_system_problem_name(s));
        assert_string_equal(p.integrator, ph_system_integrator_name(s));
        assert_ptr_equal(ph_kind_named(p.kind), ph_kind_of(s));
        const char *reference = ph_system_comparison(s).integrator;
        assert_int_equal(PH_OK, ph_integrator_suits(reference, p.name));
        takes_its_own_start(&p, s);
        ph_system_destroy(s);
        refuses_wrong_settings(&p);
        refuses_other_starts(&p);
        says_what_applies(&p);
    }
}

/* ---- what is wrong with names and steps ------------------------------------------------ */

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *integrator;
        int setting;
        const char *words;
    } wrong[] = {
        {"hevy_top", NULL, PH_SETTING_PROBLEM, "did you mean heavy_top"},
        {"heavy_top", "vvl", PH_SETTING_INTEGRATOR, "did you mean vlv"},
        {"heavy_top", "exact", PH_SETTING_INTEGRATOR, "write verlet+exact"},
        {"pendulum", "verlet", PH_SETTING_INTEGRATOR, "write verlet+circle"},
        {"heavy_top", "rkmk4", PH_SETTING_INTEGRATOR, "is an integrator of spheres"},
        {"heavy_top", "mkrk_rk4@suzuki4", PH_SETTING_INTEGRATOR, "does not have order 2"},
    };
    ph_message why;
    ph_system *s = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const ph_system_settings with = {wrong[i].problem, .integrator = wrong[i].integrator,
                                         .step = STEP, .message = &why};
        assert_int_not_equal(PH_OK, ph_system_create(&with, &s));
        assert_int_equal(wrong[i].setting, why.setting);
        if (strstr(why.text, wrong[i].words) == NULL)
            fail_msg("`%s` is not in: %s", wrong[i].words, why.text);
    }
    ph_system_settings with = {"heavy_top", .integrator = "gbs", .step = NAN, .message = &why};
    assert_int_equal(PH_BAD_STEP, ph_system_create(&with, &s));
    assert_int_equal(PH_SETTING_STEP, why.setting);
    with.step = 1.0;
    with.tolerance = 1.0;
    assert_int_equal(PH_BAD_TOLERANCE, ph_system_create(&with, &s));
    assert_int_equal(PH_SETTING_TOLERANCE, why.setting);
    with.message = NULL; /* nobody listens */
    assert_int_equal(PH_BAD_TOLERANCE, ph_system_create(&with, &s));
    with = (ph_system_settings){"magnets", .step = STEP, .most_entries = 15};
    assert_int_equal(PH_BAD_PARAMETER, ph_system_create(&with, &s));
    with.most_entries = 16;
    ph_system_destroy(made(&with));
}

/* What a program sets that was compiled with a newer header is refused, and not ignored. */
static void test_newer_members(void **state)
{
    (void)state;
    enum { SETTINGS, PROBLEM, FLOW, METHOD, SCHEME, COMPOSITION, WHOLE, INTEGRATOR, PLACES };
    static const int setting[PLACES] = {
        [SETTINGS] = PH_SETTING_NONE,     [PROBLEM] = PH_SETTING_PROBLEM,
        [FLOW] = PH_SETTING_INTEGRATOR,   [METHOD] = PH_SETTING_INTEGRATOR,
        [SCHEME] = PH_SETTING_INTEGRATOR, [COMPOSITION] = PH_SETTING_INTEGRATOR,
        [WHOLE] = PH_SETTING_INTEGRATOR,  [INTEGRATOR] = PH_SETTING_INTEGRATOR,
    };
    for (int newer = 0; newer <= PLACES; newer++) {
        ph_problem p = *find_problem("heavy_top");
        ph_flow flow = *find_flow("sr2");
        ph_scheme scheme = *find_scheme("verlet");
        ph_method method = *find_method("vlv");
        ph_composition composition = *find_composition("yoshida4"), whole = composition;
        ph_integrator i = {&flow, &composition, &scheme, .whole = &whole};
        if (newer == METHOD)
            i = (ph_integrator){.method = &method};
        ph_message why;
        ph_system_settings with = {
            .own_problem = &p, .own_integrator = &i, .step = STEP, .message = &why};
        uint64_t *const reserved[PLACES] = {
            with.reserved,   p.reserved,           flow.reserved,  method.reserved,
            scheme.reserved, composition.reserved, whole.reserved, i.reserved,
        };
        if (newer < PLACES)
            reserved[newer][newer == PROBLEM ? 0 : newer % PH_RESERVED] = 1;
        ph_system *s = NULL;
        ph_state state_of = ph_problem_start(&p);
        const ph_status status = ph_system_create(&with, &s);
        assert_int_equal(newer < PLACES ? PH_NEWER_MEMBER : PH_OK, status);
        if (newer < PLACES) {
            assert_null(s);
            assert_int_equal(setting[newer], why.setting);
            assert_non_null(strstr(why.text, "newer library"));
        }
        const ph_status expected = newer == SETTINGS || newer == PLACES ? PH_OK : PH_NEWER_MEMBER;
        assert_int_equal(expected, ph_integrator_applies(&i, &p));
        assert_int_equal(expected, ph_integrator_step(&i, &p, &state_of, 0.0, STEP));
        ph_system_destroy(s);
    }
}

/* A new member takes the place of reserved elements: programs that were compiled before have
 * structures of this size. Do not change these numbers after version 0.2.0 is released; see "Later versions"
 * in polhode/body.h. */
static void test_sizes(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        skip_because("pointers have other than 64 bits");
    assert_int_equal(120, sizeof(ph_flow));
    assert_int_equal(104, sizeof(ph_composition));
    assert_int_equal(808, sizeof(ph_problem));
    assert_int_equal(120, sizeof(ph_method));
    assert_int_equal(128, sizeof(ph_scheme));
    assert_int_equal(128, sizeof(ph_integrator));
    assert_int_equal(176, sizeof(ph_system_settings));
    assert_int_equal(192, sizeof(ph_problem_facts));
    assert_int_equal(112, sizeof(ph_method_facts));
    assert_int_equal(608, sizeof(ph_spheres_problem));
}

static void count_warning(void *context, const ph_message *warning)
{
    assert_non_null(strstr(warning->text, "moments of inertia"));
    ++*(int *)context;
}

static void test_warnings(void **state)
{
    (void)state;
    static const double J[] = {1, 1, 9};
    const ph_setting inertia = {"inertia", J, 3};
    int warnings = 0;
    ph_system_destroy(
        made(&(ph_system_settings){"free", .step = STEP, .settings = &inertia, .setting_count = 1,
                                   .warn = count_warning, .context = &warnings}));
    assert_int_equal(1, warnings);
}

/* What is taken has no message: every problem of every kind. */
static void test_no_message(void **state)
{
    (void)state;
    ph_problem_facts p;
    for (size_t k = 0; ph_problem_at(k, &p); k++) {
        ph_message why = {0};
        ph_system_destroy(made(&(ph_system_settings){p.name, .step = STEP, .message = &why}));
        if (why.text[0] != '\0')
            fail_msg("%s: %s", p.name, why.text);
    }
}

/* Of a wrong name with a composition, the step is corrected, or if that is right the composition. */
static void test_nearest_names(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {{"vlx@suzuki4", "vlv", "vlx@"},
                                           {"vlv@suzuki5", "vlv@suzuki4", "vlx"},
                                           {"mrr", "mr", "mrr@"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ph_message why = {0};
        ph_system *s = NULL;
        const ph_system_settings with = {"free", .integrator = wrong[k][0], .step = STEP,
                                         .message = &why};
        assert_int_not_equal(PH_OK, ph_system_create(&with, &s));
        const char *meant = strstr(why.text, "did you mean");
        assert_non_null(meant);
        assert_non_null(strstr(meant, wrong[k][1]));
        assert_null(strstr(meant, wrong[k][2]));
    }
}

/* A table has rows of a time and three numbers. */
static void test_tables(void **state)
{
    (void)state;
    static const double rows[] = {0.0,  1e-3, 2e-3, 3e-3, 60.0, 4e-3,
                                  5e-3, 6e-3, 90.0, 0.0,  0.0,  0.0};
    for (size_t count = 1; count <= 12; count++) {
        ph_system *s = NULL;
        const ph_setting table = {"torque_table", rows, count};
        const ph_system_settings with = {"spacecraft", .integrator = "gbs", .tolerance = 1e-9,
                                         .settings = &table, .setting_count = 1};
        assert_int_equal(count % 4 == 0 ? PH_OK : PH_BAD_PARAMETER, ph_system_create(&with, &s));
        ph_system_destroy(s);
    }
}

/* Bits that mean nothing to a caller are refused, also those that the library uses inside. */
static void test_unknown_bits(void **state)
{
    (void)state;
    static const double one[] = {1.0};
    const ph_setting nothing = {"no_such_thing", one, 1};
    for (int k = 0; k < 32; k++) {
        ph_system_settings with = {"free", .integrator = "exact", .step = STEP, .options = 1U << k};
        ph_message why = {0};
        ph_system *s = NULL;
        ph_ensemble *many = NULL;
        with.message = &why;
        const ph_status expected = k == 0 ? PH_OK : PH_BAD_PARAMETER;
        assert_int_equal(expected, ph_system_create(&with, &s));
        assert_int_equal(expected, ph_ensemble_create(&with, NULL, 0, 1, NULL, &many));
        assert_true((strstr(why.text, "options") != NULL) == (k > 0));
        ph_system_destroy(s);
        ph_ensemble_destroy(many);
        with.settings = &nothing;
        with.setting_count = 1;
        assert_int_equal(k == 0 ? PH_UNKNOWN_NAME : PH_BAD_PARAMETER, ph_system_create(&with, &s));
        with = (ph_system_settings){"free", .integrator = "exact", .step = STEP,
                                    .derivatives = 1U << k, .message = &why};
        s = NULL;
        assert_int_equal(k < 3 ? PH_OK : PH_BAD_PARAMETER, ph_system_create(&with, &s));
        assert_true((strstr(why.text, "derivatives") != NULL) == (k >= 3));
        ph_system_destroy(s);
    }
}

/* An exact motion needs no step: one of it lasts 1. */
static void test_no_step(void **state)
{
    (void)state;
    ph_system *s = made(&(ph_system_settings){"free", .integrator = "exact", .tolerance = 1e-9});
    assert_true(ph_system_step(s) == 1.0);
    ph_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_problem), cmocka_unit_test(test_names),
        cmocka_unit_test(test_newer_members), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_warnings),      cmocka_unit_test(test_no_message),
        cmocka_unit_test(test_nearest_names), cmocka_unit_test(test_no_step),
        cmocka_unit_test(test_tables),        cmocka_unit_test(test_unknown_bits),
    };
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
