/* test_torques_tables.c - tables over time of a problem: between rows, beyond them, at their times,
 * and numbers that are no table; and a torque in lanes of the caller's own, in any axes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integrators/adaptive_run.h"
#include "integrators/field.h"
#include "integrators/table.h"
#include "polhode/system.h"
#include "system/find.h"
#include "system/run_body.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- tables ---------------------------------------------------------------------- */

enum { ROW = 4, ROWS = 7 };

static const double TABLE[ROWS][ROW] = {
    {-3, 1, 2, 3}, {-1, 2, 0, -1}, {0, 5, 5, 5},   {0.5, -2, 4, 8},
    {2, 0, 0, 1},  {10, 3, -3, 0}, {11, 1, 1, -1},
};

/* The value at a time by a search from the first row on. */
static ph_vec3 right_at(size_t rows, double t)
{
    size_t k = 0;
    while (k + 1 < rows && TABLE[k + 1][0] <= t)
        k++;
    const double *a = TABLE[k], *b = TABLE[k + 1 < rows ? k + 1 : k];
    const double part = k + 1 < rows && t > a[0] ? (t - a[0]) / (b[0] - a[0]) : 0.0;
    return vec3(a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2]),
                a[3] + part * (b[3] - a[3]));
}

static void test_values(void **state)
{
    (void)state;
    for (size_t rows = 0; rows <= ROWS; rows++) {
        for (int which = 0; which < find_problem("spacecraft")->table_count; which++) {
            ph_problem p = *find_problem("spacecraft");
            assert_int_equal(PH_OK,
                             ph_problem_set_table(&p, p.tables[which].name, &TABLE[0][0], rows));
            assert_int_equal(rows, ph_table_rows(&p, which));
            for (double t = -5.0; t < 13.0; t += 0.125) {
                const ph_vec3 found = ph_table_at(&p, which, t),
                              right = rows > 0 ? right_at(rows, t) : vec3(0, 0, 0);
                assert_true(norm(sub(found, right)) < 1e-14);
            }
            for (size_t k = 0; k < rows; k++) { /* at the time of a row that very row */
                const ph_vec3 found = ph_table_at(&p, which, TABLE[k][0]);
                assert_memory_equal(&found, &TABLE[k][1], sizeof found);
            }
            ph_problem_release(&p);
        }
    }
}

/* Numbers of a snapshot, which has as many as it says, and no more. */
static void test_data(void **state)
{
    (void)state;
    static const struct {
        double data[12];
        size_t count;
        ph_status status;
    } rows[] = {
        {{0, 0}, 2, PH_OK},
        {{1, 5, 1, 2, 3, 0}, 6, PH_OK},
        {{0, 1, 5, 1, 2, 3}, 6, PH_OK},
        {{2, 5, 1, 2, 3, 6, 1, 2, 3, 0}, 10, PH_OK},
        {{1, 5, 1, 2, 3, 1, 6, 1, 2, 3}, 10, PH_OK},
        {{0}, 1, PH_OK}, /* with fewer tables, as of an older version */
        {{1, 5, 1, 2, 3}, 5, PH_OK},
        {{0, 0, 0, 0, 0}, 5, PH_BAD_PARAMETER},
        {{1, 5, 1, 2, 3, 1}, 6, PH_BAD_PARAMETER},
        {{1, 5, 1, 2, 3, 1, 6, 1, 2}, 9, PH_BAD_PARAMETER},
        {{2, 5, 1, 2, 3, 0}, 6, PH_BAD_PARAMETER},
        {{1.25, 5, 1, 2, 3, 0}, 6, PH_BAD_PARAMETER},
        {{0.5, 0}, 2, PH_BAD_PARAMETER},
        {{-1, 0}, 2, PH_BAD_PARAMETER},
        {{NAN, 0}, 2, PH_BAD_PARAMETER},
        {{1e300, 0}, 2, PH_BAD_PARAMETER},
        {{4, 0, 0, 0, 0, 0}, 6, PH_BAD_PARAMETER},
        {{20, 0, 0, 0, 0, 0}, 6, PH_BAD_PARAMETER},
        {{2, 5, 1, 2, 3, 5, 1, 2, 3, 0}, 10, PH_BAD_PARAMETER},
        {{2, 5, 1, 2, 3, 4, 1, 2, 3, 0}, 10, PH_BAD_PARAMETER},
        {{1, 5, 1, NAN, 3, 0}, 6, PH_BAD_PARAMETER},
        {{1, 5, 1, 2, INFINITY, 0}, 6, PH_BAD_PARAMETER},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        ph_problem p = *find_problem("spacecraft");
        double *exact = malloc(rows[i].count * sizeof *exact); /* nothing lies behind it */
        assert_non_null(exact);
        memcpy(exact, rows[i].data, rows[i].count * sizeof *exact);
        p.data = exact;
        p.data_count = rows[i].count;
        if (p.load(&p) != rows[i].status)
            fail_msg("row %zu of numbers", i);
        free(exact);
    }
    ph_problem p = *find_problem("spacecraft");
    assert_int_equal(PH_NULL_ARGUMENT, ph_problem_set_table(NULL, "torque_table", NULL, 0));
    assert_int_equal(PH_NULL_ARGUMENT, ph_problem_set_table(&p, NULL, NULL, 0));
    assert_int_equal(PH_NULL_ARGUMENT, ph_problem_set_table(&p, "torque_table", NULL, 1));
    assert_int_equal(PH_UNKNOWN_NAME, ph_problem_set_table(&p, "table", NULL, 0));
    assert_null(p.data);
}

