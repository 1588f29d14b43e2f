/* test_catalog.c - the lists, and look-up by name: the same for every kind of thing; and the
 * header of the descriptors, which it writes:
 * build/tests/test_catalog write >include/polhode/catalog.h
 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kinds/spheres/spheres_list.h"
#include "lab/papers/figure.h"
#include "system/find.h"

#include "catalog_files.h"
#include "kinds/molecules/molecule_bodies.h"
#include "kinds/spheres/stepping.h"
#include "lab/papers/catalog_figure.h"
#include "polhode/batch.h"
#include "system/kind.h"

/* Each thing of a list has a name that finds it, a title and a source; another name finds
 * nothing, and NULL is refused. */
#define CHECK_LIST(kind)                                                                           \
    static void check_##kind(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        size_t count = 0;                                                                          \
        const ph_##kind *const *all = ph_##kind##s(&count);                                        \
        assert_true(count > 0);                                                                    \
        for (size_t i = 0; i < count; i++) {                                                       \
            const ph_##kind *found = NULL;                                                         \
            assert_int_equal(PH_OK, ph_##kind##_named(all[i]->name, &found));                      \
            assert_ptr_equal(found, all[i]);                                                       \
            assert_true(strlen(found->name) > 0 && strlen(found->title) > 0);                      \
            assert_true(strlen(found->cite) > 0);                                                  \
        }                                                                                          \
        CHECK_NAMED(kind, const ph_##kind *, all[0]->name);                                        \
    }

/* *out stays as it was unless PH_OK. */
#define CHECK_NAMED(kind, type, good)                                                              \
    do {                                                                                           \
        type out;                                                                                  \
        memset(&out, 0, sizeof out);                                                               \
        const type before = out;                                                                   \
        assert_int_equal(PH_UNKNOWN_NAME, ph_##kind##_named("nothing", &out));                     \
        assert_int_equal(PH_UNKNOWN_NAME, ph_##kind##_named("", &out));                            \
        assert_int_equal(PH_NULL_ARGUMENT, ph_##kind##_named(NULL, &out));                         \
        assert_int_equal(PH_NULL_ARGUMENT, ph_##kind##_named(good, NULL));                         \
        assert_memory_equal(&before, &out, sizeof out);                                            \
        assert_int_equal(PH_OK, ph_##kind##_named(good, &out));                                    \
        assert_memory_not_equal(&before, &out, sizeof out);                                        \
    } while (0)

CHECK_LIST(flow)
CHECK_LIST(method)
CHECK_LIST(molecules_problem)
CHECK_LIST(problem)
CHECK_LIST(adaptive)
CHECK_LIST(scheme)
CHECK_LIST(spheres_method)
CHECK_LIST(spheres_problem)

static void check_composition(void **state)
{
    (void)state;
    size_t count = 0;
    const ph_composition *rows = ph_compositions(&count);
    for (size_t i = 0; i < count; i++) {
        const ph_composition *found = NULL;
        assert_int_equal(PH_OK, ph_composition_named(rows[i].name, &found));
        assert_ptr_equal(found, &rows[i]);
    }
    CHECK_NAMED(composition, const ph_composition *, rows[0].name);
}

/* Integrators are put together from names. */
static void check_integrators(void **state)
{
    (void)state;
    CHECK_NAMED(integrator, ph_integrator, "verlet+sr2:suzuki4");
    CHECK_NAMED(spheres_integrator, ph_integrator, "verlet+circle");
    ph_integrator i;
    ph_integrator s;
    static const char *const unknown[] = {
        "sr2:",   "sr2:nothing",   ":suzuki4",           "verlet+",
        "+exact", "nothing+exact", "sr2:suzuki4:suzuki4"};
    for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++)
        assert_int_equal(PH_UNKNOWN_NAME, ph_integrator_named(unknown[k], &i));
    static const char *const composed[] = {"sr4:suzuki4", "exact:suzuki4"};
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_named(composed[k], &i));
    static const char *const spheres[] = {"verlet", "verlet+exact", "nothing+circle"};
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(PH_UNKNOWN_NAME, ph_spheres_integrator_named(spheres[k], &s));
}

/* An integrator of zeros, which is none, is refused by a status everywhere. */
static void check_zeros(void **state)
{
    (void)state;
    const ph_integrator zero = {0};
    const ph_integrator on_spheres = {0};
    char name[PH_INTEGRATOR_NAME] = "x";
    const ph_problem *p = find_problem("heavy_top");
    ph_state s = ph_problem_start(p);
    const ph_state before = s;
    assert_string_equal("", ph_integrator_name(&zero, name));
    assert_int_equal(PH_ORDER_NONE, ph_integrator_order(&zero));
    assert_int_equal(0, ph_integrator_keeps(&zero) | ph_integrator_keeps_free(&zero));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_applies(&zero, p));
    assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_step(&zero, p, &s, 0, 0.1));
    assert_memory_equal(&before, &s, sizeof s);
    const ph_batch none = {.n = 0};
    assert_int_equal(PH_NOT_APPLICABLE, ph_batch_run(&zero, &none, 0.1, 1, NULL, NULL).status);
    ph_molecules *m = ph_molecules_lattice(2, 3.0, 0.01, 1);
    assert_int_equal(PH_OK, ph_molecules_prepare(m, NULL));
    assert_int_equal(PH_NOT_APPLICABLE, ph_molecules_step(m, &zero, 0.1));
    ph_molecules_destroy(m);
    ph_spheres *spheres = NULL;
    assert_string_equal("", ph_integrator_name(&on_spheres, name));
    assert_int_equal(PH_ORDER_NONE, ph_integrator_order(&on_spheres));
    assert_int_equal(0, ph_integrator_keeps(&on_spheres));
    assert_int_equal(PH_NOT_APPLICABLE,
                     ph_spheres_create(find_spheres_problem("pendulum"), &on_spheres, &spheres));
    assert_null(spheres);
}

/* Integrators of bodies and of spheres are of one type, and each refuses what the other does. */
static void check_kinds_apart(void **state)
{
    (void)state;
    const ph_problem *p = find_problem("heavy_top");
    const ph_state before = ph_problem_start(p);
    static const char *const of_spheres[] = {"rattle", "verlet+circle", "rattle@yoshida4"},
                             *const of_bodies[] = {"rattle", "verlet+exact", "dop853"};
    for (size_t k = 0; k < 3; k++) {
        ph_integrator i;
        ph_state s = before;
        ph_spheres *spheres = NULL;
        assert_int_equal(PH_OK, ph_spheres_integrator_named(of_spheres[k], &i));
        assert_int_equal(PH_NOT_APPLICABLE, ph_integrator_step(&i, p, &s, 0, 0.1));
        assert_memory_equal(&before, &s, sizeof s);
        assert_int_equal(PH_OK, ph_integrator_named(of_bodies[k], &i));
        assert_int_equal(PH_NOT_APPLICABLE,
                         ph_spheres_create(find_spheres_problem("pendulum"), &i, &spheres));
    }
}

/* What callers allocate has a size that is part of the interface. */
static void check_sizes(void **state)
{
    (void)state;
    assert_int_equal(96, PH_MOTION_DOUBLES);
    assert_int_equal(96 * sizeof(double), sizeof(ph_motion));
}

/* ---- names of descriptors and files ---------------------------------------------- */

/* The name of row i of a list, NULL after the last; and the row that the next file has. */
#define LIST_NAMES(kind, list)                                                                     \
    static const char *name_of_##kind(size_t i)                                                    \
    {                                                                                              \
        size_t count;                                                                              \
        const ph_##kind *const *all = list(&count);                                                \
        return i < count ? all[i]->name : NULL;                                                    \
    }                                                                                              \
    static size_t next_##kind;

static const ph_figure *const *figures(size_t *count)
{
    *count = sizeof figure_rows / sizeof figure_rows[0];
    return figure_rows;
}

LIST_NAMES(adaptive, ph_adaptives)
LIST_NAMES(figure, figures)
LIST_NAMES(flow, ph_flows)
LIST_NAMES(kind, ph_kinds)
LIST_NAMES(method, ph_methods)
LIST_NAMES(molecules_problem, ph_molecules_problems)
LIST_NAMES(problem, ph_problems)
LIST_NAMES(scheme, ph_schemes)
LIST_NAMES(spheres_method, ph_spheres_methods)
LIST_NAMES(thermostat, ph_thermostats)
LIST_NAMES(spheres_problem, ph_spheres_problems)

/* Whether a row of a family is named after its file: it begins with the name of the file, or
 * the first row is called so and the others are variants of it. Figures have the number that
 * their paper gave them, and the file is called what they show. */
static bool is_of_family(const char *kind, const char *file, const char *first, const char *name)
{
    if (strcmp(kind, "figure") == 0)
        return strstr(name, "_figure") != NULL || strstr(name, "_table") != NULL ||
               strstr(name, "_section") != NULL;
    return strcmp(first, file) == 0 || strncmp(name, file, strlen(file)) == 0;
}

static void check_file(const char *kind, const char *file, size_t members,
                       const char *(*name_of)(size_t), size_t *next)
{
    const char *first = name_of(*next);
    for (size_t i = 0; i < (members > 0 ? members : 1); i++, ++*next) {
        const char *name = name_of(*next);
        if (name == NULL)
            fail_msg("%s: %s.c has more rows than the list", kind, file);
        else if (members > 0 ? !is_of_family(kind, file, first, name) : strcmp(name, file) != 0)
            fail_msg("%s: %s.c has a descriptor that is called %s", kind, file, name);
    }
}

static void check_files(void **state)
{
    (void)state;
#define CHECK_FILE(kind, file, members)                                                            \
    check_file(#kind, file, members, name_of_##kind, &next_##kind);
    CATALOG_FILES(CHECK_FILE)
#undef CHECK_FILE
#define CHECK_END(kind, file, members) assert_null(name_of_##kind(next_##kind));
    CATALOG_FILES(CHECK_END)
#undef CHECK_END
}

/* ---- status ---------------------------------------------------------------------- */

/* Codes and their numbers are a contract. */
static void check_status(void **state)
{
    (void)state;
    static const int numbers[] = {
#define CODE_NUMBER(code, number, text) number,
        PH_STATUS_LIST(CODE_NUMBER)
#undef CODE_NUMBER
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_string_not_equal(ph_status_text((ph_status)numbers[i]), "unknown status");
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(numbers[i], numbers[k]);
    }
    assert_string_equal(ph_status_text((ph_status)-1), "unknown status");
    assert_int_equal(PH_OK, 0);
    assert_int_equal(PH_EXPLODED, 16);
}

/* ---- the header -------------------------------------------------------------------- */

static void write_header(FILE *to)
{
    static const struct {
        const char *kind, *name;
        int members;
    } files[] = {
#define FILE_ROW(kind, name, members) {#kind, name, members},
        CATALOG_FILES(FILE_ROW)
#undef FILE_ROW
    };
    static const char *const public[] = {"flow",   "scheme",   "thermostat",
                                         "method", "adaptive", "problem"};
    (void)fputs(
        "/* catalog.h - every descriptor by its name in C. A family is an array.\n"
        " *\n"
        " *     ph_flow_step(&ph_flow_exact, &body, &state, 0.1);\n"
        " *\n"
        " * A program that uses a descriptor by its name is linked with it alone.\n"
        " * ph_flow_named() and similar functions link all of them. A library that was\n"
        " * built with POLHODE_LAB=OFF has only the descriptors of the core. `make regenerate`\n"
        " * writes this file from the folders of the sources.\n"
        " */\n"
        "#ifndef POLHODE_CATALOG_H\n"
        "#define POLHODE_CATALOG_H\n"
        "\n"
        "#include \"polhode/body.h\"\n"
        "\n"
        "#ifdef __cplusplus\n"
        "extern \"C\" {\n"
        "#endif\n",
        to);
    for (size_t k = 0; k < sizeof public / sizeof public[0]; k++) {
        (void)fputc('\n', to);
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            if (strcmp(files[i].kind, public[k]) != 0)
                continue;
            (void)fprintf(to, "extern PH_API const ph_%s ph_%s_%s", files[i].kind, files[i].kind,
                          files[i].name);
            if (files[i].members > 0)
                (void)fprintf(to, "[%d]", files[i].members);
            (void)fputs(";\n", to);
        }
    }
    (void)fputs("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n", to);
}

/* The header declares what the folders hold. */
static void check_header(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    write_header(to);
    (void)fclose(to);
    FILE *from = fopen(TEST_DATA "/../../include/polhode/catalog.h", "r");
    assert_non_null(from);
    char *found = calloc(length + 2, 1);
    assert_non_null(found);
    assert_int_equal(fread(found, 1, length + 1, from), length);
    (void)fclose(from);
    assert_string_equal(found, text);
    free(found);
    free(text);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "write") == 0) {
        write_header(stdout);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_flow),           cmocka_unit_test(check_method),
        cmocka_unit_test(check_problem),        cmocka_unit_test(check_adaptive),
        cmocka_unit_test(check_scheme),         cmocka_unit_test(check_molecules_problem),
        cmocka_unit_test(check_spheres_method), cmocka_unit_test(check_spheres_problem),
        cmocka_unit_test(check_composition),    cmocka_unit_test(check_integrators),
        cmocka_unit_test(check_zeros),          cmocka_unit_test(check_kinds_apart),
        cmocka_unit_test(check_sizes),          cmocka_unit_test(check_files),
        cmocka_unit_test(check_status),         cmocka_unit_test(check_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
