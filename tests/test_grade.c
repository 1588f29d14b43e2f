/* test_grade.c - the grades of rows of a case that is made here: which times are matched, the order,
 * and what counts as a mistake. transcripts/grade.txt has the cases of the tool. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/extremes.h"
#include "motion/vec.h"
#include "polhode/grade.h"

enum { MADE_TIMES = 3 };
static const double made_times[MADE_TIMES] = {1.0, 2.0, 3.0};

/* A body that turns by some radians about an axis in the first plane, from no turn. */
static void make_case(ph_grade_case *c, ph_grade_state at[MADE_TIMES])
{
    *c = (ph_grade_case){.tensor = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0},
                         .attitude = {1, 0, 0, 0},
                         .bound = 1e-3,
                         .velocity_bound = 0.1,
                         .times = MADE_TIMES,
                         .time = made_times,
                         .state = at};
    for (int i = 0; i < MADE_TIMES; i++)
        at[i] = (ph_grade_state){.q = turn_about(vec3(0.6, 0.8, 0.0), 0.2 + 0.1 * i),
                                 .w = {0.6, 0.8, 0.1 * i},
                                 .acceleration = {0.1, 0.2, 0.3}};
}

/* The row at the time number i of the case, turned about the third axis by an angle. */
static ph_grade_row made_row(const ph_grade_case *c, int i, double angle, double h)
{
    return (ph_grade_row){.t = c->time[i],
                          .q = mul(c->state[i].q, turn_about(vec3(0, 0, 1), 0.5 * angle)),
                          .w = c->state[i].w,
                          .h = h};
}

/* Two rows at one time are one time that is matched, wherever the next row is. */
static void test_matched(void **state)
{
    (void)state;
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    ph_grade_row row[] = {made_row(&c, 0, 0, 0), made_row(&c, 0, 0, 0), made_row(&c, 1, 0, 0),
                          made_row(&c, 2, 0, 0)};
    row[3].t = 2.5;
    assert_int_equal(ph_grade_rows(&c, row, 4, &g), PH_OK);
    assert_int_equal(g.matched, 2);
    assert_int_equal(g.rows, 3);
    assert_int_equal(g.verdict, PH_GRADE_TIMES_MISSING);
    row[3].t = 3.0;
    assert_int_equal(ph_grade_rows(&c, row, 4, &g), PH_OK);
    assert_int_equal(g.matched, 3);
    assert_int_equal(g.verdict, PH_GRADE_PASSED);
}

