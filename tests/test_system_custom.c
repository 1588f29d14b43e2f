/* test_system_custom.c - schemes, compositions and tableaus of the caller's own: every one of the
 * catalog, copied, moves every kind of system to the same bits, also from a snapshot; and numbers in
 * a snapshot that are no coefficients are refused. */
/* Needs kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integrators/tableau.h"
#include "motion/composition.h"
#include "motion/vec.h"
#include "support/systems.h"
#include "system/find.h"
#include "system/kind.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- copies ---------------------------------------------------------------------- */

enum { MOST = 256 };

/* An integrator with copies of its parts, all in one place that is overwritten afterwards. */
typedef struct copies {
    ph_integrator i;
    ph_scheme scheme;
    ph_composition composition, whole;
    ph_method method;
    tableau table;
    double half[3][MOST], gradient[MOST];
    char name[64];
} copies;

static void copy_composition(copies *c, int place, ph_composition *to, const ph_composition **of)
{
    if (*of == NULL)
        return;
    *to = **of;
    memcpy(c->half[place], to->half, (size_t)(to->stages + 1) / 2 * sizeof *to->half);
    to->half = c->half[place];
    to->name = c->name;
    *of = to;
}

static copies *copied(const ph_integrator *of, const char *name)
{
    copies *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->i = *of;
    (void)snprintf(c->name, sizeof c->name, "%s", name ? name : "");
    if (of->scheme != NULL) {
        const size_t half = (size_t)(of->scheme->stages + 1) / 2;
        c->scheme = *of->scheme;
        memcpy(c->half[0], c->scheme.half, half * sizeof(double));
        c->scheme.half = c->half[0];
        if (c->scheme.gradient != NULL) {
            memcpy(c->gradient, c->scheme.gradient, half * sizeof(double));
            c->scheme.gradient = c->gradient;
        }
        c->scheme.name = name ? c->name : NULL;
        c->i.scheme = &c->scheme;
    }
    copy_composition(c, 1, &c->composition, &c->i.composition);
    copy_composition(c, 2, &c->whole, &c->i.whole);
    if (of->method != NULL) {
        c->method = *of->method;
        c->table = *(const tableau *)of->method->data;
        c->method.data = &c->table;
        c->method.name = name ? c->name : NULL;
        c->i.method = &c->method;
    }
    return c;
}

/* ---- the same bits --------------------------------------------------------------------- */

static void assert_same_rows(const ph_system *a, const ph_system *b, const char *words)
{
    size_t count;
    const ph_array *x = ph_system_arrays(a, &count);
    for (size_t i = 0; i < count; i++) {
        const ph_array *y = find_field(b, x[i].name);
        for (size_t k = 0; k < x[i].count && (x[i].use & PH_ARRAY_SHOWN); k++) {
            for (int c = 0; c < x[i].width; c++) {
                if (memcmp(&x[i].data[c][k * x[i].stride], &y->data[c][k * y->stride],
                           sizeof(double)) != 0)
                    fail_msg("%s: %s has other bits", words, x[i].name);
            }
        }
    }
}

/* A problem by an integrator of the catalog and by a copy of it, and by a snapshot of the copy. */
static bool check_same(const char *problem, const char *integrator, const char *name)
{
    ph_system *own = NULL, *opened = NULL, *known = NULL;
    ph_system_settings from = {.problem = problem, .integrator = integrator, .step = 0.01};
    const ph_status status = ph_system_create(&from, &known);
    const bool spheres = strstr(integrator, "+circle") != NULL;
    char words[PH_INTEGRATOR_NAME + 80], plain[PH_INTEGRATOR_NAME];
    if (status == PH_NOT_APPLICABLE || status == PH_UNKNOWN_NAME)
        return false;
    assert_int_equal(PH_OK, status);
    (void)snprintf(words, sizeof words, "%s by %s, as %s", problem, integrator, name);
    (void)snprintf(plain, sizeof plain, "%s", integrator);
    if (spheres) /* the same parts; a body's drift has no place on spheres */
        memcpy(strstr(plain, "+circle"), "+exact\0", 7);
    if (spheres && strchr(integrator, '@') != NULL)
        (void)snprintf(plain, sizeof plain, "%.*s+exact%s", (int)strcspn(integrator, "+"),
                       integrator, strchr(integrator, '@'));
    ph_integrator parts;
    assert_int_equal(PH_OK, ph_integrator_named(plain, &parts));
    if (spheres)
        parts.flow = NULL;
    copies *c = copied(&parts, name);
    from.integrator = NULL;
    from.own_integrator = &c->i;
    assert_int_equal(PH_OK, ph_system_create(&from, &own));
    memset(c, 0xa5, sizeof *c);
    free(c);
    assert_int_equal(ph_system_order(own), ph_system_order(known));
    assert_int_equal(PH_OK, ph_system_run(own, 3, NULL));
    assert_int_equal(PH_OK, ph_system_run(known, 3, NULL));
    assert_same_rows(own, known, words);
    if (name != NULL && name[0] != '\0') { /* as much of it as there is room for */
        char shown[32];
        (void)snprintf(shown, sizeof shown, "%s", name);
        for (char *at = shown; *at != '\0'; at++)
            *at = strchr("+:@", *at) != NULL ? '_' : *at; /* which part a name */
        assert_non_null(strstr(ph_system_integrator_name(own), shown));
    }
    const bytes b = snapshot_of(own);
    const ph_status again = ph_system_from_snapshot(b.at, b.size, &opened);
    if (again != PH_OK)
        fail_msg("%s: %s: %s", words, ph_system_integrator_name(own), ph_status_text(again));
    assert_string_equal(ph_system_integrator_name(own), ph_system_integrator_name(opened));
    assert_int_equal(ph_system_order(own), ph_system_order(opened));
    assert_as_saved(words, b, opened);
    assert_int_equal(PH_OK, ph_system_run(opened, 3, NULL));
    assert_int_equal(PH_OK, ph_system_run(known, 3, NULL));
    assert_same_rows(opened, known, words);
    free(b.at);
    ph_system_destroy(own);
    ph_system_destroy(opened);
    ph_system_destroy(known);
    return true;
}

