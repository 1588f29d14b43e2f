/* test_grade.c - the grades of rows of a case that is made here: which times are matched, the order,
 * and what counts as a mistake. test_cli_grade.c has the cases of the tool. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
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

/* All errors against their definitions, for a body with products of inertia and wheels. */
static void test_errors(void **state)
{
    (void)state;
    static const double tensor[6] = {2.0, 3.0, 4.0, 0.3, -0.2, 0.4};
    const ph_mat3 J = {{{2.0, 0.3, -0.2}, {0.3, 3.0, 0.4}, {-0.2, 0.4, 4.0}}};
    const double round_off = 1e-14;
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    grade_row row[MADE_TIMES];
    make_case(&c, at);
    memcpy(c.tensor, tensor, sizeof tensor);
    c.wheels = vec3(0.5, -1.0, 2.0);
    double energy[MADE_TIMES], momentum[MADE_TIMES], speed[MADE_TIMES], most = 0.0, largest = 0.0,
                                                                        fastest = 0.0;
    for (int i = 0; i < MADE_TIMES; i++) {
        const ph_vec3 w = scale(1.5, at[i].w), v = add(w, vec3(0.02, -0.01 * i * i, 0.03)),
                      L = rotate(at[i].q, add(apply(J, w), c.wheels));
        at[i].w = w;
        at[i].acceleration = vec3(0.1 * i, 0.2, 0.3);
        row[i] = made_row(&c, i, 1e-4 * (1 + i * i), 0.0);
        energy[i] = 0.5 * (dot(v, apply(J, v)) - dot(w, apply(J, w)));
        momentum[i] = norm(sub(rotate(row[i].q, add(apply(J, v), c.wheels)), L));
        speed[i] = fabs(norm(v) - norm(w));
        most = larger_or_nan(most, 0.5 * dot(w, apply(J, w)));
        largest = larger_or_nan(largest, norm(L));
        fastest = larger_or_nan(fastest, norm(w));
        row[i].w = v;
        const double length = 1.0 + 1e-5 * (3 - i);
        row[i].q = (ph_quat){length * row[i].q.w, length * row[i].q.x, length * row[i].q.y,
                             length * row[i].q.z};
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.verdict, GRADE_PASSED);
    double found[5] = {0}, of_euler = 0.0;
    for (int i = 0; i < MADE_TIMES; i++) {
        const double errors[5][2] = {{row[i].attitude, 1e-4 * (1 + i * i)},
                                     {row[i].energy, energy[i] / most},
                                     {row[i].momentum, momentum[i] / largest},
                                     {row[i].length, 1e-5 * (3 - i)},
                                     {row[i].speed, speed[i] / fastest}};
        for (int k = 0; k < 5; k++) {
            assert_true(fabs(errors[k][0] - errors[k][1]) < round_off);
            found[k] = larger_or_nan(found[k], fabs(errors[k][0]));
        }
        of_euler += dot(at[i].acceleration, apply(J, at[i].acceleration)) / MADE_TIMES;
    }
    assert_true(g.attitude == found[0] && g.energy == found[1] && g.momentum == found[2] &&
                g.length == found[3] && g.speed == found[4]);
    /* the slope through three points at equal distances is that of the outer two */
    assert_true(fabs(g.attitude_drift - 2e-4) < round_off);
    assert_true(fabs(g.energy_drift - 0.5 * (energy[2] - energy[0]) / most) < round_off);
    assert_true(g.energy_end == row[2].energy);
    assert_true(fabs(g.euler_step - 2.0 * energy[0] / (of_euler * made_times[0])) < round_off);
}

/* Velocities at half a step, of all rows; or at any part of a step that is not known. */
static void test_half_step(void **state)
{
    (void)state;
    static const struct {
        double part, h;
        grade_mistake is;
    } cases[] = {
        {0.5, 0.1, GRADE_HALF_STEP},    {-0.5, 0.1, GRADE_HALF_STEP}, {0.5, -0.1, GRADE_HALF_STEP},
        {0.31, 0.1, GRADE_HALF_STEP},   {0.69, 0.1, GRADE_HALF_STEP}, {0.29, 0.1, GRADE_NO_MISTAKE},
        {-0.71, 0.1, GRADE_NO_MISTAKE}, {0.29, 0.0, GRADE_HALF_STEP}, {0.71, 0.0, GRADE_HALF_STEP},
    };
    grade_case c;
    grade_state at[MADE_TIMES];
    grade g;
    make_case(&c, at);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double s = 0.1 * cases[k].part;
        for (int wrong = 0; wrong <= MADE_TIMES; wrong++) {
            grade_row row[MADE_TIMES];
            for (int i = 0; i < MADE_TIMES; i++) {
                row[i] = made_row(&c, i, 0.0, cases[k].h);
                row[i].w = add(row[i].w, scale(s, at[i].acceleration));
                if (i == wrong) /* across the acceleration */
                    row[i].w = add(row[i].w, scale(0.5 * s, vec3(0.0, 0.3, -0.2)));
            }
            assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
            assert_int_equal(g.verdict, GRADE_PASSED);
            assert_int_equal(g.looks_like, wrong < MADE_TIMES ? GRADE_NO_MISTAKE : cases[k].is);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matched),
        cmocka_unit_test(test_order_of_small_errors),
        cmocka_unit_test(test_mistakes_of_all_rows),
        cmocka_unit_test(test_left_handed),
        cmocka_unit_test(test_times_nearby),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_half_step),
    };
    return cmocka_run_group_tests_name("grades", tests, NULL, NULL);
}