/* Errors h^2 are of order 2; an error above a radian, and one at round-off, do not count. */
static void test_order_of_small_errors(void **state)
{
    (void)state;
    static const double step[] = {0.1, 0.2, 0.4, 0.8, 1e-3},
                        error[] = {0.01, 0.04, 0.16, 1.5, 5e-13};
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[5 * MADE_TIMES];
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
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    for (int wrong = 0; wrong <= MADE_TIMES; wrong++) { /* the row that is right */
        ph_grade_row row[MADE_TIMES];
        for (int i = 0; i < MADE_TIMES; i++) {
            row[i] = made_row(&c, i, 0.0, 0.0);
            if (i != wrong)
                row[i].q = inverse(row[i].q);
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.verdict, PH_GRADE_WRONG_ATTITUDE);
        assert_int_equal(g.looks_like,
                         wrong < MADE_TIMES ? PH_GRADE_NO_MISTAKE : PH_GRADE_TRANSPOSED);
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
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    for (int i = 0; i < MADE_TIMES; i++)
        at[i].q = turn_about(vec3(0.48, 0.64, 0.6), 0.5 + 0.2 * i);
    for (int k = 0; k < 12; k++) {
        ph_grade_row row[MADE_TIMES];
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
        assert_int_equal(g.verdict, PH_GRADE_WRONG_ATTITUDE);
        assert_int_equal(g.looks_like, PH_GRADE_LEFT_HANDED);
    }
}

/* Rows at a time that is nearly one of the case are at that time; without any row there is no error to
 * tell. */
static void test_times_nearby(void **state)
{
    (void)state;
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    ph_grade_row row[MADE_TIMES];
    for (int i = 0; i < MADE_TIMES; i++) {
        row[i] = made_row(&c, i, 0.0, 0.0);
        row[i].t *= 1.0 + 4e-10;
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.verdict, PH_GRADE_PASSED);
    for (int i = 0; i < MADE_TIMES; i++) {
        assert_true(row[i].t == c.time[i]);
        row[i].t = 7.0 + i;
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.rows, 0);
    assert_true(isnan(g.attitude) && isnan(g.energy) && isnan(g.momentum) && isnan(g.length) &&
                isnan(g.speed) && isnan(g.velocity));
}

/* All errors against their definitions, for a body with products of inertia and wheels. */
static void test_errors(void **state)
{
    (void)state;
    static const double tensor[6] = {2.0, 3.0, 4.0, 0.3, -0.2, 0.4};
    const ph_mat3 J = {{{2.0, 0.3, -0.2}, {0.3, 3.0, 0.4}, {-0.2, 0.4, 4.0}}};
    const double round_off = 1e-14;
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[MADE_TIMES];
    make_case(&c, at);
    memcpy(c.tensor, tensor, sizeof tensor);
    c.wheels = vec3(0.5, -1.0, 2.0);
    double energy[MADE_TIMES], momentum[MADE_TIMES], speed[MADE_TIMES], velocity[MADE_TIMES];
    double most = 0.0, largest = 0.0, fastest = 0.0;
    for (int i = 0; i < MADE_TIMES; i++) {
        const ph_vec3 w = scale(1.5, at[i].w), v = add(w, vec3(0.02, -0.01 * i * i, 0.03)),
                      L = rotate(at[i].q, add(apply(J, w), c.wheels));
        at[i].w = w;
        at[i].acceleration = vec3(0.1 * i, 0.2, 0.3);
        row[i] = made_row(&c, i, 1e-4 * (1 + i * i), 0.0);
        energy[i] = 0.5 * (dot(v, apply(J, v)) - dot(w, apply(J, w)));
        momentum[i] = norm(sub(rotate(row[i].q, add(apply(J, v), c.wheels)), L));
        speed[i] = fabs(norm(v) - norm(w));
        velocity[i] = norm(sub(v, w));
        most = larger_or_nan(most, 0.5 * dot(w, apply(J, w)));
        largest = larger_or_nan(largest, norm(L));
        fastest = larger_or_nan(fastest, norm(w));
        row[i].w = v;
        const double length = 1.0 + 1e-5 * (3 - i);
        row[i].q = (ph_quat){length * row[i].q.w, length * row[i].q.x, length * row[i].q.y,
                             length * row[i].q.z};
    }
    assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
    assert_int_equal(g.verdict, PH_GRADE_PASSED);
    double found[6] = {0}, of_euler = 0.0;
    for (int i = 0; i < MADE_TIMES; i++) {
        const double errors[6][2] = {
            {row[i].attitude, 1e-4 * (1 + i * i)},    {row[i].energy, energy[i] / most},
            {row[i].momentum, momentum[i] / largest}, {row[i].length, 1e-5 * (3 - i)},
            {row[i].speed, speed[i] / fastest},       {row[i].velocity, velocity[i] / fastest}};
        for (int k = 0; k < 6; k++) {
            assert_true(fabs(errors[k][0] - errors[k][1]) < round_off);
            found[k] = larger_or_nan(found[k], fabs(errors[k][0]));
        }
        of_euler += dot(at[i].acceleration, apply(J, at[i].acceleration)) / MADE_TIMES;
    }
    assert_true(g.attitude == found[0] && g.energy == found[1] && g.momentum == found[2] &&
                g.length == found[3] && g.speed == found[4] && g.velocity == found[5]);
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
        ph_grade_mistake is;
    } cases[] = {
        {0.5, 0.1, PH_GRADE_HALF_STEP},    {-0.5, 0.1, PH_GRADE_HALF_STEP},
        {0.5, -0.1, PH_GRADE_HALF_STEP},   {0.31, 0.1, PH_GRADE_HALF_STEP},
        {0.69, 0.1, PH_GRADE_HALF_STEP},   {0.29, 0.1, PH_GRADE_NO_MISTAKE},
        {-0.71, 0.1, PH_GRADE_NO_MISTAKE}, {0.29, 0.0, PH_GRADE_HALF_STEP},
        {0.71, 0.0, PH_GRADE_HALF_STEP},
    };
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double s = 0.1 * cases[k].part;
        for (int wrong = 0; wrong <= MADE_TIMES; wrong++) {
            ph_grade_row row[MADE_TIMES];
            for (int i = 0; i < MADE_TIMES; i++) {
                row[i] = made_row(&c, i, 0.0, cases[k].h);
                row[i].w = add(row[i].w, scale(s, at[i].acceleration));
                if (i == wrong) /* across the acceleration */
                    row[i].w = add(row[i].w, scale(0.3 * s, vec3(0.0, 0.3, -0.2)));
            }
            assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
            assert_int_equal(g.verdict, PH_GRADE_PASSED);
            assert_int_equal(g.looks_like, wrong < MADE_TIMES ? PH_GRADE_NO_MISTAKE : cases[k].is);
        }
    }
}