/* ---- lanes in any axes ------------------------------------------------------------------- */

static ph_vec3 bent(const ph_problem *p, const ph_instant *now)
{
    (void)p;
    return vec3(now->R.a[0][1] - now->t, now->R.a[2][0], 0.5 * now->R.a[1][2]);
}

static long asked; /* for the torque in lanes, how often */

static void bent_in_lanes(const ph_problem *p, int first, int last, const double *t,
                          const double (*q)[PH_LANES], double (*torque)[PH_LANES])
{
    asked++;
    for (int k = first; k < last; k++) {
        const ph_instant now = instant_at(t[k], (ph_quat){q[0][k], q[1][k], q[2][k], q[3][k]});
        const ph_vec3 tau = bent(p, &now);
        torque[0][k] = tau.x, torque[1][k] = tau.y, torque[2][k] = tau.z;
    }
}

static void test_own_lanes(void **state)
{
    (void)state;
    size_t count;
    const ph_adaptive *const *methods = ph_adaptives(&count);
    for (size_t k = 0; k < 2 * count; k++) {
        ph_state end[2];
        for (int lanes = 0; lanes < 2; lanes++) {
            ph_problem p = {.name = "bent",
                            .body = PH_MOMENTS(1, 2, 2.5),
                            .q = {1, 0, 0, 0},
                            .w = {0.3, 0.2, -0.5},
                            .nonconservative = true,
                            .torque = bent,
                            .torque_lanes = lanes ? bent_in_lanes : NULL};
            if (k % 2 == 1) {
                p.body.axes = ph_quat_unit((ph_quat){1.0, 0.3, -0.2, 0.5});
                p.body.principal = false;
            }
            const ph_integrator i = {.adaptive = methods[k / 2], .tolerance = 1e-10};
            ph_system *s;
            assert_int_equal(PH_OK, ph_system_from_problem(&p, &i, NULL, 0.0, 0, &s));
            assert_int_equal(PH_OK, ph_system_run_until(s, 3.0, NULL));
            end[lanes] = ph_system_state(s);
            ph_system_destroy(s);
        }
        const ph_vec3 off = sub(end[0].m, end[1].m);
        if (!(norm(off) < 1e-7)) /* as far as the tolerance leads */
            fail_msg("%s: off by %g in lanes", methods[k / 2]->name, norm(off));
    }
    assert_true(asked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_own_lanes),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
