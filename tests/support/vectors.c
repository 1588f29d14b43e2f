/* vectors.c - reads the reference motions by jansson. */
#include "support/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("a vector without \"%s\"", key);
    return value;
}

/* Hexadecimal, so that the input is the same double everywhere. */
static double hex(const json_t *value)
{
    return strtod(json_string_value(value), NULL);
}

static ph_vec3 hex3(const json_t *a)
{
    return (ph_vec3){hex(json_array_get(a, 0)), hex(json_array_get(a, 1)),
                     hex(json_array_get(a, 2))};
}

static void decimals(arb_ptr out, const json_t *a)
{
    for (size_t i = 0; i < json_array_size(a); i++)
        assert_int_equal(0, arb_set_str(out + i, json_string_value(json_array_get(a, i)), 160));
}

void vectors_each(const char *file, void (*visit)(const vector_case *v, void *context),
                  void *context)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    const json_t *cases = member(root, "cases");
    assert_true(json_array_size(cases) > 0);
    arb_ptr solution = _arb_vec_init(ORACLE_OUTPUTS);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *c = json_array_get(cases, i), *h = member(c, "hex");
        const json_t *q = member(h, "q0");
        const ph_vec3 v = {hex(json_array_get(q, 1)), hex(json_array_get(q, 2)),
                           hex(json_array_get(q, 3))};
        decimals(solution, member(c, "m"));
        decimals(solution + 3, member(c, "q"));
        const vector_case out = {
            .name = json_string_value(member(c, "name")),
            .c = {.J = hex3(member(h, "I")),
                  .start = {{hex(json_array_get(q, 0)), v.x, v.y, v.z}, hex3(member(h, "m0"))},
                  .t = hex(member(h, "t"))},
            .solution = solution,
            .tol_m = json_real_value(member(c, "tol_m")),
            .tol_q = json_real_value(member(c, "tol_q")),
        };
        visit(&out, context);
    }
    _arb_vec_clear(solution, ORACLE_OUTPUTS);
    json_decref(root);
}