/* Of a case with one time, the step that counts is that of the row, not that of the next row. */
static void test_half_step_of_one_row(void **state)
{
    (void)state;
    const double step[] = {0.1, 0.4};
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[2];
    make_case(&c, at);
    c.times = 1;
    for (int i = 0; i < 2; i++) {
        row[i] = made_row(&c, 0, 0.0, step[i]);
        row[i].w = add(row[i].w, scale(0.05, at[0].acceleration));
    }
    assert_int_equal(ph_grade_rows(&c, row, 2, &g), PH_OK);
    assert_true(g.h == step[0] && g.rows == 1);
    assert_int_equal(g.looks_like, PH_GRADE_HALF_STEP);
}

/* Each mistake has a text of its own. */
static void test_texts_of_mistakes(void **state)
{
    (void)state;
    for (ph_grade_mistake m = PH_GRADE_TRANSPOSED; m < PH_GRADE_NO_MISTAKE; m++)
        assert_int_equal(ph_grade_mistake_named(ph_grade_mistake_text(m)), m);
    static const char *const others[] = {"", "a", "zzz", "half", "half steps", "space velocity "};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_int_equal(ph_grade_mistake_named(others[k]), PH_GRADE_NO_MISTAKE);
    assert_null(ph_grade_mistake_text(PH_GRADE_NO_MISTAKE));
}

/* Attitudes that were read or written in another way, velocities in space, and both reversed. */
static void test_exchanges(void **state)
{
    (void)state;
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    make_case(&c, at);
    c.attitude = ph_quat_unit((ph_quat){0.7, -0.3, 0.5, 0.4});
    for (int i = 0; i < MADE_TIMES; i++) {
        at[i].q = turn_about(vec3(0.48, 0.64, 0.6), 0.5 + 0.2 * i);
        at[i].w = vec3(0.6, -0.5, 0.4 + 0.3 * i);
    }
    for (int k = 0; k < 9; k++) {
        static const ph_grade_mistake is[9] = {
            PH_GRADE_TRANSPOSED,  PH_GRADE_TRANSPOSED,     PH_GRADE_TRANSPOSED,
            PH_GRADE_SCALAR_LAST, PH_GRADE_SCALAR_LAST,    PH_GRADE_SCALAR_LAST,
            PH_GRADE_LEFT_HANDED, PH_GRADE_SPACE_VELOCITY, PH_GRADE_NO_GYROSCOPIC_TERM};
        const bool reads = k < 6 && k % 3 != 0, writes = k < 6 && k % 3 != 1;
        const ph_quat q0 = c.attitude;
        ph_quat without[MADE_TIMES];
        ph_grade_row row[MADE_TIMES];
        c.mistakes = k == 8;
        c.mistake[0].is = PH_GRADE_NO_GYROSCOPIC_TERM;
        c.mistake[0].attitude = without;
        for (int i = 0; i < MADE_TIMES; i++) {
            row[i] = made_row(&c, i, 0.0, 0.0);
            const ph_quat read = k < 3 ? inverse(q0) : (ph_quat){q0.z, q0.w, q0.x, q0.y};
            ph_quat q = mul(reads ? read : q0, mul(inverse(q0), at[i].q));
            if (writes || k == 6)
                q = k < 3 || k == 6 ? inverse(q) : (ph_quat){q.x, q.y, q.z, q.w};
            without[i] = turn_about(vec3(0.0, 0.6, 0.8), 0.9 - 0.4 * i);
            row[i].q = k == 8 ? without[i] : q;
            row[i].w = k == 6 ? scale(-1.0, at[i].w) : k == 7 ? rotate(at[i].q, at[i].w) : at[i].w;
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.looks_like, is[k]);
        assert_int_equal(g.verdict, k == 7 ? PH_GRADE_WRONG_VELOCITY : PH_GRADE_WRONG_ATTITUDE);
    }
}

