/* test_grade.c - the grades of rows of a case that is made here: which times are matched, the order,
 * and what counts as a mistake. test_cli_grade.c has the cases of the tool. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/measure/grade.h"
#include "rotation/vec.h"

enum { MADE_TIMES = 3 };
static const double made_times[MADE_TIMES] = {1.0, 2.0, 3.0};

/* A body that turns by some radians about an axis in the first plane, from no turn. */
static void make_case(grade_case *c, grade_state at[MADE_TIMES])
{
    *c = (grade_case){.tensor = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0},
                      .attitude = {1, 0, 0, 0},
                      .bound = 1e-3,
                      .times = MADE_TIMES,
                      .time = made_times,
                      .state = at};
    for (int i = 0; i < MADE_TIMES; i++)
        at[i] = (grade_state){.q = turn_about(vec3(0.6, 0.8, 0.0), 0.2 + 0.1 * i),
                              .w = {0.6, 0.8, 0.1 * i},
                              .acceleration = {0.1, 0.2, 0.3}};
}

/* The row at the time number i of the case, turned about the third axis by an angle. */
static grade_row made_row(const grade_case *c, int i, double angle, double h)
{
    return (grade_row){.t = c->time[i],
                       .q = mul(c->state[i].q, turn_about(vec3(0, 0, 1), 0.5 * angle)),
                       .w = c->state[i].w,
                       .h = h};
}

/* Two rows at one time are one time that is matched, wherever the next row is. */
static void test_matched(void **state)
{
    (void)state;
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    make_case(&c, at);
    grade_row row[] = {made_row(&c, 0, 0, 0), made_row(&c, 0, 0, 0), made_row(&c, 1, 0, 0),
                       made_row(&c, 2, 0, 0)};
    row[3].t = 2.5;
    assert_int_equal(ph_grade_rows(&c, row, 4, &g), PH_OK);
    assert_int_equal(g.matched, 2);
    assert_int_equal(g.rows, 3);
    assert_int_equal(g.verdict, GRADE_TIMES_MISSING);
    row[3].t = 3.0;
    assert_int_equal(ph_grade_rows(&c, row, 4, &g), PH_OK);
    assert_int_equal(g.matched, 3);
    assert_int_equal(g.verdict, GRADE_PASSED);
}

/* Errors h^2 are of order 2; an error above a radian, and one at round-off, do not count. */
static void test_order_of_small_errors(void **state)
{
    (void)state;
    static const double step[] = {0.1, 0.2, 0.4, 0.8, 1e-3},
                        error[] = {0.01, 0.04, 0.16, 1.5, 5e-13};
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    grade_row row[5 * MADE_TIMES];
    make_case(&c, at);
    for (int i = 0; i < 5 * MADE_TIMES; i++)
        row[i] = made_row(&c, i % MADE_TIMES, error[i / MADE_TIMES], step[i / MADE_TIMES]);
    assert_int_equal(ph_grade_rows(&c, row, 5 * (size_t)MADE_TIMES, &g), PH_OK);
    assert_true(fabs(g.order - 2.0) < 1e-9);
}

/* A mistake is one of all rows, the first too. Of two that predict the same the first of the
 * list is named: without a third component a transposed attitude is also a mirrored one. */
static void test_mistakes_of_all_rows(void **state)
{
    (void)state;
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    make_case(&c, at);
    for (int wrong = 0; wrong <= MADE_TIMES; wrong++) { /* the row that is right */
        grade_row row[MADE_TIMES];
        for (int i = 0; i < MADE_TIMES; i++) {
            row[i] = made_row(&c, i, 0.0, 0.0);
            if (i != wrong)
                row[i].q = inverse(row[i].q);
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.verdict, GRADE_WRONG_ATTITUDE);
        assert_int_equal(g.looks_like, wrong < MADE_TIMES ? GRADE_NO_MISTAKE : GRADE_TRANSPOSED);
    }
}

/* Results in a mirrored frame: one axis reversed, or two exchanged. The vector part of a quaternion and
 * the velocity are axial vectors, which take the sign of the determinant. */
static void test_left_handed(void **state)
{
    (void)state;
    static const double M[6][3][3] = {
        {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
        {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}},  {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    make_case(&c, at);
    for (int i = 0; i < MADE_TIMES; i++)
        at[i].q = turn_about(vec3(0.48, 0.64, 0.6), 0.5 + 0.2 * i);
    for (int k = 0; k < 12; k++) {
        grade_row row[MADE_TIMES];
        for (int i = 0; i < MADE_TIMES; i++) {
            row[i] = made_row(&c, i, 0.0, 0.0);
            const double v[3] = {at[i].q.x, at[i].q.y, at[i].q.z};
            double u[3];
            for (int r = 0; r < 3; r++)
                u[r] = (k < 6 ? -1.0 : 1.0) *
                       (M[k % 6][r][0] * v[0] + M[k % 6][r][1] * v[1] + M[k % 6][r][2] * v[2]);
            row[i].q = (ph_quat){at[i].q.w, u[0], u[1], u[2]};
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.verdict, GRADE_WRONG_ATTITUDE);
        assert_int_equal(g.looks_like, GRADE_LEFT_HANDED);
    }
}

/* Rows at a time that is nearly one of the case are at that time; without any row there is no error to
 * tell. */
static void test_times_nearby(void **state)
{
    (void)state;
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    make_case(&c, at);
    grade_row row[MADE_TIMES];
    for (int i = 0; i < MADE_TIMES; i++) {
        row[i] = made_row(&c, i, 0.0, 0.0);
        row[i].t *= 1.0 + 4e-10;
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.verdict, GRADE_PASSED);
    for (int i = 0; i < MADE_TIMES; i++) {
        assert_true(row[i].t == c.time[i]);
        row[i].t = 7.0 + i;
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.rows, 0);
    assert_true(isnan(g.attitude) && isnan(g.energy) && isnan(g.momentum) && isnan(g.length) &&
                isnan(g.speed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matched),
        cmocka_unit_test(test_order_of_small_errors),
        cmocka_unit_test(test_mistakes_of_all_rows),
        cmocka_unit_test(test_left_handed),
        cmocka_unit_test(test_times_nearby),
    };
    return cmocka_run_group_tests_name("grades", tests, NULL, NULL);
}