static void test_catalog(void **state)
{
    (void)state;
    size_t schemes, compositions, methods, checked = 0;
    const ph_scheme *const *scheme = ph_schemes(&schemes);
    const ph_composition *composition = ph_compositions(&compositions);
    const ph_method *const *method = ph_methods(&methods);
    ph_problem_facts p;
    for (size_t n = 0; ph_problem_at(n, &p); n++) {
        /* one of each kind that is not a body, and some of those */
        ph_problem_facts before = {.kind = ""};
        if (n > 0)
            (void)ph_problem_at(n - 1, &before);
        if (strcmp(p.kind, before.kind) == 0 && strcmp(p.name, "heavy_top") != 0 &&
            strcmp(p.name, "spins") != 0 && strcmp(p.name, "magnets") != 0)
            continue;
        char name[PH_INTEGRATOR_NAME];
        const char *drift = p.drift ? p.drift : "exact";
        for (size_t k = 0; k < schemes; k++) {
            (void)snprintf(name, sizeof name, "%s+%s", scheme[k]->name, drift);
            checked += check_same(p.name, name, k % 2 ? "mine" : NULL);
        }
        for (size_t k = 0; k < compositions; k++) {
            (void)snprintf(name, sizeof name, "verlet+%s@%s", drift, composition[k].name);
            checked += check_same(p.name, name, "mine, of the fourth order, and with more");
            (void)snprintf(name, sizeof name, "verlet+mr:%s", composition[k].name);
            checked += check_same(p.name, name, "signs: a+b:c@d");
            (void)snprintf(name, sizeof name, "mr:%s", composition[k].name);
            checked += check_same(p.name, name, composition[k].name); /* not the same one */
        }
        for (size_t k = 0; k < methods; k++) {
            if (strncmp(method[k]->name, "mkrk_", 5) == 0)
                checked += check_same(p.name, method[k]->name, k % 2 ? "mine" : NULL);
        }
    }
    print_message("%zu integrators\n", checked);
    assert_true(checked > 100);
}

/* ---- too many, and none ------------------------------------------------------------------- */

static ph_status status_of(const char *problem, const ph_integrator *i)
{
    ph_system *s = NULL;
    const ph_status status = ph_system_create(
        &(ph_system_settings){.problem = problem, .own_integrator = i, .step = 0.01}, &s);
    assert_true((s != NULL) == (status == PH_OK));
    ph_system_destroy(s);
    return status;
}

static void test_sizes(void **state)
{
    (void)state;
    double half[MOST] = {0}, gradient[MOST] = {0};
    half[0] = 0.5;
    half[1] = 1.0;
    ph_scheme scheme = {.name = "long",
                        .title = "",
                        .cite = "",
                        .order = 2,
                        .kick_first = true,
                        .stages = 255,
                        .half = half,
                        .gradient = gradient};
    ph_composition whole = {
        .name = "long", .title = "", .cite = "", .order = 2, .stages = 255, .half = half};
    ph_integrator i = {.flow = find_flow("exact"), .scheme = &scheme, .whole = &whole};
    assert_int_equal(PH_OK, status_of("heavy_top", &i));
    scheme.stages = 256;
    assert_int_equal(PH_BAD_PARAMETER, status_of("heavy_top", &i));
    scheme.stages = 255;
    whole.stages = 256;
    assert_int_equal(PH_BAD_PARAMETER, status_of("heavy_top", &i));
    whole.stages = 257;
    assert_int_equal(PH_BAD_PARAMETER, status_of("heavy_top", &i));
    i.whole = NULL;
    i.composition = &whole;
    assert_int_equal(PH_BAD_PARAMETER, status_of("heavy_top", &i));
    i.composition = NULL;
    static const int wrong[] = {1000, 0, -1, -1000, INT32_MIN};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        ph_message why = {0};
        ph_system *s = NULL;
        const ph_system_settings with = {
            .problem = "heavy_top", .own_integrator = &i, .step = 0.01, .message = &why};
        scheme.stages = wrong[k];
        assert_int_equal(PH_BAD_PARAMETER, ph_system_create(&with, &s));
        assert_int_equal(PH_SETTING_INTEGRATOR, why.setting);
        assert_non_null(strstr(why.text, "stages"));
    }
    scheme.stages = 3;
    scheme.half = NULL;
    assert_int_equal(PH_NULL_ARGUMENT, status_of("heavy_top", &i));
}