/* The bounds of verdicts. */
static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        /* Of the second row: radians, parts of 1 and of the largest |w|, radians. */
        double angle, length, speed, turn;
        ph_grade_verdict verdict;
    } cases[] = {
        {0.99e-3, 0, 0, 0, PH_GRADE_PASSED},        {1.01e-3, 0, 0, 0, PH_GRADE_WRONG_ATTITUDE},
        {0, 0.49e-3, 0, 0, PH_GRADE_PASSED},        {0, -0.49e-3, 0, 0, PH_GRADE_PASSED},
        {0, 0.51e-3, 0, 0, PH_GRADE_WRONG_LENGTH},  {0, -0.51e-3, 0, 0, PH_GRADE_WRONG_LENGTH},
        {1, 0.51e-3, 1, 0, PH_GRADE_WRONG_LENGTH},  {1, 0, 1, 0, PH_GRADE_WRONG_ATTITUDE},
        {0, 0, 0.0999, 0, PH_GRADE_PASSED},         {0, 0, -0.0999, 0, PH_GRADE_PASSED},
        {0, 0, 0.1005, 0, PH_GRADE_WRONG_VELOCITY}, {0, 0, -0.1005, 0, PH_GRADE_WRONG_VELOCITY},
        {0, 0, 0, 0.09, PH_GRADE_PASSED},           {0, 0, 0, 0.11, PH_GRADE_WRONG_VELOCITY},
        {0, 0, 0, -2.0, PH_GRADE_WRONG_VELOCITY},   {0, 0, 0.08, 0.08, PH_GRADE_WRONG_VELOCITY}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ph_grade_case c;
        ph_grade_state at[MADE_TIMES];
        ph_grade g;
        make_case(&c, at);
        ph_grade_row row[] = {made_row(&c, 2, 0, 0), made_row(&c, 1, cases[k].angle, 0),
                              made_row(&c, 0, 0, 0)};
        const double length = 1.0 + cases[k].length, fastest = norm(at[2].w), own = norm(at[1].w);
        row[1].q = (ph_quat){length * row[1].q.w, length * row[1].q.x, length * row[1].q.y,
                             length * row[1].q.z};
        row[1].w = scale((own + cases[k].speed * fastest) / own, row[1].w);
        row[1].w = rotate(turn_about(vec3(0.8, -0.6, 0.0), 0.5 * cases[k].turn), row[1].w);
        c.velocity_bound = 0.1 * fastest;
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.verdict, cases[k].verdict);
        assert_true(isnan(g.cut) && isnan(g.diverged));
        for (int i = 0; i < MADE_TIMES; i++)
            assert_true(row[i].t == made_times[i] && row[i].at == i);
    }
}

/* Rows that are cut off, that begin late or have a gap, a single one, and numbers that are not finite. */
static void test_missing_rows(void **state)
{
    (void)state;
    static const struct {
        int first, last, without;
        double cut;
    } cases[] = {
        {0, 0, -1, 2.0}, {0, 1, -1, 3.0}, {0, 2, 1, NAN}, {1, 2, -1, NAN}, {2, 2, -1, NAN}};
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[MADE_TIMES + 2];
    make_case(&c, at);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        size_t count = 0;
        for (int i = cases[k].last; i >= cases[k].first; i--) {
            if (i != cases[k].without)
                row[count++] = made_row(&c, i, 1e-4, 0.1);
        }
        row[0].w = scale(1.01, row[0].w); /* the last one */
        assert_int_equal(ph_grade_rows(&c, row, count, &g), PH_OK);
        assert_int_equal(g.verdict, PH_GRADE_TIMES_MISSING);
        assert_true(isnan(cases[k].cut) ? isnan(g.cut) : g.cut == cases[k].cut);
        assert_true(g.rows == count && g.matched == count);
        assert_true(g.energy_end == row[count - 1].energy && g.energy_end > 0.0);
        assert_int_equal(isnan(g.energy_drift), count == 1);
    }
    for (int k = 0; k < 8; k++) { /* each number of a row at the time 2.5, and the time itself */
        for (int i = 0; i < MADE_TIMES; i++)
            row[i] = made_row(&c, i, 0.0, 0.1);
        row[3] = row[4] = made_row(&c, 1, 0.0, 0.1);
        row[3].t = 2.5;
        row[4].t = 2.75;
        double *const number[8] = {&row[3].t,   &row[3].q.w, &row[3].q.x, &row[3].q.y,
                                   &row[3].q.z, &row[3].w.x, &row[3].w.y, &row[3].w.z};
        row[4].q.w = INFINITY;
        *number[k] = NAN;
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES + 2, &g), PH_OK);
        assert_int_equal(g.verdict, PH_GRADE_DIVERGED);
        assert_true(g.diverged == (k == 0 ? 2.75 : 2.5));
        assert_true(g.rows == MADE_TIMES && g.matched == MADE_TIMES && g.attitude == 0.0);
    }
}