/* ---- numbers in a snapshot ------------------------------------------------------------------- */

/* The place of some numbers, one after the other, in a snapshot. */
static size_t place_of(bytes b, const double *x, size_t count)
{
    for (size_t at = 0; at + count * sizeof *x <= b.size; at++) {
        if (memcmp(b.at + at, x, count * sizeof *x) == 0)
            return at;
    }
    fail_msg("the numbers are not in the snapshot");
    return 0;
}

/* A snapshot of a system whose integrator is all its own. */
static ph_system *all_own(bool tableau_too)
{
    ph_integrator parts;
    ph_system *s = NULL;
    assert_int_equal(PH_OK, ph_integrator_named(
                                tableau_too ? "mkrk_rk4" : "verlet+mr:suzuki4@yoshida4", &parts));
    copies *c = copied(&parts, "mine");
    assert_int_equal(PH_OK, ph_system_create(&(ph_system_settings){.problem = "heavy_top",
                                                                   .own_integrator = &c->i,
                                                                   .step = 0.01},
                                             &s));
    free(c);
    return s;
}

enum { KIND, ORDER, KICK_FIRST, STAGES, GRADIENT, HEAD };

/* Each number of the head of a part as it must not be. */
static void check_heads(ph_system *s, const double head[HEAD], int most_stages)
{
    const struct {
        int place;
        double x;
    } bad[] = {{KIND, -1},
               {KIND, 4},
               {KIND, 5},
               {KIND, 0.5},
               {KIND, NAN},
               {KIND, INFINITY},
               {ORDER, -2},
               {ORDER, 101},
               {ORDER, 1e300},
               {ORDER, 2.5},
               {ORDER, NAN},
               {STAGES, 0},
               {STAGES, -1},
               {STAGES, most_stages + 1},
               {STAGES, most_stages},
               {STAGES, head[STAGES] + 0.5},
               {STAGES, NAN},
               {STAGES, 1}};
    const bytes b = snapshot_of(s);
    const size_t at = place_of(b, head, HEAD);
    for (size_t k = 0; k < COUNT(bad); k++) {
        const size_t where = at + (size_t)bad[k].place * sizeof(double);
        ph_system *opened = NULL;
        double old;
        memcpy(&old, b.at + where, sizeof old);
        memcpy(b.at + where, &bad[k].x, sizeof old);
        sign_snapshot(b);
        const ph_status status = ph_system_from_snapshot(b.at, b.size, &opened);
        if (status == PH_OK || opened != NULL)
            fail_msg("number %d of a part is %g: it was %g", bad[k].place, bad[k].x, old);
        memcpy(b.at + where, &old, sizeof old);
    }
    /* and such as it may be */
    static const double orders[] = {-1, 0, 100};
    for (size_t k = 0; k < COUNT(orders); k++) {
        ph_system *opened = NULL;
        memcpy(b.at + at + ORDER * sizeof(double), &orders[k], sizeof(double));
        sign_snapshot(b);
        const ph_status status = ph_system_from_snapshot(b.at, b.size, &opened);
        if (status != PH_OK && status != PH_UNKNOWN_NAME && status != PH_OTHER_SNAPSHOT &&
            status != PH_NOT_APPLICABLE)
            fail_msg("order %g: %s", orders[k], ph_status_text(status));
        ph_system_destroy(opened);
    }
    free(b.at);
}

static void test_snapshots(void **state)
{
    (void)state;
    ph_system *s = all_own(false), *t = all_own(true);
    const ph_scheme *verlet = find_scheme("verlet");
    check_heads(s, (double[]){0, 2, verlet->kick_first, verlet->stages, 0}, 255);
    check_heads(s, (double[]){1, 4, 0, find_composition("suzuki4")->stages, 0}, 255);
    check_heads(s, (double[]){2, 4, 0, find_composition("yoshida4")->stages, 0}, 255);
    check_heads(t, (double[]){3, 4, 0, 4, 0}, 8);
    /* two parts of one kind */
    const bytes b = snapshot_of(s);
    const double second[HEAD] = {2, 4, 0, find_composition("yoshida4")->stages, 0}, one = 1;
    ph_system *opened = NULL;
    memcpy(b.at + place_of(b, second, HEAD), &one, sizeof one);
    sign_snapshot(b);
    assert_int_not_equal(PH_OK, ph_system_from_snapshot(b.at, b.size, &opened));
    assert_null(opened);
    free(b.at);
    ph_system_destroy(s);
    ph_system_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests_name("coefficients of one's own", tests, NULL, NULL);
}