/* Rows of several steps in any order: the smallest step is graded, of two with one size the negative one. The
 * order is that of the errors up to the last time at which two steps have small ones. */
static void test_several_steps(void **state)
{
    (void)state;
    enum { STEPS = 4, ROWS = STEPS * MADE_TIMES };
    static const double step[2][STEPS] = {{0.1, -0.2, 0.4, 0.5}, {-0.1, 0.1, -0.2, 0.2}};
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    make_case(&c, at);
    for (int turn = 0; turn < 2 * ROWS; turn++) {
        const double *h = step[turn % 2];
        ph_grade g;
        ph_grade_row row[ROWS];
        for (int k = 0; k < ROWS; k++) {
            const int n = (k * 5 + turn) % ROWS, i = n % MADE_TIMES;
            const double size = fabs(h[n / MADE_TIMES]), late = i == 2 && size > 0.15 ? 1.0 : 0.0;
            row[k] = made_row(&c, i, late + size * size * size * (i + 1), h[n / MADE_TIMES]);
        }
        assert_int_equal(ph_grade_rows(&c, row, ROWS, &g), PH_OK);
        assert_true(g.h == h[0] && g.rows == MADE_TIMES);
        for (int k = 0; k < ROWS; k++)
            assert_true(row[k].h == h[k / MADE_TIMES] && row[k].t == made_times[k % MADE_TIMES]);
        assert_true(fabs(g.attitude - 3e-3) < 1e-12);
        assert_true(turn % 2 == 1 || fabs(g.order - 3.0) < 1e-9);
    }
}

/* A mistake explains the errors but for a tenth, and but for 0.2 radians; errors within the bound need no
 * explanation. */
static void test_rest_of_mistakes(void **state)
{
    (void)state;
    static const struct {
        double half,
            rest; /* of each turn about a fixed axis, and what transposing leaves, in radians */
        double
            reversed; /* the part of 2 |w| that is left of a velocity that is reversed; else NaN */
        bool last;    /* the scalar is last, instead */
        ph_grade_mistake is;
    } cases[] = {
        {0.25, 0.1, NAN, false, PH_GRADE_TRANSPOSED},
        {0.25, 0.15, NAN, false, PH_GRADE_NO_MISTAKE},
        {0.7, 0.19, NAN, false, PH_GRADE_TRANSPOSED},
        {0.7, 0.21, NAN, false, PH_GRADE_NO_MISTAKE},
        {2e-4, 0.0, NAN, false, PH_GRADE_NO_MISTAKE},
        {3e-4, 0.0, NAN, false, PH_GRADE_TRANSPOSED},
        {0.5, 0.0, 0.09, false, PH_GRADE_LEFT_HANDED},
        {0.5, 0.0, 0.12, false, PH_GRADE_TRANSPOSED},
        {0.5, 0.0, 0.0, true, PH_GRADE_SCALAR_LAST},
    };
    const ph_vec3 axis = {0.48, 0.64, 0.6};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ph_grade_case c;
        ph_grade_state at[MADE_TIMES];
        ph_grade g;
        ph_grade_row row[MADE_TIMES];
        make_case(&c, at);
        for (int i = 0; i < MADE_TIMES; i++) {
            at[i].q = turn_about(axis, cases[k].half);
            at[i].acceleration = vec3(0, 0, 0);
            row[i] = made_row(&c, i, 0.0, 0.0);
            const ph_quat q = row[i].q;
            row[i].q = cases[k].last ? (ph_quat){q.x, q.y, q.z, q.w}
                                     : mul(inverse(q), turn_about(axis, -0.5 * cases[k].rest));
            if (!isnan(cases[k].reversed))
                row[i].w = scale(2.0 * cases[k].reversed - 1.0, row[i].w);
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.looks_like, cases[k].is);
    }
}

/* A velocity is wrong if it is off by more than a millionth of the largest one and by more than ten times the
 * attitude, or if no mistake explains an attitude that is beyond the bound. */
static void test_wrong_velocities(void **state)
{
    (void)state;
    static const struct {
        double angle, off; /* of the attitude; of the velocity, in parts of the largest one */
        ph_grade_mistake is;
    } cases[] = {{0, 1.5e-6, PH_GRADE_HALF_STEP},   {0, 0.7e-6, PH_GRADE_NO_MISTAKE},
                 {5e-4, 6e-3, PH_GRADE_HALF_STEP},  {5e-4, 4e-3, PH_GRADE_NO_MISTAKE},
                 {5e-4, 1e-7, PH_GRADE_NO_MISTAKE}, {1.5e-3, 6e-3, PH_GRADE_NO_MISTAKE}};
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[MADE_TIMES];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        make_case(&c, at);
        double fastest = 0.0;
        for (int i = 0; i < MADE_TIMES; i++) {
            at[i].w = scale(4.0, at[i].w);
            fastest = larger_or_nan(fastest, norm(at[i].w));
        }
        for (int i = 0; i < MADE_TIMES; i++) {
            const ph_vec3 a = at[i].acceleration;
            row[i] = made_row(&c, i, cases[k].angle, 0.0);
            row[i].w = add(row[i].w, scale(cases[k].off * fastest / norm(a), a));
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.looks_like, cases[k].is);
    }
    /* in space, to a tenth; with a wrong attitude that nothing explains, too */
    for (int k = 0; k < 4; k++) {
        const double part = k % 2 ? 0.12 : 0.09;
        make_case(&c, at);
        for (int i = 0; i < MADE_TIMES; i++) {
            row[i] = made_row(&c, i, k < 2 ? 0.0 : 0.05, 0.0);
            const ph_vec3 v = rotate(row[i].q, at[i].w);
            row[i].w = add(v, scale(part, sub(at[i].w, v)));
        }
        assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
        assert_int_equal(g.looks_like, k % 2 ? PH_GRADE_NO_MISTAKE : PH_GRADE_SPACE_VELOCITY);
    }
}

/* Errors that are the bound are within it. */
static void test_at_the_bound(void **state)
{
    (void)state;
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    ph_grade g;
    ph_grade_row row[MADE_TIMES];
    make_case(&c, at);
    for (int wrong = 0; wrong < 2; wrong++) { /* attitudes, lengths */
        c.bound = 1.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < MADE_TIMES; i++) {
                row[i] = made_row(&c, i, wrong ? 0.0 : 1e-3, 0.0);
                row[i].w = add(row[i].w, scale(1e-5, at[i].acceleration));
                if (wrong)
                    row[i].q = (ph_quat){1.001 * row[i].q.w, 1.001 * row[i].q.x, 1.001 * row[i].q.y,
                                         1.001 * row[i].q.z};
            }
            assert_int_equal(ph_grade_rows(&c, row, MADE_TIMES, &g), PH_OK);
            assert_int_equal(g.verdict, PH_GRADE_PASSED);
            c.bound = wrong ? 2.0 * g.length : g.attitude;
        }
        assert_int_equal(g.looks_like, PH_GRADE_HALF_STEP);
    }
}

/* The order is that of errors from 1e-10 to 0.3 up to the last time at which two steps have such errors. Steps may
 * be negative or 1; rows without a step do not count, nor do rows at other times. */
static void test_order_of_some_errors(void **state)
{
    (void)state;
    enum { STEPS = 4 };
    static const struct {
        double h[STEPS], error[STEPS][MADE_TIMES], order;
    } cases[] = {
        /* at the first time errors are of order 2, later they are smaller and of order 3 */
        {{0.1, 0.2, 0.3, 0.4},
         {{0.01, 1e-3, 1e-3}, {0.04, 8e-3, 8e-3}, {0.09, 0.027, 0.027}, {0.16, 0.064, 0.064}},
         2},
        /* the last row has the largest */
        {{0.1, 0.2, 0.3, 0.4}, {{0, 0, 0.01}, {0, 0, 0.04}, {0, 0, 0.09}, {0, 0, 0.16}}, 2},
        {{-0.1, -0.2, -0.3, -0.4}, {{0.01}, {0.04}, {0.09}, {0.16}}, 2},
        {{0.0, 0.5, 1.0, 2.0}, {{0.01}, {0.01}, {0.08}, {1.0}}, 3},
        /* of all but two the errors are too large or too small */
        {{0.1, 0.2, 0.3, 0.4}, {{0.9e-10}, {0.04}, {0.09}, {0.31}}, 2},
        {{1e-5, 0.2, 0.3, 0.5}, {{1.1e-10}, {0.044}, {0.099}, {0.275}}, 2},
        {{1e-5, 0.2, 0.3, 0.5}, {{1.1e-10}, {0.9e-10}, {0.31}, {0.275}}, 2},
        /* only at the first time are there two, or at the first two */
        {{0.1, 0.2, 0.3, 0.4}, {{0.01, 1, 1}, {0.04, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 2},
        {{0.1, 0.2, 0.3, 0.4}, {{0, 0.01, 1}, {0, 0.04, 0.2}, {1, 1, 1}, {1, 1, 1}}, 2},
        {{0.1, 0.2, 0.3, 0.4}, {{0.01}, {1}, {1}, {1}}, NAN},
    };
    ph_grade_case c;
    ph_grade_state at[MADE_TIMES];
    make_case(&c, at);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ph_grade g;
        ph_grade_row row[STEPS * (MADE_TIMES + 1)];
        for (int n = 0; n < STEPS; n++) {
            for (int i = 0; i < MADE_TIMES; i++)
                row[4 * n + i] = made_row(&c, i, cases[k].error[n][i], cases[k].h[n]);
            row[4 * n + 3] = made_row(&c, 0, 0.0, cases[k].h[n]);
            row[4 * n + 3].t = 2.5;
            row[4 * n + 3].attitude = 0.1 * (n + 1);
        }
        assert_int_equal(ph_grade_rows(&c, row, sizeof row / sizeof row[0], &g), PH_OK);
        assert_true(isnan(cases[k].order) ? isnan(g.order) : fabs(g.order - cases[k].order) < 1e-4);
    }
}

/* The step of Euler's method follows from one row; not without a row or an acceleration. */
static void test_euler_step(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        ph_grade_case c;
        ph_grade_state at[MADE_TIMES];
        ph_grade g;
        make_case(&c, at);
        for (int i = 0; i < MADE_TIMES && k == 1; i++)
            at[i].acceleration = vec3(0, 0, 0);
        ph_grade_row row[] = {
            made_row(&c, 1, 0.0, 0.1)}; /* at the time 2, with the moments 1, 2, 3 */
        const ph_vec3 w = at[1].w, v = scale(1.01, w), a = at[1].acceleration, J = {1.0, 2.0, 3.0};
        const double gained = dot(v, times(J, v)) - dot(w, times(J, w));
        row[0].w = v;
        row[0].t = k == 2 ? 1.5 : row[0].t;
        assert_int_equal(ph_grade_rows(&c, row, 1, &g), PH_OK);
        assert_true(k == 0 ? fabs(2.0 * g.euler_step * dot(a, times(J, a)) / gained - 1.0) < 1e-12
                           : isnan(g.euler_step));
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
        cmocka_unit_test(test_half_step_of_one_row),
        cmocka_unit_test(test_texts_of_mistakes),
        cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_missing_rows),
        cmocka_unit_test(test_several_steps),
        cmocka_unit_test(test_rest_of_mistakes),
        cmocka_unit_test(test_wrong_velocities),
        cmocka_unit_test(test_at_the_bound),
        cmocka_unit_test(test_order_of_some_errors),
        cmocka_unit_test(test_euler_step),
    };
    return cmocka_run_group_tests_name("grades", tests, NULL, NULL);
}
